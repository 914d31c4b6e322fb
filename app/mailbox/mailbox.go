// Package mailbox runs the work of one key in one place at a time, in arrival order and in runs: what piled up while the
// worker was busy is handed over together, so that it can share one commit. Contract 5, "Concurrency".
//
// It orders work inside this process only and is an optimisation: truth is the compare-and-set of the database, and with
// the option Off everything stays correct.
package mailbox

import (
	"context"
	"fmt"
	"hash/maphash"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/fault"
)

// ErrBusy says that the key has as much work waiting as it may have.
var ErrBusy = fault.New(fault.Unavailable, "cart_busy", "Too many changes of this cart are waiting. Try again.").Retry(time.Second)

// Options bound a set of boxes. Zero values take the defaults named here.
type Options struct {
	Depth int            // jobs one key may have waiting and running; 256
	Run   int            // jobs handed over at once; 32: while they are done, the callers of those before come back
	Keep  int            // states kept of keys without work, roughly; 4096
	Idle  time.Duration  // how long a state without work is kept, at least; twice that at most; one minute
	Limit time.Duration  // deadline of one run; 10 seconds
	Off   bool           // no workers and no kept states: each job runs alone, on its caller's goroutine
	Ran   func(jobs int) // hears of every run; nil: nobody does
	// Around, if any, is asked before every run of a worker, with the contexts of those whose jobs it does. It answers the
	// context of the run, derived from ctx, and what is to be called at its end.
	Around func(ctx context.Context, callers []context.Context) (context.Context, func())
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

// Handler does a run of jobs and returns one result for each, in order. kept is what the handler left there when it last
// worked on key, or the zero S: a hint that may be out of date. It must not keep jobs.
type Handler[K comparable, J, R, S any] func(ctx context.Context, key K, kept *S, jobs []J) []R

const shards = 64

// Boxes owns the workers: one goroutine per key that has work, none without.
type Boxes[K comparable, J, R, S any] struct {
	options Options
	handler Handler[K, J, R, S]
	now     func() time.Time
	seed    maphash.Seed
	shards  [shards]shard[K, J, R, S]
	wg      sync.WaitGroup
}

type shard[K comparable, J, R, S any] struct {
	mu    sync.Mutex
	boxes map[K]*box[J, R]
	idle  shelf[K, S]
}

type box[J, R any] struct {
	waiting []job[J, R]
	running int // jobs handed to the handler
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

// New returns boxes that give their jobs to handler; now is the clock for idle states.
func New[K comparable, J, R, S any](o Options, now func() time.Time, handler Handler[K, J, R, S]) *Boxes[K, J, R, S] {
	b := &Boxes[K, J, R, S]{options: o.withDefaults(), handler: handler, now: now, seed: maphash.MakeSeed()}
	for i := range b.shards {
		b.shards[i].boxes = map[K]*box[J, R]{}
		b.shards[i].idle = shelf[K, S]{limit: max(1, b.options.Keep/shards/2), idle: b.options.Idle}
	}
	return b
}

// Do queues ask behind other work of key and waits for its answer or for ctx. A job whose ctx ended before its turn is
// dropped; one that was given up later may still be done. Errors: ErrBusy, ctx.Err(), a panic of the handler.
func (b *Boxes[K, J, R, S]) Do(ctx context.Context, key K, ask J) (R, error) {
	if b.options.Off {
		var none S
		return b.alone(ctx, key, &none, ask)
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

func (b *Boxes[K, J, R, S]) alone(ctx context.Context, key K, kept *S, ask J) (answer R, err error) {
	answers, err := b.guard(ctx, key, kept, []J{ask})
	if err == nil {
		answer = answers[0]
	}
	return answer, err
}

func (b *Boxes[K, J, R, S]) send(key K, j job[J, R]) error {
	s := &b.shards[maphash.Comparable(b.seed, key)%shards]
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.boxes[key]
	if x == nil {
		x = &box[J, R]{}
		s.boxes[key] = x
		kept := s.idle.take(key)
		b.wg.Go(func() { b.work(key, s, x, kept) })
	}
	if len(x.waiting)+x.running >= b.options.Depth {
		return ErrBusy
	}
	x.waiting = append(x.waiting, j)
	return nil
}

func (b *Boxes[K, J, R, S]) work(key K, s *shard[K, J, R, S], x *box[J, R], kept S) {
	for {
		run := b.next(key, s, x, kept)
		if run == nil {
			return
		}
		b.run(key, &kept, run)
	}
}

// next takes the waiting jobs, at most a run of them; without any the worker ends and leaves its state behind.
func (b *Boxes[K, J, R, S]) next(key K, s *shard[K, J, R, S], x *box[J, R], kept S) []job[J, R] {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(x.waiting) == 0 {
		delete(s.boxes, key)
		s.idle.put(key, kept, b.now())
		return nil
	}
	n := min(len(x.waiting), b.options.Run)
	run := x.waiting[:n:n]
	x.waiting, x.running = x.waiting[n:], n
	return run
}

func (b *Boxes[K, J, R, S]) run(key K, kept *S, run []job[J, R]) {
	live := make([]job[J, R], 0, len(run))
	asks := make([]J, 0, len(run))
	for _, j := range run {
		if err := j.ctx.Err(); err != nil {
			j.done <- result[R]{err: err}
			continue
		}
		live, asks = append(live, j), append(asks, j.ask)
	}
	if len(live) == 0 {
		return
	}
	// The run belongs to all its callers: one who gives up must not fail the others.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(live[0].ctx), b.options.Limit)
	defer cancel()
	if b.options.Around != nil {
		var end func()
		ctx, end = b.options.Around(ctx, callers(live))
		defer end()
	}
	answers, err := b.guard(ctx, key, kept, asks)
	for i, j := range live {
		if err != nil {
			j.done <- result[R]{err: err}
			continue
		}
		j.done <- result[R]{answer: answers[i]}
	}
}

// callers are the contexts of jobs.
func callers[J, R any](jobs []job[J, R]) []context.Context {
	out := make([]context.Context, 0, len(jobs))
	for _, j := range jobs {
		out = append(out, j.ctx)
	}
	return out
}

// guard turns a panic of the handler into the error of its jobs; what it kept by then is not to be trusted.
func (b *Boxes[K, J, R, S]) guard(ctx context.Context, key K, kept *S, asks []J) (answers []R, err error) {
	defer func() {
		if p := recover(); p != nil {
			var none S
			*kept, err = none, fmt.Errorf("mailbox: the handler panicked: %v", p)
		}
	}()
	if b.options.Ran != nil {
		b.options.Ran(len(asks))
	}
	answers = b.handler(ctx, key, kept, asks)
	if len(answers) != len(asks) {
		return nil, fmt.Errorf("mailbox: %d answers for %d jobs", len(answers), len(asks))
	}
	return answers, nil
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

// Depth is how many jobs wait or are being done.
func (b *Boxes[K, J, R, S]) Depth() (jobs int) {
	for i := range b.shards {
		s := &b.shards[i]
		s.mu.Lock()
		for _, x := range s.boxes {
			jobs += len(x.waiting) + x.running
		}
		s.mu.Unlock()
	}
	return jobs
}

// Wait blocks until all work sent so far is done; call it after the last Do.
func (b *Boxes[K, J, R, S]) Wait() { b.wg.Wait() }
