package paymentbed

import (
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/idempotency"
)

// Answer is a parsed JSON answer.
type Answer map[string]any

// At is the value at a path like "action.amount.amount".
func (s Answer) At(path string) any { return shops.Response(s).Path(path) }

// Text is the string at a path.
func (s Answer) Text(path string) string { return shops.Response(s).TextAt(path) }

// Reason is the reason of a refusal.
func (s Answer) Reason() string { return shops.Response(s).Reason() }

// Read parses an answer.
func (b *Bed) Read(body []byte) Answer { return Answer(shops.ParseObject(b.T, string(body))) }

// Must parses the answer of a call that must succeed.
func (b *Bed) Must(a idempotency.Response, err error) Answer {
	b.T.Helper()
	return b.Read(shops.MustBody(b.T, a, err))
}

// Refused asserts that a call was refused, by a stored refusal or an error.
func Refused(t *testing.T, name string, a idempotency.Response, err, want error) {
	t.Helper()
	if err == nil && a.Fault != nil {
		err = a.Fault
	}
	if !errors.Is(err, want) {
		t.Errorf("%s: got %v, want %v", name, err, want)
	}
}

// Outcome is the stored refusal of an answer, or the error.
func Outcome(a idempotency.Response, err error) error {
	if err == nil && a.Fault != nil {
		return a.Fault
	}
	return err
}
