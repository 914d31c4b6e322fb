package redis

import (
	"context"
	"errors"
	"log/slog"
	"slices"
	"sync"
	"time"

	goredis "github.com/redis/go-redis/v9"
	"github.com/sony/gobreaker/v2"
	"go.opentelemetry.io/otel/trace"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	maxQueued   = 4096 // commands in the queue; more are refused
	maxPipeline = 256  // commands in one round trip
)

// queuedCommand is one command waiting for the next pipeline.
type queuedCommand struct {
	addTo func(ctx context.Context, p goredis.Pipeliner)
	span  trace.SpanContext // the caller's span, if it is traced
	done  chan bool         // receives whether the command succeeded; buffered
}

// pipeline sends all commands queued during one round trip as the next one. There is no timer, and no
// goroutine while nothing is queued.
type pipeline struct {
	client  goredis.UniversalClient
	breaker *gobreaker.CircuitBreaker[struct{}]
	timeout time.Duration    // of one round trip, including dialing
	task    *background.Task // of sending; may be nil

	mu      sync.Mutex
	waiting []queuedCommand
	running bool
}

func newPipeline(client goredis.UniversalClient, log *slog.Logger, timeout time.Duration) *pipeline {
	return &pipeline{client: client, timeout: timeout, breaker: gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		Name:        "redis",
		Timeout:     openFor,
		ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= tripAfter },
		OnStateChange: func(_ string, from, to gobreaker.State) {
			switch {
			case from == gobreaker.StateClosed: // logged once per outage, not on every failed probe
				log.Warn("Redis is unavailable; falling back to the database")
			case to == gobreaker.StateClosed:
				log.Info("Redis is available again")
			}
		},
	})}
}

// do runs one command and reports whether it succeeded before ctx ended.
func (p *pipeline) do(ctx context.Context, add func(context.Context, goredis.Pipeliner)) bool {
	done := p.sendTraced(trace.SpanContextFromContext(ctx), add)
	if done == nil {
		return false
	}
	select {
	case ok := <-done:
		return ok
	case <-ctx.Done():
		return false
	}
}

// send queues a command and does not wait; nil when there is no room or the breaker is open.
func (p *pipeline) send(add func(context.Context, goredis.Pipeliner)) <-chan bool {
	return p.sendTraced(trace.SpanContext{}, add)
}

func (p *pipeline) sendTraced(from trace.SpanContext, add func(context.Context, goredis.Pipeliner)) <-chan bool {
	if p.circuitOpen() {
		return nil
	}
	p.mu.Lock()
	defer p.mu.Unlock()
	if len(p.waiting) >= maxQueued {
		return nil
	}
	e := queuedCommand{add, from, make(chan bool, 1)}
	p.waiting = append(p.waiting, e)
	if !p.running {
		p.running = true
		p.task.Start(p.run) // one round trip serves many callers, so it has a deadline of its own
	}
	return e.done
}

// Circuit is the state of the breaker.
func (c *Client) Circuit() ports.Circuit {
	return ports.Circuit{Name: "redis", State: ports.CircuitState(c.pipe.breaker.State().String())}
}

func (p *pipeline) circuitOpen() bool { return p.breaker.State() == gobreaker.StateOpen }

func (p *pipeline) run() {
	for {
		p.mu.Lock()
		n := min(len(p.waiting), maxPipeline)
		batch := p.waiting[:n:n]
		p.waiting = p.waiting[n:]
		p.running = n > 0
		p.mu.Unlock()
		if n == 0 {
			return
		}
		worked := make([]bool, n)
		_ = p.task.Call(func() error { // the outcome is in worked
			_, err := p.breaker.Execute(func() (struct{}, error) { return struct{}{}, p.roundTrip(batch, worked) })
			return err
		})
		for i, e := range batch {
			e.done <- worked[i]
		}
	}
}

// roundTrip records which commands worked. An error of a command affects that command only; roundTrip itself
// errors when an answer is missing or all answers are errors.
func (p *pipeline) roundTrip(batch []queuedCommand, worked []bool) error {
	ctx, cancel := context.WithTimeout(context.Background(), p.timeout)
	defer cancel()
	// The round trip is recorded in the first sampled trace.
	if i := slices.IndexFunc(batch, func(e queuedCommand) bool { return e.span.IsSampled() }); i >= 0 {
		ctx = trace.ContextWithSpanContext(ctx, batch[i].span)
	}
	pipe := p.client.Pipeline()
	ends := make([]int, len(batch)) // where the commands of a batch entry end
	for i, e := range batch {
		e.addTo(ctx, pipe)
		ends[i] = pipe.Len()
	}
	commands, err := pipe.Exec(ctx) // its error is the first command's, which may be a harmless Nil
	if len(commands) < ends[len(ends)-1] {
		return err
	}
	var refusal, loss error
	from := 0
	for i, end := range ends {
		err := firstError(commands[from:end])
		from, worked[i] = end, err == nil
		if _, said := errors.AsType[goredis.Error](err); said {
			refusal = err
		} else if err != nil {
			loss = err
		}
	}
	if loss == nil && !slices.Contains(worked, true) {
		return refusal
	}
	return loss
}

// firstError is the first error of commands. A missing key is not an error.
func firstError(commands []goredis.Cmder) error {
	for _, c := range commands {
		if err := c.Err(); err != nil && !errors.Is(err, goredis.Nil) {
			return err
		}
	}
	return nil
}
