package delivering

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// endsAtOnce is how many deliveries share a transaction at most.
const endsAtOnce = 256

// ends stores what became of deliveries: those that end while a transaction is under way share the next one.
type ends struct {
	mu      sync.Mutex
	waiting []*end
	busy    bool
}

type end struct {
	of    ports.ClaimedDelivery
	waits context.Context //nolint:containedctx // its end is the end of waiting for this one of a batch
	ended ports.FinishedDelivery
	err   error
	done  chan struct{}
}

// errUnstored is told to who has waited for long enough. It may be stored yet.
var errUnstored = fault.ErrUnavailable.Because(errors.New("the end of a delivery was not stored in time"))

// store stores one and waits until it is, for as long as patience and the deadline of ctx allow, though ctx be cancelled.
// Errors: fault.ErrUnavailable, when it may be stored or not; the claim runs out.
func (e *ends) store(ctx context.Context, to ports.Deliveries, c ports.ClaimedDelivery, patience time.Duration) (ports.FinishedDelivery, error) {
	waits := context.WithoutCancel(ctx)
	if at, ok := ctx.Deadline(); ok {
		early, cancel := context.WithDeadline(waits, at)
		defer cancel()
		waits = early
	}
	waits, cancel := context.WithTimeout(waits, patience)
	defer cancel()
	one := &end{of: c, waits: waits, done: make(chan struct{})}
	e.mu.Lock()
	e.waiting = append(e.waiting, one)
	first := !e.busy
	e.busy = true
	e.mu.Unlock()
	if first {
		go e.work(context.WithoutCancel(ctx), to, patience)
	}
	select {
	case <-one.done:
		return one.ended, one.err
	case <-waits.Done():
		return ports.FinishedDelivery{}, errUnstored
	}
}

// next takes what waits and is still waited for; nil when nothing is.
func (e *ends) next() (batch []*end) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.waiting) > 0 && len(batch) < endsAtOnce {
		if one := e.waiting[0]; one.waits.Err() == nil {
			batch = append(batch, one)
		}
		e.waiting = e.waiting[1:]
	}
	e.busy = batch != nil
	return batch
}

// work stores what waits until nothing does.
func (e *ends) work(ctx context.Context, to ports.Deliveries, patience time.Duration) {
	for batch := e.next(); batch != nil; batch = e.next() {
		finishAll(ctx, to, batch, patience)
		for _, one := range batch {
			close(one.done)
		}
	}
}

// finishAll stores a batch. One that cannot be stored must not keep the others from it, so that they are stored one by one
// then; but not when it is the database that fails, which would keep each of them waiting. All of it has the time of one.
func finishAll(ctx context.Context, to ports.Deliveries, batch []*end, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := finishTogether(ctx, to, batch)
	for i := range batch {
		if err == nil || len(batch) == 1 || ctx.Err() != nil || errors.Is(err, fault.ErrUnavailable) || errors.Is(err, context.DeadlineExceeded) {
			return
		}
		if single := finishTogether(ctx, to, batch[i:i+1]); errors.Is(single, fault.ErrUnavailable) {
			err = single
		}
	}
}

func finishTogether(ctx context.Context, to ports.Deliveries, batch []*end) error {
	all := make([]ports.ClaimedDelivery, len(batch))
	for i, one := range batch {
		all[i] = one.of
	}
	ended, err := to.Finish(ctx, all)
	for i, one := range batch {
		if one.err = err; err == nil {
			one.ended = ended[i]
		}
	}
	return err
}
