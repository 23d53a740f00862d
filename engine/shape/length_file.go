// This file reads the lengths that a file lists.

package shape

import (
	"bufio"
	"errors"
	"fmt"
	"io"
	"os"
	"strconv"
	"strings"
	"unique"

	"tokdyno/engine/textfile"
)

// Limits of a file of lengths. They keep a mistaken file from filling the memory, and the sum of all weights within
// 2⁵³.
const (
	maxListed = 1_000_000
	maxWeight = 1_000_000_000
)

// Listed returns the distribution of the lengths that r lists under that name: a whole number of tokens in each line,
// and behind it, if not all lines count the same, a whole number that says how often the length comes (0: never). Empty
// lines and what follows a # do not count. The error is a sentence that names the line and says what is wrong in it.
func Listed(name string, r io.Reader) (Length, error) {
	var list []weighted
	lines := bufio.NewScanner(r)
	for n := 1; lines.Scan(); n++ {
		text, _, _ := strings.Cut(lines.Text(), "#")
		fields := strings.Fields(text)
		if len(fields) == 0 {
			continue
		}
		w, err := parseWeighted(fields)
		if err != nil {
			return Length{}, fmt.Errorf("line %d of %s: %w", n, name, err)
		}
		if w.weight == 0 {
			continue
		}
		if len(list) == maxListed {
			return Length{}, fmt.Errorf("%s lists more than %d lengths", name, maxListed)
		}
		list = append(list, w)
	}
	if err := lines.Err(); err != nil {
		return Length{}, fmt.Errorf("%s can't be read as a list of lengths: %w", name, err)
	}
	if len(list) == 0 {
		return Length{}, fmt.Errorf("%s lists no length; it takes a whole number of tokens in each line", name)
	}
	return Length{kind: listed, file: table{name, 1, unique.Make(packRows(list))}}, nil
}

func parseWeighted(fields []string) (w weighted, err error) {
	if len(fields) > 2 {
		return w, fmt.Errorf("%d columns are too many: it takes a length and at most a weight", len(fields))
	}
	if strings.Contains(fields[0], ",") { // of a table, perhaps: no thousands in files
		return w, fmt.Errorf("%q is not a whole number", fields[0])
	}
	if w.length, err = parseNumber(fields[0]); err != nil {
		return w, err
	}
	if err := Fixed(w.length).Validate(); err != nil {
		return w, err
	}
	w.weight = 1
	if len(fields) == 2 {
		w.weight, err = strconv.ParseUint(fields[1], 10, 64)
		if err != nil || w.weight > maxWeight {
			return w, fmt.Errorf("weight %q is not a whole number from 0 to %d", fields[1], maxWeight)
		}
	}
	return w, nil
}

// openListed reads the lengths that the file at path lists.
func openListed(path string) (Length, error) {
	if path == "" {
		return Length{}, errors.New(`after "file:" comes the path of a file`)
	}
	// Asked before it is opened: to open a pipe may take forever.
	if info, err := os.Stat(path); err == nil && !info.Mode().IsRegular() {
		return Length{}, fmt.Errorf("%s is not a plain file", path)
	}
	file, err := os.Open(path)
	if err != nil {
		return Length{}, err
	}
	defer file.Close()
	return Listed(path, textfile.New(file))
}

// String returns the table as ParseLength reads it: "file:lens.txt", with a factor "file:lens.txt ×1.5".
func (t table) String() string {
	if _, _, taken := cutFactor(t.name); t.factor == 1 && !taken {
		return filePrefix + t.name
	}
	return filePrefix + t.name + " ×" + strconv.FormatFloat(t.factor, 'g', -1, 64)
}

// cutFactor cuts " ×1.5" or " x1.5" off the end of a path; ok is false, and the path whole, where there is no such end.
func cutFactor(text string) (path string, factor float64, ok bool) {
	at := strings.LastIndexByte(text, ' ')
	if at < 0 {
		return text, 1, false
	}
	number, found := strings.CutPrefix(text[at+1:], "×")
	if !found {
		number, found = strings.CutPrefix(text[at+1:], "x")
	}
	factor, err := strconv.ParseFloat(number, 64)
	if !found || err != nil || !(factor >= leastFactor && factor <= mostFactor) {
		return text, 1, false
	}
	return strings.TrimSpace(text[:at]), factor, true
}
