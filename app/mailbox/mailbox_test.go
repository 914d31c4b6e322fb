package mailbox_test

import (
	"context"
	"errors"
	"fmt"
	"runtime"
	"slices"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/cartwright-dev/cartwright/app/mailbox"
)

func clock() time.Time { return time.Unix(0, 0) }

// echo returns every job as its result.
func echo(_ context.Context, _ string, _ *int, jobs []int) []int { return jobs }

func TestJobsOfOneKeyAreSerialized(t *testing.T) {
	t.Parallel()
	counts := map[string]*int{"a": new(int), "b": new(int)} // unguarded on purpose: -race is the assertion
	b := mailbox.New(mailbox.Options{MaxQueued: 10_000}, clock, func(_ context.Context, key string, _ *int, jobs []int) []int {
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

func TestQueuedJobsAreBatchedInOrder(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var runs [][]int
		release := make(chan struct{})
		b := mailbox.New(mailbox.Options{MaxBatch: 3}, clock, func(_ context.Context, _ string, _ *int, jobs []int) []int {
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

func TestFullQueueIsBusy(t *testing.T) {
	t.Parallel()
	started, release := make(chan struct{}), make(chan struct{})
	b := mailbox.New(mailbox.Options{MaxQueued: 1}, clock, func(_ context.Context, _ string, _ *int, jobs []int) []int {
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

func TestPanicFailsBatchAndDropsState(t *testing.T) {
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

func TestMissingResultsFailTheBatch(t *testing.T) {
	t.Parallel()
	b := mailbox.New(mailbox.Options{}, clock, func(context.Context, string, *int, []int) []int { return nil })
	if _, err := b.Do(t.Context(), "k", 0); err == nil {
		t.Fatal("no error")
	}
}

func TestStateIsEvictedWhenIdle(t *testing.T) {
	t.Parallel()
	now := clock()
	b := mailbox.New(mailbox.Options{IdleTTL: time.Minute}, func() time.Time { return now },
		func(_ context.Context, _ string, kept *int, jobs []int) []int {
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
		for i := range 2000 { // jobs of other keys, in every shard
			count(fmt.Sprint(i))
		}
	}
	if n := count("k"); n != 1 {
		t.Error("an idle state stayed:", n)
	}
}

func TestIdleStatesAreBounded(t *testing.T) {
	t.Parallel()
	b := mailbox.New(mailbox.Options{MaxIdleStates: 128}, clock, func(_ context.Context, _ int, kept *int, jobs []int) []int {
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

// heavy is a state that says how large it is.
type heavy struct{ n int }

func (h *heavy) StateBytes() int { return h.n }

// Idle states are bounded by their bytes: large ones leave earlier than small ones, and one that is larger than its
// share is not stored at all.
func TestIdleStatesAreBoundedByBytes(t *testing.T) {
	t.Parallel()
	const limit = 64 << 20
	for size, most := range map[int]int{100_000: limit / 100_000, 10_000: limit / 10_000, 1 << 20: 0} {
		known := 0
		b := mailbox.New(mailbox.Options{MaxIdleStates: 1 << 20, MaxIdleBytes: limit}, clock,
			func(_ context.Context, _ int, kept *heavy, jobs []int) []int {
				if kept.n > 0 {
					known++
				}
				kept.n = size
				return jobs
			})
		keys := 2 * limit / size
		for range 2 {
			for i := range keys {
				_, _ = b.Do(t.Context(), i, 0)
				b.Wait()
			}
		}
		known = 0
		for i := keys - 1; i >= 0; i-- { // the latest first, so that those that return do not displace others
			_, _ = b.Do(t.Context(), i, 0)
			b.Wait()
		}
		if known > most || most > 0 && known < most/4 {
			t.Errorf("%d states of %d bytes were kept of %d", known, size, keys)
		}
	}
}

// A hundred thousand idle keys cost nothing: no goroutine, and no memory once their states have expired.
func TestIdleKeysUseNoMemory(t *testing.T) { // not parallel: it measures the heap
	const keys, clients, size = 100_000, 50, 8 << 10 // a state as large as a cart with its response
	now := clock()
	b := mailbox.New(mailbox.Options{IdleTTL: time.Minute}, func() time.Time { return now },
		func(_ context.Context, _ int, kept *[]byte, jobs []int) []int {
			*kept = make([]byte, size)
			return jobs
		})
	heap, goroutines := heapSize(), runtime.NumGoroutine()
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
		runtime.Gosched() // clients that have just ended
	}
	if n := runtime.NumGoroutine(); n > goroutines {
		t.Errorf("%d goroutines, %d before", n, goroutines)
	}
	if grown := heapSize() - heap; grown < size || grown > 5000*size { // see Options.MaxIdleStates
		t.Errorf("%d bytes are kept of %d keys", grown, keys)
	}
	now = now.Add(time.Minute)
	b.EvictIdle()
	if grown := heapSize() - heap; grown > 1<<20 {
		t.Errorf("%d bytes are kept of keys at rest", grown)
	}
	runtime.KeepAlive(b)
}

// heapSize is the size of the heap in bytes.
func heapSize() int64 {
	var m runtime.MemStats
	runtime.GC()
	runtime.GC() // what the first one finalized
	runtime.ReadMemStats(&m)
	return int64(m.HeapAlloc)
}

func TestCanceledJobIsDropped(t *testing.T) {
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

func TestBatchOutlivesCallerButNotTimeout(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		var ended error
		b := mailbox.New(mailbox.Options{BatchTimeout: time.Minute}, clock, func(ctx context.Context, _ string, _ *int, jobs []int) []int {
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

func TestDisabledRunsInline(t *testing.T) {
	t.Parallel()
	b := mailbox.New(mailbox.Options{Disabled: true}, clock, func(_ context.Context, _ string, kept *int, jobs []int) []int {
		*kept++
		return []int{*kept * len(jobs)}
	})
	for range 3 {
		if n, err := b.Do(t.Context(), "k", 1); n != 1 || err != nil {
			t.Error(n, err)
		}
	}
	panicking := mailbox.New(mailbox.Options{Disabled: true}, clock, func(context.Context, string, *int, []int) []int { panic("boom") })
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

// The queue depth, the batch sizes, and the time that both take are observable.
func TestDepth(t *testing.T) {
	t.Parallel()
	var runs []int
	var waits, took []time.Duration
	begun, proceed := make(chan struct{}), make(chan struct{})
	var seconds atomic.Int64
	ticking := func() time.Time { return time.Unix(seconds.Load(), 0) }
	b := mailbox.New(mailbox.Options{
		OnBatch: func(jobs int) { runs = append(runs, jobs) },
		OnHandled: func(waited []time.Duration, d time.Duration) {
			waits, took = append(waits, waited...), append(took, d)
		},
	}, ticking,
		func(_ context.Context, _ string, _ *int, jobs []int) []int {
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
	for b.Depth() < 3 { // until the others are queued
		runtime.Gosched()
	}
	seconds.Add(3)
	proceed <- struct{}{}
	<-begun
	seconds.Add(2)
	proceed <- struct{}{}
	all.Wait()
	b.Wait()
	if b.Depth() != 0 || !slices.Equal(runs, []int{1, 2}) {
		t.Errorf("%d wait after runs of %v", b.Depth(), runs)
	}
	if !slices.Equal(waits, []time.Duration{0, 3 * time.Second, 3 * time.Second}) || !slices.Equal(took, []time.Duration{3 * time.Second, 2 * time.Second}) {
		t.Errorf("jobs waited %v for batches of %v", waits, took)
	}
}

// A job that makes the handler panic fails alone, wherever it stands in a batch.
func TestPoisonousJobFailsAlone(t *testing.T) {
	t.Parallel()
	begun, proceed := make(chan struct{}), make(chan struct{})
	b := mailbox.New(mailbox.Options{}, clock, func(_ context.Context, _ string, _ *int, jobs []int) []int {
		switch {
		case slices.Contains(jobs, 0):
			begun <- struct{}{}
			<-proceed
		case slices.Contains(jobs, 13):
			panic("thirteen")
		}
		return jobs
	})
	var all sync.WaitGroup
	do := func(job int) {
		n, err := b.Do(context.Background(), "k", job)
		if failed := err != nil; failed != (job == 13) || !failed && n != job {
			t.Errorf("job %d: %d, %v", job, n, err)
		}
	}
	all.Go(func() { do(0) })
	<-begun
	for job := 10; job < 16; job++ {
		all.Go(func() { do(job) })
	}
	for b.Depth() < 7 { // until the others are queued
		runtime.Gosched()
	}
	proceed <- struct{}{}
	all.Wait()
	b.Wait()
	do(1)
}
