// This file is the JSON form of readings.

package gpu

import (
	"encoding/json"
	"errors"
	"slices"
	"time"
)

// MarshalJSON writes the names: [] if there are none, null if they are unknown.
func (c ClockReasons) MarshalJSON() ([]byte, error) { return json.Marshal(c.Names()) }

// UnmarshalJSON reads what MarshalJSON writes. "other" cannot be read back and is left out.
func (c *ClockReasons) UnmarshalJSON(data []byte) error {
	var names []string
	if err := json.Unmarshal(data, &names); err != nil {
		return err
	}
	*c = 0
	if names == nil {
		return nil
	}
	*c = ClockReasonsKnown
	for _, n := range clockNames {
		if slices.Contains(names, n.name) {
			*c |= n.bit
		}
	}
	return nil
}

type plainDevice Device // without its methods

type jsonDevice struct {
	plainDevice
	AgeS float64 `json:"age_s,omitempty"`
}

// MarshalJSON writes the device with a value or the reason for none for everything that could be known.
func (d Device) MarshalJSON() ([]byte, error) {
	return json.Marshal(jsonDevice{plainDevice: plainDevice(d), AgeS: d.Age.Seconds()})
}

// UnmarshalJSON reads what MarshalJSON writes.
func (d *Device) UnmarshalJSON(data []byte) error {
	var j jsonDevice
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	*d = Device(j.plainDevice)
	d.Age = fromSeconds(j.AgeS)
	return nil
}

type jsonReading struct {
	At        time.Time `json:"at,omitzero"`
	Source    string    `json:"source"`
	Simulated bool      `json:"simulated,omitempty"`
	StaleS    float64   `json:"stale_s,omitempty"`
	Devices   []Device  `json:"devices"`
	Error     string    `json:"error,omitempty"`
	Partial   string    `json:"partial,omitempty"`
}

func (r Reading) json() jsonReading {
	j := jsonReading{At: r.At, Source: r.Source, Simulated: r.Simulated, StaleS: r.Stale.Seconds(), Devices: r.Devices}
	if j.Devices == nil {
		j.Devices = []Device{}
	}
	if r.Err != nil {
		j.Error = r.Err.Error()
	}
	if r.Partial != nil {
		j.Partial = r.Partial.Error()
	}
	return j
}

// MarshalJSON writes the reading; devices is a list even when there are none.
func (r Reading) MarshalJSON() ([]byte, error) { return json.Marshal(r.json()) }

// UnmarshalJSON reads what MarshalJSON writes; errors come back as plain sentences.
func (r *Reading) UnmarshalJSON(data []byte) error {
	var j jsonReading
	if err := json.Unmarshal(data, &j); err != nil {
		return err
	}
	sentence := func(s string) error {
		if s == "" {
			return nil
		}
		return errors.New(s)
	}
	*r = Reading{
		At: j.At, Source: j.Source, Simulated: j.Simulated, Devices: j.Devices, Stale: fromSeconds(j.StaleS),
		Err: sentence(j.Error), Partial: sentence(j.Partial),
	}
	return nil
}

func fromSeconds(s float64) time.Duration { return time.Duration(s * float64(time.Second)) }

// MarshalJSON writes the reading's members, and "tried".
func (s Survey) MarshalJSON() ([]byte, error) {
	tried := s.Tried
	if tried == nil {
		tried = []Tried{}
	}
	return json.Marshal(struct {
		jsonReading
		Tried []Tried `json:"tried"`
	}{s.Reading.json(), tried})
}
