// This file tests that items are read from the file as it was.

package dataset

import (
	"fmt"
	"math/rand/v2"
	"os"
	"strings"
	"sync"
	"testing"
	"unsafe"

	"tokdyno/engine/shape/internal/filetest"
)

func TestItemSaysThatTheFileIsAnother(t *testing.T) {
	for _, tt := range []struct{ name, now, want string }{
		{"cut short", "one\ntw", "line 2: the file was cut short since it was opened"},
		{"overwritten", "one\nTWO\n", "line 2: the file was changed since it was opened"},
	} {
		t.Run(tt.name, func(t *testing.T) {
			path := filetest.Written(t, "one\ntwo\n")
			set := open(t, path, "")
			if err := os.WriteFile(path, []byte(tt.now), 0o600); err != nil {
				t.Fatal(err)
			}
			if item, err := set.Item(0); err != nil || item.Turns[0].Prompt != "one" {
				t.Errorf("the first line is as it was, but: %v", err)
			}
			if _, err := set.Item(1); err == nil || err.Error() != "data set data, "+tt.want {
				t.Error(err)
			}
		})
	}
}

func TestItemOutOfRangeIsAnError(t *testing.T) {
	set := open(t, filetest.Written(t, "one\n"), "")
	for _, i := range []int{-1, 1} {
		if _, err := set.Item(i); err == nil || err.Error() != fmt.Sprintf("data set data has no item %d: there are 1", i) {
			t.Error(err)
		}
	}
}

func TestItemAfterCloseIsAnError(t *testing.T) {
	set := open(t, filetest.Written(t, "one\n"), "")
	if err := set.Close(); err != nil {
		t.Fatal(err)
	}
	if _, err := set.Item(0); err == nil || err.Error() != "line 1 of data set data cannot be read: file already closed" {
		t.Error(err)
	}
}

func TestItemsAreReadFromManyGoroutinesAtOnce(t *testing.T) {
	var file strings.Builder
	const n = 500
	for i := range n {
		fmt.Fprintf(&file, `{"prompt":"%d %s"}`+"\n", i, strings.Repeat("x", i))
	}
	set := open(t, filetest.Written(t, file.String()), "")
	var readers sync.WaitGroup
	for seed := range uint64(8) {
		readers.Go(func() {
			for _, i := range rand.New(rand.NewPCG(seed, 0)).Perm(n) {
				item, err := set.Item(i)
				if err != nil || item.Line != i+1 || item.Turns[0].Prompt != fmt.Sprintf("%d %s", i, strings.Repeat("x", i)) {
					t.Errorf("item %d: %+v, %v", i, item, err)
				}
			}
		})
	}
	readers.Wait()
}

func TestIndexTakesSixteenBytesAnItem(t *testing.T) {
	if size := unsafe.Sizeof(entry{}); size != 16 {
		t.Errorf("%d bytes", size)
	}
	e := entry{span: maxOffset<<spanBits | lengthMask}
	if e.offset() != 1<<40-1 || e.length() != 16<<20 {
		t.Errorf("the furthest and longest item is at %d, of %d bytes", e.offset(), e.length())
	}
}
