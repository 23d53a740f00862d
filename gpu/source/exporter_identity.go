// This file tells which device a sample of a page is of.

package source

import (
	"strconv"
	"strings"

	"tokdyno/gpu"
	"tokdyno/gpu/optional"
)

// identity is all that a page says of which device a sample is of. No part of it is enough by itself: partitions of a GPU
// have one serial number, GPUs of several hosts one index, and where a driver knows no UUID it writes zeros.
type identity struct {
	host, uuid, index string
	partition         string // of a part that is a device of its own; "": the device is whole
}

// first returns the first value that one of the labels has; "" where none has.
func first(labels map[string]string, names []string) string {
	for _, n := range names {
		if v := labels[n]; v != "" {
			return v
		}
	}
	return ""
}

// identify tells which device the labels are of.
func (e *exporter) identify(labels map[string]string) identity {
	id := identity{
		host: first(labels, e.host), uuid: properUUID(first(labels, e.uuid)), index: first(labels, e.index),
		partition: first(labels, e.partition),
	}
	if id.host == "" {
		id.host = labels["instance"] // of a page that Prometheus puts together of those of many hosts
	}
	return id
}

// includes reports whether a tells all that b does, and more.
func (a identity) includes(b identity) bool {
	return a != b && a.partition == b.partition && (b.host == "" || a.host == b.host) &&
		(b.uuid == "" || a.uuid == b.uuid) && (b.index == "" || a.index == b.index)
}

// named reports whether it is of one device, rather than of a host or of all.
func (a identity) named() bool { return a.uuid != "" || a.index != "" }

// united gives the devices of which the samples tell. Not all samples of a device need have all its labels: those that have
// fewer go to the one that they fit. Samples that name no device are of none where others do.
func united(all []*seen) []*seen {
	anyNamed := false
	for _, d := range all {
		anyNamed = anyNamed || d.id.named()
	}
	var devices []*seen
	for _, d := range all {
		if anyNamed && !d.id.named() {
			continue
		}
		var fits []*seen
		for _, other := range all {
			if other.id.includes(d.id) {
				fits = append(fits, other)
			}
		}
		if len(fits) != 1 {
			devices = append(devices, d)
			continue
		}
		for name, samples := range d.samples {
			fits[0].samples[name] = append(fits[0].samples[name], samples...)
		}
		fits[0].newestMS = max(fits[0].newestMS, d.newestMS)
		if fits[0].Name == "" {
			fits[0].Name = d.Name
		}
	}
	return devices
}

// settle says who the device is.
func (s *seen) settle(e *exporter) {
	s.Host, s.UUID, s.Index = s.id.host, s.id.uuid, -1
	if i, err := strconv.ParseUint(s.id.index, 10, 16); err == nil {
		s.Index = int(i)
	}
	if s.number.OK() && s.number.V >= 0 && s.number.V < 1<<16 {
		s.Index = int(s.number.V)
	}
	if s.id.partition == "" || e.profile == "" {
		return
	}
	s.Instance = s.id.partition // a MIG instance
	if s.UUID != "" {
		s.Parent = s.UUID
		s.UUID += "/" + s.Instance
	}
	profile := ""
	for _, samples := range s.samples {
		profile = max(profile, samples[0].Labels[e.profile])
	}
	if profile != "" {
		s.Name = strings.TrimSpace(s.Name + " MIG " + profile)
	}
}

// distinct sees to it that no two devices are taken for one by Device.key: a UUID that several have is followed by what
// tells them apart, and those without a number get one of their own.
func distinct(devices []*seen) {
	of := make(map[string][]*seen)
	for i, d := range devices {
		if d.Index < 0 {
			d.Index = i
		}
		if d.UUID != "" {
			of[d.UUID] = append(of[d.UUID], d)
		}
	}
	for _, same := range of {
		if len(same) == 1 {
			continue
		}
		for _, by := range []func(*seen) string{
			func(d *seen) string { return d.id.partition },
			func(d *seen) string { return d.id.index },
			func(d *seen) string { return d.id.host },
			func(d *seen) string { return strings.Trim(d.id.host+"/"+d.id.index+"/"+d.id.partition, "/") },
		} {
			tell := make(map[string]bool)
			for _, d := range same {
				tell[by(d)] = true
			}
			if len(tell) == len(same) && !tell[""] {
				for _, d := range same {
					d.UUID += "/" + by(d)
				}
				break
			}
		}
	}
	taken := make(map[gpu.Key]bool)
	for _, d := range devices {
		for taken[d.Key()] {
			if d.Index++; d.UUID != "" {
				d.UUID += "/" + strconv.Itoa(d.Index)
			}
		}
		taken[d.Key()] = true
	}
}

// shared gives the partitions of a GPU a reason for what only one of them tells, because it is of the whole GPU.
func shared(devices []*seen) {
	type whole struct{ host, uuid string }
	tellers := make(map[whole][4]bool)
	ofWhole := func(d *seen) [4]*optional.Value {
		return [...]*optional.Value{&d.PowerW, &d.PowerLimitW, &d.EnergyJ, &d.TempC}
	}
	for _, again := range []bool{false, true} {
		for _, d := range devices {
			if d.id.partition == "" || d.id.uuid == "" || d.Parent != "" {
				continue
			}
			of := whole{d.id.host, d.id.uuid}
			told := tellers[of]
			for i, v := range ofWhole(d) {
				switch {
				case v.OK():
					told[i] = true
				case again && told[i]:
					*v = optional.NA(gpu.ReasonPartition)
				}
			}
			tellers[of] = told
		}
	}
}
