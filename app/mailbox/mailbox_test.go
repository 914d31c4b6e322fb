package mailbox_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cartwright-dev/cartwright/app/mailbox"
)

func clock() time.Time { return time.Unix(0, 0) }

// echo answers every job with itself.
func echo(_ context.Context, _ string, _ *int, jobs []int) []int { return jobs }

func TestWorkOfOneKeyRunsOneAtATime(t *testing.T) {
	t.Parallel()
	counts := map[string]*int{"a": new(int), "b": new(int)} // unguarded on purpose: -race is the assertion
	b := mailbox.New(mailbox.Options{Depth: 10_000}, clock, func(_ context.Context, key string, _ *int, jobs []int) []int {
		*counts[key] += len(jobs)
		return jobs
	})
	var wg sync.WaitGroup
	for i := range 2000 {
		for key := range counts {
			wg.Go(func() {
				if got, err := b.Do(t.Context(), key, i); err != nil || got != i {
					t.Error(got, err)
				}
			})
		}
	}
	wg.Wait()
	b.Wait()
	if *counts["a"] != 2000 || *counts["b"] != 2000 {
		t.Fatal(*counts["a"], *counts["b"])
	}
}

func TestWhatPiledUpIsHandedOverTogetherAndInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var runs [][]int
		release := make(chan struct{})
		b := mailbox.New(mailbox.Options{Run: 3}, clock, func(_ context.Context, _ string, _ *int, jobs []int) []int {
			runs = append(runs, append([]int(nil), jobs...))
			<-release
			return jobs
		})
		for i := range 6 {
			go func() { _, _ = b.Do(t.Context(), "k", i) }()
			synctest.Wait()
		}
		close(release)
		b.Wait()
		want := [][]int{{0}, {1, 2, 3}, {4, 5}}
		if len(runs) != 3 || len(runs[1]) != 3 || runs[1][0] != 1 || runs[1][2] != 3 || len(runs[2]) != 2 {
			t.Fatalf("runs %v, want %v", runs, want)
		}
	})
}

func TestAFullBoxRefuses(t *testing.T) {
	t.Parallel()
	started, release := make(chan struct{}), make(chan struct{})
	b := mailbox.New(mailbox.Options{Depth: 1}, clock, func(_ context.Context, _ string, _ *int, jobs []int) []int {
		close(started)
		<-release
		return jobs
	})
	go func() { _, _ = b.Do(t.Context(), "k", 1) }()
	<-started
	if _, err := b.Do(t.Context(), "k", 2); !errors.Is(err, mailbox.ErrBusy) {
		t.Error(err)
	}
	close(release)
	b.Wait()
}

func TestAPanicFailsItsJobsOnlyAndForgetsTheState(t *testing.T) {
	t.Parallel()
	b := mailbox.New(mailbox.Options{}, clock, func(_ context.Context, _ string, kept *int, jobs []int) []int {
		*kept += 10
		if jobs[0] == 0 {
			panic("boom")
		}
		return []int{*kept}
	})
	if _, err := b.Do(t.Context(), "k", 0); err == nil || !strings.Contains(err.Error(), "boom") {
		t.Fatal(err)
	}
	if got, err := b.Do(t.Context(), "k", 1); err != nil || got != 10 {
		t.Fatal(got, err)
	}
}

func TestTooFewAnswersFailTheJobs(t *testing.T) {
	t.Parallel()
	b := mailbox.New(mailbox.Options{}, clock, func(context.Context, string, *int, []int) []int { return nil })
	if _, err := b.Do(t.Context(), "k", 0); err == nil {
		t.Fatal("no error")
	}
}

func TestAStateIsKeptWhileTheKeyIsInUseAndForgottenWhenIdle(t *testing.T) {
	t.Parallel()
	now := clock()
	b := mailbox.New(mailbox.Options{Idle: time.Minute}, func() time.Time { return now }, func(_ context.Context, _ string, kept *int, jobs []int) []int {
		*kept++
		return []int{*kept}
	})
	count := func(key string) int {
		n, err := b.Do(t.Context(), key, 0)
		if err != nil {
			t.Fatal(err)
		}
		b.Wait()
		return n
	}
	if count("k") != 1 || count("k") != 2 {
		t.Error("the state was not kept")
	}
	for range 2 {
		now = now.Add(time.Minute)
		for i := range 2000 { // work of other keys, in every shard
			count(fmt.Sprint(i))
		}
	}
	if n := count("k"); n != 1 {
		t.Error("an idle state stayed:", n)
	}
}

func TestKeptStatesAreBounded(t *testing.T) {
	t.Parallel()
	b := mailbox.New(mailbox.Options{Keep: 128}, clock, func(_ context.Context, _ int, kept *int, jobs []int) []int {
		*kept++
		return []int{*kept}
	})
	for i := range 10_000 {
		_, _ = b.Do(t.Context(), i, 0)
	}
	b.Wait()
	known := 0
	for i := range 10_000 {
		if n, _ := b.Do(t.Context(), i, 0); n > 1 {
			known++
		}
		b.Wait()
	}
	if known > 256 {
		t.Error(known, "states were kept")
	}
}

// A hundred thousand keys at rest cost nothing: no goroutine, and no memory once their states have been kept for long enough.
func TestKeysAtRestCostNothing(t *testing.T) { // alone: it weighs the heap
	const keys, clients, size = 100_000, 50, 8 << 10 // a state as large as a cart with its answer
	now := clock()
	b := mailbox.New(mailbox.Options{Idle: time.Minute}, func() time.Time { return now }, func(_ context.Context, _ int, kept *[]byte, jobs []int) []int {
		*kept = make([]byte, size)
		return jobs
	})
	heap, goroutines := weigh(), runtime.NumGoroutine()
	var wg sync.WaitGroup
	for i := range clients {
		wg.Go(func() {
			for key := i; key < keys; key += clients {
				if _, err := b.Do(t.Context(), key, 1); err != nil {
					t.Error(err)
				}
			}
		})
	}
	wg.Wait()
	b.Wait()
	for end := time.Now().Add(10 * time.Second); runtime.NumGoroutine() > goroutines && time.Now().Before(end); {
		runtime.Gosched() // clients that just ended
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines, %d before", n, goroutines)
	}
	if grown := weigh() - heap; grown < size || grown > 5000*size { // see Options.Keep
		t.Errorf("%d bytes are kept of %d keys", grown, keys)
	}
	now = now.Add(time.Minute)
	b.Tidy()
	if grown := weigh() - heap; grown > 1<<20 {
		t.Errorf("%d bytes are kept of keys at rest", grown)
	}
	runtime.KeepAlive(b)
}

// weigh is what the heap holds, in bytes.
func weigh() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what the first one finalized
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestAJobGivenUpBeforeItsTurnIsDropped(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		release := make(chan struct{})
		var done []int
		b := mailbox.New(mailbox.Options{}, clock, func(_ context.Context, _ string, _ *int, jobs []int) []int {
			<-release
			done = append(done, jobs...)
			return jobs
		})
		go func() { _, _ = b.Do(t.Context(), "k", 1) }()
		synctest.Wait()
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		if _, err := b.Do(ctx, "k", 2); !errors.Is(err, context.DeadlineExceeded) {
			t.Error(err)
		}
		close(release)
		b.Wait()
		if len(done) != 1 || done[0] != 1 {
			t.Error(done)
		}
	})
}

func TestARunOutlivesTheCallerWhoGivesUpButNotItsLimit(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var ended error
		b := mailbox.New(mailbox.Options{Limit: time.Minute}, clock, func(ctx context.Context, _ string, _ *int, jobs []int) []int {
			<-ctx.Done()
			ended = ctx.Err()
			return jobs
		})
		ctx, cancel := context.WithTimeout(t.Context(), time.Second)
		defer cancel()
		start := time.Now()
		_, _ = b.Do(ctx, "k", 1)
		b.Wait()
		if !errors.Is(ended, context.DeadlineExceeded) || time.Since(start) != time.Minute {
			t.Error(ended, time.Since(start))
		}
	})
}

func TestSwitchedOffEachCallRunsAlone(t *testing.T) {
	t.Parallel()
	b := mailbox.New(mailbox.Options{Off: true}, clock, func(_ context.Context, _ string, kept *int, jobs []int) []int {
		*kept++
		return []int{*kept * len(jobs)}
	})
	for range 3 {
		if n, err := b.Do(t.Context(), "k", 1); n != 1 || err != nil {
			t.Error(n, err)
		}
	}
	panicking := mailbox.New(mailbox.Options{Off: true}, clock, func(context.Context, string, *int, []int) []int { panic("boom") })
	if _, err := panicking.Do(t.Context(), "k", 1); err == nil {
		t.Error("a panic got through")
	}
}

func BenchmarkDo(bench *testing.B) {
	b := mailbox.New(mailbox.Options{}, clock, echo)
	for i := 0; bench.Loop(); i++ {
		_, _ = b.Do(bench.Context(), "k", i)
	}
}

// How much waits, and how much was done at once, can be told at any time.
func TestBoxesTellHowMuchThereIs(t *testing.T) {
	t.Parallel()
	var runs []int
	begun, proceed := make(chan struct{}), make(chan struct{})
	b := mailbox.New(mailbox.Options{Ran: func(jobs int) { runs = append(runs, jobs) }}, clock, func(_ context.Context, _ string, _ *int, jobs []int) []int {
		begun <- struct{}{}
		<-proceed
		return jobs
	})
	var all sync.WaitGroup
	do := func() { _, _ = b.Do(context.Background(), "k", 1) }
	all.Go(do)
	<-begun
	all.Go(do)
	all.Go(do)
	for b.Depth() < 3 { // until the others have come
		runtime.Gosched()
	}
	proceed <- struct{}{}
	<-begun
	proceed <- struct{}{}
	all.Wait()
	b.Wait()
	if b.Depth() != 0 || !slices.Equal(runs, []int{1, 2}) {
		t.Errorf("%d wait after runs of %v", b.Depth(), runs)
	}
}
