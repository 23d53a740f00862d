package report

import (
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tokdyno/engine/run"
	"tokdyno/engine/slo"
	"tokdyno/ui/cell"
)

// unknowing fills in every member of a report, and leaves any subset of what may be unknown out.
type unknowing struct {
	t    *rapid.T
	next float64
}

// fill draws values, so that no two figures are the same.
func (u *unknowing) fill(v reflect.Value) {
	parts := []reflect.Type{reflect.TypeFor[run.GPU](), reflect.TypeFor[run.Sweep]()}
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			if f := v.Field(i); f.CanSet() {
				u.fill(f)
			}
		}
	case reflect.Pointer:
		if v.Type().Elem().Kind() == reflect.Struct && !slices.Contains(parts, v.Type().Elem()) || !rapid.Bool().Draw(u.t, "known") {
			return
		}
		v.Set(reflect.New(v.Type().Elem()))
		u.fill(v.Elem())
	case reflect.Float64:
		u.next++
		v.SetFloat(u.next * rapid.SampledFrom([]float64{0.001, 0.1, 1, 1000}).Draw(u.t, "scale"))
	case reflect.Int, reflect.Int64:
		v.SetInt(int64(rapid.SampledFrom([]int{0, 1, 12, 99, 100, 4321, 9_876_543}).Draw(u.t, "count")))
	case reflect.Bool:
		v.SetBool(rapid.Bool().Draw(u.t, "so"))
	case reflect.String:
		v.SetString(rapid.SampledFrom([]string{
			"vLLM v0.11.0", "c=16", "ttft", "http://" + strings.Repeat("a-long-host.", 12) + "example/v1/chat/completions",
			"it said\nwith a\ttab and \x1b[31mcolour, and went on for long enough to need a second line of the report", "",
		}).Draw(u.t, "text"))
	case reflect.Slice:
		for range rapid.IntRange(0, 3).Draw(u.t, "members") {
			member := reflect.New(v.Type().Elem()).Elem()
			u.fill(member)
			v.Set(reflect.Append(v, member))
		}
	}
}

// drawn is a report in which anything may be unknown, but whose parts agree with each other as those of a run do.
func drawn(t *rapid.T) *run.Report {
	r := new(run.Report)
	u := &unknowing{t: t}
	u.fill(reflect.ValueOf(r).Elem())
	verdict := func(s *run.SLO) {
		s.Requests = rapid.SampledFrom([]slo.Verdict{slo.NoVerdict, slo.Held, slo.Missed, slo.Unknown}).Draw(t, "verdict")
		s.Verdict, s.Held, s.Why, s.Needed = nil, nil, nil, new(100)
		if s.Requests == slo.NoVerdict {
			s.Text, s.Attainment = "", nil
			return
		}
		s.Text, s.Verdict = "ttft=500ms tpot=40ms", new(string(s.Requests))
		if s.Requests == slo.Unknown {
			s.Why = new(rapid.SampledFrom([]string{"12 of 100", "settling", "client-bound", "none of its metrics could be measured"}).Draw(t, "why"))
		}
		if s.Binding != nil {
			s.Binding = new(rapid.SampledFrom([]string{"ttft", "tpot", "e2el", "errors"}).Draw(t, "binding"))
		}
		s.Interval = rapid.SampledFrom([][]float64{nil, {0.5, 0.987}}).Draw(t, "interval")
	}
	verdict(&r.SLO)
	for i := range r.SLO.Objectives {
		r.SLO.Objectives[i].Needed = new(100)
	}
	verdicts := make([]slo.Verdict, len(r.Levels))
	for i := range r.Levels {
		verdict(&r.Levels[i].SLO)
		r.Levels[i].Name = rapid.SampledFrom([]string{"c=8", "100000 req/s", "speed ×2.5"}).Draw(t, "level")
		verdicts[i] = r.Levels[i].SLO.Requests
	}
	for i := range r.Stages {
		verdict(&r.Stages[i].SLO)
	}
	r.Reach = slo.NewReach(verdicts)
	r.At = rapid.IntRange(-1, len(r.Levels)-1).Draw(t, "at")
	if w := r.Sweep; w != nil {
		w.Kind, w.Axis = "search", "concurrency"
		for i := range w.Rungs {
			w.Rungs[i].State = "unknown"
		}
	}
	return r
}

// label is what stands before a figure in a fact: "TTFT p95 393 ms" has the label "TTFT p95".
var label = regexp.MustCompile(`^(?:(.+?) )?(?:~?\d[\d,.]*M?|n/a)(?: |$)`)

// TestEveryFigureHasItsLabel holds whatever is unknown: no line is wider than the width, no figure stands without a label or
// under that of another, and nothing is printed that is no figure.
func TestEveryFigureHasItsLabel(t *testing.T) {
	nonsense := regexp.MustCompile(`NaN|<nil>|\bInf\b|%!|0x[0-9a-f]+`)
	rapid.Check(t, func(t *rapid.T) {
		r, width := drawn(t), rapid.SampledFrom([]int{40, 80, 81, 97, 120, 200}).Draw(t, "width")
		var b strings.Builder
		if err := Write(&b, r, width); err != nil {
			t.Fatal(err)
		}
		text := b.String()
		section := ""
		for line := range strings.SplitSeq(text, "\n") {
			if n := cell.Width(line); n > max(min(width, widest), Narrowest) {
				t.Fatalf("%d cells of %d: %q", n, width, line)
			}
			if bad := nonsense.FindString(line); bad != "" {
				t.Fatalf("%q in %q", bad, line)
			}
			if !strings.HasPrefix(line, " ") {
				section = strings.TrimSpace(line[:min(len(line), labelWidth)])
			}
			if len(line) > labelWidth && slices.Contains([]string{"throughput", "goodput", "server", "gpu", "efficiency", "cost", "client"}, section) {
				labelled(t, line[labelWidth:], section)
			}
		}
		serverTold(t, r, strings.Join(strings.Fields(text), " "))
	})
}

// labelled checks the facts of a line.
func labelled(t *rapid.T, facts, section string) {
	seen := make(map[string]bool)
	for _, f := range regexp.MustCompile(` {2,}`).Split(facts, -1) {
		m := label.FindStringSubmatch(f)
		if m == nil {
			continue
		}
		name := m[1]
		if name == "" && section != "goodput" { // whose first fact is a rate of "good req/s"
			t.Fatalf("%q has no label in %q", f, facts)
		}
		if seen[name] {
			t.Fatalf("two figures are labelled %q in %q", name, facts)
		}
		seen[name] = true
	}
}

// serverTold checks that what is known of the server stands behind its own label, whatever else is unknown.
func serverTold(t *rapid.T, r *run.Report, text string) {
	m := &r.ServerMetrics
	if m.Kind == nil {
		return
	}
	for _, c := range []struct {
		name string
		v    *float64
	}{
		{"server TTFT p50", m.TTFTP50MS},
		{"server TTFT p95", m.TTFTP95MS},
		{"server queue p50", m.QueueTimeP50MS},
		{"server queue p95", m.QueueTimeP95MS},
	} {
		name, v := c.name, c.v
		if v == nil && strings.Contains(text, name) {
			t.Fatalf("%s is unknown, and labels something", name)
		}
		if want := fmt.Sprintf("%s %s", name, latencyOrUnknown(v)); v != nil && !strings.Contains(text, want) {
			t.Fatalf("it does not say %q:\n%s", want, text)
		}
	}
}
