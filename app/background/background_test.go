package background_test

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// bench is a runner with a clock and waits of its own.
type bench struct {
	*background.Runner

	mu     sync.Mutex
	clock  time.Time
	delays []time.Duration
	log    bytes.Buffer
}

func newBench() *bench {
	b := &bench{clock: time.Date(2026, 1, 2, 3, 4, 5, 0, time.UTC)}
	b.Runner = background.New(background.Options{
		Log: slog.New(slog.NewTextHandler(&b.log, nil)), Now: func() time.Time { return b.clock },
		Wait: func(_ context.Context, d time.Duration) {
			b.mu.Lock()
			defer b.mu.Unlock()
			b.delays = append(b.delays, d)
		},
	})
	return b
}

func TestPanicOfAGoroutineIsLoggedAndCounted(t *testing.T) {
	t.Parallel()
	b := newBench()
	all := background.Group{Task: b.Task("mail")}
	all.Start(func() { panic("no stamp") })
	all.Wait()
	if got := b.Stats(); !reflect.DeepEqual(got, []background.Stats{{Task: "mail", Panics: 1}}) {
		t.Errorf("counted %+v", got)
	}
	for _, want := range []string{"no stamp", "task=mail", "background_test.go"} {
		if !strings.Contains(b.log.String(), want) {
			t.Errorf("the log has no %q: %s", want, &b.log)
		}
	}
	(*background.Runner)(nil).Task("x").Start(func() {}) // works without a runner
	if err := (*background.Task)(nil).Call(func() error { panic("x") }); err == nil {
		t.Error("a panic without a task is no error")
	}
}

func TestFailingLoopBeginsAgainWithGrowingDelays(t *testing.T) {
	t.Parallel()
	b := newBench()
	ctx, stop := context.WithCancel(t.Context())
	runs := 0
	b.Task("loop").Run(ctx, func(context.Context) error {
		switch runs++; {
		case runs == 1:
			panic("first")
		case runs == 2:
			return errors.New("second")
		case runs < 12:
			return nil
		case runs == 12:
			b.clock = b.clock.Add(time.Minute) // it worked for a while
			panic("late")
		}
		stop()
		return ctx.Err()
	})
	if b.delays[0] != 100*time.Millisecond || b.delays[1] != 200*time.Millisecond || b.delays[10] != 30*time.Second ||
		b.delays[11] != 100*time.Millisecond || len(b.delays) != 12 {
		t.Errorf("waited %v", b.delays)
	}
	if got := b.Stats()[0]; got.Restarts != 12 || got.Panics != 2 {
		t.Errorf("counted %+v", got)
	}
}

// failures is a ports.BackgroundFailures in memory, the only adapter that needs none of a database.
type failures struct {
	stored map[background.Item]ports.BackgroundFailure
}

func (f *failures) Save(_ context.Context, one ports.BackgroundFailure) error {
	f.stored[background.Item{Tenant: one.Tenant, ID: one.Item}] = one
	return nil
}

func (f *failures) Remove(_ context.Context, _ string, id tenant.ID, item string) error {
	delete(f.stored, background.Item{Tenant: id, ID: item})
	return nil
}

func (f *failures) List(context.Context, int) ([]ports.BackgroundFailure, int, error) {
	return nil, len(f.stored), nil
}

func TestItemThatFailsAgainAndAgainIsSetAsideUntilItSucceeds(t *testing.T) {
	t.Parallel()
	b, stored := newBench(), &failures{map[background.Item]ports.BackgroundFailure{}}
	b.StoreFailures(stored)
	task, poison, good := b.Task("carts"), background.Item{Tenant: "shop", ID: "c1"}, background.Item{Tenant: "shop", ID: "c2"}
	began, tries, done := b.clock, 0, 0
	broken := true
	round := func() {
		for _, item := range []background.Item{poison, good} {
			_ = task.Do(t.Context(), item, func(context.Context) error {
				if item == good {
					done++
					return nil
				}
				if tries++; broken && tries%2 == 0 {
					panic("two")
				} else if broken {
					return errors.New("one")
				}
				return nil
			})
		}
	}
	for range 31 { // seconds: it is tried after 0, 1, 3, 7 and 15 of them
		round()
		b.clock = b.clock.Add(time.Second)
	}
	if tries != 5 || done != 31 {
		t.Errorf("the poisonous item was tried %d times, the other %d times", tries, done)
	}
	want := ports.BackgroundFailure{
		Task: "carts", Tenant: "shop", Item: "c1", Failures: 5, Error: "one", FirstFailedAt: began, LastFailedAt: began.Add(15 * time.Second),
		RetryAt: began.Add(31 * time.Second),
	}
	if got := stored.stored[poison]; got != want || len(stored.stored) != 1 {
		t.Errorf("stored %+v\nwant %+v", stored.stored, want)
	}
	if got := b.Stats()[0]; got.SetAside != 1 || got.Failures != 5 || got.Panics != 2 {
		t.Errorf("counted %+v", got)
	}
	if got := task.Waiting(10); got != nil {
		t.Errorf("%v wait although they are due", got)
	}
	broken = false
	round()
	if got := b.Stats()[0]; got.SetAside != 0 || len(stored.stored) != 0 {
		t.Errorf("after its success it is still set aside: %+v, %v", got, stored.stored)
	}
}

func TestOutageIsNoFailureOfAnItem(t *testing.T) {
	t.Parallel()
	b := newBench()
	task, item := b.Task("carts"), background.Item{Tenant: "shop", ID: "c1"}
	ended, end := context.WithCancel(t.Context())
	end()
	for range 10 {
		for _, err := range []error{fault.ErrUnavailable, fmt.Errorf("at last: %w", ports.ErrProviderUnavailable), context.Canceled} {
			_ = task.Do(t.Context(), item, func(context.Context) error { return err })
		}
		_ = task.Do(ended, item, func(context.Context) error { return errors.New("cut short") })
	}
	if got := b.Stats()[0]; got.Failures != 0 || task.Waits(item) {
		t.Errorf("counted %+v", got)
	}
}

func TestFailuresAreKeptOfABoundedNumberOfItems(t *testing.T) {
	t.Parallel()
	b := newBench()
	task := b.Task("carts")
	for i := range 10_050 {
		_ = task.Do(t.Context(), background.Item{ID: fmt.Sprint(i)}, func(context.Context) error { return errors.New(strings.Repeat("ü", 5000)) })
	}
	if n := len(task.Waiting(20_000)); n != 10_000 {
		t.Errorf("%d items are remembered", n)
	}
	b.clock = b.clock.Add(2 * time.Hour)
	if b.Stats(); len(task.Waiting(20_000)) != 0 {
		t.Error("items that never came up again are remembered")
	}
}

func TestParallelPassesAPanicOn(t *testing.T) {
	t.Parallel()
	var mu sync.Mutex
	var called []int
	defer func() {
		err, ok := recover().(*background.PanicError)
		if !ok || !strings.Contains(err.Error(), "two") || !strings.Contains(string(err.Stack), "background_test.go") {
			t.Errorf("passed on %v", err)
		}
		if slices.Sort(called); !slices.Equal(called, []int{0, 1, 2}) {
			t.Errorf("called %v", called)
		}
	}()
	background.Parallel(0, func(int) {})
	background.Parallel(3, func(i int) {
		mu.Lock()
		called = append(called, i)
		mu.Unlock()
		if i == 1 {
			panic("two")
		}
	})
	t.Error("no panic")
}
