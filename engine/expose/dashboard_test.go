package expose_test

import (
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
)

// TestTheDashboardAsksForWhatIsServed holds every metric that the dashboard names against a page that a run served.
func TestTheDashboardAsksForWhatIsServed(t *testing.T) {
	text, err := os.ReadFile(filepath.Join("..", "..", "docs", "grafana", "tokdyno.json"))
	if err != nil {
		t.Fatal(err)
	}
	var dashboard struct {
		UID    string
		Panels []struct {
			Title, Type string
			Targets     []struct{ Expr string }
		}
	}
	if err := json.Unmarshal(text, &dashboard); err != nil || dashboard.UID == "" {
		t.Fatalf("%v, uid %q", err, dashboard.UID)
	}
	eng, server := served(t)
	if err := eng.Run(t.Context()); err != nil {
		t.Fatal(err)
	}
	families := parsed(t, page(t, server.URL()))
	names := regexp.MustCompile(`\b(tokdyno|gen_ai_client)_\w+`)
	labels := regexp.MustCompile(`by \([^)]*\)|\{[^}]*\}`)
	asked := make(map[string]bool)
	for _, p := range dashboard.Panels {
		if p.Type != "row" && len(p.Targets) == 0 {
			t.Errorf("%s shows nothing", p.Title)
		}
		for _, target := range p.Targets {
			for _, name := range names.FindAllString(labels.ReplaceAllString(target.Expr, ""), -1) {
				for _, suffix := range []string{"_bucket", "_sum", "_count"} {
					if families[name] == nil {
						name = strings.TrimSuffix(name, suffix)
					}
				}
				asked[name] = true
				if families[name] == nil && !sometimes(name) {
					t.Errorf("%s asks for %s, which is not served", p.Title, name)
				}
			}
		}
	}
	if len(asked) < 15 {
		t.Errorf("it asks for %d metrics", len(asked))
	}
}

// sometimes reports whether a metric is served only where something is known that a short run on a simulator may not know.
func sometimes(name string) bool {
	return name == "tokdyno_client_cpu_cores" || name == "tokdyno_client_read_lag_seconds"
}
