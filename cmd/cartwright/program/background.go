package program

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/redis"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/cataloging"
	"github.com/cartwright-dev/cartwright/app/eventfeed"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/app/personaldata"
	"github.com/cartwright-dev/cartwright/app/reports"
	"github.com/cartwright-dev/cartwright/app/tenantdeletion"
	"github.com/cartwright-dev/cartwright/ports"
)

// How often each sweep runs: for what somebody waits, such as stock that expired reservations hold; for what only takes
// up room; and for old events.
const (
	sweepInterval = 5 * time.Second
	tidyInterval  = time.Minute
	trimInterval  = time.Hour
	clockInterval = 10 * time.Second
)

// newRunner makes what all background work of the process runs on.
func (k *platform) newRunner() *background.Runner {
	return background.New(background.Options{Log: k.log, Now: k.now})
}

// listBackgroundFailures lists what background work of all instances has set aside.
func (s *Server) listBackgroundFailures(ctx context.Context, limit int) ([]ports.BackgroundFailure, int, error) {
	return s.store.BackgroundFailures().List(ctx, limit)
}

// startLoops starts the background loops; the returned function waits for all of them to end.
func (s *Server) startLoops(ctx context.Context) (ended func()) {
	var loops background.Group
	for name, loop := range map[string]func(context.Context) error{
		"sequencer":       s.store.RunSequencer,
		"payments":        s.paymentPoller.Run,
		"streams":         s.eventFeed.Run,
		"price changes":   s.invalidateOffers,
		"sweeper":         s.repeat(sweepInterval, s.release),
		"expired rows":    s.repeat(tidyInterval, s.sweep),
		"abandoned carts": s.repeat(tidyInterval, s.sweepCarts),
		"files":           s.repeat(tidyInterval, s.sweepFiles),
		"usage":           s.flushUsage,
		"webhooks":        s.deliveries.Run,
		"search indexes":  s.indexer.Run,
		"product indexes": s.productIndexer.Run,
		"jobs":            s.jobs.Run,
		"ended jobs":      s.repeat(tidyInterval, s.sweepJobs),
		"notices":         s.newTeller().Run,
		"mail plans":      s.newMailPlanner().Run,
		"mails":           s.mailing.sender.Run,
		"messages":        s.mailing.messages.Run,
		"old mails":       s.repeat(tidyInterval, s.forgetMails()),
		"seen notices":    s.repeat(tidyInterval, s.forgetNotices()),
		"old events":      s.repeat(trimInterval, s.trimEvents),
		"confirmations":   s.repeat(sweepInterval, s.confirmDelivered(s.confirmations())),
		"publications":    s.repeat(sweepInterval, s.publishDue()),
		"unpaid orders":   s.repeat(sweepInterval, s.cancelUnpaid()),
		"erasures":        s.repeat(sweepInterval, s.goOnErasing()),
		"clock":           s.repeat(clockInterval, s.readClock),
		"email tokens":    s.repeat(sweepInterval, s.retryEmailRequests),
		"idle memory":     s.repeat(tidyInterval, newIdleMemory().look),
		"reports":         s.repeat(sweepInterval, s.addUpReports(s.newReportMaker())),
		"deleted tenants": s.repeat(sweepInterval, s.eraseTenants(s.newEraser())),
	} {
		loops.Start(func() { s.background.Task(name).Run(ctx, loop) })
	}
	return loops.Wait
}

// invalidateOffers drops cached prices and discount codes that other instances and commands changed.
func (s *Server) invalidateOffers(ctx context.Context) error {
	return s.offerCache.Follow(ctx, s.store)
}

// settleTime is how long work that is repeated waits at first, so that a server is ready before it tidies up.
const settleTime = 500 * time.Millisecond

// repeat runs work periodically, and again at once while there is more to do.
func (s *Server) repeat(every time.Duration, work func(context.Context) (more bool)) func(context.Context) error {
	return func(ctx context.Context) error {
		select {
		case <-ctx.Done():
		case <-time.After(settleTime):
		}
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

// release releases expired reservations.
func (s *Server) release(ctx context.Context) (more bool) {
	s.carts.EvictIdle()
	s.recent.EvictOld()
	done, err := s.store.ReleaseExpired(ctx, s.now())
	if err != nil && ctx.Err() == nil {
		s.log.Warn("expired reservations could not be released; will retry", "error", err)
	}
	return err == nil && done.More()
}

// sweep deletes what has expired.
func (s *Server) sweep(ctx context.Context) (more bool) {
	done, err := s.store.Sweep(ctx, s.now())
	if err != nil && ctx.Err() == nil {
		s.log.Warn("expired rows could not be removed; will retry", "error", err)
	}
	return err == nil && done.More()
}

// sweepCarts marks abandoned carts.
func (s *Server) sweepCarts(ctx context.Context) (more bool) {
	_, more, err := s.carts.Sweep(ctx, ports.Scope{System: true})
	if err != nil && ctx.Err() == nil {
		s.log.Warn("abandoned carts could not be marked; will retry", "error", err)
	}
	return more
}

// confirmations confirms orders that were delivered long enough ago.
func (s *Server) confirmations() *orders.AutoConfirmer {
	return &orders.AutoConfirmer{Store: s.invalidatingStore, Now: s.now, NewID: newID, Task: s.background.Task("confirmations")}
}

// confirmDelivered continues the round over all tenants; RunRound decides when the next round begins.
func (s *Server) confirmDelivered(f *orders.AutoConfirmer) func(context.Context) (more bool) {
	return func(ctx context.Context) (more bool) {
		more, err := f.RunRound(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("delivered orders could not be confirmed; will retry", "error", err)
		}
		return more
	}
}

// publishDue publishes products whose time has come.
func (s *Server) publishDue() func(context.Context) (more bool) {
	p := &cataloging.Publisher{Store: s.invalidatingStore, Now: s.now, NewID: newID, Task: s.background.Task("publications")}
	return func(ctx context.Context) (more bool) {
		more, err := p.Run(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("products that are due could not be published; will retry", "error", err)
		}
		return more
	}
}

// cancelUnpaid continues the round over all tenants that cancels orders which were not paid in time.
func (s *Server) cancelUnpaid() func(context.Context) (more bool) {
	u := &orders.UnpaidExpiry{
		Store: s.invalidatingStore, Canceler: s.refunds.Canceler, Now: s.now, Task: s.background.Task("unpaid orders"),
	}
	return func(ctx context.Context) (more bool) {
		more, err := u.RunRound(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("unpaid orders could not be canceled; will retry", "error", err)
		}
		return more
	}
}

// goOnErasing continues the erasures of customers and guests.
func (s *Server) goOnErasing() func(context.Context) (more bool) {
	e := &personaldata.Eraser{
		Store: s.invalidatingStore, Find: s.store.ErasureFinder(), Now: s.now, NewID: newID, Fold: foldCase, Task: s.background.Task("erasures"),
	}
	return func(ctx context.Context) (more bool) {
		more, err := e.Run(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("somebody could not be erased; will retry", "error", err)
		}
		return more
	}
}

// newReportMaker makes what adds up the days of reports.
func (k *platform) newReportMaker() *reports.Maker {
	return &reports.Maker{
		Store: k.invalidatingStore, Reports: k.store.Reports(), Sums: k.store.ReportSums(), Now: k.now, Task: k.background.Task("reports"),
	}
}

// addUpReports continues the round over all tenants that adds up the days of reports which have ended.
func (s *Server) addUpReports(m *reports.Maker) func(context.Context) (more bool) {
	return func(ctx context.Context) (more bool) {
		more, err := m.RunRound(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("days of reports could not be added up; will retry", "error", err)
		}
		return more
	}
}

// newEraser makes what erases tenants.
func (s *Server) newEraser() *tenantdeletion.Eraser {
	e := &tenantdeletion.Eraser{
		Store: s.store, Erasure: s.store.TenantErasure(), Owners: []tenantdeletion.FileOwner{tenantdeletion.MediaFiles}, Files: s.uploads.Sweep,
		Now: s.now, Task: s.background.Task("deleted tenants"),
	}
	for _, kind := range s.jobs.Kinds {
		e.Owners = append(e.Owners, tenantdeletion.FileOwner{Schema: kind.Schema, Blobs: kind.Blobs})
	}
	if s.shared.redis != nil {
		e.Cache = redis.NewTenantCache(redis.NewReceipts(s.shared.redis, redisPrefix, s.store), redis.NewSharedCounter(s.shared.redis, redisPrefix))
	}
	return e
}

// eraseTenants goes on with the deletions of tenants that are under way.
func (s *Server) eraseTenants(e *tenantdeletion.Eraser) func(context.Context) (more bool) {
	return func(ctx context.Context) (more bool) {
		more, err := e.Run(ctx)
		if err != nil && ctx.Err() == nil {
			s.log.Warn("deleted tenants could not be erased; will retry", "error", err)
		}
		return more
	}
}

// readClock reads the time of the database.
func (s *Server) readClock(ctx context.Context) (more bool) {
	if err := s.clock.read(ctx, s.store.Time); err != nil && ctx.Err() == nil {
		s.log.Warn("the time of the database could not be read; the last reading counts", "error", err)
	}
	return false
}

// sweepFiles deletes the bytes of files without a record.
func (s *Server) sweepFiles(ctx context.Context) (more bool) {
	more, err := s.uploads.Sweep(ctx)
	if err != nil && ctx.Err() == nil {
		s.log.Warn("orphaned files could not be removed; will retry", "error", err)
	}
	return more
}

// sweepJobs removes exports and imports whose time is over.
func (s *Server) sweepJobs(ctx context.Context) (more bool) {
	more, err := s.jobs.Sweep(ctx)
	if err != nil && ctx.Err() == nil {
		s.log.Warn("ended jobs could not be removed; will retry", "error", err)
	}
	return more
}

// retryEmailRequests works on requests for email tokens whose process ended before they were finished.
func (s *Server) retryEmailRequests(ctx context.Context) (more bool) {
	more, err := s.access.RetryRequests(ctx)
	if err != nil && ctx.Err() == nil {
		s.log.Warn("requests for email tokens could not be read; will retry", "error", err)
	}
	return more
}

// trimEvents deletes old events.
func (s *Server) trimEvents(ctx context.Context) (more bool) {
	t := eventfeed.Retention{
		Store: s.store, Log: s.store.EventLog(), KeepFor: s.config.EventRetention, Now: s.now, Task: s.background.Task("old events"),
	}
	more, err := t.RunRound(ctx)
	if err != nil && ctx.Err() == nil {
		s.log.Warn("old events could not be trimmed; will retry", "error", err)
	}
	return more
}

// flushUsage persists the counts of API calls.
func (s *Server) flushUsage(ctx context.Context) error {
	return s.meter.Run(ctx, func(err error) {
		s.log.Warn("usage counts could not be stored; will retry", "error", err)
	})
}
