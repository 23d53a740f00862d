// Package nvml calls NVIDIA's management library as the driver brings it, loaded at run time and without cgo.
//
// It knows the library's C interface and nothing of what the figures mean. Every function is looked up once; one that the
// driver lacks answers FunctionNotFound. Layouts and numbers follow the interface's published header, nvml.h.
//
// A call can block in the driver for good, and Go cannot take back the thread that it is on: callers call from a
// goroutine that nobody waits for. A Library is for one caller at a time.
//
// The files:
//
//	device.go        asks the library about the system and its devices
//	gpm.go           asks for SM activity and its kin: GPU performance monitoring, which Hopper and later devices have
//	layout.go        the structs that cross into C, laid out as in nvml.h on 64-bit systems
//	nvml.go          the library: how it is opened, and what it says of itself
//	nvml_linux.go    finds and opens the library on Linux
//	nvml_purego.go   binds the library's functions
//	nvml_stub.go     stands in where the library cannot be loaded
//	nvml_windows.go  finds and opens the library on Windows
//	return.go        names what the library's functions return
//
// The way through it: Load finds the library and looks its functions up; a Library's methods call them with the structs
// of layout, and give back a Return beside the figure.
package nvml
