package buying

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const defaultPollEvery = 5 * time.Second

// Run looks at open payments and expired checkouts until ctx ends: it heals what a crash, a lost response or a buyer who
// closed the window left behind. Several instances may run it at once.
func (b *Buying) Run(ctx context.Context) error {
	every := b.PollEvery
	if every <= 0 {
		every = defaultPollEvery
	}
	w := watch{b: b, scope: ports.Scope{System: true}, every: every, patrols: newPatrols()}
	defer w.patrols.wait()
	tick := time.NewTicker(every)
	defer tick.Stop()
	for {
		select {
		case <-ctx.Done():
			return nil
		case <-tick.C:
			w.round(ctx)
		}
	}
}

// Sweep does one round of what Run repeats, looking at every open payment of the scope whatever its age.
func (b *Buying) Sweep(ctx context.Context, scope ports.Scope) {
	w := watch{b: b, scope: scope, patrols: newPatrols()}
	w.round(ctx)
	w.patrols.wait()
}

type watch struct {
	b       *Buying
	scope   ports.Scope
	every   time.Duration
	patrols *patrols
	asked   askedRefunds
	rounds  int
}

// Slots that nobody frees stay held for good, so that open sessions become many: in most rounds only young ones are listed.
// The sessions that an operator released are listed with the others for a while: that frees a slot, but does not keep the
// buyer from paying.
const (
	young       = time.Hour
	allEvery    = 12 // rounds
	releasedFor = 7 * 24 * time.Hour
)

func (w *watch) round(ctx context.Context) {
	w.payments(ctx)
	w.refunds(ctx)
	w.expired(ctx)
}

// pace is how long to wait between two looks at a session of some age: buyers pay within minutes, banks within days.
func (w *watch) pace(age time.Duration) time.Duration {
	switch {
	case age < 5*time.Minute:
		return w.every
	case age < time.Hour:
		return 6 * w.every
	case age < 24*time.Hour:
		return 60 * w.every
	}
	return 720 * w.every
}

// payments has the sessions that hold a slot and are due settled, those of each connection by themselves: a provider that
// hangs keeps nobody else waiting, not even for the next round.
func (w *watch) payments(ctx context.Context) {
	s := payment.Sessions
	now := w.b.Now()
	due, held := map[string][]payment.Session{}, map[string]bool{}
	add := func(r collection.Record) {
		held[r.ID()] = true
		if now.Sub(w.patrols.last(r.ID())) >= w.pace(now.Sub(r.Time("createdAt"))) {
			one := payment.SessionFrom(r)
			due[one.Connection] = append(due[one.Connection], one)
		}
	}
	since := func(field string, age time.Duration) collection.Test {
		return s.Where(field, collection.GreaterThan, collection.Instant(now.Add(-age)))
	}
	open := s.Where("slotHeld", collection.Equals, true)
	if w.rounds%allEvery != 0 {
		w.each(ctx, s, collection.And{open, since("createdAt", young)}, add)
	} else {
		listed := w.each(ctx, s, open, add) && w.each(ctx, s, collection.And{
			s.Where("status", collection.In, string(payment.StatusCanceled), string(payment.StatusFailed), string(payment.StatusExpired)), since("updatedAt", releasedFor),
		}, func(r collection.Record) {
			if r.Text("note") != "" { // else its provider said that nobody can pay it
				add(r)
			}
		})
		if listed {
			w.patrols.forget(held)
		}
	}
	w.rounds++
	for connection, sessions := range due { // in no order: when there are more than patrols, chance is fair
		w.patrols.start(connection, now, sessions, func(s payment.Session, ask bool) (away bool) { return w.look(ctx, s, now, ask) })
	}
}

// look settles a session, unless its provider is not to be asked, and ends its reservation when that is over. It reports
// whether the provider could not be reached.
func (w *watch) look(ctx context.Context, s payment.Session, now time.Time, ask bool) (away bool) {
	if ask && s.Kind != payment.Custom { // nobody can be asked about those
		o, err := w.b.Settle(ctx, s.Tenant, s.ID)
		if err != nil && ctx.Err() == nil {
			w.b.log().WarnContext(ctx, "payment not looked up", "tenant", s.Tenant, "session", s.ID, "error", err)
		}
		if err == nil {
			s = o.Session
		}
		away = errors.Is(err, ports.ErrProviderUnavailable)
	}
	if !s.SlotHeld || now.Before(s.ExpiresAt) {
		return away
	}
	if err := w.b.expireSession(ctx, s); err != nil && ctx.Err() == nil {
		w.b.log().WarnContext(ctx, "reservation not ended", "tenant", s.Tenant, "session", s.ID, "error", err)
	}
	return away
}

// expireSession ends the reservation of a session whose time is over. The slot stays held: its money may still come.
func (b *Buying) expireSession(ctx context.Context, s payment.Session) error {
	return b.atomically(ctx, s.Tenant, func(ctx context.Context, tx ports.Tx) error {
		l, err := lockBoth(ctx, tx, s.Checkout)
		if err != nil {
			return err
		}
		r, err := tx.Records.Lock(ctx, payment.Sessions, s.ID)
		if err != nil {
			return err
		}
		w, next := b.changes(), payment.SessionFrom(r)
		if !next.SlotHeld || w.now.Before(next.ExpiresAt) {
			return nil // renewed, or over
		}
		next.State = payment.Join(next.State, payment.Expired)
		w.put(payment.Sessions, r, next.Record())
		if err := b.letGo(ctx, tx, l.checkout); err != nil {
			return err
		}
		return tx.Records.Write(ctx, w.list...)
	})
}

// expired writes down which open checkouts are over, so that filters and events say it too.
func (w *watch) expired(ctx context.Context) {
	s := checkout.Schema
	w.each(ctx, s, collection.And{
		s.Where("status", collection.Equals, string(checkout.Open)), s.Where("expiresAt", collection.LessThanEqual, collection.Instant(w.b.Now())),
	}, func(r collection.Record) {
		if err := w.b.expireCheckout(ctx, tenant.ID(r.Text("tenant")), r.ID()); err != nil && ctx.Err() == nil {
			w.b.log().WarnContext(ctx, "checkout not expired", "tenant", r.Text("tenant"), "checkout", r.ID(), "error", err)
		}
	})
}

func (b *Buying) expireCheckout(ctx context.Context, id tenant.ID, checkoutID string) error {
	return b.atomically(ctx, id, func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, checkout.Schema, checkoutID)
		if err != nil {
			return err
		}
		w, x := b.changes(), checkout.FromRecord(r)
		if x.Status == checkout.Open && x.StatusAt(w.now) == checkout.Expired {
			w.put(checkout.Schema, r, x.Expire().Record())
		}
		return tx.Records.Write(ctx, w.list...)
	})
}

// each calls fn with the records that match, read before the first call, and reports whether they could be read.
func (w *watch) each(ctx context.Context, s *collection.Schema, where collection.Cond, fn func(collection.Record)) bool {
	oldest := []collection.Order{{Path: s.Where("createdAt", collection.Exists, true).Path}}
	all, err := ports.All(ctx, w.b.Store.Read(w.scope), collection.Query{Schema: s, Where: where, Sort: oldest})
	if err != nil {
		if ctx.Err() == nil {
			w.b.log().WarnContext(ctx, "open records not listed", "collection", s.Slug, "error", err)
		}
		return false
	}
	for _, r := range all {
		fn(r)
	}
	return true
}
