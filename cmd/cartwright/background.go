package main

import (
	"context"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/app/ordering"
	"github.com/cartwright-dev/cartwright/app/streaming"
	"github.com/cartwright-dev/cartwright/ports"
)

// How often to sweep: stock promised to nobody any more is given back soon, carts expire after weeks.
const (
	sweepEvery   = 5 * time.Second
	abandonEvery = time.Minute
	trimEvery    = time.Hour
)

// background starts what runs beside requests; the answer waits for all of it to end.
func (s *Server) background(ctx context.Context) (ended func()) {
	var wg sync.WaitGroup
	for name, loop := range map[string]func(context.Context) error{
		"sequencer": s.store.RunSequencer, "payments": s.buying.Run, "streams": s.streams.Run, "news of prices": s.followPrices,
		"sweeper": s.repeat(sweepEvery, s.sweep), "abandoned carts": s.repeat(abandonEvery, s.abandon), "files": s.repeat(sweepEvery, s.sweepFiles),
		"usage": s.countCalls, "webhooks": s.delivering.Run, "old events": s.repeat(trimEvery, s.trim), "confirmations": s.repeat(sweepEvery, s.confirm(s.confirmations())),
	} {
		wg.Go(func() {
			if err := loop(ctx); err != nil && ctx.Err() == nil {
				s.log.Error("a background loop ended", "loop", name, "error", err)
			}
		})
	}
	return wg.Wait
}

// followPrices has carts forget prices and codes that other instances and commands changed.
func (s *Server) followPrices(ctx context.Context) error { return s.facts.Follow(ctx, s.store) }

// repeat is a loop that does work every so often, and again at once while there is more of it.
func (s *Server) repeat(every time.Duration, work func(context.Context) (more bool)) func(context.Context) error {
	return func(ctx context.Context) error {
		tick := time.NewTicker(every)
		defer tick.Stop()
		for ctx.Err() == nil {
			if work(ctx) {
				continue
			}
			select {
			case <-ctx.Done():
			case <-tick.C:
			}
		}
		return nil
	}
}

// sweep ends promises and forgets what has expired.
func (s *Server) sweep(ctx context.Context) (more bool) {
	s.carts.Tidy()
	done, err := s.store.Sweep(ctx, s.now())
	if err != nil && ctx.Err() == nil {
		s.log.Warn("what has expired could not be swept", "error", err)
	}
	return err == nil && done.More()
}

// abandon writes down which carts are abandoned.
func (s *Server) abandon(ctx context.Context) (more bool) {
	_, more, err := s.carts.Sweep(ctx, ports.Scope{System: true})
	if err != nil && ctx.Err() == nil {
		s.log.Warn("expired carts could not be swept", "error", err)
	}
	return more
}

// confirmations confirms what was delivered long enough ago.
func (s *Server) confirmations() *ordering.Confirmations {
	return &ordering.Confirmations{Store: s.watched, Now: s.now, NewID: newID}
}

// confirm goes on with the round over all shops, which has its own pace.
func (s *Server) confirm(f *ordering.Confirmations) func(context.Context) (more bool) {
	return func(ctx context.Context) (more bool) {
		more, err := f.Round(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("delivered orders could not be confirmed; that is tried again", "error", err)
		}
		return more
	}
}

// sweepFiles removes the bytes of files whose records are gone, or never came to be.
func (s *Server) sweepFiles(ctx context.Context) (more bool) {
	more, err := s.library.Sweep(ctx)
	if err != nil && ctx.Err() == nil {
		s.log.Warn("files without a record could not be removed; that is tried again", "error", err)
	}
	return more
}

// trim forgets what happened long ago.
func (s *Server) trim(ctx context.Context) (more bool) {
	t := streaming.Trimming{Store: s.store, Log: s.store.EventLog(), Kept: s.config.EventsKept, Now: s.now}
	if err := t.Round(ctx); err != nil && ctx.Err() == nil {
		s.log.Warn("old events could not be trimmed; that is tried again", "error", err)
	}
	return false
}

// countCalls writes down how many calls were made.
func (s *Server) countCalls(ctx context.Context) error {
	return s.meter.Run(ctx, func(err error) {
		s.log.Warn("how many calls were made could not be written down; that is tried again", "error", err)
	})
}
