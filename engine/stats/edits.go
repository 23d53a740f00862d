// This file notes what is changed of first tokens that were counted already, so that it can be taken back.

package stats

import "time"

// edit is a change of one first token.
type edit struct {
	position      int64
	before, after firstToken
}

type firstToken struct {
	stage              int32
	ttft, fromSchedule time.Duration
}

// edits are the changes since the beginning, in order. Those from done on were taken back, and will be made again.
type edits struct {
	kept bool // else none is noted
	list []edit
	done int
}

// note notes a change that is about to be made.
func (e *edits) note(f *firsts, position int64, after firstToken) {
	if !e.kept {
		return
	}
	made := edit{position, f.token(position), after}
	if e.done < len(e.list) {
		e.list[e.done] = made // the same: it is the same run
	} else {
		e.list = append(e.list, made)
	}
	e.done++
}

// apply makes changes, or takes them back, until so many are made.
func (e *edits) apply(f *firsts, to int) {
	for ; e.done > to; e.done-- {
		f.put(e.list[e.done-1].position, e.list[e.done-1].before)
	}
	for ; e.done < to; e.done++ {
		f.put(e.list[e.done].position, e.list[e.done].after)
	}
}

// token is the first token at a position that is kept.
func (f *firsts) token(position int64) firstToken {
	i := position - f.dropped
	return firstToken{f.stage[i], f.ttft[i], f.fromSchedule[i]}
}

// put puts a first token in its place, if that is kept: it may be one that the columns reach to only later on.
func (f *firsts) put(position int64, t firstToken) {
	if i := position - f.dropped; i >= 0 {
		n := i + 1
		f.stage[:n][i], f.ttft[:n][i], f.fromSchedule[:n][i] = t.stage, t.ttft, t.fromSchedule
	}
}
