//go:build !((linux || windows) && (amd64 || arm64)) || nonvml

// This file stands in where the library cannot be loaded.

package nvml

// Load always fails with ErrNotInBuild.
func Load(string) (*Library, error) { return nil, ErrNotInBuild }
