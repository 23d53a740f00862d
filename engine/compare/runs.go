// This file compares runs: whether they can be, and their levels two by two.

package compare

import (
	"cmp"
	"fmt"
	"math"
	"slices"
	"strings"

	"tokdyno/engine/units"
)

// Measured is a run as it goes into a comparison.
type Measured struct {
	Run
	Asks   []Fact // what makes up its shape, in a fixed order
	Levels []MeasuredLevel
	Doubt  string // why its figures are not to be trusted; "": nothing is known against them
	Duel   Side   // zero: it was alone
}

// Side says which side of which duel a run was.
type Side struct {
	ID, Letter string
	Turns      bool // each side had its turns
	Looks      int  // that were taken at the duel while it ran
}

// OneDuel reports whether runs are sides of one duel, each another one.
func OneDuel(runs []Measured) bool {
	seen := make(map[string]bool)
	for i := range runs {
		d := runs[i].Duel
		if d.ID == "" || d.ID != runs[0].Duel.ID || seen[d.Letter] {
			return false
		}
		seen[d.Letter] = true
	}
	return true
}

// Fact is a name with its value.
type Fact struct{ Name, Value string }

// MeasuredLevel is what a run measured of one load.
type MeasuredLevel struct {
	Name   string // "c=8"
	Axis   string // along which levels lie: levels of different ones don't pair
	Level  float64
	Series *Series // nil: it did not settle
}

// Join makes one series of several stages of a level; nil where there is none.
func Join(stages []*Series) *Series {
	all := new(Series)
	for _, s := range stages {
		if s == nil {
			continue
		}
		for i, to := range all.values() {
			v := s.values()[i]
			for j := range v.V {
				to.Add(all.Seconds+v.At[j], v.V[j], v.Weight(j))
			}
		}
		for i, to := range all.sums() {
			v := s.sums()[i]
			for j := range v.At {
				to.Add(all.Seconds+v.At[j], v.Num[j], v.Den[j])
			}
		}
		all.Seconds += s.Seconds
	}
	if all.Seconds == 0 {
		return nil
	}
	return all
}

func (s *Series) values() []*Values { return []*Values{&s.TTFT, &s.TPOT, &s.ITL, &s.E2EL} }

func (s *Series) sums() []*Sums {
	return []*Sums{&s.Output, &s.Requests, &s.Goodput, &s.Good, &s.Failed}
}

// Unlike says in words in what the loads of two runs differ so that their figures don't compare; nothing where they do.
func Unlike(a, b *Measured) []string {
	var list []string
	if a.Model != b.Model {
		list = append(list, fmt.Sprintf("model %s against %s", a.Model, b.Model))
	}
	if a.ShapeHash == b.ShapeHash {
		return list
	}
	n := len(list)
	for i, f := range a.Asks {
		if i < len(b.Asks) && f.Value != b.Asks[i].Value {
			list = append(list, fmt.Sprintf("%s %s against %s", f.Name, f.Value, b.Asks[i].Value))
		}
	}
	if len(list) == n {
		list = append(list, "the shape of the requests")
	}
	return list
}

// Of compares each of some runs with a baseline, several of which are pooled. The error says that there is nothing to compare.
func Of(version string, baseline, runs []Measured, metrics []Metric, noise float64) (*Document, error) {
	d := &Document{Tokdyno: version, Noise: noise, alpha: Alpha, Notes: []string{mood(len(baseline))}}
	return d, d.compare(baseline, runs, metrics, "B")
}

// Sides compares sides of a duel with one of them: what is chosen among may differ, a model or a server, and the machine's mood
// was that of all. Alpha is how likely any of them may be called different where it is not; see Looks.Last. The error says that
// there is nothing to compare.
func Sides(version string, with *Measured, sides []Measured, metrics []Metric, noise, alpha float64) (*Document, error) {
	d := &Document{Tokdyno: version, Duel: true, Noise: noise, alpha: alpha / float64(len(sides)), Notes: []string{
		"all sides were under the same load at the same time; where they share a GPU or a network, they slowed each other down, and " +
			"--duel alternate gives each its turn",
	}}
	if with.Duel.Turns {
		d.Notes[0] = "each side had its turns, in shuffled order and back; what was measured while a turn settled is left out"
	}
	letters := ""
	for i := range sides {
		letters += cmp.Or(sides[i].Duel.Letter, "B")
	}
	return d, d.compare([]Measured{*with}, sides, metrics, letters)
}

// compare compares runs, of which each has a letter.
func (d *Document) compare(baseline, runs []Measured, metrics []Metric, letters string) error {
	d.Schema = Schema
	for i := range baseline {
		d.Baseline = append(d.Baseline, baseline[i].Run)
		d.doubt(&baseline[i])
	}
	for i := range runs {
		d.doubt(&runs[i])
		for j := range baseline {
			if runs[i].same(&baseline[j]) {
				d.Notes = append(d.Notes, runs[i].Name+" is compared with itself")
			}
		}
		letter := letters[min(i, len(letters)-1):][:1]
		c := Comparison{Letter: letter, Run: runs[i].Run, Warnings: []string{}, Levels: []Level{}, Unpaired: []string{}}
		for j := range baseline {
			if d.Duel {
				break
			}
			for _, unlike := range Unlike(&baseline[j], &runs[i]) {
				c.Warnings = append(c.Warnings, "these don't compare: "+unlike)
			}
		}
		c.pair(baseline, &runs[i], metrics, d.Noise, d.alpha)
		if len(c.Levels) == 0 {
			return fmt.Errorf("there is nothing to compare: %s has %s, and %s has %s",
				baseline[0].Name, baseline[0].LevelNames(), runs[i].Name, runs[i].LevelNames())
		}
		d.Runs = append(d.Runs, c)
	}
	if d.needs() {
		d.Notes = append(d.Notes, "after can't tell: about how long each run would have to measure to find a change of "+
			units.ShareApart(2*d.Noise)+" nine times in ten")
	}
	return nil
}

// needs reports whether it is said of a difference how long would do.
func (d *Document) needs() bool {
	for i := range d.Runs {
		for j := range d.Runs[i].Levels {
			if slices.ContainsFunc(d.Runs[i].Levels[j].Differences, func(d Difference) bool { return d.NeedS != nil }) {
				return true
			}
		}
	}
	return false
}

// mood says what no statistics of single runs can know.
func mood(baselines int) string {
	const apart = "two runs of one unchanged machine may differ by more than their intervals say: by up to 38 % was measured"
	if baselines > 1 {
		return apart + "; here the intervals include how much the baseline's runs differ"
	}
	return apart + "; tokdyno compare takes several baseline runs, between commas, and widens the intervals by how much they differ"
}

// same reports whether both are one kept run.
func (m *Measured) same(as *Measured) bool {
	return m.File != "" && m.File == as.File && m.URL == as.URL && m.Started != nil && as.Started != nil && m.Started.Equal(*as.Started)
}

func (d *Document) doubt(m *Measured) {
	if m.Doubt != "" {
		d.Notes = append(d.Notes, fmt.Sprintf("the figures of %s are not to be trusted: %s", m.Name, m.Doubt))
	}
}

// pair compares the levels that all have.
func (c *Comparison) pair(baseline []Measured, run *Measured, metrics []Metric, noise, alpha float64) {
	var used []*MeasuredLevel
	for i := range run.Levels {
		level := &run.Levels[i]
		b := []*Series{level.Series}
		var a []*Series
		for j := range baseline {
			if of := baseline[j].level(level); of != nil {
				used = append(used, of)
				a = append(a, of.Series)
			}
		}
		if len(a) == 0 {
			c.Unpaired = append(c.Unpaired, level.Name)
			continue
		}
		c.Levels = append(c.Levels, Level{
			Name: level.Name, SecondsA: *known(seconds(a)), SecondsB: *known(seconds(b)), Confidence: *known(1 - alpha),
			Differences: compareAt(a, b, metrics, noise, alpha), Distributions: distributions(a, b),
		})
	}
	for j := range baseline {
		for i := range baseline[j].Levels {
			if of := &baseline[j].Levels[i]; !slices.Contains(used, of) && !slices.Contains(c.Unpaired, of.Name) {
				c.Unpaired = append(c.Unpaired, of.Name)
			}
		}
	}
}

// level is the level of a run at the same load; nil: it has none.
func (m *Measured) level(as *MeasuredLevel) *MeasuredLevel {
	for i := range m.Levels {
		l := &m.Levels[i]
		if l.Axis == as.Axis && math.Abs(l.Level-as.Level) <= 1e-9*max(math.Abs(l.Level), math.Abs(as.Level)) {
			return l
		}
	}
	return nil
}

// Has reports whether a run has measured a level.
func (m *Measured) Has(axis string, level float64) bool {
	return m.level(&MeasuredLevel{Axis: axis, Level: level}) != nil
}

func seconds(runs []*Series) (sum float64) {
	for _, s := range runs {
		if s != nil {
			sum += s.Seconds
		}
	}
	return sum
}

// LevelNames are the loads that a run has measured, in words.
func (m *Measured) LevelNames() string {
	var names []string
	for _, l := range slices.SortedFunc(slices.Values(m.Levels), func(a, b MeasuredLevel) int { return cmp.Compare(a.Level, b.Level) }) {
		names = append(names, l.Name)
	}
	if len(names) == 0 {
		return "no load that settled"
	}
	return strings.Join(names, ", ")
}
