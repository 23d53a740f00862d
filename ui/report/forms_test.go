package report

import (
	"encoding/csv"
	"strconv"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"tokdyno/engine/record"
	"tokdyno/engine/run"
	"tokdyno/engine/stats"
	"tokdyno/ui/internal/scene"
)

// hostile is a report whose server says what would be markup, a formula or a call.
func hostile(text string) *run.Report {
	s := scene.Curved(1, 2, 4, 8, 16, 32)
	s.Endpoint.Server, s.Endpoint.Model = text, text
	s.Problems = []stats.Problem{{Kind: record.KindHTTP5xx, Count: 1, Example: text}}
	return run.NewReport(s, "1.2.3")
}

func markdownOf(t interface{ Fatal(...any) }, r *run.Report) string {
	var b strings.Builder
	if err := WriteMarkdown(&b, r); err != nil {
		t.Fatal(err)
	}
	return b.String()
}

func TestMarkdownFitsAPullRequest(t *testing.T) {
	text := markdownOf(t, run.NewReport(scene.Curved(1, 2, 4, 8, 16, 32), "1.2.3"))
	if n := strings.Count(text, "\n"); n > 60 {
		t.Errorf("%d lines", n)
	}
	for _, want := range []string{"### tokdyno: ✓ held (SIMULATED)", "**c=16 held", "| c=4 |", "<details>"} {
		if !strings.Contains(text, want) {
			t.Errorf("no %q in:\n%s", want, text)
		}
	}
}

func TestMarkdownTakesWhatAServerSaysForText(t *testing.T) {
	text := markdownOf(t, hostile("a|b `c` <img src=x> @someone #1 [x](y) *z*\n| - | - |"))
	for _, bad := range []string{"<img", "@someone", "#1", " `c`", "[x](", "*z*", "a|b"} {
		if strings.Contains(text, bad) {
			t.Errorf("%q stands in it:\n%s", bad, text)
		}
	}
}

// TestMarkdownTablesAreWhole counts the cells of each row, whatever a report has.
func TestMarkdownTablesAreWhole(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		r := drawn(t)
		cells := 0
		for l := range strings.Lines(markdownOf(t, r)) {
			if !strings.HasPrefix(l, "|") {
				cells = 0
				continue
			}
			n := strings.Count(l, "|") - strings.Count(l, `\|`)
			if cells != 0 && n != cells {
				t.Fatalf("%d cells, above %d: %s", n, cells, l)
			}
			cells = n
		}
	})
}

func csvOf(t *testing.T, r *run.Report) (head []string, rows [][]string) {
	t.Helper()
	var b strings.Builder
	if err := WriteCSV(&b, r); err != nil {
		t.Fatal(err)
	}
	all, err := csv.NewReader(strings.NewReader(b.String())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	return all[0], all[1:]
}

func TestCSVHasARowALevel(t *testing.T) {
	r := run.NewReport(scene.Curved(1, 2, 4, 8, 16, 32), "1.2.3")
	r.Levels[1].TPOT.P99 = nil
	head, rows := csvOf(t, r)
	at := func(row []string, name string) string {
		for i, h := range head {
			if h == name {
				return row[i]
			}
		}
		t.Fatalf("no column %q", name)
		return ""
	}
	if len(rows) != len(r.Levels)+len(apart(r)) {
		t.Errorf("%d rows of %d levels", len(rows), len(r.Levels))
	}
	seen := make(map[string]bool)
	for _, h := range head {
		if seen[h] {
			t.Errorf("two columns %q", h)
		}
		seen[h] = true
	}
	for i := range r.Levels {
		l := &r.Levels[i]
		if got := at(rows[i], "ttft_p95_ms"); got != strconv.FormatFloat(*l.TTFT.P95, 'f', -1, 64) {
			t.Errorf("%s: TTFT p95 %s, want %v", l.Name, got, *l.TTFT.P95)
		}
	}
	if got := at(rows[1], "tpot_p99_ms"); got != "" {
		t.Errorf("an unknown figure is %q", got)
	}
	if got := at(rows[2], "verdict"); got != "held" {
		t.Errorf("verdict %q", got)
	}
}

func TestCSVHasNoFormulas(t *testing.T) {
	for _, text := range []string{"=1+1", "+1", "-1", "@SUM(A1)", "\t=1", "a \"quote\", and\na line"} {
		_, rows := csvOf(t, hostile(text))
		for _, cell := range rows[0] {
			if cell != "" && strings.ContainsRune("=+-@\t\r", rune(cell[0])) {
				t.Errorf("%q makes a cell %q", text, cell)
			}
		}
	}
}
