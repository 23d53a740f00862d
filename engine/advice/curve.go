// This file holds the rules about how the figures change from level to level.

package advice

import (
	"fmt"
	"math"

	"tokdyno/engine/stage"
	"tokdyno/gpu/optional"
)

const (
	leastRequests = 20   // judged at a level whose medians are compared
	flatGrowth    = 0.05 // of output, over a doubling of the load
	flatReach     = 1.3  // times the load over which output has to be flat: over less, noise hides any growth
	falling       = 0.9  // of the highest output
	growing       = 0.8  // of the growth that the load's would give
	up            = 1.25 // times a latency of the level below: it rose
	steady        = 1.10 // times that: it did not
	steeper       = 2.0  // times the price of the streams before
)

// way returns the levels up to the current one that are measured well enough; false if the current one is not among them.
func (m moment) way() ([]Level, bool) {
	var levels []Level
	for _, l := range m.Levels {
		if l.N >= leastRequests && l.Level <= m.Current {
			levels = append(levels, l)
		}
	}
	n := len(levels)
	return levels, n > 0 && levels[n-1].Level == m.Current
}

// flat returns the current level and the lowest from which on output grew by less than 5 % a doubling; false if there is
// none, or if output has fallen since.
func (m moment) flat() (since, now Level, ok bool) {
	levels, ok := m.way()
	if !ok {
		return since, now, false
	}
	now = levels[len(levels)-1]
	for i, l := range levels {
		if now.Level < flatReach*l.Level || l.Output <= 0 {
			break
		}
		if flatFrom(l, levels[i+1:]) && now.Output >= falling*l.Output {
			return l, now, true
		}
	}
	return since, now, false
}

func flatFrom(from Level, above []Level) bool {
	for _, l := range above {
		if l.Output >= from.Output*(1+flatGrowth*math.Log2(l.Level/from.Level)) {
			return false
		}
	}
	return true
}

func (m moment) flatEvidence() (string, bool) {
	since, now, ok := m.flat()
	return fmt.Sprintf("%.0f tok/s at %s, %.0f at %s already", now.Output, m.Axis.Name(now.Level), since.Output, m.Axis.Name(since.Level)), ok
}

// outputFlat leaves a machine that is known to be at its limit to the rules that name the limit.
func outputFlat(m moment) (string, bool) {
	evidence, ok := m.flatEvidence()
	return evidence, ok && !atLeast(m.SMActive, working) && !atLeast(m.DRAMActive, working)
}

func outputFalls(m moment) (string, bool) {
	levels, ok := m.way()
	if !ok {
		return "", false
	}
	now, best := levels[len(levels)-1], levels[0]
	for _, l := range levels {
		if l.Output > best.Output {
			best = l
		}
	}
	return fmt.Sprintf("%.0f tok/s at %s, after %.0f at %s", now.Output, m.Axis.Name(now.Level), best.Output, m.Axis.Name(best.Level)),
		now.Output < falling*best.Output
}

// stuck reports whether the current level is known to give no more than a lower one.
func (m moment) stuck() bool {
	_, _, flat := m.flat()
	_, falls := outputFalls(m)
	return flat || falls
}

// outputGrows speaks where the GPU is not known; where it is, underDriven knows better.
func outputGrows(m moment) (string, bool) {
	low, now, ok := m.step()
	evidence := fmt.Sprintf("%.0f → %.0f tok/s from %s", low.Output, now.Output, m.between(low, now))
	return evidence, ok && !m.stuck() && !m.SMActive.OK() && !atLeast(m.Waiting, 1) && low.Output > 0 &&
		now.Output/low.Output-1 >= growing*(now.Level/low.Level-1)
}

// step returns the current level and the next lower one.
func (m moment) step() (low, now Level, ok bool) {
	levels, ok := m.way()
	n := len(levels)
	if !ok || n < 2 {
		return low, now, false
	}
	return levels[n-2], levels[n-1], true
}

// prefillOrQueue and decodeSlower compare the current level with the one below.
func prefillOrQueue(m moment) (string, bool) {
	low, now, ok := m.step()
	evidence := fmt.Sprintf("TTFT %s, TPOT %s from %s", change(low.TTFT, now.TTFT), change(low.TPOT, now.TPOT), m.between(low, now))
	return evidence, ok && rose(low.TTFT, now.TTFT) && stayed(low.TPOT, now.TPOT)
}

func decodeSlower(m moment) (string, bool) {
	low, now, ok := m.step()
	evidence := fmt.Sprintf("TPOT %s, TTFT %s from %s", change(low.TPOT, now.TPOT), change(low.TTFT, now.TTFT), m.between(low, now))
	if m.Axis == stage.Concurrency {
		evidence += fmt.Sprintf(": %.2g ms for each added stream", price(low, now))
	}
	return evidence, ok && rose(low.TPOT, now.TPOT) && stayed(low.TTFT, now.TTFT)
}

func streamPriceRises(m moment) (string, bool) {
	levels, ok := m.way()
	n := len(levels)
	if !ok || n < 3 || m.Axis != stage.Concurrency {
		return "", false
	}
	before, low, now := levels[n-3], levels[n-2], levels[n-1]
	was, is := price(before, low), price(low, now)
	return fmt.Sprintf("TPOT +%.2g ms a stream from %s, +%.2g ms up to there", is, m.between(low, now), was),
		before.TPOT.OK() && low.TPOT.OK() && now.TPOT.OK() &&
			was > 0 && is >= steeper*was && now.TPOT.V >= steady*low.TPOT.V
}

// price is the time per token that each added stream costs, in ms.
func price(low, now Level) float64 { return (now.TPOT.V - low.TPOT.V) / (now.Level - low.Level) }

func (m moment) between(low, now Level) string {
	return m.Axis.Name(low.Level) + " to " + m.Axis.Name(now.Level)
}

func rose(low, now optional.Value) bool {
	return low.OK() && low.V > 0 && atLeast(now, up*low.V)
}

func stayed(low, now optional.Value) bool { return low.OK() && low.V > 0 && below(now, steady*low.V) }

func change(low, now optional.Value) string { return fmt.Sprintf("%.3g → %.3g ms", low.V, now.V) }
