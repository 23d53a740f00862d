// This file is the knobs as they go to another process that makes a part of the load.

package engine

import (
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"

	"tokdyno/engine/load"
	"tokdyno/engine/shape"
	"tokdyno/engine/shape/dataset"
	"tokdyno/engine/snapshot"
)

// PackKnobs is the knobs as text, of a load that others can make as well. Of a data set it has the path and the hash: whoever makes
// the load has to have it. The error says in a sentence what can't be made elsewhere.
func PackKnobs(k snapshot.Knobs) (json.RawMessage, error) {
	if k.Load.Mode == load.Replay {
		return nil, errors.New("workers can't replay a recording; leave out --trace or --workers")
	}
	kept := keptKnobsOf(k)
	for _, l := range []shape.Length{k.Shape.Prompt, k.Shape.Output, k.Shape.Turns} {
		if _, err := shape.ParseLength(l.String()); err != nil && l != (shape.Length{}) {
			return nil, errors.New("workers can't take lengths from a file; write them as a range or a distribution, or leave out --workers")
		}
	}
	if set, ok := k.Shape.Data.(*dataset.Set); ok {
		path, err := filepath.Abs(set.Path())
		if err != nil {
			return nil, err
		}
		kept.Data.Path, kept.Data.Format = path, string(set.Format())
	}
	return json.Marshal(kept)
}

// UnpackKnobs are knobs that were packed; open opens a data set. The error is a sentence.
func UnpackKnobs(text json.RawMessage, open func(path string, format dataset.Format) (*dataset.Set, error)) (k snapshot.Knobs, err error) {
	var kept keptKnobs
	if err = json.Unmarshal(text, &kept); err != nil {
		return k, fmt.Errorf("the knobs can't be read: %w", err)
	}
	if k, err = kept.knobs(); err != nil || kept.Data == nil {
		return k, err
	}
	set, err := open(kept.Data.Path, dataset.Format(kept.Data.Format))
	if err != nil {
		return k, fmt.Errorf("the data set is not here: %w", err)
	}
	if set.Hash() != kept.Data.Hashed {
		return k, fmt.Errorf("the data set %s is another one here; copy the console's to the same path", kept.Data.Path)
	}
	k.Shape.Data = set
	return k, nil
}
