// This file is what somebody meant who wrote a name that there is not.

package lines

import (
	"fmt"
	"strings"

	"github.com/agnivade/levenshtein"
)

// far is from how many letters on, put in, left out or changed, a name is another one.
const far = 3

// Meant is "; did you mean X?" with the one of several names that an unknown one comes nearest to, or "; " and what else helps
// where none is near. A name that was cut short, or that runs into what follows it, is near.
func Meant(unknown string, names []string, otherwise string) string {
	unknown = strings.ToLower(unknown)
	best, least := "", far
	for _, name := range names {
		d := levenshtein.ComputeDistance(name, unknown)
		if unknown != "" && strings.HasPrefix(name, unknown) || len(name) > 1 && strings.HasPrefix(unknown, name) {
			d = min(d, 1)
		}
		if d < least && d < len(name) {
			best, least = name, d
		}
	}
	if best == "" {
		return "; " + otherwise
	}
	return fmt.Sprintf("; did you mean %s?", best)
}
