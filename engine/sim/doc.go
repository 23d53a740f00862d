// Package sim is a simulated LLM inference server: continuous batching behind real HTTP.
//
// It answers like vLLM's OpenAI-compatible server, and its latencies come from a model of one: raising the concurrency
// raises tokens per second until they flatten, time per output token climbs with the batch, and past the batch's seats
// or the KV cache's room a queue forms and time to first token explodes. The model (model.go, blocks.go) is pure; the
// loop (loop.go) runs it in real time; the handlers write what it says.
//
// It is a test bench, too: it errs on demand in the ways in which real servers do (Faults), and can keep the truth about
// what it did and when (Truth), to hold a client's figures against.
//
// It measures no hardware. Whatever shows its figures has to say that they are simulated; its Server header, its
// /metrics page and its accelerator do.
//
// The files:
//
//	apierror.go     errors as the API shows them: OpenAI-shaped for the model's routes, FastAPI-shaped for the others
//	blocks.go       the KV cache: reference-counted blocks, the prefix cache over them, and its eviction order
//	conn.go         connections: counted, so that Close can wait for them, and closed when faults say so
//	draft.go        drafts tokens ahead, as speculative decoding does, and says what it cost and brought
//	faultanswer.go  answers that faults put in the place of a generation: error statuses, refusals of parameters,
//	                closed connections
//	faultdraw.go    the draws: which faults a request meets
//	faultlist.go    the list of faults: their names, their values, and what they do, as data
//	faultparse.go   the text and JSON forms of faults
//	faultroute.go   /sim/faults: the faults, read and set over HTTP while the server runs
//	faults.go       faults: what the server does wrong when it is told to
//	frame.go        frames: the server-sent events of a streamed answer, rendered by appending to bytes
//	generate.go     POST /v1/chat/completions and /v1/completions: from a body to the engine, and answers that are not
//	                streamed
//	gpu.go          the simulated accelerator: what its sensors would show, derived from the batch
//	histogram.go    histograms of the server's own times, with vLLM's buckets
//	loop.go         the engine loop: one goroutine that runs the model in real time and tells each request how far its
//	                answer is
//	metrics.go      GET /metrics: the page that vLLM serves, as far as tokdyno and dashboards read it
//	model.go        the model: continuous batching as a pure state machine, one step at a time
//	separate.go     hands requests over from a GPU that computes prompts to one that generates
//	profile.go      the profiles: what each simulated model and accelerator is, and where its constants come from
//	request.go      requests: what the bodies mean, and what is wrong with them
//	routes.go       the routes, and the short ones among them
//	sim.go          the server: its configuration, its start and its end
//	stream.go       streamed answers: frames to the client as their tokens are generated
//	text.go         the answers: how long they are and what they say, both decided by the seed and the prompt
//	tokenizer.go    the tokenizer: text to token ids, and prompts to the block hashes of the prefix cache
//	toolcall.go     tool calls: an answer's text as the argument of a function
//	truth.go        the truth: what a generation really was and when its bytes were written, for tests of clients
//	words.go        tokens of a given number of words: how a tokenizer of another language, or another model, counts
//
// The way through it: A request comes in over HTTP (routes, request), meets the faults drawn for it (faultdraw,
// faultanswer), is tokenized and handed to the loop. The loop runs the model a step at a time, in real time or faster,
// and tells each request how far its answer is; the stream writes that as server-sent events. The page of metrics and
// the accelerator are views of the same model; the truth keeps when what was written.
package sim
