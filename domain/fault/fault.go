// Package fault is the one error type of the project: what went wrong, in words a client can act on.
package fault

import (
	"errors"
	"fmt"
	"maps"
	"strings"
	"time"
)

// Kind is the class of a fault; adapters turn it into a status and a code, nothing else.
type Kind uint8

// The kinds. Contract 1.1 gives each its status.
const (
	Internal         Kind = iota // our mistake or our infrastructure; details are logged, never shown
	Invalid                      // the request itself is wrong
	Unauthenticated              // no credential, or one we do not accept
	Expired                      // a credential that was good; refresh it
	Forbidden                    // known caller, not allowed
	NotFound                     // absent, or hidden from this tenant
	MethodNotAllowed             // the path exists, the verb does not
	Conflict                     // the state moved on since the caller read it
	TooLarge                     // more bytes than the limit
	UnsupportedMedia             // a body in a form we do not read
	Unprocessable                // well formed, refused by a rule: discount, stock, method, reused key
	Limited                      // quota or rate exceeded
	ProviderFailed               // a payment provider refused
	Unavailable                  // a dependency is down, busy or its circuit is open
	kinds
)

// Kinds lists every Kind, for tables that must be complete.
func Kinds() (all []Kind) {
	for k := range kinds {
		all = append(all, k)
	}
	return all
}

// Field is one invalid input field: a dotted path ("lines.0.quantity") and a sentence.
type Field struct {
	Field   string
	Message string
}

// Error is a fault. Values declared with New are templates: compare with errors.Is, specialise with the methods.
type Error struct {
	Kind       Kind
	Reason     string         // stable snake_case word, part of the API: "cart_revision_conflict"
	Message    string         // for people; safe to show
	Retryable  bool           // the same request may succeed later
	RetryAfter time.Duration  // 0: not stated
	Fields     []Field        // invalid input fields, in input order
	Data       map[string]any // facts for the client: strings, int64, bool
	cause      error
}

var declared []*Error

// New declares a fault; call it only in package-level var blocks, once per Reason.
func New(k Kind, reason, message string) *Error {
	e := &Error{Kind: k, Reason: reason, Message: message}
	declared = append(declared, e)
	return e
}

// Declared lists every fault declared with New in the packages that are linked in, for docs and golden files.
func Declared() []*Error { return append([]*Error(nil), declared...) }

// Reasons are the reasons of faults, as fields list them that tell one.
func Reasons(faults ...*Error) []string {
	out := make([]string, len(faults))
	for i, f := range faults {
		out[i] = f.Reason
	}
	return out
}

func (e *Error) Error() string {
	if e.cause != nil {
		return fmt.Sprintf("%s: %v", e.Reason, e.cause)
	}
	return e.Reason + ": " + e.Message
}

// Is reports whether target is a fault with the same Reason.
func (e *Error) Is(target error) bool {
	t, ok := target.(*Error)
	return ok && t.Reason == e.Reason
}

// Unwrap gives the cause, or nil.
func (e *Error) Unwrap() error { return e.cause }

// Because returns a copy of e caused by err; the cause is logged, never shown.
func (e *Error) Because(err error) *Error { c := *e; c.cause = err; return &c }

// Saying returns a copy of e with another message.
func (e *Error) Saying(format string, args ...any) *Error {
	c := *e
	c.Message = sentence(format, args)
	return &c
}

// maxSentence is how many bytes a message has at most. What a client sent may be quoted in it, and be a megabyte.
const maxSentence = 1000

func sentence(format string, args []any) string {
	s := fmt.Sprintf(format, args...)
	if len(s) <= maxSentence {
		return s
	}
	return strings.ToValidUTF8(s[:maxSentence], "") + "…"
}

// With returns a copy of e that also tells the client key = value.
func (e *Error) With(key string, value any) *Error {
	c := *e
	if c.Data = maps.Clone(e.Data); c.Data == nil {
		c.Data = map[string]any{}
	}
	c.Data[key] = value
	return &c
}

// In returns a copy of e that names invalid fields.
func (e *Error) In(fields ...Field) *Error {
	c := *e
	c.Fields = append(append([]Field(nil), e.Fields...), fields...)
	return &c
}

// Retry returns a copy of e that invites the same request again after d.
func (e *Error) Retry(d time.Duration) *Error {
	c := *e
	c.Retryable, c.RetryAfter = true, d
	return &c
}

// The faults that belong to no single rule.
var (
	ErrInternal        = New(Internal, "internal", "Something went wrong on our side.")
	ErrValidation      = New(Invalid, "validation_failed", "The request has invalid fields.")
	ErrMalformed       = New(Invalid, "malformed_request", "The request cannot be read.")
	ErrUnauthenticated = New(Unauthenticated, "unauthenticated", "You need to authenticate for this.")
	ErrRateLimited     = New(Limited, "rate_limited", "Too many requests. Try again later.")
	ErrTokenExpired    = New(Expired, "token_expired", "The token has expired. Refresh it or log in again.")
	ErrForbidden       = New(Forbidden, "forbidden", "You are not allowed to do this.")
	ErrNotFound        = New(NotFound, "not_found", "The requested record does not exist.")
	ErrUnavailable     = New(Unavailable, "unavailable", "A part of the service is not reachable right now. Try again.").Retry(time.Second)
)

// Invalidf is ErrValidation for a single field.
func Invalidf(field, format string, args ...any) *Error {
	return ErrValidation.In(Field{field, sentence(format, args)})
}

// From finds the fault in err's chain; any other error becomes ErrInternal, which hides it.
func From(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return ErrInternal.Because(err)
}
