package personaldata

import (
	"context"
	"errors"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	// settled is how long after its beginning an erasure looks for the last time: by then every request that was let in before
	// the logins ended is answered.
	settled = 2 * time.Minute
	// erasuresPerCall is how many customers a call of Run takes on, recordsPerStep how many records a transaction redacts: on
	// SQLite everybody else waits for it.
	erasuresPerCall, recordsPerStep = 20, 20
	// answersPerStep is how many stored answers a transaction redacts, eventsPerStep how many events, unless one record has more.
	answersPerStep, eventsPerStep = 100, 500
)

// pauseOfErasure is how long after a round that found something under way the next one begins: a minute, and longer when it has
// gone on for long, up to an hour. A round reads all that is held.
func pauseOfErasure(goesOnFor time.Duration) time.Duration {
	return min(max(time.Minute, goesOnFor/20), time.Hour)
}

// Eraser goes on with erasures until nothing personal is held about the customer or guest. Rules access-60 to access-64. Several instances may
// do so at once: the locks of the records decide. It is for one goroutine.
type Eraser struct {
	Store ports.Store
	Find  ports.ErasureFinder
	Now   func() time.Time
	NewID func() string
	Fold  collection.Fold  // as the store filters
	Task  *background.Task // may be nil

	again map[string]time.Time // when the next round of a customer begins
}

// Run goes through what is held about some people who are being erased; more reports whether others may be due. Somebody who
// cannot be erased keeps no other from it. Errors: those of the store.
func (e *Eraser) Run(ctx context.Context) (more bool, err error) {
	now := e.Now()
	waiting := e.waiting(now)
	for _, s := range []*collection.Schema{identity.Customers, identity.GuestErasures} {
		some, failed := e.runSome(ctx, s, waiting, now)
		more, err = more || some, errors.Join(err, failed)
	}
	return more, err
}

// runSome is Run for customers, or for guests.
func (e *Eraser) runSome(ctx context.Context, s *collection.Schema, waiting []any, now time.Time) (more bool, err error) {
	where := collection.And{s.Where("erasingSince", collection.Exists, true)}
	if len(waiting) > 0 {
		where = append(where, s.Where("id", collection.NotIn, waiting...))
	}
	found, err := e.Store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: s, Where: where, Limit: erasuresPerCall, Page: 1, SkipCount: true, LeaveOutDamaged: true,
	})
	if err != nil {
		return false, err
	}
	errs := []error{e.Task.FailDamaged(ctx, found)}
	for _, r := range found.Docs {
		item := background.Item{Tenant: tenant.ID(r.Text("tenant")), ID: r.ID()}
		errs = append(errs, e.Task.Do(ctx, item, func(ctx context.Context) error { return e.round(ctx, item.Tenant, s, r, now) }))
	}
	return found.Found() == erasuresPerCall, errors.Join(errs...)
}

// waiting are the people whose next round is not due: after one that left something, and after failures.
func (e *Eraser) waiting(now time.Time) (ids []any) {
	for id, due := range e.again {
		if now.Before(due) {
			ids = append(ids, id)
		} else {
			delete(e.again, id)
		}
	}
	for _, item := range e.Task.Waiting(erasuresPerCall) {
		ids = append(ids, item.ID)
	}
	return ids
}

// round goes once through what is held about a person, of whom r is the record in s. The erasure ends with a round that finds nothing.
func (e *Eraser) round(ctx context.Context, t tenant.ID, s *collection.Schema, r collection.Record, began time.Time) error {
	var left outcome
	who := personOf(s, r, e.Fold)
	held, err := eachHeld(ctx, whose{read: e.Store.Read(ports.ForTenant(t)), now: began}, who, func(p heldPage) error {
		one, err := e.redactPage(ctx, t, who, p, began)
		left = max(left, one)
		return err
	})
	if err != nil {
		return err
	}
	answers, err := e.redactAnswers(ctx, t, held)
	if err != nil {
		return err
	}
	since := r.Time("erasingSince")
	due := since.Add(settled)
	switch left = max(left, answers); {
	case left == clean && !began.Before(due):
		return e.finish(ctx, t, who, since)
	case left == waits && began.Add(pauseOfErasure(began.Sub(since))).After(due):
		due = began.Add(pauseOfErasure(began.Sub(since)))
	}
	if e.again == nil {
		e.again = map[string]time.Time{}
	}
	e.again[who.id] = due
	return nil
}

// outcome is what a round found.
type outcome int

const (
	clean    outcome = iota // nothing personal
	redacted                // something personal, which is replaced now
	waits                   // something under way
)

// redactPage redacts what is personal in a page of records, and in their events. Where there is nothing it only reads.
func (e *Eraser) redactPage(ctx context.Context, t tenant.ID, who person, p heldPage, now time.Time) (found outcome, err error) {
	ids := make([]string, len(p.records))
	for i, r := range p.records {
		ids[i] = r.ID()
	}
	events, err := e.Find.PersonalEvents(ctx, t, p.schema, ids...)
	if err != nil {
		return found, err
	}
	var some []string
	weight := 0
	flush := func() error {
		one, err := e.redact(ctx, t, who, p.schema, some, events)
		found, some, weight = max(found, one), nil, 0
		return err
	}
	for _, r := range p.records {
		if busy, _ := underWay(p.schema, r, now); busy {
			found = waits
			continue
		}
		_, personal := who.redact(p.schema, r)
		n := len(events.Of[r.ID()])
		if !personal && n == 0 && p.schema != payment.Sessions { // only a transaction sees what was sent for a session
			continue
		}
		if len(some) == recordsPerStep || len(some) > 0 && weight+n > eventsPerStep {
			if err := flush(); err != nil {
				return found, err
			}
		}
		some, weight = append(some, r.ID()), weight+n
	}
	if len(some) > 0 {
		err = flush()
	}
	return found, err
}

// redact takes what is personal out of records, and out of their events: those that are under way are left.
func (e *Eraser) redact(
	ctx context.Context, t tenant.ID, who person, s *collection.Schema, ids []string, events ports.PersonalEvents,
) (found outcome, err error) {
	err = e.Store.Atomically(ctx, ports.ForTenant(t), func(ctx context.Context, tx ports.Tx) error {
		found = clean
		now := e.Now()
		var done []string
		var changes []collection.Change
		for _, id := range ids {
			before, err := tx.Records.Lock(ctx, s, id)
			if errors.Is(err, ports.ErrNotFound) || err == nil && who.isGuest() && owned(before) {
				continue
			}
			if err != nil {
				return err
			}
			if busy, _ := underWay(s, before, now); busy {
				found = waits
				continue
			}
			done = append(done, id)
			if after, changed := who.redact(s, before); changed {
				found = max(found, redacted)
				changes = append(changes, collection.NewChange(s, before, after, e.NewID(), now))
			}
		}
		if err := tx.Records.Write(ctx, changes...); err != nil {
			return err
		}
		if s == payment.Sessions {
			if err := tx.Erasure.ForgetCalls(ctx, done...); err != nil {
				return err
			}
		}
		n, err := tx.Erasure.RedactEvents(ctx, s, events, done...)
		if n > 0 {
			found = max(found, redacted)
		}
		return err
	})
	return found, err
}

// redactAnswers takes what is personal out of stored answers about what is held.
func (e *Eraser) redactAnswers(ctx context.Context, t tenant.ID, held map[*collection.Schema][]string) (found outcome, err error) {
	var refs []ports.Ref
	for s, ids := range held {
		for _, id := range ids {
			refs = append(refs, ports.Ref{Schema: s, ID: id})
		}
	}
	keys, err := e.Find.PersonalReceipts(ctx, t, refs...)
	if err != nil {
		return found, err
	}
	for some := range slices.Chunk(keys, answersPerStep) {
		found = redacted
		err := e.Store.Atomically(ctx, ports.ForTenant(t), func(ctx context.Context, tx ports.Tx) error {
			_, err := tx.Erasure.RedactReceipts(ctx, some, refs...)
			return err
		})
		if err != nil {
			return found, err
		}
	}
	return found, nil
}

// finish ends the erasure that began at since.
func (e *Eraser) finish(ctx context.Context, t tenant.ID, who person, since time.Time) error {
	scope := ports.Scope{Tenants: []tenant.ID{t}, System: true}
	return e.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, who.schema, who.id)
		if errors.Is(err, ports.ErrNotFound) || err == nil && !before.Time("erasingSince").Equal(since) {
			return nil
		}
		if err != nil {
			return err
		}
		now := e.Now()
		if who.isGuest() {
			return tx.Records.Write(ctx, collection.NewChange(who.schema, before, identity.EndGuestErasure(before, now), e.NewID(), now))
		}
		change := collection.NewChange(identity.Customers, before, identity.EndErasure(before, now), e.NewID(), now)
		if err := tx.Records.Write(ctx, change); err != nil {
			return err
		}
		if _, err := tx.Erasure.RedactEvents(ctx, identity.Customers, ports.PersonalEvents{}, who.id); err != nil {
			return err
		}
		return tx.Erasure.ForgetCustomer(ctx, who.id)
	})
}
