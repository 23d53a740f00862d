// This file is the formats: their names, and how a file's first line tells which one it is.

package trace

import (
	"bytes"
	"errors"
	"fmt"
	"strings"
)

// Format is how a file writes its events.
type Format string

// The formats.
const (
	// Mooncake is JSON lines {"timestamp":ms,"input_length":n,"output_length":n,"hash_ids":[…]}, with blocks of 512
	// tokens, as published with "Mooncake: Trading More Storage for Less Computation" (Qin et al., FAST '25). Others
	// write the same lines with seconds and other blocks, such as Alibaba's Qwen-Bailian traces; see Reading.
	Mooncake Format = "mooncake"
	// Azure is CSV with the columns TIMESTAMP, ContextTokens and GeneratedTokens, as in Microsoft's
	// AzurePublicDataset, the LLM inference traces of 2023 and 2024.
	Azure Format = "azure"
	// BurstGPT is CSV with the columns Timestamp (in seconds), Request tokens and Response tokens among others, as
	// published with "BurstGPT: A Real-World Workload Dataset to Optimize LLM Serving Systems" (Wang et al., 2024).
	BurstGPT Format = "burstgpt"
)

// ParseFormat reads the name of a format in any case. "auto" and "" give "", which stands for what the content says.
func ParseFormat(s string) (Format, error) {
	switch f := Format(strings.ToLower(strings.TrimSpace(s))); f {
	case "", "auto":
		return "", nil
	case Mooncake, Azure, BurstGPT:
		return f, nil
	}
	return "", fmt.Errorf("there is no trace format %q; there are %s, %s and %s", s, Mooncake, Azure, BurstGPT)
}

// decoder makes an event of a line; its At is the line's own time, whatever that counts from. The error says what is
// wrong with the line, as a clause; errUnanswered is no fault of the line.
type decoder interface {
	event(line []byte) (Event, error)
}

var errUnanswered = errors.New("the request got no answer")

// newDecoder returns the decoder for a file, from its first line that is not blank, and whether that line is a header. The
// format may be "". What the reading leaves open is as documented; with evidence, that takes in what the data say of it.
func newDecoder(format Format, reading Reading, line []byte, seen *evidence) (d decoder, got Format, header bool, err error) {
	if format == Mooncake || format == "" && bytes.HasPrefix(bytes.TrimSpace(line), []byte("{")) {
		return mooncake{reading.over(Mooncake.documented()), seen}, Mooncake, false, nil
	}
	for _, table := range []struct {
		format  Format
		columns columns
	}{
		{Azure, columns{parseTime: parseDate, names: [3]string{"TIMESTAMP", "ContextTokens", "GeneratedTokens"}}},
		{BurstGPT, columns{parseTime: parseDecimal, names: [3]string{"Timestamp", "Request tokens", "Response tokens"}}},
	} {
		if format != "" && format != table.format {
			continue
		}
		missing := table.columns.find(line)
		if missing == "" {
			table.columns.unit = reading.over(table.format.documented()).Unit
			return &table.columns, table.format, true, reading.fits(table.format)
		}
		if format != "" {
			return nil, "", false, fmt.Errorf("its first line has to name the columns %s, and %q is not among them",
				strings.Join(table.columns.names[:], ", "), missing)
		}
	}
	return nil, "", false, errors.New(`it is of no known format: neither lines of JSON with "timestamp", "input_length" and ` +
		`"output_length" (mooncake), nor CSV with the columns TIMESTAMP, ContextTokens, GeneratedTokens (azure) ` +
		`or Timestamp, Request tokens, Response tokens (burstgpt)`)
}

// lengths checks an event's lengths and puts them in.
func (e *Event) lengths(input, output int64) error {
	switch {
	case input < 0 || input > MaxTokens:
		return fmt.Errorf("a prompt of %d tokens is out of range: it goes from 1 to %d", input, MaxTokens)
	case output < 0 || output > MaxTokens:
		return fmt.Errorf("an answer of %d tokens is out of range: it goes from 1 to %d", output, MaxTokens)
	case output == 0:
		return errUnanswered
	case input == 0:
		return errors.New("a prompt of 0 tokens cannot be sent")
	}
	e.Input, e.Output = int(input), int(output)
	return nil
}
