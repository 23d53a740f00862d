// The list of faults: their names, their values, and what they do, as data.

package sim

// FaultInfo describes a fault for people.
type FaultInfo struct {
	Name    string // "http_429"
	Form    string // "http_429=SHARE[:RETRY_AFTER]"
	Example string // "http_429=5%:2s"
	Does    string // one sentence
}

// fault is a FaultInfo with the fields of a Faults that are its values, in their order.
type fault struct {
	FaultInfo
	needs  int // how many of the values can't be left out
	fields func(*Faults) []any
}

// FaultList returns the faults there are. A SHARE is a percentage, such as 5%; a DURATION has a unit, such as 1.5s;
// TOKENS is a number.
func FaultList() []FaultInfo {
	var list []FaultInfo
	for _, f := range faultTable() {
		list = append(list, f.FaultInfo)
	}
	return list
}

// faultTable returns all faults, in the order in which they are listed.
func faultTable() []fault {
	return []fault{
		{
			FaultInfo{"disconnect", "disconnect=SHARE", "disconnect=1%", "closes the connection before any byte of an answer"},
			1, func(f *Faults) []any { return []any{&f.Disconnect} },
		},
		{
			FaultInfo{"http_429", "http_429=SHARE[:RETRY_AFTER]", "http_429=5%:2s", "answers 429 with a Retry-After header"},
			1, func(f *Faults) []any { return []any{&f.HTTP429.Share, &f.HTTP429.RetryAfter} },
		},
		{
			FaultInfo{"http_5xx", "http_5xx=SHARE[:STATUS[:RETRY_AFTER]]", "http_5xx=5%:503:2s", "answers a status from 500 to 599, else 503, with a Retry-After header"},
			1, func(f *Faults) []any {
				return []any{&f.HTTP5xx.Share, (*serverStatus)(&f.HTTP5xxStatus), &f.HTTP5xx.RetryAfter}
			},
		},
		{
			FaultInfo{"error_mid", "error_mid=SHARE:TOKENS", "error_mid=2%:8", "sends an error object amid the stream, after so many tokens"},
			2, func(f *Faults) []any { return []any{&f.ErrorMid.Share, &f.ErrorMid.Tokens} },
		},
		{
			FaultInfo{"truncate_mid", "truncate_mid=SHARE:TOKENS", "truncate_mid=2%:8", "closes the connection amid the stream, after so many tokens"},
			2, func(f *Faults) []any { return []any{&f.TruncateMid.Share, &f.TruncateMid.Tokens} },
		},
		{
			FaultInfo{"stall_first", "stall_first=SHARE:DURATION", "stall_first=2%:3s", "holds the answer back before its first token"},
			2, func(f *Faults) []any { return []any{&f.StallFirst.Share, &f.StallFirst.For} },
		},
		{
			FaultInfo{"stall_mid", "stall_mid=SHARE:DURATION:TOKENS", "stall_mid=2%:3s:1", "holds the answer back after so many tokens"},
			3, func(f *Faults) []any { return []any{&f.StallMid.Share, &f.StallMid.For, &f.StallMidAfter} },
		},
		{
			FaultInfo{"role_early", "role_early", "role_early", "sends a chat's role frame at once, long before the first token"},
			0, func(f *Faults) []any { return []any{&f.RoleEarly} },
		},
		{
			FaultInfo{"role_every", "role_every", "role_every", "repeats the role in every frame"},
			0, func(f *Faults) []any { return []any{&f.RoleEvery} },
		},
		{
			FaultInfo{"buffer", "buffer=CHUNKS", "buffer=20", "holds a streamed answer back until there are so many chunks, as a buffering proxy does"},
			1, func(f *Faults) []any { return []any{&f.Buffer} },
		},
		{
			FaultInfo{"bursts", "bursts=CHUNKS", "bursts=4", "sends so many chunks at a time but the first alone, as speculative decoding does"},
			1, func(f *Faults) []any { return []any{&f.Bursts} },
		},
		{
			FaultInfo{"chunk_tokens", "chunk_tokens=TOKENS", "chunk_tokens=4", "puts so many tokens into each frame"},
			1, func(f *Faults) []any { return []any{&f.ChunkTokens} },
		},
		{
			FaultInfo{"no_usage", "no_usage", "no_usage", "leaves out usage, whatever was asked for"},
			0, func(f *Faults) []any { return []any{&f.NoUsage} },
		},
		{
			FaultInfo{"no_continuous_usage", "no_continuous_usage", "no_continuous_usage", "takes continuous_usage_stats without effect"},
			0, func(f *Faults) []any { return []any{&f.NoContinuousUsage} },
		},
		{
			FaultInfo{"zero_usage", "zero_usage", "zero_usage", "puts a usage of zeros into every frame but the last"},
			0, func(f *Faults) []any { return []any{&f.ZeroUsage} },
		},
		{
			FaultInfo{"usage_form", "usage_form=FORM", "usage_form=uncached", "writes usage with other names (input), in quotes (strings), in another member (below), or without the prompt's cached tokens (uncached)"},
			1, func(f *Faults) []any { return []any{&f.UsageForm} },
		},
		{
			FaultInfo{"refuse", "refuse=PARAMETER[,PARAMETER…][:BODY]", "refuse=stream_options,max_tokens:vllm", "answers 400 to requests that have one of the parameters, with an openai, vllm or fastapi body"},
			1, func(f *Faults) []any { return []any{&f.Refuse, &f.RefuseBody} },
		},
		{
			FaultInfo{"least_output", "least_output=TOKENS[:WORDS]", "least_output=16:renamed", "answers 400 to requests for fewer output tokens, in words that name the field, are renamed to another's, or say that the message is unfinished"},
			1, func(f *Faults) []any { return []any{&f.LeastOutput, &f.LeastWords} },
		},
		{
			FaultInfo{"error_200", "error_200=FORM", "error_200=base_resp", "answers 200 with an error that is none by its name: code, a code and a msg; base_resp, as MiniMax's"},
			1, func(f *Faults) []any { return []any{&f.Error200} },
		},
		{
			FaultInfo{"web_page", "web_page=STATUS", "web_page=403", "answers with a web page and this status, as what stands before a server does"},
			1, func(f *Faults) []any { return []any{(*pageStatus)(&f.WebPage)} },
		},
		{
			FaultInfo{"strict_history", "strict_history", "strict_history", "answers 400 to a chat with a blank message, or with two of one role in a row"},
			0, func(f *Faults) []any { return []any{&f.StrictHistory} },
		},
		{
			FaultInfo{"no_stream", "no_stream", "no_stream", "answers stream: true with one JSON document"},
			0, func(f *Faults) []any { return []any{&f.NoStream} },
		},
		{
			FaultInfo{"reasoning", "reasoning=TOKENS[:FIELD]", "reasoning=32:hidden", "makes so many tokens reasoning, shown as reasoning_content, reasoning or reasoning_details, or hidden"},
			1, func(f *Faults) []any { return []any{&f.Reasoning, &f.ReasoningField} },
		},
		{
			FaultInfo{"tool_calls", "tool_calls", "tool_calls", "answers a chat with a tool call"},
			0, func(f *Faults) []any { return []any{&f.ToolCalls} },
		},
		{
			FaultInfo{"template", "template=TOKENS", "template=24", "puts so many further tokens before each chat, as a template with a system message does"},
			1, func(f *Faults) []any { return []any{&f.Template} },
		},
		{
			FaultInfo{"eos", "eos=TOKENS", "eos=12", "ends longer answers after so many tokens, whatever ignore_eos and min_tokens say"},
			1, func(f *Faults) []any { return []any{&f.EOS} },
		},
		{
			FaultInfo{"finish", "finish=REASON", "finish=abort", "gives each answer this finish_reason"},
			1, func(f *Faults) []any { return []any{&f.Finish} },
		},
		{
			FaultInfo{"slow_close", "slow_close=DURATION", "slow_close=1s", "ends a streamed answer so long after [DONE]"},
			1, func(f *Faults) []any { return []any{&f.SlowClose} },
		},
		{
			FaultInfo{"idle_close", "idle_close=DURATION", "idle_close=5s", "closes connections that were idle for so long"},
			1, func(f *Faults) []any { return []any{&f.IdleClose} },
		},
		{
			FaultInfo{"close_after_stream", "close_after_stream", "close_after_stream", "closes the connection after a streamed answer though keep-alive was advertised"},
			0, func(f *Faults) []any { return []any{&f.CloseAfterStream} },
		},
		{
			FaultInfo{"comments", "comments", "comments", "sends a comment line after the headers and after every frame"},
			0, func(f *Faults) []any { return []any{&f.Comments} },
		},
		{
			FaultInfo{"crlf", "crlf", "crlf", "ends lines of a stream in CR LF"},
			0, func(f *Faults) []any { return []any{&f.CRLF} },
		},
	}
}
