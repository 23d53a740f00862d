// Chunks, lengths and ends, against net/http's reading of them.

package wire

import (
	"bufio"
	"bytes"
	"io"
	"net/http"
	"strings"
	"testing"
)

// FuzzFraming has chunks read in pieces of a size, and by net/http.
func FuzzFraming(f *testing.F) {
	for _, text := range []string{
		"5\r\nhello\r\n0\r\n\r\n", "5;x=y \r\nhello\r\n00\r\nA: b\r\n\r\n", "5 \t\r\nhello\r\n0\r\n\r\nmore", "5\nhello\r\n0\r\n\r\n", "\r\n", "0\r\n", "5\r\nhel",
		"5\r\nhello!\r\n", "ffffffffffffffff\r\nx", "8000000000000000\r\nx", "+5\r\nhello\r\n", "5\r\r\nhello\r\n0\r\n\r\n", "5 ;\r\nhello\r\n0\r\n\r\n", "1_0\r\nhello\r\n",
	} {
		f.Add([]byte(text), byte(0))
		f.Add([]byte(text), byte(1))
		f.Add([]byte(text), byte(3))
	}
	f.Fuzz(func(t *testing.T, text []byte, size byte) {
		resp, err := http.ReadResponse(bufio.NewReader(io.MultiReader(strings.NewReader(streamHeader), bytes.NewReader(text))), nil)
		if err != nil {
			t.Fatal(err)
		}
		frame := framingOf(resp)
		want, wantErr := io.ReadAll(resp.Body)
		var got []byte
		var broken error
		for left := bytes.Clone(text); len(left) > 0 && broken == nil && frame.part != over; {
			piece := left
			if size > 0 {
				piece = left[:min(len(left), int(size))]
			}
			left = left[len(piece):]
			n, taken, err := frame.strip(piece)
			if err == nil && taken < len(piece) && frame.part != over {
				t.Fatalf("%d of %d bytes taken", taken, len(piece))
			}
			got, broken = append(got, piece[:n]...), err
		}
		whole, wantWhole := frame.part == over && broken == nil, wantErr == nil
		if len(resp.Trailer) > 0 || frame.part == trailer || wantErr != nil && strings.Contains(wantErr.Error(), "MIME") {
			wantWhole = whole // what stands in trailers does not matter to us
		}
		if !bytes.Equal(got, want) || whole != wantWhole {
			t.Errorf("%q, whole %v (%v); net/http %q, %v", got, whole, broken, want, wantErr)
		}
	})
}
