package expose

import (
	"fmt"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"

	"tokdyno/engine/golden"
)

func TestFiguresInTheDocumentationAreCurrent(t *testing.T) {
	var out strings.Builder
	out.WriteString(`# Figures for Prometheus

This list is made from the table of what ` + "`--serve-metrics`" + ` serves, beside histograms. What is not
known is left out. How to scrape them, the histograms, and a dashboard: [recipes](recipes/README.md#beside-the-server-in-grafana).

| name | kind | label | what it is |
|---|---|---|---|
`)
	kinds := map[prometheus.ValueType]string{prometheus.GaugeValue: "gauge", prometheus.CounterValue: "counter"}
	for _, r := range table() {
		label := ""
		if r.label != "" {
			label = "`" + r.label + "`"
		}
		fmt.Fprintf(&out, "| `%s` | %s | %s | %s |\n", r.name, kinds[r.kind], label, r.help)
	}
	golden.Page(t, "prometheus.md", out.String())
}
