package tenantdeletion

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Bounds of the work of an Eraser.
const (
	// watchedFor is how long a tenant that is gone is looked at again: what another instance holds of it for a while and writes
	// later, such as counts of calls, goes then. It is longer than Redis keeps the count of a month.
	watchedFor = 45 * 24 * time.Hour
	// watchInterval is how often that is done.
	watchInterval = time.Hour
	// chunks is how many short transactions an item of work is, so that one large tenant does not keep others waiting.
	chunks = 200
	// receiptsPerPage is how many copies of receipts are dropped at a time.
	receiptsPerPage = 500
)

// FileOwner is a collection whose records refer to files.
type FileOwner struct {
	Schema *collection.Schema
	Blobs  func(r collection.Record) []string // keys of the files of a record
}

// MediaFiles owns the uploaded files.
var MediaFiles = FileOwner{media.Schema, func(r collection.Record) []string {
	if f, ok := media.FileFrom(r); ok {
		return []string{f.BlobKey}
	}
	return nil
}}

// Eraser erases tenants whose deletion has begun. It is for one goroutine; other instances have their own.
type Eraser struct {
	Store   ports.Store
	Erasure ports.TenantErasure
	Cache   ports.TenantCache // nil: nothing is kept outside of the database
	Owners  []FileOwner
	// Files deletes bytes that no record refers to any more.
	Files func(ctx context.Context) (more bool, err error)
	Now   func() time.Time
	Task  *background.Task

	watchedAt time.Time
}

// Run goes on with each deletion that is under way, and now and then looks at those that were finished; more reports that there is
// work left that does not wait for anything. A tenant that fails does not keep others from it.
func (e *Eraser) Run(ctx context.Context) (more bool, err error) {
	now := e.Now()
	after := now // none that is finished
	if now.Sub(e.watchedAt) >= watchInterval {
		after, e.watchedAt = now.Add(-watchedFor), now
	}
	all, err := e.Erasure.Deletions(ctx, after)
	if err != nil {
		return false, err
	}
	var errs []error
	for _, d := range all {
		errs = append(errs, e.Task.Do(ctx, background.Item{ID: string(d.Tenant)}, func(ctx context.Context) error {
			left, err := e.erase(ctx, d)
			more = more || left
			return err
		}))
	}
	err = errors.Join(errs...)
	return more && err == nil, err
}

// erase does a part of the work on one tenant; more reports that there is more.
func (e *Eraser) erase(ctx context.Context, d ports.TenantDeletion) (more bool, err error) {
	if err := e.releaseFiles(ctx, d); err != nil {
		return false, err
	}
	if e.Cache != nil {
		if err := e.forget(ctx, d); err != nil {
			return false, err
		}
	}
	for range chunks {
		if more, err = e.Erasure.Erase(ctx, d.Tenant); err != nil || !more {
			break
		}
	}
	if err != nil || more {
		return more, err
	}
	for range chunks {
		if files, err := e.Files(ctx); err != nil {
			return false, err
		} else if !files {
			break
		}
	}
	_, err = e.Erasure.Finish(ctx, d.Tenant, collection.TruncateTime(e.Now())) // what waits for a file waits for the next round
	return false, err
}

// releaseFiles has the bytes of the tenant's files deleted. Their records go afterwards: until then they say what is left to do.
func (e *Eraser) releaseFiles(ctx context.Context, d ports.TenantDeletion) error {
	for _, owner := range e.Owners {
		q := collection.Query{Schema: owner.Schema, LeaveOutDamaged: true}
		err := ports.FindEach(ctx, e.Store.Read(ports.ForTenant(d.Tenant)), q, func(page []collection.Record) error {
			return e.Store.Atomically(ctx, scopeOf(d.Tenant), func(ctx context.Context, tx ports.Tx) error {
				return e.release(ctx, tx, d.Tenant, owner, page)
			})
		})
		if err != nil {
			return err
		}
	}
	return nil
}

// release lists the files of records for deletion.
func (e *Eraser) release(ctx context.Context, tx ports.Tx, t tenant.ID, owner FileOwner, records []collection.Record) error {
	for _, r := range records {
		for _, key := range owner.Blobs(r) {
			if !media.OwnsBlob(t, key) {
				continue
			}
			if err := tx.PendingBlobs.Add(ctx, t, key, e.Now()); err != nil {
				return err
			}
		}
	}
	return nil
}

// forget drops what is kept outside of the database. The receipts go first, while the database still knows their keys.
func (e *Eraser) forget(ctx context.Context, d ports.TenantDeletion) error {
	for after := (ports.ReceiptKey{}); ; {
		keys, err := e.Erasure.ReceiptKeys(ctx, d.Tenant, after, receiptsPerPage)
		if err != nil {
			return err
		}
		if len(keys) > 0 {
			if err := e.Cache.ForgetReceipts(ctx, keys); err != nil {
				return err
			}
			after = keys[len(keys)-1]
		}
		if len(keys) < receiptsPerPage {
			return e.Cache.ForgetTenant(ctx, d.Tenant, e.Now())
		}
	}
}
