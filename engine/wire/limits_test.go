// Limits of files and ports.

package wire

import (
	"math"
	"strings"
	"testing"
)

func TestStreamsThatFit(t *testing.T) {
	for _, test := range []struct {
		files       uint64
		open, ports int
		want        int
		sentence    string
	}{
		{0, 0, 0, math.MaxInt, ""},
		{1024, 10, 0, 950, "1024 files open"},
		{1024, 10, 28232, 950, "ulimit -n"},
		{1 << 20, 10, 28232, 28232, "28232 local ports"},
		{0, 10, 28232, 28232, "ip_local_port_range"},
		{math.MaxUint64, 10, 0, math.MaxInt, ""}, // "unlimited"
		{60, 10, 0, 0, "more than 0 streams"},
	} {
		got, sentence := streamsThatFit(test.files, test.open, test.ports)
		if got != test.want || !strings.Contains(sentence, test.sentence) || (sentence == "") != (test.sentence == "") {
			t.Errorf("%d files, %d open, %d ports: %d, %q; want %d, %q", test.files, test.open, test.ports, got, sentence, test.want, test.sentence)
		}
	}
}
