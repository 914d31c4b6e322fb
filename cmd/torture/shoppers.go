package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/cmd/torture/linear"
)

// shopper changes and reads the carts of one family at random, concurrently with others, and records the
// answers.
type shopper struct {
	*cartFamily

	id       int
	dice     *rand.Rand
	seen     []linear.Cart     // its last view of each cart
	answered []answeredRequest // answered changes, oldest first
}

// answeredRequest is a change with its answer.
type answeredRequest struct {
	cart    int // index in the family
	request request
	payload []byte
	answer  answer
}

const (
	maxRemembered  = 50               // answers that a shopper keeps to repeat
	requestTimeout = 2 * time.Second  // after which an answer counts as lost
	abandonOdds    = 4                // one in this many unanswered changes is not repeated until everything runs again
	maxPauseMillis = 30               // longest pause between operations, in milliseconds
	checkTimeout   = 60 * time.Second // limit of the search
)

// load lets the shopper act until load ends.
func (s *shopper) load(ctx context.Context, load <-chan struct{}) error {
	for {
		select {
		case <-load:
			return nil
		case <-time.After(time.Duration(s.dice.IntN(maxPauseMillis*1000)) * time.Microsecond):
		}
		if err := s.act(ctx); err != nil {
			return fmt.Errorf("shopper %d: %w", s.id, err)
		}
	}
}

// act does one operation.
func (s *shopper) act(ctx context.Context) error {
	if s.dice.IntN(10) == 0 && len(s.answered) > 0 {
		return s.repeat(ctx)
	}
	w := s.choose()
	r, payload := s.request(w)
	first := s.history.Now()
	for {
		latest := s.history.Now()
		a, answered := s.try(ctx, r, payload)
		switch {
		case answered:
			return s.record(w, answeredRequest{w.Cart, r, payload, a}, first, latest)
		case ctx.Err() != nil:
			return fmt.Errorf("%s %s: no answer: %w", r.method, r.path, ctx.Err())
		case w.Verb == linear.Read:
			return nil // a failed read has no effect and proves nothing
		case s.dice.IntN(abandonOdds) == 0:
			s.leaveUnanswered(unanswered{s, w, r, payload, first})
			return nil
		}
	}
}

// choose draws a random operation. It uses the revision and the lines of the shopper's last view, which may
// be old.
func (s *shopper) choose() linear.Operation {
	w := linear.Operation{Cart: s.cart()}
	seen := s.seen[w.Cart]
	if s.dice.IntN(5) < 2 {
		w.Expected = seen.Revision
	}
	switch n := s.dice.IntN(1000); {
	case n < 250:
		return linear.Operation{Verb: linear.Read, Cart: w.Cart}
	case n < 600 || len(seen.Lines) == 0:
		w.Verb, w.Variant, w.Quantity = linear.Add, s.variants[s.dice.IntN(len(s.variants))], 1+s.dice.Int64N(3)
	case n < 760:
		w.Verb, w.Line, w.Quantity = linear.Update, seen.Lines[s.dice.IntN(len(seen.Lines))].ID, s.dice.Int64N(6)
	case n < 850:
		w.Verb, w.Line = linear.Remove, seen.Lines[s.dice.IntN(len(seen.Lines))].ID
	case n < 900:
		w.Verb, w.Attributes = linear.SetAttributes, map[string]string{"note": strconv.Itoa(n)}
	case n < 960:
		w.Verb, w.Codes = linear.SetCodes, codesInPlay[n%len(codesInPlay)]
	case n < 995:
		w.Verb = linear.Clear
	default:
		if w.Source = s.cart(); w.Source != w.Cart {
			return linear.Operation{Verb: linear.Merge, Cart: w.Cart, Source: w.Source}
		}
		w.Verb = linear.Clear
	}
	return w
}

// codesInPlay are lists of discount codes: one code takes ten percent off, the other does not exist.
var codesInPlay = [][]string{{}, {tenPercentCode}, {unknownCode}, {unknownCode, tenPercentCode}}

// cart draws a random cart, mostly an active one.
func (s *shopper) cart() (place int) {
	for range 3 {
		place = s.dice.IntN(len(s.carts))
		if s.seen[place].Status != "merged" {
			break
		}
	}
	return place
}

// request is an operation as an HTTP request with a new key.
func (s *shopper) request(w linear.Operation) (request, []byte) {
	r := request{path: cartPath + "/" + s.carts[w.Cart], key: newKey()}
	body := map[string]any{}
	if w.Expected != 0 {
		body["expectedRevision"] = w.Expected
	}
	switch w.Verb {
	case linear.Read:
		r.method, r.key = http.MethodGet, ""
		return r, nil
	case linear.Add:
		r.method, r.path = http.MethodPost, r.path+"/items"
		body["variantId"], body["quantity"] = w.Variant, w.Quantity
	case linear.Update:
		r.method, r.path = http.MethodPatch, r.path+"/items/"+w.Line
		body["quantity"] = w.Quantity
	case linear.Remove:
		r.method, r.path = http.MethodDelete, r.path+"/items/"+w.Line
		if w.Expected != 0 {
			r.path += fmt.Sprintf("?expectedRevision=%d", w.Expected)
		}
		return r, nil
	case linear.Clear:
		r.method, r.path = http.MethodPost, r.path+"/clear"
	case linear.SetAttributes:
		r.method, r.path = http.MethodPut, r.path+"/attributes"
		body["attributes"] = w.Attributes
	case linear.SetCodes:
		r.method, r.path = http.MethodPut, r.path+"/discount-codes"
		body["discountCodes"] = w.Codes
	case linear.Merge:
		r.method, r.path = http.MethodPost, cartPath+"/merge"
		body["sourceCartId"], body["targetCartId"] = s.carts[w.Source], s.carts[w.Cart]
	default:
		panic("no request for " + w.Verb)
	}
	payload, err := json.Marshal(body)
	if err != nil {
		panic(err) // texts and numbers always encode
	}
	return r, payload
}

// try sends a request to any server, once, and reports whether it was answered. An internal error counts as an answer;
// it is then rejected as a wrong one.
func (s *shopper) try(ctx context.Context, r request, payload []byte) (answer, bool) {
	limited, cancel := context.WithTimeout(ctx, requestTimeout)
	defer cancel()
	a, err := s.caller.sendTo(limited, s.dice.IntN(len(s.caller.bases)), r, payload)
	return a, err == nil && (!a.retryable() || a.status == http.StatusInternalServerError)
}

// record records the answer to an operation whose first and last attempts were sent at these times. An answer
// that is not replayed shows the effect of the last attempt.
func (s *shopper) record(w linear.Operation, t answeredRequest, first, latest int64) error {
	now := s.history.Now()
	o, err := parseOutcome(t.answer)
	if err != nil {
		return fmt.Errorf("%s %s: %w", t.request.method, t.request.path, err)
	}
	if !t.answer.replayed {
		first = latest
	}
	s.history.Record(s.id, w, first, o, now)
	if o.Refusal == "" {
		s.seen[w.Cart] = o.Cart
	}
	if w.Verb != linear.Read {
		s.answered = append(s.answered, t)
		s.answered = s.answered[max(0, len(s.answered)-maxRemembered):]
	}
	return nil
}

// repeat repeats an answered change, or sends another one under its key, and checks that it has no effect.
func (s *shopper) repeat(ctx context.Context) error {
	t := s.answered[s.dice.IntN(len(s.answered))]
	if other := bytes.Replace(t.payload, []byte(`"quantity":`), []byte(`"quantity":1`), 1); s.dice.IntN(4) == 0 &&
		!bytes.Equal(other, t.payload) {
		return s.reuseKey(ctx, t.request, other)
	}
	sent := s.history.Now()
	a, answered := s.try(ctx, t.request, t.payload)
	if !answered {
		return ctx.Err()
	}
	if err := t.sameAs(a); err != nil {
		return err
	}
	if a.revision != 0 {
		s.history.Record(s.id, linear.Operation{Verb: linear.Peek, Cart: t.cart}, sent, linear.Result{Current: a.revision}, s.history.Now())
	}
	return nil
}

// sameAs checks that a is the same answer.
func (t answeredRequest) sameAs(a answer) error {
	if !a.replayed || a.status != t.answer.status || !bytes.Equal(a.body, t.answer.body) {
		return fmt.Errorf("%s %s: a repeated key was answered differently (replayed %v):\n%d %s\n%d %s", t.request.method, t.request.path,
			a.replayed, t.answer.status, t.answer.body, a.status, a.body)
	}
	return nil
}

// reuseKey sends a different change under the key of r.
func (s *shopper) reuseKey(ctx context.Context, r request, other []byte) error {
	a, answered := s.try(ctx, r, other)
	if !answered {
		return ctx.Err()
	}
	if o, err := parseOutcome(a); err != nil || o.Refusal != "idempotency_key_reused" {
		return fmt.Errorf("%s %s: another body under a used key: %d %s", r.method, r.path, a.status, a.body)
	}
	return nil
}

// cartResponse is an answer about a cart, or its refusal.
type cartResponse struct {
	Cart struct {
		Status   string
		Revision int64
		Lines    []struct {
			ID, Variant string
			Quantity    int64
		}
		DiscountCodes []struct{ Code string }
		Attributes    map[string]string
		Totals        struct{ Total int64 }
	}
	Errors []struct {
		Data       struct{ CurrentRevision int64 }
		Extensions struct{ Reason string }
	}
}

// parseOutcome parses an answer. A refusal needs a specific reason; an internal error is never valid.
func parseOutcome(a answer) (o linear.Result, err error) {
	var s cartResponse
	if err := a.into(&s); err != nil {
		return o, fmt.Errorf("%d %s: %w", a.status, a.body, err)
	}
	if a.status >= http.StatusMultipleChoices {
		if len(s.Errors) != 1 || s.Errors[0].Extensions.Reason == "" {
			return o, fmt.Errorf("%d %s", a.status, a.body)
		}
		return linear.Result{Refusal: s.Errors[0].Extensions.Reason, Current: s.Errors[0].Data.CurrentRevision}, nil
	}
	o.Cart = linear.Cart{Status: s.Cart.Status, Revision: s.Cart.Revision, Attributes: s.Cart.Attributes, Total: s.Cart.Totals.Total}
	for _, l := range s.Cart.Lines {
		o.Cart.Lines = append(o.Cart.Lines, linear.Line{ID: l.ID, Variant: l.Variant, Quantity: l.Quantity})
	}
	for _, c := range s.Cart.DiscountCodes {
		o.Cart.Codes = append(o.Cart.Codes, c.Code)
	}
	return o, nil
}
