// This file says how speculative decoding goes: how much of what is drafted is accepted, in the stage and lately.

package machine

import (
	"tokdyno/engine/server"
	"tokdyno/gpu/optional"
	"tokdyno/ui/cell"
	"tokdyno/ui/figure"
	"tokdyno/ui/page"
	"tokdyno/ui/theme"
)

// addSpeculation adds nothing where the server tells nothing of it.
func addSpeculation(v *page.Frame, stage *server.Speculation, role theme.Role, add func(int, string, []cell.Piece)) {
	s := v.Shown
	if !stage.Known() && !s.Speculation.Known() {
		return
	}
	line := func(spec *server.Speculation) []cell.Piece {
		const room = len(cell.Unknown) + 1
		out := append(figure.Valued(v.Theme, spec.Rate, room, role, cell.Tenths, " %"), cell.Muted(" accepted "))
		return append(append(out, figure.Valued(v.Theme, spec.Length, room, role, cell.Digits, "")...), cell.Muted(" tok/step"))
	}
	add(4, "speculation", line(stage))
	if s.Knobs.Window.Duration() > 0 {
		add(11, "  last "+s.Knobs.Window.String(), line(&s.Speculation))
	}
	if len(stage.Positions) > 0 {
		add(9, "  by position", []cell.Piece{cell.In(role, cell.Shares(stage.Positions)), cell.Muted(" %")})
	}
	chunk := optional.NA(optional.ReasonNone)
	if per := s.Live.TokensPerChunk; per > 0 {
		chunk = optional.Of(per)
	}
	add(12, "  tok/chunk", append(figure.Valued(v.Theme, chunk, len(cell.Unknown), theme.Text, cell.Digits, ""), cell.Muted("  measured")))
}
