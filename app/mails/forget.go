package mails

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/tenantrounds"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Forgetter deletes deliveries that ended long ago. It is for one goroutine; other instances have their own. Rule mail-8.
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

// forget deletes those of one shop.
func (f *Forgetter) forget(ctx context.Context, shop tenant.Settings) error {
	scope, s := ports.ForTenant(shop.ID), mail.Deliveries
	old := collection.Query{
		Schema: s, Limit: collection.MaxLimit, Page: 1, SkipCount: true, Where: mail.Expired(f.Now()), Sort: s.SortBy("id"), LeaveOutDamaged: true,
	}
	for {
		found, err := f.Store.Read(scope).Find(ctx, old)
		if err != nil || len(found.Docs) == 0 {
			return err
		}
		err = f.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
			again, err := tx.Records.Find(ctx, old)
			if err != nil || len(again.Docs) == 0 {
				return err
			}
			changes := make([]collection.Change, len(again.Docs))
			for i, d := range again.Docs {
				changes[i] = collection.NewChange(s, d, nil, f.NewID(), f.Now())
			}
			return tx.Records.Write(ctx, changes...)
		})
		if err != nil {
			return err
		}
	}
}
