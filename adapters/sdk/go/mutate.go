package cartwright

import (
	"context"
	"net/http"
	"time"
)

// Reasons of the server that decide what becomes of an operation, and one of ours that says what the server would say.
const (
	inProgress = Reason("idempotency_in_progress")
	keyReused  = Reason("idempotency_key_reused")
	keyInvalid = Reason("idempotency_key_invalid")
)

// mutate sends an operation under a key that was written down before, and forgets it once the outcome is known.
func (c *core) mutate(ctx context.Context, r request, set options) (answer, error) {
	p, err := c.begin(ctx, r, set.key)
	if err != nil {
		return answer{}, err
	}
	defer c.flights.end(p.ID)
	return c.fly(ctx, p, set.timeout)
}

// fly sends an operation that is marked as flying, and settles it.
func (c *core) fly(ctx context.Context, p PendingOperation, timeout time.Duration) (answer, error) {
	before := p.Unknown
	p.Unknown = true // from here on, should this process end
	p.Attempts++
	if err := c.pending.Put(ctx, p); err != nil {
		return answer{}, unstored(p.Operation, err)
	}
	unknown := before
	if ctx.Err() != nil && !before { // it was given up while it was written down: nothing went out
		_ = c.pending.Remove(context.WithoutCancel(ctx), p.ID) // else it is sent later, as if the answer had been lost
		return answer{}, aborted(ctx, p.Operation)
	}
	r := request{operation: operation{name: p.Operation, method: p.Method, path: p.Path, keyed: true}, body: p.Body}
	a, failed := c.send(ctx, r, p.ID, timeout, func(e *Error) { unknown = unknown || mayHaveHappened(e) })
	lasting := context.WithoutCancel(ctx) // the outcome counts even if nobody waits for it any more
	if failed != nil && kept(failed, unknown) {
		p.Unknown = unknown
		_ = c.pending.Put(lasting, p) // what is stored says that the outcome is unknown, which is no less careful
		return a, failed
	}
	if err := c.pending.Remove(lasting, p.ID); err != nil {
		c.flights.mu.Lock()
		c.flights.settle(p.ID) // it must not be taken for an unsettled one
		c.flights.mu.Unlock()
	}
	if failed != nil {
		return a, failed
	}
	c.supersede(lasting, p)
	return a, nil
}

// mayHaveHappened reports whether the server may have done what it gave no answer to, or is doing it.
func mayHaveHappened(e *Error) bool {
	if e.Reason == ReasonInvalidInput {
		return false // it was not sent
	}
	return e.Status < 400 || e.Status >= 500 || e.Status == http.StatusRequestTimeout || e.Reason == inProgress
}

// kept reports whether the same key is still to be used after a failure: the outcome is unknown, or nothing
// has happened yet.
func kept(e *Error, unknown bool) bool {
	switch e.Status {
	case http.StatusUnauthorized, http.StatusForbidden, 419: // says nothing about the attempts before
		return unknown
	case http.StatusTooManyRequests:
		return true
	}
	return mayHaveHappened(e)
}

// begin finds the unsettled operation that r is again, or makes a new one, and marks it as flying.
func (c *core) begin(ctx context.Context, r request, key string) (PendingOperation, error) {
	if key != "" && !isKey(key) {
		return PendingOperation{}, badKey(r.name)
	}
	c.flights.mu.Lock()
	defer c.flights.mu.Unlock()
	all, err := c.live(ctx)
	if err != nil {
		return PendingOperation{}, unstored(r.name, err)
	}
	if key != "" {
		return c.own(r, key, all)
	}
	for _, p := range all {
		if p.Match == r.match && p.Scope == c.scope && c.flights.start(p.ID) {
			return p, nil
		}
	}
	p := c.fresh(r, NewIdempotencyKey())
	c.flights.start(p.ID)
	return p, nil
}

// own is the operation under the caller's own key.
func (c *core) own(r request, key string, all []PendingOperation) (PendingOperation, error) {
	p := c.fresh(r, key)
	for _, known := range all {
		switch {
		case known.ID != key || c.flights.settled[key]:
		case known.Scope != c.scope:
			return p, &Error{
				Operation: r.name, Reason: ReasonPendingElsewhere, Message: "The key is that of an operation of other credentials.",
			}
		case known.Match != r.match:
			return p, &Error{Operation: r.name, Reason: keyReused, Message: "The key is that of another operation."}
		default:
			p = known
		}
	}
	delete(c.flights.settled, key) // the server still knows it, and answers as it did
	if !c.flights.start(key) {
		return p, &Error{Operation: r.name, Reason: inProgress, Retryable: true, Message: "The operation with this key is under way."}
	}
	return p, nil
}

func (c *core) fresh(r request, key string) PendingOperation {
	return PendingOperation{
		ID: key, Operation: r.name, Method: r.method, Path: r.path, Body: r.body, Match: r.match, Scope: c.scope, CreatedAt: c.now().UTC(),
	}
}

// live is what the store has, without what is settled and what became too old to be sent, which is forgotten;
// so is what comes from the future, for nobody knows how old that is. The flights are locked.
func (c *core) live(ctx context.Context) (some []PendingOperation, err error) {
	all, err := c.pending.List(ctx)
	for _, p := range all {
		switch {
		case c.flights.settled[p.ID]:
		case c.now().Sub(p.CreatedAt).Abs() < lifetime || c.flights.flying[p.ID]:
			some = append(some, p)
		default:
			if err := c.pending.Remove(ctx, p.ID); err != nil {
				return nil, err
			}
		}
	}
	return some, err
}

func badKey(op string) *Error {
	return &Error{Operation: op, Reason: keyInvalid, Message: "A key has 16 to 255 visible characters."}
}

func unstored(op string, cause error) *Error {
	return &Error{Operation: op, Reason: ReasonPendingStoreFailed, Message: "The operation could not be written down.", cause: cause}
}
