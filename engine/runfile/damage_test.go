package runfile

import (
	"encoding/binary"
	"encoding/json"
	"os"
	"reflect"
	"strings"
	"testing"
)

// prefix fails the test unless what was read of a damaged file is what the whole one begins with.
func prefix(t *testing.T, what string, whole []*Batch, damaged []byte) {
	t.Helper()
	batches, r, err := opened(t, damaged)
	if err != nil {
		if strings.Contains(err.Error(), "\n") || err.Error() == "" {
			t.Fatalf("%s: refused, but not in a sentence: %v", what, err)
		}
		return
	}
	if len(batches) > len(whole) {
		t.Fatalf("%s: %d batches, of %d", what, len(batches), len(whole))
	}
	for i, b := range batches {
		if !reflect.DeepEqual(b, whole[i]) {
			t.Fatalf("%s: batch %d is another one", what, i)
		}
	}
	if r.Damage() == nil && r.End() == nil {
		t.Fatalf("%s: neither an end nor a word on why there is none", what)
	}
}

func TestAFileCutAtAnyByte(t *testing.T) {
	data := kept(t, newScript(seeded(7), 8), Options{})
	whole, r, err := opened(t, data)
	if err != nil || r.Damage() != nil || len(whole) < 2 {
		t.Fatalf("%d batches, %v, %v", len(whole), err, r.Damage())
	}
	for n := range data {
		prefix(t, "cut", whole, data[:n])
	}
	// As little is lost as can be: up to the last byte but that of the tail, all batches are there.
	batches, cut, err := opened(t, data[:len(data)-tailLength-1])
	if err != nil || len(batches) != len(whole) || cut.Damage() == nil || cut.End() != nil {
		t.Errorf("%d of %d batches, %v, %v", len(batches), len(whole), err, cut.Damage())
	}
}

func TestAFileCutOrChangedAnywhere(t *testing.T) {
	data := kept(t, newScript(seeded(8), 100), Options{})
	whole, _, err := opened(t, data)
	if err != nil || len(whole) < 5 {
		t.Fatalf("%d batches, %v", len(whole), err)
	}
	rng := seeded(9)
	for range 150 {
		prefix(t, "cut", whole, data[:rng.IntN(len(data))])
	}
	for range 150 {
		flipped := append([]byte(nil), data...)
		flipped[rng.IntN(len(data))] ^= 1 << rng.IntN(8)
		prefix(t, "flipped", whole, flipped)
	}
}

// FuzzReader takes blocks that check but hold anything: the reader neither panics nor takes more memory than a run does.
func FuzzReader(f *testing.F) {
	past, err := os.ReadFile("testdata/schema1.tdr")
	if err != nil {
		f.Fatal(err)
	}
	f.Add(past)
	s := newScript(seeded(10), 6)
	for _, opt := range []Options{{}, {NoGaps: true}} {
		data := kept(f, s, opt)
		f.Add(data)
		blocks, err := newBlockReader(strings.NewReader(string(data[len(Magic):])))
		if err != nil {
			f.Fatal(err)
		}
		var parts []byte // type, length, payload, as the fuzzer is to change them
		for {
			kind, payload, err := blocks.next()
			if err != nil {
				break
			}
			parts = append(binary.AppendUvarint(append(parts, byte(kind)), uint64(len(payload))), payload...)
		}
		blocks.close()
		f.Add(parts)
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		read(t, data)
		w, err := newBlockWriter()
		if err != nil {
			t.Fatal(err)
		}
		header, _ := json.Marshal(Header{Schema: Schema})
		file := w.add([]byte(Magic), blockHeader, header)
		for src := (&source{rest: data}); len(src.rest) > 0; {
			kind := src.bytes(1)[0]
			file = w.add(file, blockType(kind&0x7f), src.bytes(src.uint()))
		}
		read(t, file)
	})
}

func read(t *testing.T, data []byte) {
	batches, r, err := opened(t, data)
	if err == nil && r.Damage() == nil && r.End() == nil {
		t.Errorf("%d batches, and no word on the end", len(batches))
	}
	ReadEnd(strings.NewReader(string(data)), int64(len(data)))
}

// TestAFileOfThePastStaysReadable reads a file that an earlier tokdyno wrote. Where the form has to change so that it
// can't be read, Schema has to grow; what merely joins it needs no change here.
func TestAFileOfThePastStaysReadable(t *testing.T) {
	data, err := os.ReadFile("testdata/schema1.tdr")
	if err != nil {
		t.Fatal(err)
	}
	batches, r, err := opened(t, data)
	if err != nil || r.Damage() != nil || r.End() == nil {
		t.Fatalf("%v, %v, end %v", err, r.Damage(), r.End())
	}
	begun, doings, ended, folds, output := 0, 0, 0, 0, int64(0)
	for _, b := range batches {
		begun, doings, ended, folds = begun+len(b.Begun), doings+len(b.Doings), ended+len(b.Ended), folds+len(b.Tick.Folds)
		for _, e := range b.Ended {
			output += e.Record.OutputTokens.Or(0)
		}
	}
	if got, want := [...]int64{int64(begun), int64(doings), int64(ended), int64(folds), output}, [...]int64{12, 436, 12, 24, 272}; got != want {
		t.Errorf("requests, events, ends, folds and output tokens %v, want %v", got, want)
	}
}
