package session

import (
	"errors"
	"io"
	"strings"
	"testing"
)

func TestAskModel(t *testing.T) {
	models := []string{"qwen3-8b", "llama-3.1-8b"}
	tests := []struct {
		name, typed, want string
		err               error
	}{
		{"by number", "2\n", "llama-3.1-8b", nil},
		{"by id", "qwen3-8b\n", "qwen3-8b", nil},
		{"after a slip", "7\nx\n 1 \n", "qwen3-8b", nil},
		{"nothing", "\n", "", errNoChoice},
		{"end of input", "", "", errNoChoice},
	}
	for _, tt := range tests {
		t.Run(tt.name, func(t *testing.T) {
			got, err := askModel(strings.NewReader(tt.typed), io.Discard, models)
			if got != tt.want || !errors.Is(err, tt.err) {
				t.Errorf("got %q, %v, want %q, %v", got, err, tt.want, tt.err)
			}
		})
	}
}
