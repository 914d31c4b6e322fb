package ordering

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

const (
	// lookEvery is how often every shop is looked at: a day more or less would not matter to anybody, and shops are many.
	lookEvery = 10 * time.Minute
	// shopsAtOnce is how many shops a call of Round looks at.
	shopsAtOnce = 200
	// atOnce is how many orders of one shop and environment are confirmed before it is another one's turn.
	atOnce = 200
)

// Confirmations confirms what was delivered long enough ago. One goroutine uses it; other instances have their own.
type Confirmations struct {
	Store ports.Store
	Now   func() time.Time
	NewID func() string

	looked time.Time // when the last round over all shops began
	after  string    // the last shop that was looked at in this round; "" between rounds
}

// Round goes on with the round over all shops, a bounded number of them at a time, and begins one when it is time; more
// reports whether this one is not over.
func (f *Confirmations) Round(ctx context.Context) (more bool, err error) {
	if now := f.Now(); f.after == "" {
		if !f.looked.IsZero() && now.Sub(f.looked) < lookEvery {
			return false, nil
		}
		f.looked = now
	}
	s := identity.Tenants
	page, err := f.Store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: s, Where: s.Where("id", collection.GreaterThan, f.after), Sort: []collection.Order{{Path: s.Where("id", collection.Exists, true).Path}},
		Limit: shopsAtOnce, Page: 1, Uncounted: true,
	})
	if err != nil {
		if f.after == "" {
			f.looked = time.Time{} // it has not begun
		}
		return false, err
	}
	var errs []error
	for _, shop := range page.Docs {
		if err := f.Shop(ctx, identity.FactsOf(shop)); err != nil {
			errs = append(errs, err)
		}
	}
	f.after = ""
	if len(page.Docs) == shopsAtOnce {
		f.after = page.Docs[shopsAtOnce-1].ID()
	}
	err = errors.Join(errs...)
	return err == nil && f.after != "", err
}

// Shop confirms all that is due in one shop. An order that cannot be confirmed keeps no other one from it.
func (f *Confirmations) Shop(ctx context.Context, shop tenant.Facts) error {
	if shop.AutoConfirmDays <= 0 {
		return nil
	}
	var errs []error
	for _, env := range []tenant.Environment{tenant.Live, tenant.Test} {
		for more := true; more; {
			var err error
			more, err = f.some(ctx, shop, env)
			errs = append(errs, err)
		}
	}
	return errors.Join(errs...)
}

// some confirms up to atOnce orders of a shop; more reports whether others may be left.
func (f *Confirmations) some(ctx context.Context, shop tenant.Facts, env tenant.Environment) (more bool, err error) {
	found, err := f.Store.Read(ports.Of(shop.ID)).Find(ctx, due(shop, env, f.Now()))
	if err != nil {
		return false, err
	}
	confirmed := 0
	var errs []error
	for _, r := range found.Docs {
		done, err := f.confirm(ctx, shop, r.ID())
		if errs = append(errs, err); done && err == nil {
			confirmed++
		}
	}
	return len(found.Docs) == atOnce && confirmed > 0, errors.Join(errs...) // those that were not are found again
}

// due asks for orders of a shop that are to be confirmed at now.
func due(shop tenant.Facts, env tenant.Environment, now time.Time) collection.Query {
	s := order.Schema
	return collection.Query{
		Schema: s, Environment: string(env), Limit: atOnce, Page: 1, Uncounted: true,
		Sort: []collection.Order{{Path: s.Where("deliveredAt", collection.Exists, true).Path}},
		Where: collection.And{
			s.Where("status", collection.Equals, string(order.Delivered)),
			s.Where("deliveredAt", collection.LessThanEqual, collection.Instant(now.Add(-time.Duration(shop.AutoConfirmDays)*order.Day))),
		},
	}
}

// confirm looks at an order again under its lock; done is false when there is nothing to do any more.
func (f *Confirmations) confirm(ctx context.Context, shop tenant.Facts, id string) (done bool, err error) {
	err = f.Store.Atomically(ctx, ports.Of(shop.ID), func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, order.Schema, id)
		if err != nil {
			return err
		}
		now := f.Now()
		next, due := order.FromRecord(r).AutoConfirm(shop.AutoConfirmDays, now)
		if done = due; !due {
			return nil
		}
		return tx.Records.Write(ctx, collection.NewChange(order.Schema, r, next.Record(), f.NewID(), now))
	})
	return done, err
}
