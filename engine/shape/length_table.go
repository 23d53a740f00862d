// This file is the distribution that a file of lengths gives, and the factor over it.

package shape

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"encoding/hex"
	"math"
	"math/rand/v2"
	"slices"
	"strconv"
	"unique"
)

// table is the content of a file of lengths, and a factor over it.
type table struct {
	name   string
	factor float64
	rows   unique.Handle[rows] // two files with the same content share them, so that tables compare with ==
}

// rows is a distribution as bytes, which, unlike a slice, compare with ==: for each length, ascending, the length and the
// sum of the weights up to it, in eight bytes each. The weights have no common divisor, so that the same distribution
// is the same rows.
type rows string

const rowLength = 16

func (r rows) number(at int) uint64 {
	var n uint64
	for i := range 8 {
		n |= uint64(r[at+i]) << (8 * i)
	}
	return n
}

func (r rows) count() int         { return len(r) / rowLength }
func (r rows) length(row int) int { return int(r.number(row * rowLength)) }
func (r rows) upTo(row int) uint64 {
	if row < 0 {
		return 0
	}
	return r.number(row*rowLength + 8)
}

// weighted is a length and how often it comes.
type weighted struct {
	length int
	weight uint64
}

// packRows makes the rows of lengths in any order.
func packRows(list []weighted) rows {
	list = slices.Clone(list)
	slices.SortFunc(list, func(a, b weighted) int { return cmp.Compare(a.length, b.length) })
	merged := list[:0]
	var divisor uint64
	for _, w := range list {
		if last := len(merged) - 1; last >= 0 && merged[last].length == w.length {
			merged[last].weight += w.weight
		} else {
			merged = append(merged, w)
		}
	}
	for _, w := range merged {
		divisor = gcd(w.weight, divisor)
	}
	packed, sum := make([]byte, 0, len(merged)*rowLength), uint64(0)
	for _, w := range merged {
		sum += w.weight / divisor
		packed = binary.LittleEndian.AppendUint64(packed, uint64(w.length))
		packed = binary.LittleEndian.AppendUint64(packed, sum)
	}
	return rows(packed)
}

func gcd(a, b uint64) uint64 {
	for b != 0 {
		a, b = b, a%b
	}
	return a
}

// The ends of the factor's scale: beyond them all lengths are the shortest, or the longest, there is.
const (
	leastFactor = 1.0 / MaxTokens
	mostFactor  = MaxTokens
)

// times returns the listed length with another factor over it.
func (l Length) times(factor float64) Length {
	l.file.factor = min(max(factor, leastFactor), mostFactor)
	return l
}

// fourDigits rounds a positive number to four digits, as many as a person wants to read.
func fourDigits(x float64) float64 {
	rounded, _ := strconv.ParseFloat(strconv.FormatFloat(x, 'g', 4, 64), 64)
	return rounded
}

// adjustListed takes the factor's steps, to the next 2ᵏ or 3·2ᵏ of any sign of k.
func (l Length) adjustListed(steps int) Length {
	r := l.file.rows.Value()
	longest := float64(r.length(r.count() - 1))
	f := l.file.factor
	for ; steps > 0 && f*longest < MaxTokens && f < mostFactor; steps-- {
		f = factorAbove(f)
	}
	for ; steps < 0 && f*longest > 1 && f > leastFactor; steps++ {
		f = factorBelow(f)
	}
	return l.times(f)
}

// factorAbove returns the lowest rung above a positive f: 2ᵏ or 1.5·2ᵏ.
func factorAbove(f float64) float64 {
	fraction, exponent := math.Frexp(f) // f = fraction·2^exponent, fraction from ½ to below 1
	if fraction < 0.75 {
		return math.Ldexp(0.75, exponent)
	}
	return math.Ldexp(1, exponent)
}

// factorBelow returns the highest rung below a positive f.
func factorBelow(f float64) float64 {
	switch fraction, exponent := math.Frexp(f); {
	case fraction > 0.75:
		return math.Ldexp(0.75, exponent)
	case fraction > 0.5:
		return math.Ldexp(0.5, exponent)
	default:
		return math.Ldexp(0.375, exponent)
	}
}

// scaled returns the length in a row as the factor makes it.
func (t table) scaled(r rows, row int) int { return clamp(float64(r.length(row)) * t.factor) }

// longest returns the longest length there is.
func (t table) longest() int {
	r := t.rows.Value()
	return t.scaled(r, r.count()-1)
}

func (t table) draw(random *rand.Rand) int {
	r := t.rows.Value()
	drawn := random.Uint64N(r.upTo(r.count() - 1))
	low, high := 0, r.count()-1 // the row sought is among these
	for low < high {
		if middle := (low + high) / 2; r.upTo(middle) > drawn {
			high = middle
		} else {
			low = middle + 1
		}
	}
	return t.scaled(r, low)
}

// digest says which lengths are drawn and how often, for Shape.Hash: the same for every name, and for a factor that is
// multiplied into the file.
func (t table) digest() string {
	r := t.rows.Value()
	list := make([]weighted, r.count())
	for row := range list {
		list[row] = weighted{t.scaled(r, row), r.upTo(row) - r.upTo(row-1)}
	}
	sum := sha256.Sum256([]byte(packRows(list)))
	return hex.EncodeToString(sum[:])
}
