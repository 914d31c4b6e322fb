package mailbox_test

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cartwright-dev/cartwright/app/mailbox"
)

// desk makes work whose state is the list of jobs done, and whose commits end when a test says so.
type desk struct {
	mu     sync.Mutex
	log    []string // what was asked of work
	told   []string // what callers heard
	stored []int    // what is true, as another may have made it
	commit chan error
	panics string // the call of work that panics for a job 0
}

func newDesk() *desk { return &desk{commit: make(chan error)} }

func (d *desk) begin(_ string, kept []int) mailbox.Work[int, []int, []int] {
	return &deskWork{desk: d, next: kept}
}

func (d *desk) note(format string, args ...any) {
	d.mu.Lock()
	defer d.mu.Unlock()
	d.log = append(d.log, fmt.Sprintf(format, args...))
}

// expect compares what was asked of work since it was asked last.
func (d *desk) expect(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	if !slices.Equal(d.log, want) {
		t.Errorf("got  %s\nwant %s", strings.Join(d.log, ", "), strings.Join(want, ", "))
	}
	d.log = nil
}

// hear compares what callers were told since it was asked last.
func (d *desk) hear(t *testing.T, want ...string) {
	t.Helper()
	synctest.Wait()
	d.mu.Lock()
	defer d.mu.Unlock()
	if slices.Sort(d.told); !slices.Equal(d.told, want) {
		t.Errorf("told %s\nwant %s", strings.Join(d.told, ", "), strings.Join(want, ", "))
	}
	d.told = nil
}

type deskWork struct {
	*desk

	next []int
	jobs []int
}

func (w *deskWork) at(call string) {
	if w.panics == call && slices.Contains(w.jobs, 0) {
		panic("boom")
	}
}

func (w *deskWork) Decide(_ context.Context, jobs []int) {
	w.note("decide %v on %v", jobs, w.next)
	w.jobs = append(w.jobs, jobs...)
	w.at("decide")
	w.next = append(slices.Clone(w.next), jobs...)
}

func (w *deskWork) Submit(context.Context) <-chan error {
	w.note("submit %v", w.jobs)
	w.at("submit")
	return w.commit
}

func (w *deskWork) Settle(_ context.Context, ended error) [][]int {
	w.note("settle %v: %v", w.jobs, ended)
	w.at("settle")
	if ended != nil {
		w.next = w.stored
	}
	w.stored = w.next
	answers := make([][]int, len(w.jobs))
	for i := range answers {
		answers[i] = w.next
	}
	return answers
}

func (w *deskWork) State() []int { return w.next }

// opened runs test with boxes of a desk. do sends a job.
func opened(t *testing.T, o mailbox.Options, test func(t *testing.T, d *desk, do func(ctx context.Context, job int))) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		d := newDesk()
		b := mailbox.New(o, clock, d.begin)
		test(t, d, func(ctx context.Context, job int) {
			go func() {
				answer, err := b.Do(ctx, "k", job)
				d.mu.Lock()
				defer d.mu.Unlock()
				if err != nil {
					d.told = append(d.told, fmt.Sprintf("%d failed: %v", job, err))
					return
				}
				d.told = append(d.told, fmt.Sprintf("%d: %v", job, answer))
			}()
			synctest.Wait()
		})
		b.Wait()
	})
}

func TestARunIsDecidedWhileTheOneBeforeIsUnderWay(t *testing.T) {
	opened(t, mailbox.Options{}, func(t *testing.T, d *desk, do func(context.Context, int)) {
		do(t.Context(), 1)
		d.expect(t, "decide [1] on []", "submit [1]")
		do(t.Context(), 2)
		do(t.Context(), 3)
		d.expect(t, "decide [2] on [1]", "decide [3] on [1 2]") // and no more: 1 may still fail
		d.hear(t)
		d.commit <- nil
		d.expect(t, "submit [2 3]", "settle [1]: <nil>")
		d.hear(t, "1: [1]")
		d.commit <- nil
		d.expect(t, "settle [2 3]: <nil>")
		d.hear(t, "2: [1 2 3]", "3: [1 2 3]")
	})
}

func TestWhatWasDecidedOnARunThatFailedIsDecidedAnew(t *testing.T) {
	opened(t, mailbox.Options{}, func(t *testing.T, d *desk, do func(context.Context, int)) {
		do(t.Context(), 1)
		do(t.Context(), 2)
		d.expect(t, "decide [1] on []", "submit [1]", "decide [2] on [1]")
		d.stored = []int{7}
		d.commit <- errors.New("stale")
		d.expect(t, "settle [1]: stale", "decide [2] on [7]", "submit [2]")
		d.hear(t, "1: [7]")
		d.commit <- nil
		d.hear(t, "2: [7 2]")
	})
}

func TestOneRunIsDecidedAheadAtMost(t *testing.T) {
	opened(t, mailbox.Options{Run: 2, Depth: 4}, func(t *testing.T, d *desk, do func(context.Context, int)) {
		for job := range 5 {
			do(t.Context(), job+1)
		}
		d.expect(t, "decide [1] on []", "submit [1]", "decide [2] on [1]", "decide [3] on [1 2]")
		d.hear(t, "5 failed: "+mailbox.ErrBusy.Error())
		d.commit <- nil
		d.expect(t, "submit [2 3]", "settle [1]: <nil>", "decide [4] on [1 2 3]")
		do(t.Context(), 5) // there is room since 1 was told
		d.expect(t, "decide [5] on [1 2 3 4]")
		d.commit <- nil
		d.commit <- nil
		d.hear(t, "1: [1]", "2: [1 2 3]", "3: [1 2 3]", "4: [1 2 3 4 5]", "5: [1 2 3 4 5]")
	})
}

func TestAJobGivenUpOnceItIsDecidedMayBeDone(t *testing.T) {
	opened(t, mailbox.Options{}, func(t *testing.T, d *desk, do func(context.Context, int)) {
		do(t.Context(), 1)
		ctx, cancel := context.WithCancel(t.Context())
		do(ctx, 2)
		cancel()
		d.hear(t, "2 failed: context canceled")
		d.expect(t, "decide [1] on []", "submit [1]", "decide [2] on [1]")
		d.commit <- nil
		d.expect(t, "submit [2]", "settle [1]: <nil>")
		d.commit <- nil
	})
}

func TestAJobGivenUpIsNotDecidedAnew(t *testing.T) {
	opened(t, mailbox.Options{}, func(t *testing.T, d *desk, do func(context.Context, int)) {
		do(t.Context(), 1)
		ctx, cancel := context.WithCancel(t.Context())
		do(ctx, 2)
		cancel()
		d.expect(t, "decide [1] on []", "submit [1]", "decide [2] on [1]")
		d.commit <- errors.New("stale")
		d.expect(t, "settle [1]: stale")
	})
}

func TestAPanicFailsTheJobsOfItsRunOnly(t *testing.T) {
	for call, last := range map[string]string{"decide": "2: [1 2]", "submit": "2: [2]", "settle": "2: [1 0 2]"} {
		t.Run(call, func(t *testing.T) {
			opened(t, mailbox.Options{}, func(t *testing.T, d *desk, do func(context.Context, int)) {
				d.panics = call
				do(t.Context(), 1)
				do(t.Context(), 0)
				d.commit <- nil
				synctest.Wait()
				do(t.Context(), 2)
				close(d.commit)
				d.hear(t, "0 failed: mailbox: the work panicked: boom", "1: [1]", last)
			})
		})
	}
}

func TestTheTimeOfARunBeginsWhenItIsSubmitted(t *testing.T) {
	opened(t, mailbox.Options{Limit: time.Minute}, func(t *testing.T, d *desk, do func(context.Context, int)) {
		do(t.Context(), 1)
		do(t.Context(), 2)
		time.Sleep(50 * time.Second) // the clock of the bubble
		d.commit <- nil
		time.Sleep(50 * time.Second)
		d.commit <- nil
		d.hear(t, "1: [1]", "2: [1 2]")
	})
}

func TestARunThatTakesTooLongHasFailed(t *testing.T) {
	opened(t, mailbox.Options{Limit: time.Minute}, func(t *testing.T, d *desk, do func(context.Context, int)) {
		do(t.Context(), 1)
		do(t.Context(), 2)
		d.expect(t, "decide [1] on []", "submit [1]", "decide [2] on [1]")
		time.Sleep(time.Minute)
		d.expect(t, "settle [1]: "+context.DeadlineExceeded.Error(), "decide [2] on []", "submit [2]")
		d.commit <- nil
		d.hear(t, "1: []", "2: [2]")
	})
}
