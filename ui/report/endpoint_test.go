package report

import (
	"strings"
	"testing"

	"tokdyno/engine/run"
)

func TestTheReportSaysThatAnswersWereNotLimited(t *testing.T) {
	without := run.Endpoint{Unlimited: true}
	for _, tt := range []struct {
		report run.Report
		says   bool
	}{
		{run.Report{}, false},
		{run.Report{Endpoint: without}, true},
		{run.Report{Endpoints: []run.EndpointLine{{}, {Endpoint: without}}}, true},
	} {
		if got := strings.Contains(printed(t, &tt.report, 80), "NO OUTPUT LIMIT"); got != tt.says {
			t.Errorf("%+v: said %v", tt.report.Endpoint, got)
		}
	}
}
