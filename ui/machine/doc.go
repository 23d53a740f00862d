// Package machine is the GPU & server page: every accelerator, what the server says of itself, and what both mean.
//
//   - page.go: keys, layout, the devices and the advice; detail.go: the chosen device
//   - chart.go: both over time; server.go: the server beside the client; cost.go: what output costs
package machine
