// Package device draws accelerators and the inference server, as every page that shows them does.
//
//   - table.go: a row for each accelerator; total.go: one for all of them; source.go: where they come from
//   - server.go: the server in a line, and what it showed in the current stage
package device
