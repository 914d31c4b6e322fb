package cartwright

import (
	"encoding/json"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// Reason says why something failed, as a word that stays. It is an error, so that errors.Is compares with it:
//
//	if errors.Is(err, cartwright.ReasonCartRevisionConflict) { … }
type Reason string

// Why a call failed without an answer of the server, or before it was sent.
const (
	ReasonNetworkError       Reason = "network_error"        // no answer, or not all of it; a mutation may have happened
	ReasonTimeout            Reason = "timeout"              // as network_error: no answer in time
	ReasonAborted            Reason = "aborted"              // the context was cancelled
	ReasonInvalidResponse    Reason = "invalid_response"     // the answer is none of this API: a proxy, another server
	ReasonInvalidInput       Reason = "invalid_input"        // nothing was sent
	ReasonPendingStoreFailed Reason = "pending_store_failed" // the operation could not be written down, so it was not sent
	ReasonPendingElsewhere   Reason = "pending_elsewhere"    // the store keeps that key for other credentials or another server
)

// Error implements error.
func (r Reason) Error() string { return string(r) }

// FieldError is what is wrong with one field of the input.
type FieldError struct {
	Field   string `json:"field"`
	Message string `json:"message"`
}

// Error is why a call failed. No token, key or body stands in its text.
type Error struct {
	Reason     Reason
	Message    string          // a sentence for people
	Retryable  bool            // the same call may succeed later
	RetryAfter time.Duration   // not before; 0: unknown
	RequestID  string          // names the call in the server's logs
	Status     int             // of HTTP; 0: there was no answer
	Code       string          // of the answer: BAD_USER_INPUT, CONFLICT, …
	Fields     []FieldError    // of a validation error
	Data       json.RawMessage // further data, such as {"currentRevision": 4}
	Operation  string          // the helper, for example carts.addItem

	final bool // the answer says that it is not to be repeated
	cause error
}

// Error implements error.
func (e *Error) Error() string {
	out := "cartwright: " + e.Operation + ": " + string(e.Reason)
	if e.Status != 0 {
		out += " (" + strconv.Itoa(e.Status) + ")"
	}
	if e.Message != "" {
		out += ": " + e.Message
	}
	if e.RequestID != "" {
		out += " [request " + e.RequestID + "]"
	}
	return out
}

// Is reports whether the target is the reason, or an Error with it.
func (e *Error) Is(target error) bool {
	switch t := target.(type) {
	case Reason:
		return e.Reason == t
	case *Error:
		return t.Reason == e.Reason
	}
	return false
}

// Unwrap is what caused it on this side: of the network, of the context, of the pending store; nil for answers.
func (e *Error) Unwrap() error { return e.cause }

// refusal reads the error of an answer.
func refusal(op string, status int, requestID, retryAfter string, body []byte) *Error {
	var said struct {
		Errors []struct {
			Message    string          `json:"message"`
			Data       json.RawMessage `json:"data"`
			Extensions struct {
				Code       string `json:"code"`
				Reason     Reason `json:"reason"`
				Retryable  *bool  `json:"retryable"`
				RetryAfter int64  `json:"retryAfter"`
				RequestID  string `json:"requestId"`
			} `json:"extensions"`
		} `json:"errors"`
	}
	e := &Error{Operation: op, Status: status, RequestID: requestID, RetryAfter: after(retryAfter), Retryable: busy(status)}
	if json.Unmarshal(body, &said) != nil || len(said.Errors) == 0 {
		e.Reason = ReasonInvalidResponse
		return e
	}
	first := said.Errors[0]
	x := first.Extensions
	e.Message, e.Data, e.Code, e.Reason = first.Message, first.Data, x.Code, x.Reason
	if e.Reason == "" {
		e.Reason = Reason(strings.ToLower(x.Code))
	}
	if x.Retryable != nil {
		e.Retryable, e.final = *x.Retryable, !*x.Retryable
	}
	if x.RetryAfter > 0 {
		e.RetryAfter = time.Duration(x.RetryAfter) * time.Second
	}
	if x.RequestID != "" {
		e.RequestID = x.RequestID
	}
	_ = json.Unmarshal(first.Data, &e.Fields) // other data is no list
	return e
}

// after reads the header Retry-After: seconds, or a time.
func after(text string) time.Duration {
	if seconds, err := strconv.Atoi(text); err == nil {
		return time.Duration(max(seconds, 0)) * time.Second
	}
	if at, err := http.ParseTime(text); err == nil {
		return max(time.Until(at), 0)
	}
	return 0
}
