package payments

import (
	"context"
	"errors"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/connections"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const defaultPollInterval = 5 * time.Second

// Poller settles open payments and refunds, and ends what has expired: it recovers what a crash, a lost
// answer or a closed browser window left behind. Any number of instances may run it.
type Poller struct {
	core

	settler   *Settler
	checkouts *checkouts.Service
	refunds   RefundSettler
	interval  time.Duration
}

// NewPoller makes a poller whose rounds are this interval apart; 0: 5 s.
func NewPoller(s *Service, c *checkouts.Service, refunds RefundSettler, interval time.Duration) *Poller {
	if interval <= 0 {
		interval = defaultPollInterval
	}
	return &Poller{core: s.core, settler: s.Settler, checkouts: c, refunds: refunds, interval: interval}
}

// Run polls until ctx ends.
func (p *Poller) Run(ctx context.Context) error {
	r := pollRounds{Poller: p, scope: ports.Scope{System: true}, interval: p.interval, lookups: newLookupPool()}
	defer r.lookups.wait()
	tick := time.NewTicker(p.interval)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			r.poll(ctx)
		}
	}
}

// PollOnce does one round of what Run repeats, over every open payment of the scope whatever its age.
func (p *Poller) PollOnce(ctx context.Context, scope ports.Scope) {
	r := pollRounds{Poller: p, scope: scope, lookups: newLookupPool()}
	r.poll(ctx)
	r.lookups.wait()
}

// pollRounds is rounds of polling and what they remember.
type pollRounds struct {
	*Poller

	scope      ports.Scope
	interval   time.Duration // 0: everything is due
	lookups    *lookupPool
	refundPoll refundPoll
	rounds     int
}

// Slots that are never freed stay held for good, so that held sessions become many: most rounds list only
// recent ones. Sessions that an operator released are listed in the full rounds for a while: releasing frees
// the slot, but the buyer may still pay.
const (
	recentAge     = time.Hour
	fullListEvery = 12 // rounds
	releasedAge   = 7 * 24 * time.Hour
)

func (p *pollRounds) poll(ctx context.Context) {
	p.pollPayments(ctx)
	p.pollRefunds(ctx)
	p.expireCheckouts(ctx)
}

// lookupInterval is the time between two lookups of a session of this age: buyers pay within minutes, banks
// within days.
func (p *pollRounds) lookupInterval(age time.Duration) time.Duration {
	switch {
	case age < 5*time.Minute:
		return p.interval
	case age < time.Hour:
		return 6 * p.interval
	case age < 24*time.Hour:
		return 60 * p.interval
	}
	return 720 * p.interval
}

// pollPayments starts to settle the sessions that hold a slot and are due, each connection by itself: a
// provider that hangs delays no other connection, not even the next round.
func (p *pollRounds) pollPayments(ctx context.Context) {
	s := payment.Sessions
	now := p.now()
	due, listed := map[string][]payment.Session{}, map[string]bool{}
	add := func(r collection.Record) {
		listed[r.ID()] = true
		if now.Sub(p.lookups.lastLookup(r.ID())) >= p.lookupInterval(now.Sub(r.Time("createdAt"))) {
			one := payment.SessionFrom(r)
			due[one.Connection] = append(due[one.Connection], one)
		}
	}
	since := func(field string, age time.Duration) collection.Comparison {
		return s.Where(field, collection.GreaterThan, collection.TruncateTime(now.Add(-age)))
	}
	open := s.Where("slotHeld", collection.Equals, true)
	if p.rounds%fullListEvery != 0 {
		p.eachRecord(ctx, s, collection.And{open, since("createdAt", recentAge)}, add)
	} else {
		complete := p.eachRecord(ctx, s, open, add) && p.eachRecord(ctx, s, collection.And{
			s.Where("status", collection.In, string(payment.StatusCanceled), string(payment.StatusFailed), string(payment.StatusExpired)),
			since("updatedAt", releasedAge),
		}, func(r collection.Record) {
			if r.Text("note") != "" { // released by an operator; without a note the provider said that nobody can pay
				add(r)
			}
		})
		if complete {
			p.lookups.keepOnly(listed)
		}
	}
	p.rounds++
	for connection, sessions := range due { // in random order: fair when there are more connections than the pool takes
		p.lookups.start(connection, now, sessions,
			func(s payment.Session, ask bool) (unreachable bool) { return p.pollSession(ctx, s, now, ask) })
	}
}

// pollSession settles a session, unless its provider is not to be asked, and ends its reservation when that
// has expired. It reports whether the provider could not be reached.
func (p *pollRounds) pollSession(ctx context.Context, s payment.Session, now time.Time, ask bool) (unreachable bool) {
	if ask && s.Kind != payment.Custom { // custom sessions have no provider to ask
		o, err := p.settler.Settle(ctx, s.Tenant, s.ID)
		if err != nil && ctx.Err() == nil {
			p.log.WarnContext(ctx, "payment lookup failed; will retry", "tenant", s.Tenant, "session", s.ID, "error", err)
		}
		if err == nil {
			s = p.closeLeftover(ctx, o)
		}
		unreachable = errors.Is(err, ports.ErrProviderUnavailable)
	}
	if !s.SlotHeld || now.Before(s.ExpiresAt) {
		return unreachable
	}
	if err := p.expireSession(ctx, s); err != nil && ctx.Err() == nil {
		p.log.WarnContext(ctx, "reservation could not be released; will retry", "tenant", s.Tenant, "session", s.ID, "error", err)
	}
	return unreachable
}

// closeLeftover closes a session that may still be paid although its checkout cannot become an order any more,
// and returns it as it is then.
func (p *Poller) closeLeftover(ctx context.Context, o Outcome) payment.Session {
	x := checkout.FromRecord(o.Checkout)
	if x.Status != checkout.Completed && x.Status != checkout.Canceled {
		return o.Session
	}
	s, err := p.settler.closeReleased(ctx, o.Session)
	if err != nil && ctx.Err() == nil {
		p.log.WarnContext(ctx, "could not close a payment session whose cart was ordered; will retry", "tenant", s.Tenant,
			"session", s.ID, "error", err)
	}
	return s
}

// expireSession ends the expired reservation of a session. The slot stays held: its payment may still arrive.
func (p *Poller) expireSession(ctx context.Context, s payment.Session) error {
	return p.atomically(ctx, s.Tenant, func(ctx context.Context, tx ports.Tx) error {
		l, err := LockSession(ctx, tx, s.Checkout, s.ID)
		if err != nil {
			return err
		}
		w, next := p.newChangeSet(), l.Session
		if !next.SlotHeld || w.Now.Before(next.ExpiresAt) {
			return nil // renewed or ended meanwhile
		}
		next.State = payment.Join(next.State, payment.FactExpired)
		w.Put(payment.Sessions, l.SessionRecord, next.Record())
		if err := checkouts.ReleaseReservation(ctx, tx, l.Checkout); err != nil {
			return err
		}
		return tx.Records.Write(ctx, w.List()...)
	})
}

// expireCheckouts stores which open checkouts have expired, so that filters and events say so too.
func (p *pollRounds) expireCheckouts(ctx context.Context) {
	s := checkout.Schema
	p.eachRecord(ctx, s, collection.And{
		s.Where("status", collection.Equals, string(checkout.Open)),
		s.Where("expiresAt", collection.LessThanEqual, collection.TruncateTime(p.now())),
	}, func(r collection.Record) {
		if err := p.checkouts.Expire(ctx, tenant.ID(r.Text("tenant")), r.ID()); err != nil && ctx.Err() == nil {
			p.log.WarnContext(ctx, "checkout could not be expired; will retry", "tenant", r.Text("tenant"), "checkout", r.ID(),
				"error", err)
		}
	})
}

// eachRecord calls fn with the records that match, read before the first call, and reports whether they could
// be read.
func (p *pollRounds) eachRecord(ctx context.Context, s *collection.Schema, where collection.Cond, fn func(collection.Record)) bool {
	oldest := []collection.SortKey{{Path: s.Where("createdAt", collection.Exists, true).Path}}
	all, err := ports.FindAll(ctx, p.store.Read(p.scope), collection.Query{Schema: s, Where: where, Sort: oldest})
	if err != nil {
		if ctx.Err() == nil {
			p.log.WarnContext(ctx, "open sessions and checkouts could not be listed; will retry", "collection", s.Slug, "error", err)
		}
		return false
	}
	for _, r := range all {
		fn(r)
	}
	return true
}

// refundGrace is how long a refund is left to the caller who requested it: longer than any call to a provider
// takes.
const refundGrace = 20 * time.Second

// refundWorkers is how many refunds are settled at the same time.
const refundWorkers = 4

// refundPoll is when refunds were last looked at, by id. One round of them works at a time.
type refundPoll struct {
	mu   sync.Mutex
	busy bool
	last map[string]time.Time
}

// start claims the work and returns the times of the rounds before; ok is false while another round works.
func (a *refundPoll) start() (last map[string]time.Time, ok bool) {
	a.mu.Lock()
	defer a.mu.Unlock()
	if a.busy {
		return nil, false
	}
	a.busy = true
	return a.last, true
}

func (a *refundPoll) done(last map[string]time.Time) {
	a.mu.Lock()
	defer a.mu.Unlock()
	a.busy, a.last = false, last
}

// pollRefunds settles pending refunds: requested without an answer, or accepted and not done yet. It does not
// wait for them, so that a provider that hangs delays nothing else.
func (p *pollRounds) pollRefunds(ctx context.Context) {
	before, ok := p.refundPoll.start()
	if !ok {
		return
	}
	s, now := payment.Transactions, p.now()
	pending := collection.And{s.Where("type", collection.Equals, connections.OpRefund), s.Where("status", collection.Equals, "pending")}
	last, due := map[string]time.Time{}, []collection.Record{}
	p.eachRecord(ctx, s, pending, func(r collection.Record) {
		id, age := r.ID(), now.Sub(r.Time("createdAt"))
		last[id] = before[id]
		underWay := payment.RefundFrom(r).State == payment.RefundRequested && age < refundGrace && p.interval > 0
		if !underWay && now.Sub(last[id]) >= p.lookupInterval(age) {
			last[id] = now
			due = append(due, r)
		}
	})
	p.lookups.workers.Go(func() {
		defer p.refundPoll.done(last)
		var all sync.WaitGroup
		for i := range refundWorkers {
			all.Go(func() {
				for at := i; at < len(due); at += refundWorkers {
					p.settleRefund(ctx, due[at])
				}
			})
		}
		all.Wait()
	})
}

func (p *pollRounds) settleRefund(ctx context.Context, r collection.Record) {
	if _, err := p.refunds.SettleRefund(ctx, tenant.ID(r.Text("tenant")), r.ID()); err != nil && ctx.Err() == nil {
		p.log.WarnContext(ctx, "refund could not be settled; will retry", "tenant", r.Text("tenant"), "refund", r.ID(), "error", err)
	}
}
