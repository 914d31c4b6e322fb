package payments

import (
	"context"
	"errors"
	"sync"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/ports"
)

// How many tasks of a lane run at the same time, and over how many lanes.
const (
	tasksPerLane = 2
	maxBusyLanes = 64
)

// maxUnreachable is how many consecutive look-ups that did not reach a provider end the round of its lane.
const maxUnreachable = 5

// lanes runs the tasks of each lane by workers of its own.
type lanes struct {
	mu      sync.Mutex
	busy    map[string]bool // lanes whose tasks still run
	workers background.Group
}

func newLanes(task *background.Task) *lanes {
	return &lanes{busy: map[string]bool{}, workers: background.Group{Task: task}}
}

func (l *lanes) wait() { l.workers.Wait() }

// start runs work for a lane and returns at once. A lane whose work still runs is skipped.
func (l *lanes) start(lane string, work func()) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.busy[lane] || len(l.busy) >= maxBusyLanes {
		return
	}
	l.busy[lane] = true
	l.workers.Start(func() {
		defer l.done(lane)
		work()
	})
}

func (l *lanes) done(lane string) {
	l.mu.Lock()
	defer l.mu.Unlock()
	delete(l.busy, lane)
}

// laneRound is the tasks of one lane in one round.
type laneRound struct {
	run func(ctx context.Context, t ports.PaymentTask, ask bool) error

	mu          sync.Mutex
	tasks       []ports.PaymentTask // still to be run
	unreachable int                 // consecutive look-ups that did not reach the provider
}

// work runs tasks, and reports whether the provider can be asked for more. Once it has turned out to be
// unreachable, the rest is run without asking it.
func (r *laneRound) work(ctx context.Context, tasks []ports.PaymentTask) (more bool) {
	r.tasks = tasks
	background.Parallel(min(tasksPerLane, len(tasks)), func(int) {
		for t, ask, more := r.next(); more; t, ask, more = r.next() {
			r.recordResult(r.run(ctx, t, ask), ask)
		}
	})
	return r.unreachable < maxUnreachable
}

func (r *laneRound) next() (t ports.PaymentTask, ask, more bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if len(r.tasks) == 0 {
		return t, false, false
	}
	t, r.tasks = r.tasks[0], r.tasks[1:]
	return t, r.unreachable < maxUnreachable, true
}

func (r *laneRound) recordResult(err error, asked bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	switch {
	case errors.Is(err, ports.ErrProviderUnavailable):
		r.unreachable++
	case asked:
		r.unreachable = 0
	}
}
