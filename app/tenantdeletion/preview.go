package tenantdeletion

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/suspension"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Count is how many records a collection has.
type Count struct {
	Schema *collection.Schema
	N      int64
}

// Preview is what a deletion would delete, and what keeps it from beginning.
type Preview struct {
	Begun    bool                 // it has begun: Deletion has it, and there is nothing else
	Deletion ports.TenantDeletion // zero before it has begun
	Name     string               // of the tenant
	Slug     string               // which confirms the deletion
	Blocked  []*fault.Error       // in the order in which Delete refuses; none: it can begin
	Money    Money
	Export   identity.Export // the one that counts; zero without one
	Records  []Count         // of the collections that have some, in the order of the registry
	Events   int64           // changes that the tenant has had
}

// Preview shows what Delete would do, and does nothing. Errors: fault.ErrUnauthenticated and fault.ErrForbidden for all but platform
// admins and the system, ports.ErrNotFound.
func (s *Service) Preview(ctx context.Context, by tenant.Principal, id tenant.ID) (p Preview, err error) {
	if err := suspension.RequirePlatform(by); err != nil {
		return Preview{}, err
	}
	switch p.Deletion, err = s.Erasure.Find(ctx, id); {
	case err == nil:
		p.Begun = true
		return p, nil
	case !errors.Is(err, ports.ErrNotFound):
		return Preview{}, err
	}
	actor := s.checkActor(ctx, by, id)
	if actor != nil && !errors.Is(actor, ErrActing) {
		return Preview{}, actor
	}
	err = s.Store.Atomically(ctx, scopeOf(id), func(ctx context.Context, tx ports.Tx) error {
		record, err := tx.Records.Get(ctx, identity.Tenants, string(id))
		if err != nil {
			return err
		}
		found, err := s.blockers(ctx, tx, record)
		p.Name, p.Slug, p.Blocked, p.Money = record.Text("name"), record.Text("slug"), found.refusals(), found.money
		p.Export, _ = identity.ExportFrom(record)
		if err == nil {
			p.Events, err = tx.TenantDeletions.EventsRecorded(ctx, id)
		}
		return err
	})
	if err != nil {
		return Preview{}, err
	}
	if actor != nil {
		p.Blocked = append([]*fault.Error{ErrActing}, p.Blocked...)
	}
	p.Records, err = s.count(ctx, id)
	return p, err
}

// count counts the records of every collection.
func (s *Service) count(ctx context.Context, id tenant.ID) (all []Count, err error) {
	for _, schema := range s.Registry.All() {
		page, err := s.Store.Read(ports.ForTenant(id)).Find(ctx, collection.Query{Schema: schema, Limit: 1, Page: 1})
		if err != nil {
			return nil, err
		}
		if page.TotalDocs > 0 {
			all = append(all, Count{schema, page.TotalDocs})
		}
	}
	return all, nil
}
