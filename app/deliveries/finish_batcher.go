package deliveries

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// finishBatchSize is how many results share a transaction at most.
const finishBatchSize = 256

// finishBatcher stores the results of deliveries: those that arrive while a transaction is running share the
// next one.
type finishBatcher struct {
	task    *background.Task
	mu      sync.Mutex
	waiting []*pendingFinish
	working bool
}

type pendingFinish struct {
	delivery ports.ClaimedDelivery
	waitCtx  context.Context //nolint:containedctx // its end also ends the wait of this result
	result   ports.FinishedDelivery
	err      error
	done     chan struct{}
}

// errFinishTimeout is returned to callers that waited too long. The result may still be stored.
var errFinishTimeout = fault.ErrUnavailable.WithCause(errors.New("delivery result was not stored in time"))

// finish stores a result and waits until it is stored, for up to patience and the deadline of ctx, even if
// ctx is canceled. Errors: fault.ErrUnavailable when it is unknown whether it was stored; then the claim
// expires.
func (e *finishBatcher) finish(
	ctx context.Context, to ports.Deliveries, c ports.ClaimedDelivery, patience time.Duration,
) (ports.FinishedDelivery, error) {
	waits := context.WithoutCancel(ctx)
	if at, ok := ctx.Deadline(); ok {
		early, cancel := context.WithDeadline(waits, at)
		defer cancel()
		waits = early
	}
	waits, cancel := context.WithTimeout(waits, patience)
	defer cancel()
	one := &pendingFinish{delivery: c, waitCtx: waits, done: make(chan struct{})}
	e.mu.Lock()
	e.waiting = append(e.waiting, one)
	first := !e.working
	e.working = true
	e.mu.Unlock()
	if first {
		e.task.Start(func() { e.drain(context.WithoutCancel(ctx), to, patience) })
	}
	select {
	case <-one.done:
		return one.result, one.err
	case <-waits.Done():
		return ports.FinishedDelivery{}, errFinishTimeout
	}
}

// nextBatch takes queued results whose callers still wait; nil if there are none.
func (e *finishBatcher) nextBatch() (batch []*pendingFinish) {
	e.mu.Lock()
	defer e.mu.Unlock()
	for len(e.waiting) > 0 && len(batch) < finishBatchSize {
		if one := e.waiting[0]; one.waitCtx.Err() == nil {
			batch = append(batch, one)
		}
		e.waiting = e.waiting[1:]
	}
	e.working = batch != nil
	return batch
}

// drain stores queued results until there are none.
func (e *finishBatcher) drain(ctx context.Context, to ports.Deliveries, patience time.Duration) {
	for batch := e.nextBatch(); batch != nil; batch = e.nextBatch() {
		panicked := e.task.Call(func() error { finishAll(ctx, to, batch, patience); return nil })
		for _, one := range batch {
			if panicked != nil {
				one.err = panicked // of those stored before, too: they are made again
			}
			close(one.done)
		}
	}
}

// finishAll stores a batch of results. If the batch fails, it stores them one by one, so that one bad result
// does not block the others; unless the database itself failed, when each attempt would only wait. All
// attempts share one timeout.
func finishAll(ctx context.Context, to ports.Deliveries, batch []*pendingFinish, patience time.Duration) {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	err := finishBatch(ctx, to, batch)
	for i := range batch {
		if err == nil || len(batch) == 1 || ctx.Err() != nil || errors.Is(err, fault.ErrUnavailable) ||
			errors.Is(err, context.DeadlineExceeded) {
			return
		}
		if single := finishBatch(ctx, to, batch[i:i+1]); errors.Is(single, fault.ErrUnavailable) {
			err = single
		}
	}
}

func finishBatch(ctx context.Context, to ports.Deliveries, batch []*pendingFinish) error {
	all := make([]ports.ClaimedDelivery, len(batch))
	for i, one := range batch {
		all[i] = one.delivery
	}
	ended, err := to.Finish(ctx, all)
	for i, one := range batch {
		if one.err = err; err == nil {
			one.result = ended[i]
		}
	}
	return err
}
