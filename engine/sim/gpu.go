// The simulated accelerator: what its sensors would show, derived from the batch.

package sim

import (
	"math"
	"strconv"
	"time"
)

const (
	idleC        = 30.0             // temperature at idle
	riseC        = 48.0             // above it at full power
	thermalTime  = 25 * time.Second // of a heat sink and its fan: two thirds of the way to a new temperature
	shortestRead = 50 * time.Millisecond
)

// gpuLoad is how busy the accelerator is; each figure is a share, 0–1.
type gpuLoad struct {
	util float64 // of the time in which any kernel runs
	sm   float64 // of the streaming multiprocessors at work
	dram float64 // of the memory bandwidth
}

// loadOf returns the load during a step; zero for a step with nobody in it.
//
// A step is a weight-reading part, a KV-reading part and a prefill part. The first two keep the memory bus busy and
// few multiprocessors, the more the larger the batch (its half-way point is a sixth of a full batch); prefill is matrix
// work that keeps nearly all of them busy and reuses what it reads.
func loadOf(p Profile, plan stepPlan) gpuLoad {
	if plan.batch == 0 || plan.cost <= 0 {
		return gpuLoad{}
	}
	const (
		utilBusy    = 0.97 // launch gaps show even under full load
		smLeast     = 0.14
		smGrowth    = 0.72
		smPrefill   = 0.96
		dramKV      = 0.92
		dramPrefill = 0.30
	)
	cost := plan.cost.Seconds()
	prefill := float64(plan.prefill) / p.PrefillTokensPerSecond / cost
	kv := p.StepPerKVToken * 1e-9 * float64(plan.kv) / cost
	weights := p.StepBase.Seconds() * p.WeightRead / cost
	b := float64(plan.batch)
	smDecode := smLeast + smGrowth*b/(b+float64(p.MaxNumSeqs)/6)
	return gpuLoad{
		util: utilBusy,
		sm:   min(smPrefill*prefill+smDecode*(1-prefill), 1),
		dram: min(weights+dramKV*kv+dramPrefill*prefill, 1),
	}
}

// power returns the watts drawn under the load.
func (p Profile) power(l gpuLoad) float64 {
	return p.PowerIdleW + (p.PowerMaxW-p.PowerIdleW)*min(0.22*l.util+0.45*l.sm+0.35*l.dram, 1)
}

// gpuMeter integrates the load over time. It has no clock: the engine advances it whenever the load changes, and a reader
// before it reads.
type gpuMeter struct {
	profile Profile
	thermal time.Duration
	load    gpuLoad // since at
	at      time.Time
	sums    gpuSums
	tempC   float64
}

// gpuSums are the integrals since the meter began.
type gpuSums struct {
	seconds, util, sm, dram, joules float64
}

func newGPUMeter(p Profile, thermal time.Duration, now time.Time) gpuMeter {
	return gpuMeter{profile: p, thermal: thermal, at: now, tempC: idleC}
}

// advance brings the integrals up to now under the load so far.
func (m *gpuMeter) advance(now time.Time) {
	dt := now.Sub(m.at).Seconds()
	if dt <= 0 {
		return
	}
	m.at = now
	power := m.profile.power(m.load)
	m.sums.seconds += dt
	m.sums.util += m.load.util * dt
	m.sums.sm += m.load.sm * dt
	m.sums.dram += m.load.dram * dt
	m.sums.joules += power * dt
	target := idleC + riseC*(power-m.profile.PowerIdleW)/max(m.profile.PowerMaxW-m.profile.PowerIdleW, 1)
	m.tempC = target + (m.tempC-target)*math.Exp(-dt/m.thermal.Seconds())
}

// Accelerator is what the simulated accelerator's sensors show at one moment.
type Accelerator struct {
	UUID, Name              string
	MemUsedMiB, MemTotalMiB float64
	TempC                   float64
	EnergyJ                 float64 // a counter since the server's start
	PowerLimitW             float64

	Over time.Duration // since the reading before, of which the means are that follow; 0: there was none, and they are unknown

	UtilPercent float64 // of the time in which any kernel runs
	SMActive    float64 // percent
	DRAMActive  float64 // percent
	PowerW      float64
}

// Sensors read the simulated accelerator. Each averages over the time between its own reads. They are for one reader.
type Sensors struct {
	of      *worker
	number  int // of the GPU, from 0
	profile Profile
	last    gpuSums
	shown   Accelerator
}

// Read returns what the sensors show. Rates are means since the read before, over at least 50 ms: asked again sooner, the
// answer is the same, as with a real driver.
func (s *Sensors) Read() Accelerator {
	sums, tempC, held := s.of.readGPU()
	dt := sums.seconds - s.last.seconds
	if s.shown.Name != "" && dt < shortestRead.Seconds() {
		return s.shown
	}
	p := s.profile
	uuid := "SIM-" + p.Name
	if s.number > 0 {
		uuid += "-" + strconv.Itoa(s.number)
	}
	s.shown = Accelerator{
		UUID:        uuid,
		Name:        p.GPUName,
		MemUsedMiB:  math.Round(p.WeightsMiB + held*p.KVTokenKiB/1024),
		MemTotalMiB: p.MemTotalMiB,
		PowerLimitW: p.PowerMaxW,
		TempC:       math.Round(tempC),
		EnergyJ:     math.Floor(sums.joules*1000) / 1000,
	}
	if dt > 0 {
		mean := func(now, before float64) float64 { return 100 * (now - before) / dt }
		s.shown.Over = time.Duration(dt * float64(time.Second))
		s.shown.UtilPercent = mean(sums.util, s.last.util)
		s.shown.SMActive = mean(sums.sm, s.last.sm)
		s.shown.DRAMActive = mean(sums.dram, s.last.dram)
		s.shown.PowerW = (sums.joules - s.last.joules) / dt
	}
	s.last = sums
	return s.shown
}

// readGPU returns the meter's integrals and temperature as of now, and the KV tokens that the cache has room for.
func (e *worker) readGPU() (sums gpuSums, tempC, kvTokens float64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	e.meter.advance(time.Now())
	p := e.model.profile
	return e.meter.sums, e.meter.tempC, float64(p.KVBlocks * p.BlockSize)
}
