// This file is the source that asks NVIDIA's driver on this machine.

package source

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"

	"tokdyno/gpu"
	"tokdyno/gpu/nvml"
	"tokdyno/gpu/optional"
)

const (
	// initPatience is how long the driver may take to start answering: with persistence mode off it has to wake up its
	// GPUs, a second or two for each.
	initPatience = 20 * time.Second

	// seldom is the interval of what changes rarely and costs the driver most: processes and MIG instances.
	seldom = 5 * time.Second
)

// NVML opens the driver's own library: from path, or, if that is empty, from where drivers put it. The error is a sentence
// on why it cannot be used.
func NVML(ctx context.Context, path string) (gpu.Source, error) {
	lib, err := nvml.Load(path)
	if err != nil {
		return nil, loadProblem(path, err)
	}
	s := &nvmlSource{lib: lib, now: time.Now}
	if !patiently(ctx, initPatience, func() { err = s.start() }) {
		return nil, errors.New(textSilent)
	}
	if err != nil {
		return nil, err
	}
	return s, nil
}

func loadProblem(path string, err error) error {
	if errors.Is(err, nvml.ErrNotInBuild) {
		return errors.New(textNotInBuild)
	}
	var failed *nvml.LoadError
	if path == "" && errors.As(err, &failed) && failed.Missing() {
		return errors.New(textNoLibrary)
	}
	return err
}

// patiently does something that may hang for good, and reports whether it was done in time.
func patiently(ctx context.Context, patience time.Duration, do func()) bool {
	done := make(chan struct{})
	go func() {
		defer close(done)
		do()
	}()
	timer := time.NewTimer(patience)
	defer timer.Stop()
	select {
	case <-done:
		return true
	case <-timer.C:
	case <-ctx.Done():
	}
	return false
}

// startProblem is why the library does not begin.
func startProblem(r nvml.Return) error {
	switch r {
	case nvml.DriverNotLoaded, nvml.Uninitialized:
		return errors.New(textNoDriver)
	case nvml.LibraryNotFound:
		return errors.New(textNoLibrary)
	case nvml.VersionMismatch:
		return errors.New(textMismatch)
	case nvml.NoPermission, nvml.OperatingSystem:
		return errors.New("the driver keeps its GPUs from this user or container: /dev/nvidia* must be readable")
	default:
		return fmt.Errorf("the NVIDIA driver does not start: %v", r)
	}
}

// nvmlSource reads the GPUs that the driver's library knows.
type nvmlSource struct {
	lib    *nvml.Library
	now    func() time.Time
	closed atomic.Bool

	mu      sync.Mutex // held during a Read, which may last for good
	gpus    []*nvmlGPU // one for each index
	metrics nvml.Metrics
	restart bool // the driver went away under the library
}

// Name implements Source.
func (*nvmlSource) Name() string { return "nvml" }

// Simulated implements Source: never.
func (*nvmlSource) Simulated() bool { return false }

// start begins the library and counts the GPUs.
func (s *nvmlSource) start() error {
	if r := s.lib.Init(); r != nvml.Success {
		return startProblem(r)
	}
	n, r := s.lib.Count()
	if r != nvml.Success {
		return startProblem(r)
	}
	if n == 0 {
		return errors.New(textNoDevices)
	}
	s.gpus = make([]*nvmlGPU, n)
	for i := range s.gpus {
		s.gpus[i] = &nvmlGPU{index: i}
	}
	return nil
}

// Read implements Source. A GPU that cannot be used has its row, with the reason.
func (s *nvmlSource) Read(ctx context.Context) ([]gpu.Device, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.closed.Load() {
		return nil, errClosed
	}
	if s.restart {
		if err := s.start(); err != nil {
			return nil, err
		}
		s.restart = false
	}
	now := s.now()
	var devices []gpu.Device
	for _, g := range s.gpus {
		if err := ctx.Err(); err != nil {
			return nil, err
		}
		var uninitialised bool
		devices, uninitialised = g.read(s, now, devices)
		if uninitialised {
			s.restart = true
			return nil, errors.New(textNoDriver)
		}
	}
	return devices, nil
}

// Close implements Source. It does not wait for a driver that hangs.
func (s *nvmlSource) Close() error {
	s.closed.Store(true)
	if !s.mu.TryLock() {
		return nil // a Read hangs, and uses all there is
	}
	patiently(context.Background(), gpu.Farewell, func() {
		defer s.mu.Unlock()
		for _, g := range s.gpus {
			g.meter.free(s.lib)
			for _, i := range g.instances {
				i.meter.free(s.lib)
			}
		}
		s.lib.Shutdown()
	})
	return nil
}

// because is the reason for a value that the driver did not give.
func because(r nvml.Return) string {
	switch r {
	case nvml.NotSupported, nvml.NotFound:
		return gpu.ReasonNotSupported
	case nvml.NoPermission:
		return gpu.ReasonPermission
	case nvml.FunctionNotFound, nvml.ArgumentVersion:
		return gpu.ReasonOldDriver
	case nvml.GPUIsLost:
		return optional.ReasonLost
	case nvml.ResetRequired:
		return gpu.ReasonReset
	case nvml.OperatingSystem:
		return gpu.ReasonBlocked
	default:
		return gpu.ReasonDriverError
	}
}

// question notes what a series of calls on one device showed of the device as a whole.
type question struct{ lost, uninitialised bool }

// note takes in what a call returned.
func (q *question) note(r nvml.Return) {
	q.lost = q.lost || r == nvml.GPUIsLost
	q.uninitialised = q.uninitialised || r == nvml.Uninitialized
}

// answered makes a value of what a call answered. unit is what one of the driver's units is here.
func answered[T uint32 | uint64 | float64](q *question, unit float64) func(T, nvml.Return) optional.Value {
	return func(v T, r nvml.Return) optional.Value {
		q.note(r)
		if r != nvml.Success {
			return optional.NA(because(r))
		}
		return optional.Of(float64(v) * unit)
	}
}
