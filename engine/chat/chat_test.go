package chat

import (
	"testing"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func TestAlternating(t *testing.T) {
	for _, tt := range []struct {
		name     string
		in, want []Message
	}{
		{"as it is", []Message{{System, "s"}, {User, "a"}, {Assistant, "b"}, {User, "c"}}, []Message{{System, "s"}, {User, "a"}, {Assistant, "b"}, {User, "c"}}},
		{"a blank answer", []Message{{User, "a"}, {Assistant, ""}, {User, "c"}}, []Message{{User, "a\n\nc"}}},
		{"an answer of white space", []Message{{User, "a"}, {Assistant, " \n\t"}, {User, "c"}}, []Message{{User, "a\n\nc"}}},
		{"a person who says two things", []Message{{User, "a"}, {User, "b"}, {Assistant, "c"}, {Assistant, "d"}, {User, "e"}}, []Message{{User, "a\n\nb"}, {Assistant, "c\n\nd"}, {User, "e"}}},
		{"an aside between", []Message{{User, "a"}, {Assistant, ""}, {System, "s"}, {User, "b"}}, []Message{{User, "a"}, {System, "s"}, {User, "b"}}},
		{"nothing", nil, nil},
		{"nobody says anything", []Message{{System, ""}, {User, ""}}, []Message{{User, ""}}},
	} {
		if diff := cmp.Diff(tt.want, Alternating(tt.in)); diff != "" {
			t.Errorf("%s (-want +got):\n%s", tt.name, diff)
		}
	}
}

// Whatever was said, no message is blank, and no role speaks twice in a row; what was said stays, in its order.
func TestAlternatingIsWhatStrictServersTake(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		all := rapid.SliceOf(rapid.Custom(func(t *rapid.T) Message {
			return Message{
				Role:    rapid.SampledFrom([]string{System, User, Assistant}).Draw(t, "role"),
				Content: rapid.SampledFrom([]string{"", " ", "a", "b\n"}).Draw(t, "content"),
			}
		})).Draw(t, "messages")
		said := map[string]int{}
		for _, m := range all {
			if !Blank(m.Content) {
				said[m.Role] += len(m.Content) + 2
			}
		}
		kept := Alternating(all)
		for i, m := range kept {
			if Blank(m.Content) && len(kept) > 1 || i > 0 && kept[i-1].Role == m.Role {
				t.Fatalf("message %d of %q", i, kept)
			}
			if !Blank(m.Content) {
				said[m.Role] -= len(m.Content) + 2
			}
		}
		for role, left := range said {
			if left != 0 {
				t.Fatalf("%d bytes of %s are lost in %q", left, role, kept)
			}
		}
	})
}
