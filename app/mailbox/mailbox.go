// Package mailbox serializes work per key: one worker per key takes queued jobs in order, in batches that can
// share one commit. Rule carts-26, Decision 5.
//
// It orders work inside this process only and is an optimization: correctness rests on the compare-and-set of
// the database, and everything stays correct with the option Disabled.
package mailbox

import (
	"context"
	"fmt"
	"hash/maphash"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// ErrBusy says that the queue of a key is full.
var ErrBusy = fault.New(fault.Unavailable, "cart_busy", "Too many changes to this cart are queued. Try again.").WithRetry(time.Second)

// Options configure a Dispatcher. Zero values mean the defaults named here.
type Options struct {
	MaxQueued     int            // jobs of one key, waiting and running; 256
	MaxBatch      int            // jobs per batch; 32: larger ones would delay the callers of the first jobs
	MaxIdleStates int            // approximate number of states stored of idle keys; 4096
	MaxIdleBytes  int            // approximate memory of these states, where they are Sized; 64 MiB
	IdleTTL       time.Duration  // how long the state of an idle key is stored: at least this, at most twice as long; one minute
	BatchTimeout  time.Duration  // deadline of one batch; 10 seconds
	Disabled      bool           // no workers and no stored states: each job runs alone, on its caller's goroutine
	OnBatch       func(jobs int) // called with the size of every batch; may be nil
	// OnHandled, if not nil, is called after every batch of a worker: how long each of its jobs had waited, and how long the
	// handler took.
	OnHandled func(waited []time.Duration, took time.Duration)
	Task      *background.Task // of the workers; nil: a panic is logged and not counted
	// WrapBatch, if not nil, is called before every batch of a worker with the contexts of the jobs' callers.
	// It returns the context of the batch, derived from ctx, and a function to call at its end.
	WrapBatch func(ctx context.Context, callers []context.Context) (context.Context, func())
}

func (o Options) withDefaults() Options {
	if o.MaxQueued == 0 {
		o.MaxQueued = 256
	}
	if o.MaxBatch == 0 {
		o.MaxBatch = 32
	}
	if o.MaxIdleStates == 0 {
		o.MaxIdleStates = 4096
	}
	if o.MaxIdleBytes == 0 {
		o.MaxIdleBytes = 64 << 20
	}
	if o.IdleTTL == 0 {
		o.IdleTTL = time.Minute
	}
	if o.BatchTimeout == 0 {
		o.BatchTimeout = 10 * time.Second
	}
	return o
}

// Handler handles a batch of jobs and returns one result for each, in order. cached is what the handler
// stored there when it last handled key, or the zero S: a hint that may be out of date. It must not retain
// jobs.
type Handler[K comparable, J, R, S any] func(ctx context.Context, key K, cached *S, jobs []J) []R

const shardCount = 64

// Dispatcher owns the workers: one goroutine per key that has work, none for others.
type Dispatcher[K comparable, J, R, S any] struct {
	options Options
	handler Handler[K, J, R, S]
	now     func() time.Time
	seed    maphash.Seed
	shards  [shardCount]shard[K, J, R, S]
	workers background.Group
}

type shard[K comparable, J, R, S any] struct {
	mu         sync.Mutex
	queues     map[K]*queue[J, R]
	idleStates idleStates[K, S]
}

type queue[J, R any] struct {
	waiting []job[J, R]
	running int // jobs passed to the handler
}

type job[J, R any] struct {
	ctx     context.Context //nolint:containedctx // a queued job keeps the context of its caller
	request J
	done    chan result[R]
	queued  time.Time // zero: nobody wants to know
}

type result[R any] struct {
	value R
	err   error
}

// New returns a Dispatcher that passes jobs to handler; now is the clock for idle states.
func New[K comparable, J, R, S any](o Options, now func() time.Time, handler Handler[K, J, R, S]) *Dispatcher[K, J, R, S] {
	b := &Dispatcher[K, J, R, S]{
		options: o.withDefaults(), handler: handler, now: now, seed: maphash.MakeSeed(), workers: background.Group{Task: o.Task},
	}
	for i := range b.shards {
		b.shards[i].queues = map[K]*queue[J, R]{}
		b.shards[i].idleStates = idleStates[K, S]{
			maxPerGeneration: max(1, b.options.MaxIdleStates/shardCount/2), maxBytes: b.options.MaxIdleBytes / shardCount / 2,
			ttl: b.options.IdleTTL,
		}
	}
	return b
}

// Do queues work behind other work of key and waits for its result or for ctx. A job whose ctx ends before its
// batch begins is dropped; one that is canceled later may still be done. Errors: ErrBusy, ctx.Err(), a panic
// of the handler.
func (b *Dispatcher[K, J, R, S]) Do(ctx context.Context, key K, work J) (R, error) {
	if b.options.Disabled {
		var none S
		return b.runInline(ctx, key, &none, work)
	}
	j := job[J, R]{ctx: ctx, request: work, done: make(chan result[R], 1)}
	if b.options.OnHandled != nil {
		j.queued = b.now()
	}
	if err := b.enqueue(key, j); err != nil {
		var zero R
		return zero, err
	}
	select {
	case r := <-j.done:
		return r.value, r.err
	case <-ctx.Done():
		var zero R
		return zero, ctx.Err()
	}
}

func (b *Dispatcher[K, J, R, S]) runInline(ctx context.Context, key K, cached *S, work J) (answer R, err error) {
	results, err := b.callHandler(ctx, key, cached, []J{work})
	if err == nil {
		answer = results[0]
	}
	return answer, err
}

func (b *Dispatcher[K, J, R, S]) enqueue(key K, j job[J, R]) error {
	s := &b.shards[maphash.Comparable(b.seed, key)%shardCount]
	s.mu.Lock()
	defer s.mu.Unlock()
	x := s.queues[key]
	if x == nil {
		x = &queue[J, R]{}
		s.queues[key] = x
		cached := s.idleStates.take(key)
		b.workers.Start(func() { b.runWorker(key, s, x, cached) })
	}
	if len(x.waiting)+x.running >= b.options.MaxQueued {
		return ErrBusy
	}
	x.waiting = append(x.waiting, j)
	return nil
}

func (b *Dispatcher[K, J, R, S]) runWorker(key K, s *shard[K, J, R, S], x *queue[J, R], cached S) {
	for {
		run := b.nextBatch(key, s, x, &cached)
		if run == nil {
			return
		}
		err := b.options.Task.Call(func() error { b.runBatch(key, &cached, run); return nil })
		for _, j := range run {
			j.fail(err)
		}
	}
}

// fail answers a job with err, if there is one, unless it was answered before.
func (j job[J, R]) fail(err error) {
	if err == nil {
		return
	}
	select {
	case j.done <- result[R]{err: err}:
	default:
	}
}

// nextBatch takes at most a batch of the queued jobs; if there are none the worker ends and its state becomes
// idle.
func (b *Dispatcher[K, J, R, S]) nextBatch(key K, s *shard[K, J, R, S], x *queue[J, R], cached *S) []job[J, R] {
	s.mu.Lock()
	defer s.mu.Unlock()
	if len(x.waiting) == 0 {
		delete(s.queues, key)
		s.idleStates.put(key, cached, b.now())
		return nil
	}
	n := min(len(x.waiting), b.options.MaxBatch)
	run := x.waiting[:n:n]
	x.waiting, x.running = x.waiting[n:], n
	return run
}

func (b *Dispatcher[K, J, R, S]) runBatch(key K, cached *S, run []job[J, R]) {
	live := make([]job[J, R], 0, len(run))
	jobs := make([]J, 0, len(run))
	for _, j := range run {
		if err := j.ctx.Err(); err != nil {
			j.done <- result[R]{err: err}
			continue
		}
		live, jobs = append(live, j), append(jobs, j.request)
	}
	if len(live) == 0 {
		return
	}
	// The batch belongs to all its callers: one that cancels must not fail the others.
	ctx, cancel := context.WithTimeout(context.WithoutCancel(live[0].ctx), b.options.BatchTimeout)
	defer cancel()
	if b.options.WrapBatch != nil {
		var end func()
		ctx, end = b.options.WrapBatch(ctx, callerContexts(live))
		defer end()
	}
	defer b.timeBatch(live)()
	results, err := b.callHandler(ctx, key, cached, jobs)
	if err != nil && len(jobs) > 1 {
		b.runEach(ctx, key, cached, live)
		return
	}
	for i, j := range live {
		if err != nil {
			j.done <- result[R]{err: err}
			continue
		}
		j.done <- result[R]{value: results[i]}
	}
}

// timeBatch begins to time a batch, until the function that it returns is called.
func (b *Dispatcher[K, J, R, S]) timeBatch(live []job[J, R]) (ended func()) {
	if b.options.OnHandled == nil {
		return func() {}
	}
	began, waited := b.now(), make([]time.Duration, len(live))
	for i, j := range live {
		waited[i] = began.Sub(j.queued)
	}
	return func() { b.options.OnHandled(waited, b.now().Sub(began)) }
}

// runEach handles the jobs of a batch in which the handler panicked one by one, so that only the job that makes it
// panic fails. Jobs that the batch had committed before are found by their receipts, or refused as out of date.
func (b *Dispatcher[K, J, R, S]) runEach(ctx context.Context, key K, cached *S, jobs []job[J, R]) {
	for _, j := range jobs {
		results, err := b.callHandler(ctx, key, cached, []J{j.request})
		if err != nil {
			j.fail(err)
			continue
		}
		j.done <- result[R]{value: results[0]}
	}
}

// callerContexts are the contexts of jobs.
func callerContexts[J, R any](jobs []job[J, R]) []context.Context {
	out := make([]context.Context, 0, len(jobs))
	for _, j := range jobs {
		out = append(out, j.ctx)
	}
	return out
}

// callHandler turns a panic of the handler into the error of its jobs; the state it left is discarded.
func (b *Dispatcher[K, J, R, S]) callHandler(ctx context.Context, key K, cached *S, jobs []J) (results []R, err error) {
	if b.options.OnBatch != nil {
		b.options.OnBatch(len(jobs))
	}
	err = b.options.Task.Call(func() error {
		results = b.handler(ctx, key, cached, jobs)
		return nil
	})
	if err == nil && len(results) != len(jobs) {
		err = fmt.Errorf("%d answers for %d jobs", len(results), len(jobs))
	}
	if err != nil {
		var none S
		*cached = none
		return nil, fmt.Errorf("mailbox: %w", err)
	}
	return results, nil
}

// EvictIdle drops expired idle states. Work does so by itself; call it regularly for the case that all keys
// become idle.
func (b *Dispatcher[K, J, R, S]) EvictIdle() {
	now := b.now()
	for i := range b.shards {
		s := &b.shards[i]
		s.mu.Lock()
		s.idleStates.rotate(now, 0)
		s.mu.Unlock()
	}
}

// Depth is how many jobs are queued or being handled.
func (b *Dispatcher[K, J, R, S]) Depth() (jobs int) {
	for i := range b.shards {
		s := &b.shards[i]
		s.mu.Lock()
		for _, x := range s.queues {
			jobs += len(x.waiting) + x.running
		}
		s.mu.Unlock()
	}
	return jobs
}

// Wait blocks until all jobs are done; call it after the last Do.
func (b *Dispatcher[K, J, R, S]) Wait() { b.workers.Wait() }
