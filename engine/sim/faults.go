// Faults: what the server does wrong when it is told to. The list is in faultlist.go, its text form in faultparse.go.

package sim

import "time"

// Percent is a share of requests, from 0 to 100.
type Percent float64

// Faults are what the server does wrong; the zero Faults is none of it. Durations are in wall-clock time whatever
// Config.TimeScale says, for they are meant to meet a client's time limits. A value out of its range counts as the
// nearest that is in it.
//
// Which requests a share falls on is drawn from Config.Seed and a request's number since the faults were set, so that a
// run repeats. One draw decides among Disconnect, HTTP429, HTTP5xx, ErrorMid and TruncateMid: their shares are shares of
// all requests, and add up.
type Faults struct {
	Disconnect    Percent // the connection is closed before any byte of an answer
	HTTP429       Rejection
	HTTP5xx       Rejection
	HTTP5xxStatus int // 500–599; 0 means 503
	ErrorMid      Cut // an error object takes the place of the rest of a streamed answer
	TruncateMid   Cut // the connection is closed amid a streamed answer, without finish_reason and [DONE]

	// A stall holds back what was generated, as a network does: after it, all of that follows at once.
	StallFirst    Stall // before the first token
	StallMid      Stall // after StallMidAfter tokens of a streamed answer; none where it has no more
	StallMidAfter int

	RoleEarly bool // a chat's role frame goes out with the headers, long before the first token
	RoleEvery bool // every frame of a chat repeats the role

	Buffer int // streamed answers are handed out so many frames at a time, as a proxy does that buffers; 0: each at once
	Bursts int // the same, but the first is handed out at once, as speculative decoding does

	ChunkTokens       int  // tokens in a frame; 0 means 1
	NoUsage           bool // usage is left out everywhere, whatever was asked for
	NoContinuousUsage bool // stream_options.continuous_usage_stats has no effect
	ZeroUsage         bool // every frame has a usage of zeros, but the last has the true one (as Ollama's)

	UsageForm UsageForm

	Refuse        Parameters // requests that have one of these are answered with 400
	RefuseBody    RefusalBody
	LeastOutput   int // requests for fewer tokens are answered with 400; 0: none are
	LeastWords    LeastWords
	Error200      ErrorForm // answers are 200 with an error in a form of its own
	WebPage       int       // answers are a web page with this status; 0: none
	StrictHistory bool      // chats with a blank message, or two of one role in a row, are answered with 400
	NoStream      bool      // one JSON document answers stream: true as well

	Reasoning      int // so many tokens of the answer, the first ones, are reasoning
	ReasoningField ReasoningField
	ToolCalls      bool // a chat is answered with a tool call

	Template int          // further tokens before each chat
	EOS      int          // longer answers end after so many tokens, whatever ignore_eos and min_tokens say; 0 means never
	Finish   FinishReason // how an answer is said to have ended, though it is whole; "": as it did

	SlowClose        time.Duration // a streamed answer is not ended until so long after [DONE]
	IdleClose        time.Duration // a connection is closed when it was idle for so long; 0 means never
	CloseAfterStream bool          // and right after a streamed answer, though keep-alive was advertised (as llama-server's)

	Comments bool // a comment line follows the headers and every frame
	CRLF     bool // lines of a stream end in CR LF
}

// Rejection is an error status for a share of the requests.
type Rejection struct {
	Share      Percent
	RetryAfter time.Duration // of the Retry-After header, which has whole seconds: rounded up; 0 means 1 s
}

// Cut ends a share of the streamed answers before they are whole.
type Cut struct {
	Share  Percent
	Tokens int // generated before it; one fewer than the answer has, where that is not more
}

// Stall holds back a share of the answers.
type Stall struct {
	Share Percent
	For   time.Duration
}

// Parameters is a set of request parameters.
type Parameters uint8

// The parameters that can be refused.
const (
	ParamStreamOptions Parameters = 1 << iota
	ParamContinuousUsage
	ParamMaxTokens
	ParamMaxCompletionTokens
	ParamTemperature
	ParamIgnoreEOS
	ParamMinTokens
)

// parameterNames are in the order of the bits. Nothing changes them.
var parameterNames = [...]string{
	"stream_options", "continuous_usage_stats", "max_tokens", "max_completion_tokens", "temperature", "ignore_eos", "min_tokens",
}

// names returns the names of the parameters in the set.
func (p Parameters) names() []string {
	var names []string
	for i, name := range parameterNames {
		if p&(1<<i) != 0 {
			names = append(names, name)
		}
	}
	return names
}

// RefusalBody is how a refusal words what it refuses.
type RefusalBody string

// The bodies of refusals. The zero RefusalBody is RefuseOpenAI.
const (
	RefuseOpenAI  RefusalBody = "openai"  // {"error": {…}}, naming one parameter
	RefuseVLLM    RefusalBody = "vllm"    // {"object": "error", "message": …}, naming all in pydantic's words
	RefuseFastAPI RefusalBody = "fastapi" // {"detail": […]}, naming all
)

// LeastWords is how a refusal of too short an answer words it.
type LeastWords string

// The words of such refusals. The zero LeastWords is LeastNamed.
const (
	LeastNamed      LeastWords = "named"      // naming the field that was sent
	LeastRenamed    LeastWords = "renamed"    // naming max_output_tokens, which is another API's
	LeastUnfinished LeastWords = "unfinished" // saying that the message could not be finished, as where reasoning does not fit
)

// ReasoningField is where reasoning is shown.
type ReasoningField string

// The fields of reasoning. The zero ReasoningField is ReasoningContent. /v1/completions has no such field: there, unless
// it is hidden, reasoning is text like any other.
const (
	ReasoningContent ReasoningField = "reasoning_content"
	ReasoningPlain   ReasoningField = "reasoning"         // beside an empty content, as Ollama's
	ReasoningDetails ReasoningField = "reasoning_details" // an array of parts, beside an empty content, as MiniMax's
	ReasoningHidden  ReasoningField = "hidden"            // nowhere: billed but not shown
)

// UsageForm is how usage is written. The zero UsageForm is as vLLM writes it.
type UsageForm string

// The forms of usage, as gateways have them.
const (
	UsageInput    UsageForm = "input"    // as input_tokens and output_tokens
	UsageStrings  UsageForm = "strings"  // with its totals in quotes
	UsageBelow    UsageForm = "below"    // of a streamed answer: in another member of the frame, as Groq's
	UsageUncached UsageForm = "uncached" // with prompt_tokens that leave out the cached ones, which the total has
)

// ErrorForm is how an error is written into an answer of status 200.
type ErrorForm string

// The forms of errors in answers of status 200.
const (
	ErrorCode     ErrorForm = "code"      // {"code": …, "msg": …}
	ErrorBaseResp ErrorForm = "base_resp" // {"base_resp": {"status_code": …, "status_msg": …}}
)

// FinishReason is a finish_reason: small letters and _.
type FinishReason string

// SetFaults makes the server do f from the next request on, and begins the draws anew.
func (s *Server) SetFaults(f Faults) { s.faults.Store(&faultDraws{faults: f, seed: s.cfg.Seed}) }

// Faults returns what the server does wrong at present.
func (s *Server) Faults() Faults { return s.faults.Load().faults }
