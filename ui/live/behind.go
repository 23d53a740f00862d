// This file leads from a panel to the requests behind it.

package live

import (
	"strconv"

	"tokdyno/engine/query"
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

func (l *Page) showBehind(h page.Host) {
	filter, by := l.behind()
	h.ShowRequests(filter+" stage "+strconv.Itoa(h.Frame().Shown.Stage.Stage), by)
}

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
