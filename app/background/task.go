package background

import (
	"context"
	"errors"
	"fmt"
	"runtime/debug"
	"time"
)

// The delay before a loop begins again. It doubles from the first to the second, and begins anew after the loop
// has run for longer than the second.
const (
	minRestartDelay = 100 * time.Millisecond
	maxRestartDelay = 30 * time.Second
)

// PanicError is a panic of background work as an error.
type PanicError struct {
	Value any // what the code panicked with
	Stack []byte
}

// Error implements error.
func (e *PanicError) Error() string { return fmt.Sprintf("panic: %v", e.Value) }

// Unwrap is the value if that is an error.
func (e *PanicError) Unwrap() error {
	err, _ := e.Value.(error)
	return err
}

// asPanicError is v, which was recovered, as an error. One that Parallel has passed on keeps its stack.
func asPanicError(v any) *PanicError {
	if err, ok := v.(*PanicError); ok {
		return err
	}
	return &PanicError{v, debug.Stack()}
}

// errLoopEnded: a loop returned without an error although its context had not ended.
var errLoopEnded = errors.New("the loop ended")

// Start runs work on a goroutine of its own. A panic is logged and counted.
func (t *Task) Start(work func()) {
	go func() {
		_ = t.Call(func() error { work(); return nil }) // a panic was logged
	}()
}

// Call runs work on the goroutine of the caller. Errors: those of work, and a *PanicError, which is logged and
// counted.
func (t *Task) Call(work func() error) (err error) {
	defer func() {
		if v := recover(); v != nil {
			err = t.recordPanic(v)
		}
	}()
	return work()
}

func (t *Task) recordPanic(v any) error {
	err := asPanicError(v)
	if t == nil {
		(*Runner)(nil).log().Error("background work panicked", "error", err.Error(), "stack", string(err.Stack))
		return err
	}
	t.panics.Add(1)
	t.runner.log().Error("background work panicked", "task", t.name, "error", err.Error(), "stack", string(err.Stack))
	return err
}

// Run runs loop until ctx ends, and begins it again after a delay whenever it returns or panics before.
func (t *Task) Run(ctx context.Context, loop func(ctx context.Context) error) {
	delay := minRestartDelay
	for ctx.Err() == nil {
		began := t.runner.now()
		err := t.Call(func() error { return loop(ctx) })
		if ctx.Err() != nil {
			return
		}
		if err == nil {
			err = errLoopEnded
		}
		t.restarts.Add(1)
		if t.runner.now().Sub(began) > maxRestartDelay {
			delay = minRestartDelay
		}
		t.runner.log().Error("background loop failed; it begins again", "task", t.name, "delay", delay.String(), "error", err.Error())
		t.runner.wait(ctx, delay)
		delay = min(2*delay, maxRestartDelay)
	}
}
