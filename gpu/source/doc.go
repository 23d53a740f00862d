// Package source reads accelerators: from NVIDIA's driver, from nvidia-smi here or over ssh, or from an exporter's page.
//
// What it reads are gpu.Devices. Only main imports it, and hands Open and Look on.
//
// The files:
//
//	device.go             changes devices: values that are unknown, devices that are lost or silent
//	exporter.go           the source that reads an exporter's page over HTTP
//	exporter_identity.go  tells which device a sample of a page is of
//	exporter_page.go      reads devices off an exporter's page
//	exporter_table.go     says what exporters call things, and in which units
//	nvml.go               the source that asks NVIDIA's driver on this machine
//	nvml_device.go        reads one NVIDIA GPU and the MIG instances that it is divided into
//	nvml_gpm.go           reads SM activity and its kin from samples of the driver's performance counters
//	open.go               chooses sources
//	sentence.go           the sentences on a source as a whole
//	several.go            makes one source of several
//	smi.go                the source that listens to nvidia-smi, on this machine or over ssh
//	smi_csv.go            reads the rows that nvidia-smi writes
//
// The way through it: Open makes a source of each name (open) and one of all (several). An exporter's page becomes samples
// (promtext), samples find their device (exporter_identity) and their field (exporter_table); a row of nvidia-smi becomes a
// device (smi_csv); the driver is asked field by field (nvml_device).
package source
