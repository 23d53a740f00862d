// Answers that faults put in the place of a generation: error statuses, refusals of parameters, closed connections.

package sim

import (
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// denied reports whether the request's ending leaves no room for a generation.
func (f *fate) denied() bool {
	return f.ending == endDisconnect || f.ending == endHTTP429 || f.ending == endHTTP5xx
}

// deny answers a request that is denied. It does not return where the answer is to hang up.
func (f *fate) deny(w http.ResponseWriter, model string) {
	switch f.ending {
	case endDisconnect:
		hangUp()
	case endHTTP429:
		reject(w, f.faults.HTTP429, http.StatusTooManyRequests, "RateLimitError", "Rate limit reached for `"+model+"`.")
	case endHTTP5xx:
		status := statusOr503(f.faults.HTTP5xxStatus)
		reject(w, f.faults.HTTP5xx, status, "InternalServerError", http.StatusText(status)+" (a fault that was asked for).")
	case endWhole, endErrorMid, endTruncateMid:
	}
}

// hangUp closes the request's connection without another byte. It does not return: this panic is net/http's means for it,
// and nothing is logged.
func hangUp() { panic(http.ErrAbortHandler) }

// statusOr503 returns the status where it is one of a server's errors.
func statusOr503(status int) int {
	if status < 500 || status > 599 {
		return http.StatusServiceUnavailable
	}
	return status
}

// reject answers with an error status.
func reject(w http.ResponseWriter, r Rejection, status int, kind, message string) {
	after := max((r.RetryAfter+time.Second-1)/time.Second, 1)
	w.Header().Set("Retry-After", strconv.Itoa(int(after)))
	e := &apiError{Message: message, Type: kind, Code: status}
	e.write(w)
}

// parameters returns which of the refusable parameters the request has.
func (q *generationRequest) parameters() Parameters {
	var has Parameters
	for _, one := range []struct {
		parameter Parameters
		present   bool
	}{
		{ParamStreamOptions, q.StreamOptions != nil},
		{ParamContinuousUsage, q.StreamOptions != nil && q.StreamOptions.ContinuousUsage},
		{ParamMaxTokens, q.MaxTokens != nil},
		{ParamMaxCompletionTokens, q.MaxCompletionTokens != nil},
		{ParamTemperature, q.Temperature != nil},
		{ParamIgnoreEOS, q.IgnoreEOS},
		{ParamMinTokens, q.MinTokens != nil},
	} {
		if one.present {
			has |= one.parameter
		}
	}
	return has
}

// creditSpent is what errors in answers of status 200 say.
const creditSpent = "insufficient balance (a fault that was asked for)"

// writePage answers with a web page, as a check for robots does.
func writePage(w http.ResponseWriter, status int) {
	w.Header().Set("Content-Type", "text/html; charset=UTF-8")
	w.WriteHeader(status)
	_, _ = io.WriteString(w, "<!DOCTYPE html>\n<html><head><title>Just a moment...</title></head><body>Checking your browser</body></html>\n")
}

// refuse answers in the place of a generation if the faults refuse the request as it is: for parameters that it has, for
// instance. It reports whether it did.
func (f *Faults) refuse(w http.ResponseWriter, q *generationRequest) bool {
	refused := q.parameters() & f.Refuse
	switch {
	case f.WebPage != 0:
		writePage(w, f.WebPage)
		return true
	case f.Error200 == ErrorCode:
		writeJSON(w, http.StatusOK, map[string]any{"code": 1113, "msg": creditSpent, "success": false})
		return true
	case f.Error200 == ErrorBaseResp:
		writeJSON(w, http.StatusOK, map[string]any{"base_resp": map[string]any{"status_code": 1008, "status_msg": creditSpent}})
		return true
	case refused == 0:
		return f.refuseShort(w, q) || f.StrictHistory && q.refuseHistory(w)
	}
	switch f.RefuseBody {
	case RefuseVLLM:
		writeJSON(w, http.StatusBadRequest, vllmRefusal(refused))
	case RefuseFastAPI:
		writeJSON(w, http.StatusBadRequest, fastAPIRefusal(refused))
	default:
		writeJSON(w, http.StatusBadRequest, openAIRefusal(refused))
	}
	return true
}

// refuseShort answers 400 if the request asks for too short an answer.
func (f *Faults) refuseShort(w http.ResponseWriter, q *generationRequest) bool {
	asked, param := q.MaxTokens, "max_tokens"
	if q.MaxCompletionTokens != nil {
		asked, param = q.MaxCompletionTokens, "max_completion_tokens"
	}
	if f.LeastOutput <= 0 || asked == nil || *asked >= f.LeastOutput {
		return false
	}
	e := openAIError{Type: "invalid_request_error", Param: param, Code: "integer_below_min_value"}
	if f.LeastWords == LeastRenamed {
		e.Param = "max_output_tokens"
	}
	e.Message = fmt.Sprintf("Invalid '%s': integer below minimum value. Expected a value >= %d, but got %d instead.", e.Param, f.LeastOutput, *asked)
	if f.LeastWords == LeastUnfinished {
		e = openAIError{Type: e.Type, Message: "Could not finish the message because max_tokens or model output limit was reached. " +
			"Please try again with higher max_tokens."}
	}
	writeJSON(w, http.StatusBadRequest, openAIBody{e})
	return true
}

// refuseHistory answers 400 if strict servers would refuse what was said; false if they would not.
func (q *generationRequest) refuseHistory(w http.ResponseWriter) bool {
	for i, m := range q.Messages {
		switch {
		case strings.TrimSpace(string(m.Content)) == "":
			badRequest("messages", "messages.%d: all messages must have non-empty content.", i).write(w)
			return true
		case i > 0 && q.Messages[i-1].Role == m.Role:
			badRequest("messages", "messages.%d: roles must alternate, found two of %q in a row.", i, m.Role).write(w)
			return true
		}
	}
	return false
}

// place returns where in the body a parameter stands.
func place(parameter string) []string {
	if parameter == "continuous_usage_stats" {
		return []string{"body", "stream_options", parameter}
	}
	return []string{"body", parameter}
}

type openAIBody struct {
	Error openAIError `json:"error"`
}

type openAIError struct {
	Message string `json:"message"`
	Type    string `json:"type"`
	Param   string `json:"param"`
	Code    string `json:"code"`
}

// openAIRefusal blames the first of the parameters, in OpenAI's words.
func openAIRefusal(refused Parameters) openAIBody {
	path := place(refused.names()[0])[1:]
	e := openAIError{Type: "invalid_request_error", Param: strings.Join(path, ".")}
	switch e.Param {
	case "max_tokens":
		e.Code = "unsupported_parameter"
		e.Message = "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."
	case "temperature":
		e.Code = "unsupported_value"
		e.Message = "Unsupported value: 'temperature' does not support 0 with this model. Only the default (1) value is supported."
	default:
		e.Code = "unknown_parameter"
		e.Message = fmt.Sprintf("Unknown parameter: '%s'.", e.Param)
	}
	return openAIBody{e}
}

type vllmBody struct {
	Object  string  `json:"object"`
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    int     `json:"code"`
}

// vllmRefusal blames all the parameters in one sentence that is Python's way of showing pydantic's list.
func vllmRefusal(refused Parameters) vllmBody {
	var faults []string
	for _, name := range refused.names() {
		faults = append(faults, fmt.Sprintf("{'type': 'extra_forbidden', 'loc': ('%s'), 'msg': 'Extra inputs are not permitted'}",
			strings.Join(place(name), "', '")))
	}
	return vllmBody{
		Object:  "error",
		Message: "[" + strings.Join(faults, ", ") + "]",
		Type:    "BadRequestError",
		Code:    http.StatusBadRequest,
	}
}

type fastAPIBody struct {
	Detail []fastAPIFault `json:"detail"`
}

type fastAPIFault struct {
	Type string   `json:"type"`
	Loc  []string `json:"loc"`
	Msg  string   `json:"msg"`
}

// fastAPIRefusal blames all the parameters as a list.
func fastAPIRefusal(refused Parameters) fastAPIBody {
	var body fastAPIBody
	for _, name := range refused.names() {
		body.Detail = append(body.Detail, fastAPIFault{"extra_forbidden", place(name), "Extra inputs are not permitted"})
	}
	return body
}
