// Package gpu knows accelerators: what can be read from them, and from where.
//
// It knows no terminal and no load. A Source reads devices; whoever holds the source polls it and keeps the latest
// reading. What is not known is a Value with a reason, never a zero.
//
// The files:
//
//	clocks.go             names what holds a device's clocks back
//	device.go             one accelerator as it is read
//	exporter.go           the source that reads an exporter's page over HTTP
//	exporter_identity.go  tells which device a sample of a page is of
//	exporter_page.go      reads devices off an exporter's page
//	exporter_table.go     says what exporters call things, and in which units
//	gpu.go                a reading, and the source that it comes from
//	json.go               the JSON form of readings
//	nvml.go               the source that asks NVIDIA's driver on this machine
//	nvml_device.go        reads one NVIDIA GPU and the MIG instances that it is divided into
//	nvml_gpm.go           reads SM activity and its kin from samples of the driver's performance counters
//	open.go               chooses sources
//	poll.go               polls a source
//	reader.go             calls a source that may never answer
//	reason.go             the words for what cannot be read: short reasons that stand in the place of a value, and
//	                      sentences
//	several.go            makes one source of several
//	smi.go                the source that listens to nvidia-smi, on this machine or over ssh
//	smi_csv.go            reads the rows that nvidia-smi writes
//	spec.go               reads how a source is named on the command line
//	together.go           puts what several devices say together: how many they are, sums, means and power
//	totals.go             sums up what devices showed over a run
//
// The way through it: Open chooses sources by their names (spec, open): NVML, nvidia-smi, an exporter's page, or
// several. A Poller reads one in a goroutine that may hang in a driver without holding anybody up (reader, poll) and
// keeps the latest Reading; Totals sums readings up over a stage or a run.
package gpu
