// Package machine is the GPU & server page: every accelerator, what the server says of itself, and what both mean.
//
// The files:
//
//	chart.go   the charts of the GPU page: what accelerators and server showed over time, under the marks of every
//	           chart
//	cost.go    what output costs: in accelerators, in energy and in money
//	detail.go  says of the chosen accelerator what its row has no room for, and in full why a figure is unknown
//	page.go    the GPU & server page: every accelerator, what the server says of itself, and what both mean
//	server.go  the panel of the inference server: its batch, its cache, and its own clocks beside ours
//	speculation.go
//	           says how speculative decoding goes: how much of what is drafted is accepted, in the stage and lately
//
// The way through it: The panels draw the Snapshot's last reading, its history, the server's window and the advice.
package machine
