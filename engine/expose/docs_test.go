package expose

import (
	commandline "flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/prometheus/client_golang/prometheus"
)

var update = commandline.Bool("update", false, "write the page of the documentation anew")

func TestFiguresInTheDocumentationAreCurrent(t *testing.T) {
	const path = "../../docs/prometheus.md"
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
	want := out.String()
	if *update {
		if err := os.WriteFile(path, []byte(want), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	got, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	if string(got) != want {
		t.Errorf("%s is not what the table says; go test ./engine/expose -run Documentation -update rewrites it", path)
	}
}
