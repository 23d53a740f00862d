// This file tests the order of events.

package trace

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"

	"tokdyno/engine/shape/internal/filetest"
)

// file writes events at these seconds; each has its place in the file, from 1, for its input.
func file(seconds []int) string {
	var b strings.Builder
	b.WriteString(header)
	for i, s := range seconds {
		fmt.Fprintf(&b, "%d,%d,1\n", s, i+1)
	}
	return b.String()
}

// TestSlightDisorderIsPutIntoOrder holds files in which no event is more than the look-ahead out of place against a
// stable sort.
func TestSlightDisorderIsPutIntoOrder(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		seconds := rapid.SliceOfN(rapid.IntRange(0, 5000), 1, 3*lookAhead).Draw(t, "seconds")
		slices.Sort(seconds)
		reach := rapid.IntRange(1, lookAhead/2).Draw(t, "reach")
		for i := 0; i+reach < len(seconds); i += reach + 1 {
			slices.Reverse(seconds[i : i+reach+1])
		}
		var want []Event
		for i, s := range seconds {
			want = append(want, Event{At: time.Duration(s) * time.Second, Input: i + 1, Output: 1})
		}
		slices.SortStableFunc(want, func(a, b Event) int { return int(a.At - b.At) })
		first := want[0].At
		for i := range want {
			want[i].At -= first
		}
		s := newStream(strings.NewReader(file(seconds)), "", Reading{}, nil)
		if diff := cmp.Diff(want, drained(t, s)); diff != "" || s.clock.clamped != 0 {
			t.Fatalf("%d clamped (-want +got):\n%s", s.clock.clamped, diff)
		}
	})
}

// drained reads all of a stream.
func drained(t interface{ Fatal(...any) }, s *stream) []Event {
	var all []Event
	for {
		e, err := s.next()
		if err == nil {
			all = append(all, e)
			continue
		}
		if err.Error() != "EOF" {
			t.Fatal(err)
		}
		return all
	}
}

func TestFarDisorderIsClampedAndCounted(t *testing.T) {
	var seconds []int
	for i := range lookAhead + 10 {
		seconds = append(seconds, 100+i)
	}
	seconds = append(seconds, 3, 4, 100+lookAhead+10)
	trace := open(t, filetest.Written(t, file(seconds)), "")
	all := events(t, trace)
	// When 3 is read, the first eleven have been handed out.
	if trace.Clamped() != 2 || trace.Len() != len(seconds) || all[11].Input != lookAhead+11 || all[11].At != 10*time.Second || all[13].At != 11*time.Second {
		t.Errorf("%d clamped of %d; %+v", trace.Clamped(), trace.Len(), all[10:15])
	}
	if all[0].At != 0 || !slices.IsSortedFunc(all, func(a, b Event) int { return int(a.At - b.At) }) {
		t.Errorf("times fall, or begin at %v", all[0].At)
	}
}

func TestSeveralCursorsDoNotDisturbEachOther(t *testing.T) {
	trace := open(t, filetest.Written(t, file([]int{1, 2, 3})), "")
	a, b := trace.Events(), trace.Events()
	for i := range 3 {
		fromA, _, errA := a.Next()
		fromB, _, errB := b.Next()
		if fromA.Input != i+1 || fromB.Input != i+1 || errA != nil || errB != nil {
			t.Error(fromA, errA, fromB, errB)
		}
	}
	for _, c := range []*Cursor{a, b} {
		if err := c.Close(); err != nil {
			t.Error(err)
		}
	}
}
