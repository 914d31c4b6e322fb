// Package mailbox runs the work of one key in one place at a time, in arrival order and in runs: what piled up while the
// worker was busy is handed over together, so that it can share one commit, and is decided while the commit before is
// under way. Contract 5, "Concurrency".
//
// It orders work inside this process only and is an optimisation: truth is the compare-and-set of the database, and with
// the option Off everything stays correct.
package mailbox

import (
	"context"
	"hash/maphash"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// ErrBusy says that the key has as much work waiting as it may have.
var ErrBusy = fault.New(fault.Unavailable, "cart_busy", "Too many changes of this cart are waiting. Try again.").Retry(time.Second)

// Options bound a set of boxes. Zero values take the defaults named here.
type Options struct {
	Depth int           // jobs one key may have waiting and running; 256
	Run   int           // jobs handed over at once; 32: while they are done, the callers of those before come back
	Keep  int           // states kept of keys without work, roughly; 4096
	Idle  time.Duration // how long a state without work is kept, at least; twice that at most; one minute
	Limit time.Duration // deadline of one run; 10 seconds
	Off   bool          // no workers and no kept states: each job runs alone, on its caller's goroutine
}

func (o Options) withDefaults() Options {
	if o.Depth == 0 {
		o.Depth = 256
	}
	if o.Run == 0 {
		o.Run = 32
	}
	if o.Keep == 0 {
		o.Keep = 4096
	}
	if o.Idle == 0 {
		o.Idle = time.Minute
	}
	if o.Limit == 0 {
		o.Limit = 10 * time.Second
	}
	return o
}

// Work is a run of jobs of one key. It is decided at once and made real later: while the run before is on its way, this one
// is decided on the state that the run before will leave, and submitted when that came out well. Otherwise it is thrown away,
// and its jobs are begun anew. One goroutine at a time calls it.
type Work[J, R, S any] interface {
	// Decide takes jobs in, behind those it has; it must not keep the slice. Nothing happens yet.
	Decide(ctx context.Context, jobs []J)
	// Submit sets off what was decided, and says by the channel how it ended, nil being well. Without a channel there was
	// nothing to set off.
	Submit(ctx context.Context) <-chan error
	// Settle is told how it ended. It answers the jobs, one answer for each, in order, by whatever more that takes.
	Settle(ctx context.Context, ended error) []R
	// State is what the next work of the key begins with: once submitted, on the supposition that it ends well; once settled,
	// what came out.
	State() S
}

// Begin makes work of key without jobs yet. kept is the State of the work before, or the zero S: a hint that may be out of date.
type Begin[K comparable, J, R, S any] func(key K, kept S) Work[J, R, S]

const shards = 64

// Boxes owns the workers: one goroutine per key that has work, none without.
type Boxes[K comparable, J, R, S any] struct {
	options Options
	begin   Begin[K, J, R, S]
	now     func() time.Time
	seed    maphash.Seed
	shards  [shards]shard[K, J, R, S]
	wg      sync.WaitGroup
}

type shard[K comparable, J, R, S any] struct {
	mu    sync.Mutex
	boxes map[K]*box[J, R]
	spare *box[J, R] // of a key that came to rest
	idle  shelf[K, S]
}

type box[J, R any] struct {
	waiting []job[J, R]
	running int           // jobs taken out and not answered
	more    chan struct{} // holds a token when the worker is to look for waiting jobs
}

type job[J, R any] struct {
	ctx  context.Context //nolint:containedctx // a job waits in a queue with the context of its caller
	ask  J
	done chan result[R]
}

type result[R any] struct {
	answer R
	err    error
}

// New returns boxes that have begin make work of their jobs; now is the clock for idle states.
func New[K comparable, J, R, S any](o Options, now func() time.Time, begin Begin[K, J, R, S]) *Boxes[K, J, R, S] {
	b := &Boxes[K, J, R, S]{options: o.withDefaults(), begin: begin, now: now, seed: maphash.MakeSeed()}
	for i := range b.shards {
		b.shards[i].boxes = map[K]*box[J, R]{}
		b.shards[i].idle = shelf[K, S]{limit: max(1, b.options.Keep/shards/2), idle: b.options.Idle}
	}
	return b
}

// Do queues ask behind other work of key and waits for its answer or for ctx. A job whose ctx ended before its turn is
// dropped; one that was given up later may still be done. Errors: ErrBusy, ctx.Err(), a panic of its work.
func (b *Boxes[K, J, R, S]) Do(ctx context.Context, key K, ask J) (R, error) {
	if b.options.Off {
		return b.alone(ctx, key, ask)
	}
	j := job[J, R]{ctx, ask, make(chan result[R], 1)}
	if err := b.send(key, j); err != nil {
		var zero R
		return zero, err
	}
	select {
	case r := <-j.done:
		return r.answer, r.err
	case <-ctx.Done():
		var zero R
		return zero, ctx.Err()
	}
}

// alone does a job without a worker, for as long as its caller waits.
func (b *Boxes[K, J, R, S]) alone(ctx context.Context, key K, ask J) (answer R, err error) {
	err = guard(func() error {
		var none S
		work := b.begin(key, none)
		work.Decide(ctx, []J{ask})
		var ended error
		if done := work.Submit(ctx); done != nil {
			select {
			case ended = <-done:
			case <-ctx.Done():
				ended = ctx.Err()
			}
		}
		answer = work.Settle(ctx, ended)[0]
		return nil
	})
	return answer, err
}

func (b *Boxes[K, J, R, S]) send(key K, j job[J, R]) error {
	s := &b.shards[maphash.Comparable(b.seed, key)%shards]
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.boxes[key]
	switch {
	case x == nil:
		x = s.open(key)
		w := &worker[K, J, R, S]{b: b, key: key, shard: s, box: x, kept: s.idle.take(key)}
		b.wg.Go(w.work)
	case len(x.waiting)+x.running >= b.options.Depth:
		return ErrBusy
	default:
		x.call()
	}
	x.waiting = append(x.waiting, j)
	return nil
}

// open makes a box for key. s.mu is held.
func (s *shard[K, J, R, S]) open(key K) *box[J, R] {
	x := s.spare
	if s.spare = nil; x == nil {
		x = &box[J, R]{more: make(chan struct{}, 1)}
	}
	s.boxes[key] = x
	return x
}

// close takes the box of key away, which is empty. s.mu is held.
func (s *shard[K, J, R, S]) close(key K, x *box[J, R]) {
	delete(s.boxes, key)
	x.waiting, s.spare = nil, x
}

// call has the worker look for waiting jobs. The shard's mu is held.
func (x *box[J, R]) call() {
	select {
	case x.more <- struct{}{}:
	default:
	}
}

// Tidy forgets states that were kept for long enough. Work does so by itself; call it now and then for keys that come to
// rest all together.
func (b *Boxes[K, J, R, S]) Tidy() {
	now := b.now()
	for i := range b.shards {
		s := &b.shards[i]
		s.mu.Lock()
		s.idle.turn(now)
		s.mu.Unlock()
	}
}

// Wait blocks until all work sent so far is done; call it after the last Do.
func (b *Boxes[K, J, R, S]) Wait() { b.wg.Wait() }
