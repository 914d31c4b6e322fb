package team

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/tenantrounds"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Forgetter deletes notifications that were seen long ago. It is for one goroutine; other instances have their own. Rule team-11.
type Forgetter struct {
	Store ports.Store
	Now   func() time.Time
	NewID func() string
	Task  *background.Task // may be nil

	rounds tenantrounds.Rounds
}

// RunRound continues the round over all shops; more reports whether it is not complete.
func (f *Forgetter) RunRound(ctx context.Context) (more bool, err error) {
	return f.rounds.Run(ctx, f.Store, f.Now(), f.Task, f.forget)
}

// forget deletes those of one shop, a bounded number at a time: what is left goes with the next round.
func (f *Forgetter) forget(ctx context.Context, shop tenant.Settings) error {
	s := team.Notifications
	old := collection.Query{
		Schema: s, Limit: collection.MaxLimit, Page: 1, SkipCount: true,
		Where: collection.And{
			s.Where("seen", collection.Equals, true), s.Where("updatedAt", collection.LessThan, f.Now().Add(-team.SeenFor)),
		},
		Sort: s.SortBy("id"),
	}
	found, err := f.Store.Read(ports.ForTenant(shop.ID)).Find(ctx, old)
	if err != nil || len(found.Docs) == 0 {
		return err
	}
	return f.Store.Atomically(ctx, ports.ForTenant(shop.ID), func(ctx context.Context, tx ports.Tx) error {
		again, err := tx.Records.Find(ctx, old)
		if err != nil {
			return err
		}
		changes := make([]collection.Change, len(again.Docs))
		for i, n := range again.Docs {
			changes[i] = collection.NewChange(s, n, nil, f.NewID(), f.Now())
		}
		if len(changes) == 0 {
			return nil
		}
		return tx.Records.Write(ctx, changes...)
	})
}
