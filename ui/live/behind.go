// This file leads from a panel to the requests behind it.

package live

import (
	"strconv"

	"tokdyno/engine/query"
	"tokdyno/engine/snapshot"
	"tokdyno/ui/page"
)

// behind is which requests a panel rests on most: the slow ones of the present stage, or those that missed a limit.
func (l *Page) behind() (filter string, by query.Figure) {
	switch l.focus {
	case partTTFT:
		return "slow ttft", query.TTFT
	case partITL:
		return "stalled", query.Gap
	case partTPOT:
		return "slow tpot", query.TPOT
	case partOutput:
		return "ok", query.Output
	case partGoodput:
		return "missed", query.E2EL
	case partPercentiles:
		return "slow e2el", query.E2EL
	}
	return "", ""
}

// showBehind shows them; in an enlarged panel, those behind what is pointed at.
func (l *Page) showBehind(h page.Host) {
	if l.enlarged && l.noPick(h) == "" {
		l.showPicked(h)
		return
	}
	filter, by := l.behind()
	h.ShowRequests(filter+" "+stageTerm(h.Frame().Shown), by)
}

// stageTerm is of the requests of the present stage.
func stageTerm(s *snapshot.Snapshot) string { return "stage " + strconv.Itoa(s.Stage.Stage) }

// nothingBehind says why the focused panel leads to no requests.
func (l *Page) nothingBehind(h page.Host) string {
	switch filter, _ := l.behind(); {
	case filter == "":
		return "no single requests stand behind this panel; tab moves the focus"
	case h.Frame().Shown.Stage.Stage == 0:
		return "no request yet"
	}
	return ""
}
