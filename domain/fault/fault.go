// Package fault has the one error type that is shown to clients: what went wrong, in words that they can act
// on.
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

// The kinds. Rule api-13 gives each its status.
const (
	Internal         Kind = iota // a defect or a failure of our infrastructure; details are logged, never shown
	Invalid                      // the request itself is wrong
	Unauthenticated              // no credential, or one we do not accept
	Expired                      // a credential that was good; refresh it
	Forbidden                    // known caller, not allowed
	NotFound                     // absent, or hidden from this tenant
	MethodNotAllowed             // the path exists, the verb does not
	Conflict                     // the state does not allow it, or changed since the caller read it
	Outdated                     // the request names a revision of the record that is not the present one
	TooLarge                     // more bytes than the limit
	UnsupportedMedia             // a body of a content type that is not accepted
	Unprocessable                // well formed, refused by a rule: discount, stock, method, reused key
	Limited                      // quota or rate exceeded
	ProviderFailed               // a payment provider refused
	Unavailable                  // a dependency is down, busy or its circuit is open
	kindCount
)

// Kinds lists every Kind, for tables that must be complete.
func Kinds() (all []Kind) {
	for k := range kindCount {
		all = append(all, k)
	}
	return all
}

// Field is one invalid input field: a dotted path ("lines.0.quantity") and a sentence.
type Field struct {
	Field   string
	Message string
}

// Error is a fault. Values declared with New are templates: compare with errors.Is, add details with the With
// methods.
type Error struct {
	Kind       Kind
	Reason     string         // stable snake_case word, part of the API: "cart_revision_conflict"
	Message    string         // for people; safe to show
	Retryable  bool           // the same request may succeed later
	RetryAfter time.Duration  // 0: not stated
	About      string         // of an Invalid fault: the input it is about when Fields is empty: a path, a header, "body"
	Fields     []Field        // invalid input fields, in input order
	Data       map[string]any // facts for the client: strings, int64, bool; amounts of money as collection.JSONNumber
	cause      error
}

var declared []*Error

// NewInvalid declares an Invalid fault about an input: a path of the body, a parameter, a header, or "body".
func NewInvalid(about, reason, message string) *Error {
	e := New(Invalid, reason, message)
	e.About = about
	return e
}

// New declares a fault; call it only in package-level var blocks, once per Reason. Use NewInvalid for Invalid ones.
func New(k Kind, reason, message string) *Error {
	e := &Error{Kind: k, Reason: reason, Message: message}
	declared = append(declared, e)
	return e
}

// Declared lists every fault declared with New in the packages that are linked in, for docs and golden files.
func Declared() []*Error { return append([]*Error(nil), declared...) }

// Reasons are the reasons of faults, for fields whose value is one of them.
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

// WithCause returns a copy of e caused by err; the cause is logged, never shown.
func (e *Error) WithCause(err error) *Error { c := *e; c.cause = err; return &c }

// WithMessage returns a copy of e with another message.
func (e *Error) WithMessage(format string, args ...any) *Error {
	c := *e
	c.Message = formatMessage(format, args)
	return &c
}

// maxMessage is how many bytes a message has at most: it may quote client input of any size.
const maxMessage = 1000

func formatMessage(format string, args []any) string {
	s := fmt.Sprintf(format, args...)
	if len(s) <= maxMessage {
		return s
	}
	return strings.ToValidUTF8(s[:maxMessage], "") + "…"
}

// WithData returns a copy of e with the fact key = value for the client.
func (e *Error) WithData(key string, value any) *Error {
	c := *e
	if c.Data = maps.Clone(e.Data); c.Data == nil {
		c.Data = map[string]any{}
	}
	c.Data[key] = value
	return &c
}

// WithFields returns a copy of e with these invalid fields.
func (e *Error) WithFields(fields ...Field) *Error {
	c := *e
	c.Fields = append(append([]Field(nil), e.Fields...), fields...)
	return &c
}

// At returns a copy of e that is about another input.
func (e *Error) At(input string) *Error { c := *e; c.About = input; return &c }

// InvalidFields are the inputs to correct: Fields, or what an Invalid fault without any is about.
func (e *Error) InvalidFields() []Field {
	if len(e.Fields) == 0 && e.Kind == Invalid {
		return []Field{{e.About, e.Message}}
	}
	return e.Fields
}

// WithRetry returns a copy of e that is retryable after d.
func (e *Error) WithRetry(d time.Duration) *Error {
	c := *e
	c.Retryable, c.RetryAfter = true, d
	return &c
}

// The faults that are not specific to one package.
var (
	ErrInternal        = New(Internal, "internal", "Something went wrong on our side.")
	ErrValidation      = NewInvalid("body", "validation_failed", "The request has invalid fields.")
	ErrMalformed       = NewInvalid("body", "malformed_request", "The request cannot be read.")
	ErrUnauthenticated = New(Unauthenticated, "unauthenticated", "You need to authenticate for this.")
	ErrRateLimited     = New(Limited, "rate_limited", "Too many requests. Try again later.")
	ErrTokenExpired    = New(Expired, "token_expired", "The token has expired. Refresh it or log in again.")
	ErrForbidden       = New(Forbidden, "forbidden", "You are not allowed to do this.")
	ErrNotFound        = New(NotFound, "not_found", "The requested record does not exist.")
	ErrUnavailable     = New(Unavailable, "unavailable", "A part of the service is not reachable right now. Try again.").WithRetry(time.Second)
)

// Invalidf is ErrValidation for a single field.
func Invalidf(field, format string, args ...any) *Error {
	return ErrValidation.WithFields(Field{field, formatMessage(format, args)})
}

// From finds the fault in err's chain; any other error becomes ErrInternal, which hides it.
func From(err error) *Error {
	if e, ok := errors.AsType[*Error](err); ok {
		return e
	}
	return ErrInternal.WithCause(err)
}
