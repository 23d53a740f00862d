// This file writes a run as a trace: its requests by slot, and what its machines did meanwhile.

package form

import (
	"errors"
	"io"

	"tokdyno/engine/query"
	"tokdyno/engine/run"
)

func trace(w io.Writer, d *run.Document) error {
	if d.Source == nil {
		return errors.New("a trace needs the requests one by one, so a run that is kept")
	}
	t := query.NewTrace(w)
	if err := d.Source.EachRequest(query.Query{}, t.Row); err != nil {
		return err
	}
	for i := range d.Last.GPUHistory {
		p := &d.Last.GPUHistory[i]
		err := errors.Join(
			t.Counter("GPU %", p.At, map[string]float64{
				"SM active": p.SMActivePercent, "utilization": p.UtilPercent, "memory": 100 * p.MemUsedFraction,
			}),
			t.Counter("GPU power W", p.At, map[string]float64{"all": p.PowerW}),
		)
		if err != nil {
			return err
		}
	}
	for i := range d.Last.ServerHistory {
		p := &d.Last.ServerHistory[i]
		err := errors.Join(
			t.Counter("server requests", p.At, map[string]float64{"running": p.Running, "waiting": p.Waiting}),
			t.Counter("server KV cache %", p.At, map[string]float64{"used": 100 * p.KVUsage}),
		)
		if err != nil {
			return err
		}
	}
	return t.Close()
}
