package cartwright

import (
	"context"
	"encoding/json"
	"slices"
)

// PendingService is for the operations whose outcome is unknown.
type PendingService struct{ core *core }

// Resumed is what became of a pending operation that was sent again.
type Resumed struct {
	PendingOperation

	Result json.RawMessage // the answer; nil if it failed
	Err    error           // why it failed, an *Error; nil if it did not
}

// String names the operation.
func (r Resumed) String() string { return "cartwright.Resumed(" + r.Operation + ")" }

// List is the unsettled operations that are not being sent right now, the oldest first. Errors: the store fails.
func (s *PendingService) List(ctx context.Context) ([]PendingOperation, error) {
	f := &s.core.flights
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := s.core.live(ctx)
	if err != nil {
		return nil, unstored("pending.list", err)
	}
	all = slices.DeleteFunc(all, func(p PendingOperation) bool { return p.Scope != s.core.scope || f.flying[p.ID] })
	slices.SortFunc(all, older)
	return all, nil
}

// Resume sends each unsettled operation once more, the oldest first, under its key and with its very bytes:
// what the server has done it does not do again. Call it when the program starts. It stops when the context
// ends. Errors: the store fails; what becomes of the operations themselves stands in the results.
func (s *PendingService) Resume(ctx context.Context) ([]Resumed, error) {
	all, err := s.List(ctx)
	if err != nil {
		return nil, err
	}
	done := []Resumed{}
	for _, p := range all {
		if ctx.Err() != nil {
			return done, aborted(ctx, "pending.resume")
		}
		p, ours, err := s.take(ctx, p.ID)
		if err != nil {
			return done, unstored("pending.resume", err)
		}
		if !ours {
			continue // a call of the program itself was faster, or took its place
		}
		a, failed := s.core.fly(ctx, p, s.core.timeout)
		s.core.flights.end(p.ID)
		one := Resumed{PendingOperation: p, Err: failed}
		if failed == nil {
			one.Result = a.body
			s.core.carts.learn(a)
		}
		done = append(done, one)
	}
	return done, nil
}

// take marks an operation as flying, as the store has it by now; false if it flies already or is gone.
func (s *PendingService) take(ctx context.Context, id string) (p PendingOperation, ours bool, err error) {
	f := &s.core.flights
	f.mu.Lock()
	defer f.mu.Unlock()
	all, err := s.core.live(ctx)
	at := slices.IndexFunc(all, func(p PendingOperation) bool { return p.ID == id })
	if err != nil || at < 0 {
		return p, false, err
	}
	return all[at], f.start(id), nil
}

// Discard forgets an operation without sending it. Errors: the store fails, or it is being sent right now.
func (s *PendingService) Discard(ctx context.Context, id string) error {
	f := &s.core.flights
	f.mu.Lock()
	defer f.mu.Unlock()
	if f.flying[id] {
		return &Error{Operation: "pending.discard", Reason: inProgress, Retryable: true, Message: "The operation is under way."}
	}
	if err := s.core.pending.Remove(ctx, id); err != nil {
		return unstored("pending.discard", err)
	}
	return nil
}
