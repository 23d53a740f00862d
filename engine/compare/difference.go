// This file compares a figure of A with that of B, and says what can be said of it.

package compare

import (
	"cmp"
	"math"
	"slices"
	"time"

	"tokdyno/engine/units"
)

// Alpha is how likely a comparison of equal systems may find a difference, unless somebody chose otherwise.
const Alpha = 0.05

// Noise is by how much a figure may differ and still counts as the same, unless somebody chose otherwise.
const Noise = 0.05

// Answer is what can be said of a difference.
type Answer string

// The answers.
const (
	Better  Answer = "better"
	Worse   Answer = "worse"
	Same    Answer = "same"    // within the noise
	Unknown Answer = "unknown" // the samples can't tell
	Absent  Answer = "absent"  // one of the two has no such figure
)

// Difference is how a figure of B differs from A's. Change and its bounds are parts of A's (0.1: ten percent more), or, of
// shares, differences (0.01: one point more); null: unknown.
type Difference struct {
	Metric string   `json:"metric"`
	Title  string   `json:"title"` // as it is shown
	Unit   string   `json:"unit"`  // of A and B: "ms", "/s", or "" of a share, from 0 to 1
	A      *float64 `json:"a"`
	B      *float64 `json:"b"`
	NA     int      `json:"n_a"` // samples
	NB     int      `json:"n_b"`
	Change *float64 `json:"change"`
	Low    *float64 `json:"low"` // the interval of the change: of 95 %, or of the look's confidence
	High   *float64 `json:"high"`
	P      *float64 `json:"p"` // how likely one sees this and more of no change; corrected where several metrics were asked for
	Noise  float64  `json:"noise"`
	Answer Answer   `json:"answer"`
	NeedS  *float64 `json:"need_s"` // about how long to measure, each, until it can be told; null: no sensible time, or it is told

	metric    *Metric
	by        float64                                 // B − A, on the scale of the metric
	alpha     float64                                 // how likely it may be called different where it is not
	low, high float64                                 // its interval of that chance, on that scale; NaN: unknown
	bounds    func(alpha float64) (low, high float64) // those of another confidence; nil: unknown
	measured  float64                                 // seconds, of the shortest run
	unseen    float64                                 // seconds of measuring that would show the ends of the interval; 0: they show
}

// Compare compares figures of two sets of runs. Where several are asked for, one that stands alone has to be clearer, so that
// at most one in twenty comparisons of equal systems shows any difference, and not one in twenty figures; those that differ
// together, as they do where a server has become slower, need not be (Benjamini and Hochberg, J. R. Stat. Soc. B 57, 1995;
// for figures that go together: Benjamini and Yekutieli, Ann. Stat. 29, 2001). The interval is each figure's own.
func Compare(a, b []*Series, metrics []Metric, noise float64) []Difference {
	return compareAt(a, b, metrics, noise, Alpha)
}

// compareAt is Compare in which the chance to find a difference that is not there is alpha.
func compareAt(a, b []*Series, metrics []Metric, noise, alpha float64) []Difference {
	list := make([]Difference, 0, len(metrics))
	for i := range metrics {
		list = append(list, metrics[i].compare(a, b, noise, alpha))
	}
	correct(list)
	for i := range list {
		list[i].settle()
	}
	return list
}

// compare compares one figure. The bounds of the difference are put together from those of the two: where A lies in
// [a₁, a₂] and B in [b₁, b₂],
//
//	b − a − √((b−b₁)² + (a₂−a)²) … b − a + √((b₂−b)² + (a−a₁)²)
//
// which keeps what is lopsided about each (Zou and Donner, Stat. Med. 27, 2008).
func (m *Metric) compare(a, b []*Series, noise, alpha float64) Difference {
	pa, pb := m.pool(a, fewest(alpha)), m.pool(b, fewest(alpha))
	d := Difference{
		Metric: m.Name, Title: m.Title, Unit: m.Unit, A: known(pa.value), B: known(pb.value), NA: int(pa.n), NB: int(pb.n),
		Noise: m.threshold(noise), Answer: Absent, metric: m, alpha: alpha, low: math.NaN(), high: math.NaN(), measured: shortestOf(a, b),
	}
	if d.A == nil || d.B == nil {
		return d
	}
	d.Answer, d.by = Unknown, pb.at-pa.at
	d.unseen = max(pa.needs, pb.needs)
	d.Change, d.NeedS = known(m.off(d.by)), duration(d.unseen)
	if pa.bounds == nil || pb.bounds == nil {
		return d
	}
	d.bounds = func(alpha float64) (low, high float64) {
		ta, tb := student(alpha, pa.freedom), student(alpha, pb.freedom)
		al, ah := pa.bounds(ta)
		bl, bh := pb.bounds(tb)
		mood := 0.0 // of a run that stands against several: as far as they are from each other, it may be from itself
		switch {
		case pa.runs == 1:
			mood = tb * pb.spread
		case pb.runs == 1:
			mood = ta * pa.spread
		}
		return d.by - math.Hypot(math.Hypot(pb.at-bl, ah-pa.at), mood), d.by + math.Hypot(math.Hypot(bh-pb.at, pa.at-al), mood)
	}
	d.low, d.high = d.bounds(alpha)
	if m.Share { // no share changes by more than all of it
		d.low, d.high = max(d.low, -1), min(d.high, 1)
	}
	d.Low, d.High, d.P = m.known(d.low), m.known(d.high), known(d.chance())
	return d
}

// chance is the least alpha of which the interval leaves out no difference at all.
func (d *Difference) chance() float64 {
	least, most := math.Log(1e-9), 0.0
	for range 20 {
		middle := (least + most) / 2
		if low, high := d.bounds(math.Exp(middle)); low > 0 || high < 0 {
			most = middle
		} else {
			least = middle
		}
	}
	return math.Exp(most)
}

// correct corrects chances for how many figures were asked for: the largest stays, and the i-th smallest of n counts n/i times,
// but no more than the next one.
func correct(list []Difference) {
	var order []*Difference
	for i := range list {
		if list[i].P != nil {
			order = append(order, &list[i])
		}
	}
	slices.SortStableFunc(order, func(a, b *Difference) int { return cmp.Compare(*a.P, *b.P) })
	next := 1.0
	for i, d := range slices.Backward(order) {
		next = min(next, *d.P*float64(len(order))/float64(i+1))
		*d.P = next
	}
}

// settle says what can be said of the difference.
func (d *Difference) settle() {
	if d.bounds == nil {
		return
	}
	noise := d.metric.on1(d.Noise)
	switch {
	case *d.P <= d.alpha && math.Abs(d.by) >= noise:
		d.Answer = Worse
		if d.by < 0 == d.metric.Less {
			d.Answer = Better
		}
		d.NeedS = nil
	case d.low >= -noise && d.high <= noise:
		d.Answer, d.NeedS = Same, nil
	default:
		d.NeedS = duration(max(d.until(2*noise, noise), d.unseen))
	}
}

// String says in a few words what can be said of the difference.
func (d *Difference) String() string {
	switch d.Answer {
	case Better, Worse:
		return string(d.Answer)
	case Same:
		if d.Unit == "" {
			return "same within " + units.Number(100*d.Noise) + " pt"
		}
		return "same within " + units.ShareApart(d.Noise)
	case Absent:
		return "n/a"
	}
	if d.NeedS == nil || Length(*d.NeedS) == "" {
		return "can't tell"
	}
	return "can't tell (~" + Length(*d.NeedS) + ")"
}

// Length writes how long would do, rounded up: "4m"; "" where nobody would wait for that.
func Length(seconds float64) string {
	const longest = 4 * time.Hour
	if seconds <= 0 || seconds > longest.Seconds() {
		return ""
	}
	step := 10 * time.Second
	if seconds > 90 {
		step = time.Minute
	}
	return units.Time((time.Duration(seconds*float64(time.Second)) + step - 1).Truncate(step))
}

// until is about how many seconds of measuring it takes to find a difference of a size nine times in ten: the interval, which
// narrows with the root of the time, has then to reach 1.96/(1.96+1.28) of it to either side. Where the run was as long
// already, the difference lies near the noise, and what helps is an interval as narrow as it lies from there, but no narrower
// than a quarter of the noise.
func (d *Difference) until(size, noise float64) float64 {
	const nineInTen = 1.96 / (1.96 + 1.28)
	reach := (d.high - d.low) / 2
	if math.IsInf(reach, 0) {
		return 0
	}
	times := reach / (nineInTen * size)
	if times <= 1 {
		times = max(reach/max(math.Abs(math.Abs(d.by)-noise), noise/4), 1.1)
	}
	return d.measured * times * times
}

// shortestOf is the time of the shortest of some runs.
func shortestOf(sides ...[]*Series) float64 {
	least := math.Inf(1)
	for _, s := range slices.Concat(sides...) {
		if s != nil {
			least = min(least, s.Seconds)
		}
	}
	return least
}

// known is a change for JSON, of a bound that may be infinite.
func (m *Metric) known(by float64) *float64 {
	if math.IsInf(by, 0) {
		return nil
	}
	return known(m.off(by))
}

// known is a figure for JSON, to a millionth: null where it is undefined or infinite.
func known(v float64) *float64 {
	if math.IsNaN(v) || math.IsInf(v, 0) {
		return nil
	}
	v = math.Round(1e6*v) / 1e6
	return &v
}

// duration is a time for JSON: null where there is none.
func duration(seconds float64) *float64 {
	if seconds <= 0 {
		return nil
	}
	return known(math.Ceil(seconds))
}
