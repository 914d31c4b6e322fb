package team

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Teller tells the teams of all shops what happens in them, by the events of their records. The notifications are written in one
// transaction with the place up to which they were told, so that every occasion is told once, whatever crashes and however
// many instances do this. It is not done where the occasion is: a sale that makes stock low would wait for the notifications
// of others, and an import make ten thousand. Rules team-10, team-11.
type Teller struct {
	Store    ports.Store
	Events   ports.EventLog
	Places   ports.NoticePlaces
	Now      func() time.Time
	NewID    func() string
	Log      *slog.Logger
	Task     *background.Task // of the shops; may be nil
	Numbered <-chan struct{}  // receives when there are new events; nil: they are found by polling
}

// Bounds of a round.
const (
	maxBehind = 1000 // shops
	eventPage = 500  // events of a shop
)

// Run tells until ctx ends.
func (t *Teller) Run(ctx context.Context) error {
	loop := background.Loop{
		Pace: background.FollowPace, Told: t.Numbered, Log: t.Log,
		Failing: "teams cannot be told what happened; will retry", Again: "teams are told what happens again",
	}
	loop.Run(ctx, func(ctx context.Context, _ bool) (background.Look, error) { return t.Round(ctx) })
	return nil
}

// Round tells the team of each shop of a page of its events.
func (t *Teller) Round(ctx context.Context) (found background.Look, err error) {
	behind, err := t.Places.Behind(ctx, maxBehind)
	if err != nil {
		return found, err
	}
	whose := func(l ports.NoticeLag) tenant.ID { return l.Tenant }
	return background.Follow(ctx, t.Task, behind, whose, func(ctx context.Context, lag ports.NoticeLag) (background.Look, error) {
		more, err := t.advance(ctx, lag)
		return background.Look{More: more, Busy: true}, err
	})
}

// advance tells of a page of events; more reports whether there is another. Shops that were there before anybody told begin
// with what happens from now on. Errors: ports.ErrStale.
func (t *Teller) advance(ctx context.Context, lag ports.NoticeLag) (more bool, err error) {
	if lag.Place == 0 {
		young, err := t.isYoung(ctx, lag.Tenant)
		if err != nil {
			return false, err
		}
		if !young {
			return false, t.tell(ctx, lag.Tenant, 0, lag.Newest, nil)
		}
	}
	page, err := t.Events.Events(ctx, ports.EventQuery{
		Tenant: lag.Tenant, After: lag.Place, Collections: team.NoticedCollections, Limit: eventPage,
	})
	if err != nil || page.Next <= lag.Place {
		return false, err
	}
	all, err := occasionsIn(page.Events)
	if err != nil {
		return false, err
	}
	return page.More(), t.tell(ctx, lag.Tenant, lag.Place, page.Next, all)
}

// youth is how long a shop is new: everything that happened in it is told.
const youth = 24 * time.Hour

func (t *Teller) isYoung(ctx context.Context, id tenant.ID) (bool, error) {
	shop, err := t.Store.Read(ports.ForTenant(id)).Get(ctx, identity.Tenants, string(id))
	if errors.Is(err, ports.ErrNotFound) {
		return false, nil // it is being deleted
	}
	return err == nil && t.Now().Sub(shop.Time("createdAt")) < youth, err
}

// group tells occasions apart: they are told together that have one.
type group struct {
	environment tenant.Environment
	kind        string
}

// occasion is a record with something to tell.
type occasion struct {
	collection string
	actor      tenant.Actor
	sequence   int64 // of the event
}

// occasions are those of a page, the last one of each record.
type occasions map[group]map[string]occasion

// occasionsIn are those that events tell of. What concerns both environments is told in live.
func occasionsIn(events []ports.Event) (occasions, error) {
	all := occasions{}
	for i := range events {
		e := &events[i]
		h := team.Change{Collection: e.Collection, Record: e.Record, Operation: e.Operation, Actor: e.Actor}
		if err := reply.Decode(e.Body, &h); err != nil {
			return nil, fmt.Errorf("read event %s: %w", e.ID, err)
		}
		g := group{e.Environment, team.NoticeOf(h)}
		if g.kind == "" {
			continue
		}
		if g.environment == "" {
			g.environment = tenant.Live
		}
		if all[g] == nil {
			all[g] = map[string]occasion{}
		}
		all[g][e.Record] = occasion{e.Collection, e.Actor, e.Sequence}
	}
	return all, nil
}

// tell moves the place of a shop, and tells of occasions in between.
func (t *Teller) tell(ctx context.Context, id tenant.ID, from, to int64, all occasions) error {
	readers, err := t.readers(ctx, id, all)
	if err != nil {
		return err
	}
	return t.Store.Atomically(ctx, ports.ForTenant(id), func(ctx context.Context, tx ports.Tx) error {
		if err := tx.NoticeMover.Move(ctx, id, from, to); err != nil {
			return err
		}
		w := writing{Teller: t, tx: tx, shop: id, to: to}
		for _, n := range team.Notices {
			for _, env := range []tenant.Environment{tenant.Live, tenant.Test} {
				if some := all[group{env, n.Kind}]; len(some) > 0 {
					if err := w.tellOf(ctx, n, env, some, readers); err != nil {
						return err
					}
				}
			}
		}
		if len(w.changes) == 0 {
			return nil
		}
		return tx.Records.Write(ctx, w.changes...)
	})
}

// keyOf is the key of a notification about a record, or "" for several, up to an event.
func keyOf(kind, record string, sequence int64) string {
	return kind + " " + record + " " + strconv.FormatInt(sequence, 10)
}
