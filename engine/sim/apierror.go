// Errors as the API shows them: OpenAI-shaped for the model's routes, FastAPI-shaped for the others.

package sim

import (
	"encoding/json"
	"fmt"
	"net/http"
)

// apiError is an answer other than 200, in the shape of vLLM's.
type apiError struct {
	Message string  `json:"message"`
	Type    string  `json:"type"`
	Param   *string `json:"param"`
	Code    int     `json:"code"` // the HTTP status
}

func (e *apiError) Error() string { return e.Message }

// badRequest returns a 400 that blames param; an empty one blames the request as a whole.
func badRequest(param, format string, args ...any) *apiError {
	e := &apiError{Message: fmt.Sprintf(format, args...), Type: "BadRequestError", Code: http.StatusBadRequest}
	if param != "" {
		e.Param = &param
	}
	return e
}

// unknownModel returns the 404 for a model that is not served.
func unknownModel(name string) *apiError {
	param := "model"
	return &apiError{
		Message: fmt.Sprintf("The model `%s` does not exist.", name),
		Type:    "NotFoundError",
		Param:   &param,
		Code:    http.StatusNotFound,
	}
}

// write sends the error.
func (e *apiError) write(w http.ResponseWriter) {
	writeJSON(w, e.Code, struct {
		Error *apiError `json:"error"`
	}{e})
}

// writeDetail sends an error of the router itself.
func writeDetail(w http.ResponseWriter, status int) {
	writeJSON(w, status, struct {
		Detail string `json:"detail"`
	}{http.StatusText(status)})
}

// writeJSON sends v, which has to be encodable.
func writeJSON(w http.ResponseWriter, status int, v any) {
	body, err := json.Marshal(v)
	if err != nil {
		http.Error(w, err.Error(), http.StatusInternalServerError)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(status)
	_, _ = w.Write(body) // a client that went away is no concern: nothing follows
}
