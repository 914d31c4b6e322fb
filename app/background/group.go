package background

import "sync"

// Group is goroutines of a task that are waited for together. Its zero value recovers and logs.
type Group struct {
	Task *Task

	running sync.WaitGroup
}

// Start runs work on a goroutine of its own. A panic is logged and counted. It must not be called after Wait was,
// except by a goroutine of the group.
func (g *Group) Start(work func()) {
	g.running.Go(func() {
		_ = g.Task.Call(func() error { work(); return nil }) // a panic was logged, before Wait returns
	})
}

// Wait returns when all goroutines have ended.
func (g *Group) Wait() { g.running.Wait() }

// Parallel calls work for 0 to n-1 at the same time, the last on the goroutine of the caller, and returns when all
// calls have returned. The first panic of a call is passed on to the caller, as a *PanicError.
func Parallel(n int, work func(i int)) {
	panics := make([]*PanicError, n)
	call := func(i int) {
		defer func() {
			if v := recover(); v != nil {
				panics[i] = asPanicError(v)
			}
		}()
		work(i)
	}
	var all sync.WaitGroup
	for i := range n - 1 {
		all.Go(func() { call(i) })
	}
	if n > 0 {
		call(n - 1)
	}
	all.Wait()
	for _, err := range panics {
		if err != nil {
			panic(err)
		}
	}
}
