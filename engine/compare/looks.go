// This file is how a comparison is looked at while it grows, without finding what is not there.

package compare

// The looks at a comparison that goes on: the first once so much is measured on either side that figures can have an interval,
// each later one once there is so many times as much. So their times are fixed before any difference is known, and a run of ten
// minutes has nine. (An earlier first look finds no more: it takes half the chance of error, and the later ones need some.)
const (
	firstLook  = 20.0 // seconds, and as many blocks as an interval needs
	looksApart = 1.5
	blockRoom  = 1.05 // requests may be a little longer than they are at the moment
)

// Look is a comparison as it stood at one of the fixed times; until the next one it stands.
type Look struct {
	Number      int          `json:"number"`     // of the run's looks, from 1
	Confidence  float64      `json:"confidence"` // of its intervals: 0.975 at the first, and more at each later one
	Load        string       `json:"load"`       // what was compared
	SecondsA    float64      `json:"measured_s_a"`
	SecondsB    float64      `json:"measured_s_b"`
	Differences []Difference `json:"differences"`
}

// Looks makes the looks of a run. They may be watched every second and the run ended for what they say: of equal systems, at
// most one run in twenty ever has a look that calls anything different. For the error is spent on looks that are counted
// over the whole run, on the k-th
//
//	α/(k(k+1))
//
// of it, which is α over all of them, however many there come to be (a union bound: the differences need not be independent).
// The zero Looks has made none.
type Looks struct {
	// Sides is how many are compared with A, which share the error; 0: one.
	Sides int

	made int
	seen map[string]float64 // how much had been measured at the latest look, by load
}

// Next is how much has to be measured of a load for the next look, on the side that has less, in seconds: request is for how long
// a request is there on average, on the side where that is longer.
func (l *Looks) Next(load string, request float64) float64 {
	return max(firstLook, blockRoom*fewestInLooks*request, looksApart*l.seen[load])
}

// Take looks at what A measured of a load, and at what each of the others did.
func (l *Looks) Take(load string, a *Series, others []*Series, metrics []Metric) []Look {
	least := seconds([]*Series{a})
	for _, b := range others {
		least = min(least, seconds([]*Series{b}))
	}
	if l.seen == nil {
		l.seen = make(map[string]float64)
	}
	l.seen[load] = least
	alpha := l.Spend() / float64(max(l.Sides, 1))
	list := make([]Look, len(others))
	for i, b := range others {
		list[i] = Look{
			Number: l.made, Confidence: *known(1 - alpha), Load: load,
			SecondsA: *known(seconds([]*Series{a})), SecondsB: *known(seconds([]*Series{b})),
			Differences: compareAt([]*Series{a}, []*Series{b}, metrics, Noise, alpha),
		}
	}
	return list
}

// Spend takes the chance of error of one more look, which all sides share.
func (l *Looks) Spend() float64 {
	l.made++
	return part(l.made)
}

// Made is how many there were.
func (l *Looks) Made() int { return l.made }

// Last is the chance of error that is left for a comparison at the end.
func (l *Looks) Last() float64 { return After(l.made) }

// After is the chance of error that so many looks have left for a comparison at the end.
func After(looks int) float64 {
	if looks == 0 {
		return Alpha
	}
	return part(looks + 1)
}

// part is what the k-th look takes of the chance of error.
func part(k int) float64 { return Alpha / (float64(k) * float64(k+1)) }

// Watched are the metrics that are compared while a run goes on: those that a screen has room for.
func Watched() []Metric {
	var list []Metric
	for _, m := range Usual() {
		switch m.Name {
		case "ttft_p50", "ttft_p95", "tpot_p50", "tpot_p95", "e2el_p95", "output_tok_s", "goodput_s", "attainment", "failed":
			list = append(list, m)
		}
	}
	return list
}
