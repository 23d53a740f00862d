// Arrival stamps where the kernel tells none.

//go:build !linux

package wire

import "tokdyno/engine/record"

// newKernelStamps always fails: only Linux stamps TCP segments for their reader.
func newKernelStamps(descriptorConn, record.Clock) (stamper, error) { return nil, errNoKernelStamps }
