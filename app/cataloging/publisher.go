package cataloging

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// publishBatch is how many products one round publishes before others are looked for.
const publishBatch = 200

// Publisher publishes drafts whose time has come, of all tenants. Rule catalog-33. Several instances may do so at once:
// the lock of a product decides.
type Publisher struct {
	Store ports.Store
	Now   func() time.Time
	NewID func() string
	Task  *background.Task // may be nil
}

// Run publishes a batch; more reports whether others may be left. A product that cannot be published does not keep others
// from it.
func (p *Publisher) Run(ctx context.Context) (more bool, err error) {
	where := collection.And{catalog.DueToPublish(p.Now())}
	if failed := p.Task.Waiting(publishBatch); len(failed) > 0 {
		ids := make([]any, len(failed))
		for i, item := range failed {
			ids[i] = item.ID
		}
		where = append(where, catalog.Products.Where("id", collection.NotIn, ids...))
	}
	found, err := p.Store.Read(ports.Scope{System: true}).Find(ctx, collection.Query{
		Schema: catalog.Products, Where: where, Limit: publishBatch, Page: 1, SkipCount: true, LeaveOutDamaged: true,
	})
	if err != nil {
		return false, err
	}
	published := 0
	errs := []error{p.Task.FailDamaged(ctx, found)}
	for _, r := range found.Docs {
		item := background.Item{Tenant: tenant.ID(r.Text("tenant")), ID: r.ID()}
		errs = append(errs, p.Task.Do(ctx, item, func(ctx context.Context) error {
			done, err := p.publish(ctx, item.Tenant, item.ID)
			if done && err == nil {
				published++
			}
			return err
		}))
	}
	return published > 0 && found.Found() == publishBatch, errors.Join(errs...)
}

// publish publishes a product after it checked it again under its lock; done is false when it is not due any more.
func (p *Publisher) publish(ctx context.Context, t tenant.ID, id string) (done bool, err error) {
	err = p.Store.Atomically(ctx, ports.ForTenant(t), func(ctx context.Context, tx ports.Tx) error {
		r, err := tx.Records.Lock(ctx, catalog.Products, id)
		if errors.Is(err, ports.ErrNotFound) {
			return nil
		}
		if err != nil {
			return err
		}
		now := p.Now()
		next, due := catalog.Publish(r, now)
		if done = due; !due {
			return nil
		}
		return tx.Records.Write(ctx, collection.NewChange(catalog.Products, r, next, p.NewID(), now))
	})
	return done, err
}
