// This file counts prompt tokens, and on how many requests that count rests.

package stats

// prompts adds up the prompt tokens of requests, each of which counts in one of three ways. Failed requests are taken
// out again. The zero prompts are of no request.
type prompts struct {
	tokens  float64 // of those that are counted
	counted int     // requests whose tokens the server told, or were asked for by number
	untold  int     // requests that completed without either
	open    int     // requests that run, or were cancelled, without either
}

// knownShare is how many requests have to be counted for one whose tokens are untold: 99 %.
const knownShare = 99

// known reports whether tokens are a count, and not too few for want of one; see Throughput.
func (p prompts) known() bool {
	if p.counted+p.untold == 0 {
		return p.open == 0
	}
	return nearlyAll(p.counted, p.untold)
}

// nearlyAll reports whether those that are told are knownShare times as many as those that are not, at least.
func nearlyAll(told, untold int) bool { return told >= knownShare*untold }

func (p *prompts) add(o prompts) {
	p.tokens += o.tokens
	p.counted += o.counted
	p.untold += o.untold
	p.open += o.open
}

// negative is what takes p back.
func (p prompts) negative() prompts {
	return prompts{tokens: -p.tokens, counted: -p.counted, untold: -p.untold, open: -p.open}
}

// guess is what a request's prompt counts for while nothing else is known.
func (f *Running) guess() prompts {
	if f.inputGuess <= 0 {
		return prompts{open: 1}
	}
	return prompts{tokens: float64(f.inputGuess), counted: 1}
}
