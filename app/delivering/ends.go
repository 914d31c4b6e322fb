package delivering

import (
	"context"
	"sync"

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
	ended ports.FinishedDelivery
	err   error
	done  chan struct{}
}

// store stores one and waits until it is.
func (e *ends) store(ctx context.Context, to ports.Deliveries, c ports.ClaimedDelivery) (ports.FinishedDelivery, error) {
	one := &end{of: c, done: make(chan struct{})}
	e.mu.Lock()
	e.waiting = append(e.waiting, one)
	first := !e.busy
	e.busy = true
	e.mu.Unlock()
	if first {
		go e.work(context.WithoutCancel(ctx), to)
	}
	<-one.done
	return one.ended, one.err
}

// work stores what waits until nothing does.
func (e *ends) work(ctx context.Context, to ports.Deliveries) {
	for {
		e.mu.Lock()
		n := min(len(e.waiting), endsAtOnce)
		batch := e.waiting[:n:n]
		e.waiting = e.waiting[n:]
		e.busy = n > 0
		e.mu.Unlock()
		if n == 0 {
			return
		}
		if !finishTogether(ctx, to, batch) { // one that cannot be stored must not keep the others from it
			for i := range batch {
				finishTogether(ctx, to, batch[i:i+1])
			}
		}
		for _, one := range batch {
			close(one.done)
		}
	}
}

func finishTogether(ctx context.Context, to ports.Deliveries, batch []*end) bool {
	ctx, cancel := context.WithTimeout(ctx, finishLimit)
	defer cancel()
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
	return err == nil
}
