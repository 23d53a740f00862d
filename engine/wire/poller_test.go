// Tests of this package once more, with connections that are waited for in other ways.

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

// waiting are the tests of how connections are read, kept, cut and given up. All others are made once more where that is asked for
// by TOKDYNO_CALIBRATE, as the gate does.
const waiting = "Connection|Stale|Cancel|Timeout|TLS|Handshake|KeptOpen|Stamped|LetLie|TooSlowly|ManyStreams|ReadWithEarlier"

func TestHoldsHoweverConnectionsAreWaitedFor(t *testing.T) {
	if os.Getenv(waitVariable) != "" {
		t.Skip("this is one of the other ways")
	}
	if testing.Short() {
		t.Skip("it takes as long as many other tests, twice")
	}
	binary, err := os.Executable()
	if err != nil {
		t.Skip(err)
	}
	which := waiting
	if os.Getenv("TOKDYNO_CALIBRATE") != "" {
		which = "."
	}
	for _, way := range []string{waitInGo, waitForTicks} {
		t.Run(way, func(t *testing.T) {
			again := exec.Command(binary, "-test.run", which)
			again.Env = append(os.Environ(), waitVariable+"="+way)
			if out, err := again.CombinedOutput(); err != nil {
				t.Errorf("%v\n%s", err, out)
			}
		})
	}
}
