// This file is the table of checks.

package doctor

// State says what came of a check.
type State string

// The states.
const (
	Fine    State = "ok"      // nothing is in the way
	Advice  State = "advice"  // something is missing or less than it could be; tokdyno works
	Blocked State = "blocked" // tokdyno does not work here
)

// Finding is what a check says.
type Finding struct {
	Check string `json:"check"`
	State State  `json:"state"`
	Says  string `json:"says"`         // what was found
	Do    string `json:"do,omitempty"` // what can be done about it; "" where nothing has to be
}

// check is a row of the table: it gives the finding without its name.
type check struct {
	name string
	look func(f Facts) Finding
}

// checks are all of them, in the order in which they are shown.
func checks() []check {
	return []check{
		{"terminal", terminal},
		{"colours", colours},
		{"characters", characters},
		{"GPU", accelerators},
		{"open files", files},
		{"clock", clock},
		{"arrival stamps", stamps},
		{"proxy", proxy},
		{"kept runs", folder},
		{"processor", processor},
	}
}

// Examine returns a finding for every check.
func Examine(f Facts) []Finding {
	var found []Finding
	for _, c := range checks() {
		finding := c.look(f)
		finding.Check = c.name
		found = append(found, finding)
	}
	return found
}

func fine(says string) Finding        { return Finding{State: Fine, Says: says} }
func advice(says, do string) Finding  { return Finding{State: Advice, Says: says, Do: do} }
func blocked(says, do string) Finding { return Finding{State: Blocked, Says: says, Do: do} }
func orElse(text, otherwise string) string {
	if text == "" {
		return otherwise
	}
	return text
}
