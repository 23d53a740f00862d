// This file asks for SM activity and its kin: GPU performance monitoring, which Hopper and later devices have.
//
// A sample holds counters of one moment; figures are over the time between two samples of one device.

package nvml

import "slices"

// HasGPM reports whether the library has all that monitoring takes.
func (l *Library) HasGPM() bool {
	return !slices.ContainsFunc([]any{&l.gpmSupport, &l.gpmAlloc, &l.gpmFree, &l.gpmSample, &l.gpmMetrics}, l.lacks)
}

// GPMSupported reports whether a GPU can be monitored.
func (l *Library) GPMSupported(d Device) (bool, Return) {
	s := gpmSupport{version: gpmSupportVersion}
	r := l.gpmSupport(d, &s)
	return s.supported != 0, r
}

// NewSample makes room for a sample; FreeSample gives it back.
func (l *Library) NewSample() (Sample, Return) { return number(l.gpmAlloc) }

// FreeSample gives a sample back.
func (l *Library) FreeSample(s Sample) Return { return l.gpmFree(s) }

// TakeSample fills a sample with a GPU's counters of this moment.
func (l *Library) TakeSample(d Device, s Sample) Return { return l.gpmSample(d, s) }

// TakeMIGSample fills a sample with the counters of one GPU instance; d is the whole GPU.
func (l *Library) TakeMIGSample(d Device, gpuInstance uint32, s Sample) Return {
	return l.gpmMIGSample(d, gpuInstance, s)
}

// Measure computes the metrics between two samples, the older first. m holds the answers until the next Measure.
func (l *Library) Measure(m *Metrics, from, to Sample, metrics ...Metric) Return {
	m.version, m.n, m.from, m.to = metricsVersion, uint32(len(metrics)), from, to
	for i, id := range metrics {
		m.metrics[i] = metric{id: id, result: UnknownError}
	}
	return l.gpmMetrics(m)
}

// At returns the answer to the metric that was the i-th asked for.
func (m *Metrics) At(i int) (float64, Return) { return m.metrics[i].value, m.metrics[i].result }
