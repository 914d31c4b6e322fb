package mailbox

import (
	"context"
	"fmt"
)

// worker does the work of one key for as long as there is some.
type worker[K comparable, J, R, S any] struct {
	b        *Boxes[K, J, R, S]
	key      K
	shard    *shard[K, J, R, S]
	box      *box[J, R]
	kept     S
	answered int // jobs that the box still counts as running
}

// turn is work with its jobs.
type turn[J, R, S any] struct {
	work   Work[J, R, S]
	jobs   []job[J, R]
	ctx    context.Context //nolint:containedctx // the turn belongs to all its callers: one who gives up must not fail the others
	cancel context.CancelFunc
	done   <-chan error
	failed error // it panicked
}

// work does what waits until nothing does.
func (w *worker[K, J, R, S]) work() {
	for jobs := w.take(w.b.options.Run, true); jobs != nil; jobs = w.take(w.b.options.Run, true) {
		now := w.decide(nil, w.kept, jobs)
		w.submit(now)
		for now != nil {
			now = w.finish(now)
		}
	}
}

// finish sees a submitted turn through, and returns the next, submitted too, which was decided on top of it. If the one
// ended well the other is on its way before that is told; otherwise it is decided again, on what came out.
func (w *worker[K, J, R, S]) finish(now *turn[J, R, S]) (then *turn[J, R, S]) {
	then, err := w.wait(now)
	if err == nil {
		w.renew(then)
		w.submit(then)
		w.settle(now, nil)
		return then
	}
	w.settle(now, err)
	if then == nil {
		return nil
	}
	then.cancel()
	then = w.decide(nil, w.kept, then.jobs)
	w.submit(then)
	return then
}

// wait returns how a turn ended, and what was decided meanwhile.
func (w *worker[K, J, R, S]) wait(now *turn[J, R, S]) (then *turn[J, R, S], err error) {
	if now.done == nil {
		return nil, nil
	}
	if w.answered > 0 {
		then = w.ahead(now, nil)
	}
	for {
		more := w.box.more
		if then != nil && len(then.jobs) >= w.b.options.Run {
			more = nil
		}
		select {
		case err = <-now.done:
			return then, err
		case <-now.ctx.Done():
			return then, now.ctx.Err()
		case <-more:
			then = w.ahead(now, then)
		}
	}
}

// ahead decides waiting jobs on what now will leave; then has those from before.
func (w *worker[K, J, R, S]) ahead(now, then *turn[J, R, S]) *turn[J, R, S] {
	room := w.b.options.Run
	if then != nil {
		room -= len(then.jobs)
	}
	if jobs := w.take(room, false); jobs != nil {
		return w.decide(then, now.work.State(), jobs)
	}
	return then
}

// take takes at most n of the waiting jobs. The last look, when it finds none, closes the box and leaves the state behind.
func (w *worker[K, J, R, S]) take(n int, last bool) []job[J, R] {
	w.shard.mu.Lock()
	defer w.shard.mu.Unlock()
	x := w.box
	x.running -= w.answered
	w.answered = 0
	select {
	case <-x.more:
	default:
	}
	if len(x.waiting) == 0 {
		if last {
			w.shard.idle.put(w.key, w.kept, w.b.now())
			w.shard.close(w.key, x)
		}
		return nil
	}
	n = min(n, len(x.waiting))
	taken := x.waiting[:n:n]
	if x.waiting = x.waiting[n:]; len(x.waiting) > 0 {
		x.call()
	}
	x.running += n
	return taken
}

// decide adds jobs to t, or to a new turn that begins with the state kept. Nil: there is nothing left to do.
func (w *worker[K, J, R, S]) decide(t *turn[J, R, S], kept S, jobs []job[J, R]) *turn[J, R, S] {
	live, asks := jobs[:0], make([]J, 0, len(jobs))
	for _, j := range jobs {
		if err := j.ctx.Err(); err != nil {
			w.answer(j, result[R]{err: err})
			continue
		}
		live, asks = append(live, j), append(asks, j.ask)
	}
	if len(live) == 0 {
		return t
	}
	if t == nil {
		t = &turn[J, R, S]{jobs: live}
		w.renew(t)
	} else {
		t.jobs = append(t.jobs, live...)
	}
	err := guard(func() error {
		if t.work == nil {
			t.work = w.b.begin(w.key, kept)
		}
		t.work.Decide(t.ctx, asks)
		return nil
	})
	if err != nil {
		w.end(t, nil, err)
		return nil
	}
	return t
}

// renew gives a turn the whole of its time. It belongs to all its callers: one who gives up must not fail the others.
func (w *worker[K, J, R, S]) renew(t *turn[J, R, S]) {
	if t == nil {
		return
	}
	if t.cancel != nil {
		t.cancel()
	}
	t.ctx, t.cancel = context.WithTimeout(context.WithoutCancel(t.jobs[0].ctx), w.b.options.Limit)
}

func (w *worker[K, J, R, S]) submit(t *turn[J, R, S]) {
	if t == nil {
		return
	}
	t.failed = guard(func() error {
		t.done = t.work.Submit(t.ctx)
		return nil
	})
}

func (w *worker[K, J, R, S]) settle(t *turn[J, R, S], ended error) {
	var answers []R
	err := t.failed
	if err == nil {
		err = guard(func() error {
			if answers = t.work.Settle(t.ctx, ended); len(answers) != len(t.jobs) {
				return fmt.Errorf("mailbox: %d answers for %d jobs", len(answers), len(t.jobs))
			}
			w.kept = t.work.State()
			return nil
		})
	}
	w.end(t, answers, err)
}

// end answers the jobs of a turn. What work left that panicked is not to be trusted.
func (w *worker[K, J, R, S]) end(t *turn[J, R, S], answers []R, err error) {
	t.cancel()
	if err != nil {
		var none S
		w.kept = none
	}
	for i, j := range t.jobs {
		r := result[R]{err: err}
		if err == nil {
			r.answer = answers[i]
		}
		w.answer(j, r)
	}
}

func (w *worker[K, J, R, S]) answer(j job[J, R], r result[R]) {
	j.done <- r
	w.answered++
}

// guard turns a panic of work into an error.
func guard(fn func() error) (err error) {
	defer func() {
		if p := recover(); p != nil {
			err = fmt.Errorf("mailbox: the work panicked: %v", p)
		}
	}()
	return fn()
}
