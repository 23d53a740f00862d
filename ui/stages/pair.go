// This file draws stage A against stage B: every figure of both, and how far they are apart.

package stages

import (
	"fmt"
	"math"
	"strconv"
	"time"

	"tokdyno/engine/snapshot"
	"tokdyno/engine/stats"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// pairRow is one figure of both stages.
type pairRow struct {
	name  string
	a, b  float64 // NaN: unknown
	few   [2]bool // too few samples for this percentile
	write func(float64) cell.Figure
	apart func(float64) cell.Figure // writes a difference's size; nil: as write does
	less  bool                      // less of it is better
	rank  int                       // the highest is left out first where lines are short

	metric string // by which it is compared; "": it is not
}

func pairRows(v *page.Frame, a, b *stats.Summary) []pairRow {
	criteria := v.Shown.Knobs.SLO
	per := func(name, metric string, rank int, write func(float64) cell.Figure, of func(*stats.Summary) float64) pairRow {
		return pairRow{name: name, metric: metric, a: of(a), b: of(b), write: write, rank: rank}
	}
	share := func(name, metric string, rank int, write func(float64) cell.Figure, of func(*stats.Summary) float64) pairRow {
		r := per(name, metric, rank, write, of)
		r.apart = points
		return r
	}
	at := func(name, metric string, rank int, p float64, of func(*stats.Summary) *stats.Distribution) pairRow {
		da, db := of(a), of(b)
		r := pairRow{name: name, metric: metric, a: quantileOrNaN(da, p), b: quantileOrNaN(db, p), write: timed, less: true, rank: rank}
		r.few = [2]bool{da.N > 0 && stats.Few(da.N, p), db.N > 0 && stats.Few(db.N, p)}
		return r
	}
	ttft := func(s *stats.Summary) *stats.Distribution { return &s.TTFT }
	tpot := func(s *stats.Summary) *stats.Distribution { return &s.TPOT }
	e2el := func(s *stats.Summary) *stats.Distribution { return &s.E2EL }

	failed := share("failed", "failed", 6, cell.RoundUp, func(s *stats.Summary) float64 {
		return float64(s.Requests.Failed) / float64(s.Requests.OK+s.Requests.Failed)
	})
	failed.less = true
	return []pairRow{
		per("requests", "", 11, counted, func(s *stats.Summary) float64 { return float64(s.Requests.OK + s.Requests.Failed) }),
		failed,
		at("TTFT p50", "ttft_p50", 5, 0.50, ttft),
		at("TTFT p95", "ttft_p95", 0, 0.95, ttft),
		at("TTFT p99", "ttft_p99", 8, 0.99, ttft),
		at("TPOT p50", "tpot_p50", 7, 0.50, tpot),
		at("TPOT p95", "tpot_p95", 1, 0.95, tpot),
		at("ITL p95", "itl_p95", 9, 0.95, func(s *stats.Summary) *stats.Distribution { return &s.ITL }),
		at("E2EL p95", "e2el_p95", 4, 0.95, e2el),
		per("req/s", "requests_s", 10, perSecond, throughputOf(func(t *stats.Throughput) float64 { return t.Requests })),
		per("in tok/s", "", 13, perSecond, throughputOf(figure.InputRate)),
		per("out tok/s", "output_tok_s", 2, perSecond, throughputOf(func(t *stats.Throughput) float64 { return t.Output })),
		per("total tok/s", "", 12, perSecond, throughputOf(figure.TotalRate)),
		per("goodput/s", "goodput_s", 3, perSecond, func(s *stats.Summary) float64 {
			if !s.GoodputKnown {
				return math.NaN()
			}
			return s.Goodput
		}),
		share("within SLO", "attainment", 3, cell.RoundDown, func(s *stats.Summary) float64 {
			if share, ok := s.Score.Attainment(criteria); ok {
				return share
			}
			return math.NaN()
		}),
	}
}

// pairHeight is the height of the comparison with all its rows but those of telemetry, its heading, a sentence and the
// frame.
const pairHeight = 15 + 4

func quantileOrNaN(d *stats.Distribution, p float64) float64 {
	if d.N == 0 {
		return math.NaN()
	}
	return float64(figure.QuantileOf(d, p))
}

func throughputOf(of func(*stats.Throughput) float64) func(*stats.Summary) float64 {
	return func(s *stats.Summary) float64 {
		if s.Spans <= 0 {
			return math.NaN()
		}
		return of(&s.Throughput)
	}
}

// How values are written.
func timed(v float64) cell.Figure     { return cell.Latency(time.Duration(v)) }
func perSecond(v float64) cell.Figure { return cell.Figure{Number: cell.Rate(v)} }
func counted(v float64) cell.Figure   { return cell.Figure{Number: cell.Grouped(int64(v))} }

// points writes a difference of two shares, which is in percentage points.
func points(v float64) cell.Figure { return cell.Figure{Number: cell.Digits(100 * v), Unit: "points"} }

// pairPanel shows A against B, or asks for what is missing.
func (p *Page) pairPanel(v *page.Frame) cell.Panel {
	a, b := p.pairOf(v.Shown.Stages)
	t := cell.Titled("A against B")
	if a == nil || b == nil {
		t.Body = func(w, h int) []string {
			sentence := "one of the two stages is gone: esc unmarks both"
			if a != nil && p.b == 0 {
				sentence = "A is stage " + strconv.Itoa(a.Number) + ": move to another, enter marks it as B"
			}
			return []string{cell.NewLine(v.Theme, w).Skip(cell.Inset).Put(theme.Muted, sentence).String()}
		}
		return t
	}
	comparable := a.Knobs.Shape == b.Knobs.Shape
	t.Body = func(w, h int) []string {
		rows := fittingPairRows(append(pairRows(v, a.Summary, b.Summary), telemetryRows(a, b)...), h-2)
		lines := []string{pairHead(v, a, b, w)}
		for i := range rows {
			lines = append(lines, p.pairLine(v, &rows[i], comparable, w))
		}
		return append(lines, pairNote(v, a, b, w))
	}
	return t
}

// fittingPairRows leaves out the least important rows, so that h are left.
func fittingPairRows(rows []pairRow, h int) []pairRow {
	return cell.Drop(rows, func(r *pairRow) int { return r.rank }, func(left []pairRow) bool { return len(left) <= h })
}

// pairColumns is where the columns of the comparison end, and where its words begin.
type pairColumns struct{ a, b, apart, share, words int }

// pairColumnsIn fits them into w cells; a narrow screen does without the absolute difference.
func pairColumnsIn(w int) pairColumns {
	const all = 76
	if w < all {
		return pairColumns{a: 22, b: 33, share: 42, words: 44}
	}
	return pairColumns{a: 24, b: 36, apart: 50, share: 59, words: 61}
}

func pairHead(v *page.Frame, a, b *snapshot.StageRow, w int) string {
	head := func(letter string, r *snapshot.StageRow) string { return letter + " " + figure.LoadPoint(r.Knobs) }
	at, l := pairColumnsIn(w), cell.NewLine(v.Theme, w)
	l.Flush(at.a, theme.Accent, head("A", a)).Flush(at.b, theme.Accent, head("B", b))
	if at.apart > 0 {
		l.Flush(at.apart, theme.Muted, cell.FitGlyphs("B − A", &v.Theme.Glyphs))
	}
	return l.Flush(at.share, theme.Muted, "change").String()
}

func (p *Page) pairLine(v *page.Frame, r *pairRow, comparable bool, w int) string {
	at, l := pairColumnsIn(w), cell.NewLine(v.Theme, w)
	l.Skip(cell.Inset).Put(theme.Text, r.name)
	right := func(end int, value []cell.Piece) {
		if end > 0 {
			l.To(end - cell.WidthOf(value)).Pieces(value)
		}
	}
	right(at.a, r.cell(r.a, r.few[0]))
	right(at.b, r.cell(r.b, r.few[1]))
	by := r.b - r.a
	switch {
	case math.IsNaN(by):
		right(at.apart, cell.NA())
		right(at.share, cell.NA())
		return l.String()
	case by == 0:
		right(at.apart, []cell.Piece{cell.Muted("same")})
	default:
		right(at.apart, r.apartCell(by, &v.Theme.Glyphs))
		right(at.share, r.shareCell(by, &v.Theme.Glyphs))
	}
	if comparable && r.metric != "" {
		l.To(at.words).Pieces(p.pair.words(v, r))
	}
	return l.String()
}

// cell writes the figure of one stage.
func (r *pairRow) cell(x float64, few bool) []cell.Piece {
	if math.IsNaN(x) {
		return cell.NA()
	}
	f := r.write(x)
	out := cell.Plain(f.Number)
	if few {
		out = append(out, cell.Warn("*"))
	}
	if f.Unit != "" {
		out = append(out, cell.Muted(" "+f.Unit))
	}
	return out
}

// shareCell writes how far they are apart in percent of A's; of nothing, that is undefined.
func (r *pairRow) shareCell(by float64, g *theme.Glyphs) []cell.Piece {
	if r.a == 0 {
		return cell.NA()
	}
	return cell.Plain(cell.FitGlyphs(cell.SignedShare(by/r.a)+" %", g))
}

// apartCell writes how far the two are apart.
func (r *pairRow) apartCell(by float64, g *theme.Glyphs) []cell.Piece {
	write := r.apart
	if write == nil {
		write = r.write
	}
	size := write(math.Abs(by))
	out := []cell.Piece{cell.Title(cell.FitGlyphs(cell.Sign(by), g) + size.Number)}
	if size.Unit != "" {
		out = append(out, cell.Muted(" "+size.Unit))
	}
	return out
}

// pairNote says what is wrong with comparing the two, or how to read it.
func pairNote(v *page.Frame, a, b *snapshot.StageRow, w int) string {
	n := cell.Note{Role: theme.Muted, Text: "can't tell (~4m): about as long, each, tells 10 % from chance"}
	switch {
	case a.Knobs.Shape != b.Knobs.Shape:
		n = cell.Note{Role: theme.Warn, Text: "different shapes: these don't compare"}
	case a.Answers.Differ(b.Answers):
		n = cell.Note{Role: theme.Warn, Text: fmt.Sprintf("answers of %.1f tokens against %.1f: TPOT and throughput don't compare",
			a.Answers.Achieved, b.Answers.Achieved)}
	case a.Summary.Settling && b.Summary.Settling:
		n = cell.Note{Role: theme.Warn, Text: "both are settling: their figures include a ramp"}
	case a.Summary.Settling:
		n = cell.Note{Role: theme.Warn, Text: "A is settling: its figures include a ramp"}
	case b.Summary.Settling:
		n = cell.Note{Role: theme.Warn, Text: "B is settling: its figures include a ramp"}
	}
	return cell.NewLine(v.Theme, w).Skip(cell.Inset).Note(n).String()
}
