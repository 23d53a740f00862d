// This file tells a metric's totals from their breakdowns, which some servers write under the same name.

package server

import (
	"maps"
	"slices"
	"strings"

	"tokdyno/gpu/promtext"
)

// totals leaves out the samples that are a breakdown of others: the same series, but for labels that are empty or missing
// there. SGLang with priorities writes running requests under priority="" and, again, under each priority.
func totals(samples []promtext.Sample) []promtext.Sample {
	if !mixed(samples) {
		return samples
	}
	shapes := make(map[string][]string) // names of labels that have a value, by what they are together with the metric's name
	of := make([]string, len(samples))
	present := make(map[string]bool) // samples, by shape and values
	for i, s := range samples {
		names := slices.Sorted(maps.Keys(s.Labels))
		names = slices.DeleteFunc(names, func(n string) bool { return s.Labels[n] == "" })
		of[i] = s.Name + "\x02" + strings.Join(names, "\x00")
		shapes[of[i]] = names
		present[of[i]+"\x01"+valuesOf(s, names)] = true
	}
	var whole []promtext.Sample
	for i, s := range samples {
		part := false
		for shape, names := range shapes {
			if len(names) < len(shapes[of[i]]) && strings.HasPrefix(shape, s.Name+"\x02") &&
				!slices.ContainsFunc(names, func(n string) bool { return s.Labels[n] == "" }) {
				part = part || present[shape+"\x01"+valuesOf(s, names)]
			}
		}
		if !part {
			whole = append(whole, s)
		}
	}
	return whole
}

// mixed reports whether samples have values for different numbers of labels: where all have the same, none is a breakdown.
func mixed(samples []promtext.Sample) bool {
	first := -1
	for _, s := range samples {
		n := 0
		for _, v := range s.Labels {
			if v != "" {
				n++
			}
		}
		if first < 0 {
			first = n
		}
		if n != first {
			return true
		}
	}
	return false
}

func valuesOf(s promtext.Sample, names []string) string {
	values := make([]string, len(names))
	for i, n := range names {
		values[i] = s.Labels[n]
	}
	return strings.Join(values, "\x00")
}
