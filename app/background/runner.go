package background

import (
	"context"
	"log/slog"
	"maps"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"time"

	"github.com/cartwright-dev/cartwright/ports"
)

// Options configure a Runner.
type Options struct {
	Log *slog.Logger     // nil: slog.Default()
	Now func() time.Time // for the times at which items are tried again; nil: they are tried whenever they come up
	// Wait returns after a delay or when ctx ends; nil: by a timer.
	Wait func(ctx context.Context, delay time.Duration)
}

// Runner has the tasks of a process. Its methods are safe for concurrent use. A nil Runner recovers from panics
// and logs them, too, but counts nothing and sets nothing aside.
type Runner struct {
	options Options

	mu    sync.Mutex
	tasks map[string]*Task
	store ports.BackgroundFailures // nil: what is set aside is known to this process only
}

// New makes a Runner without tasks.
func New(o Options) *Runner { return &Runner{options: o, tasks: map[string]*Task{}} }

// StoreFailures has items that are set aside stored in store from now on.
func (r *Runner) StoreFailures(store ports.BackgroundFailures) {
	if r == nil {
		return
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	r.store = store
}

// Task is the task of that name, which labels its metrics: a few words, not derived from data.
func (r *Runner) Task(name string) *Task {
	if r == nil {
		return &Task{name: name}
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	t := r.tasks[name]
	if t == nil {
		t = &Task{name: name, runner: r, failing: map[Item]*failure{}}
		r.tasks[name] = t
	}
	return t
}

// Stats are counts of one task since the start of the process.
type Stats struct {
	Task     string
	Panics   int64 // of goroutines, loops and items
	Restarts int64 // of loops that returned or panicked
	Failures int64 // of items, panics included
	SetAside int   // items that are set aside now
}

// Stats are the counts of all tasks, by name.
func (r *Runner) Stats() []Stats {
	r.mu.Lock()
	all := slices.Collect(maps.Values(r.tasks))
	r.mu.Unlock()
	out := make([]Stats, 0, len(all))
	for _, t := range all {
		out = append(out, t.stats())
	}
	slices.SortFunc(out, func(a, b Stats) int { return strings.Compare(a.Task, b.Task) })
	return out
}

func (r *Runner) log() *slog.Logger {
	if r == nil || r.options.Log == nil {
		return slog.Default()
	}
	return r.options.Log
}

// now is the time, zero without a clock.
func (r *Runner) now() (t time.Time) {
	if r != nil && r.options.Now != nil {
		t = r.options.Now()
	}
	return t
}

// wait waits for a delay, or until ctx ends.
func (r *Runner) wait(ctx context.Context, delay time.Duration) {
	if r != nil && r.options.Wait != nil {
		r.options.Wait(ctx, delay)
		return
	}
	timer := time.NewTimer(delay)
	defer timer.Stop()
	select {
	case <-ctx.Done():
	case <-timer.C:
	}
}

// failures is where items that are set aside are stored; nil: nowhere.
func (r *Runner) failures() ports.BackgroundFailures {
	if r == nil {
		return nil
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	return r.store
}

// Task is one kind of background work. Its methods are safe for concurrent use. A nil Task recovers and logs.
type Task struct {
	name   string
	runner *Runner // nil: nothing is counted

	panics, restarts, failed atomic.Int64

	mu      sync.Mutex
	failing map[Item]*failure
}

func (t *Task) stats() Stats {
	s := Stats{Task: t.name, Panics: t.panics.Load(), Restarts: t.restarts.Load(), Failures: t.failed.Load()}
	t.mu.Lock()
	defer t.mu.Unlock()
	gone := t.runner.now().Add(-maxRetryDelay)
	for item, f := range t.failing {
		switch {
		case f.retryAt.Before(gone): // it was not tried again: somebody else did, or it does not exist any more
			delete(t.failing, item)
		case f.count >= maxFailures:
			s.SetAside++
		}
	}
	return s
}
