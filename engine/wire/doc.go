// Package wire talks HTTP to an OpenAI-compatible endpoint and turns its byte streams into records and token events.
//
// The files:
//
//	ahead.go         new connections for endpoints that close theirs after each answer, opened before they are needed
//	answer.go        from the payloads of an answer to the record of its request
//	answer_tokens.go the tokens of an answer: when they come, and how many they are
//	apierror.go      errors as servers word them: OpenAI, vLLM, FastAPI, Google and plain strings
//	arrivals.go      how the chunks of an answer came: one by one, or many at a time
//	attempt.go       one request on its way: which connection it got, and its t0
//	body.go          request bodies: go-openai's types, with the fields that load needs and they lack
//	chunk.go         what a chunk of a stream, or a whole JSON answer, says: the few fields that measuring needs
//	client.go        the client: one endpoint, its transport and what is known about it
//	conn.go          connections that say when a request's first byte went out and when the latest byte came in
//	counts.go        settles an answer's token counts: whose they are, and whether they can be true
//	endpoint.go      an endpoint as it is configured: where it is, how it is reached, and which limits of time it has
//	failure.go       why a request got no answer, or a refusal: kinds, and sentences a person can act on
//	finish.go        knows the reasons that servers give for an answer's end
//	framing.go       what HTTP/1.1 puts around an answer's body: chunks, a length, or nothing but the connection's end
//	http1.go         HTTP/1.1 on connections of our own, where the kernel stamps and no proxy stands between
//	limits.go        how many streams this machine can hold open
//	limits_other.go  systems without limits of that kind
//	limits_unix.go   the limits that Unix systems set
//	lines.go         bytes to lines, each with the instant at which it was complete
//	message.go       the short message that an answer carries where it has no tokens, whatever form the server gave it
//	models.go        which model to ask for
//	page.go          lends an endpoint's way of connecting to others who read pages of the same server
//	pattern.go       chunks that differ from the one before only in their text and their counts
//	probe.go         the probe: one short request that finds out what an endpoint refuses
//	probe_length.go  how many tokens a probe asks for: few, and more where that few are refused
//	profile.go       what is known of an endpoint: who it is, and which request fields it takes
//	remarks.go       keeps what single answers show of their server that a user should know once, not with every
//	                 answer
//	ready.go         whether an endpoint can be used, and waiting until it can
//	retry.go         sends failed requests again, where the user wants that
//	room.go          how much is in use of what bounds the streams that this machine can hold
//	said.go          knows the names under which generated output comes in a delta or a message
//	send.go          sending a request until its answer's header is there
//	server.go        which server it is that answers
//	sse.go           lines to the fields of server-sent events
//	status.go        words HTTP statuses, with what to do about them
//	stamp.go         when bytes arrived, and how well that is known
//	stamp_linux.go   arrival stamps by the kernel
//	stamp_other.go   arrival stamps where the kernel tells none
//	stream.go        a request from its sending to the end of its answer
//	told.go          what a server says of a request in words of its own: members of usage and timings, headers with times
//	tokenize.go      asks a server how it cuts text into tokens, where it can be asked
//	url.go           one way from what the user calls the endpoint to the URLs that are asked
//	usage.go         what a chunk says of tokens: usage, and llama.cpp's timings
//	verdict.go       how a request ended, judged by what its answer was
//	visible.go       takes out of an answer what its reader sees: the text of the first choice
//	waits.go         what requests wait for that are to be sent again, and what they were refused with
//	watchdog.go      time limits on silence, without a timer operation for every read
//
// The way through it: New makes a Client of an Endpoint (url, models, probe, profile). Stream sends one request: the
// body is made beforehand (body), the connection stamps its first byte out and every byte in (conn, stamp; package poll
// waits for it where the kernel stamps, and carries the reading on), what HTTP puts around the body is taken off (http1,
// framing; by net/http where there is a proxy, HTTP/2, or no such stamp), bytes become lines (lines), lines become events
// (sse), an event's payload becomes a chunk (chunk, usage), and the answer settles the record (answer, counts, verdict);
// each chunk with output is told to the record's observer at once. What goes wrong becomes a kind and a sentence (failure,
// apierror).
package wire
