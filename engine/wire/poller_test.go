// The tests of this package once more, with connections that are waited for in other ways.

package wire

import (
	"os"
	"os/exec"
	"testing"
)

// waitVariable has clients of tests wait for their connections otherwise than as the poller finds best.
const (
	waitVariable = "TOKDYNO_WIRE_TEST_WAIT"
	waitInGo     = "go"    // in Go's poller, as on systems that do not stamp arrivals
	waitForTicks = "ticks" // always until the next tick
)

func TestHoldsHoweverConnectionsAreWaitedFor(t *testing.T) {
	if os.Getenv(waitVariable) != "" {
		t.Skip("this is one of the other ways")
	}
	if testing.Short() {
		t.Skip("it takes as long as all other tests, twice")
	}
	binary, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	for _, way := range []string{waitInGo, waitForTicks} {
		t.Run(way, func(t *testing.T) {
			again := exec.Command(binary)
			again.Env = append(os.Environ(), waitVariable+"="+way)
			if out, err := again.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
