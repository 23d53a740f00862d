// This file asks the person for a model, where an endpoint serves several and none was named.

package session

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
)

// errNoChoice says that the person left without choosing.
var errNoChoice = errors.New("no model was chosen; name one with --model")

// askModel lists models and reads the number or id of one, until the answer is one of them. An empty answer or the end
// of input chooses none.
func askModel(in io.Reader, out io.Writer, models []string) (string, error) {
	fmt.Fprintln(out, "The endpoint serves several models:")
	for i, id := range models {
		fmt.Fprintf(out, "%4d  %s\n", i+1, id)
	}
	lines := bufio.NewScanner(in)
	for {
		fmt.Fprintf(out, "Put load on which one (1-%d, empty to leave)? ", len(models))
		if !lines.Scan() {
			fmt.Fprintln(out)
			return "", errNoChoice
		}
		answer := strings.TrimSpace(lines.Text())
		if answer == "" {
			return "", errNoChoice
		}
		if n, err := strconv.Atoi(answer); err == nil && n >= 1 && n <= len(models) {
			return models[n-1], nil
		}
		if slices.Contains(models, answer) {
			return answer, nil
		}
		fmt.Fprintf(out, "%q is none of them.\n", answer)
	}
}
