package personaldata

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/preview"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// errStillHeld: records that lead to the customer who goes were made meanwhile.
var errStillHeld = errors.New("there are records of the customer again")

// maxRounds is how often a merge looks for records that were made meanwhile.
const maxRounds = 5

// MergeCustomers makes two customers one: every record that leads to from leads to into, in both environments, with the uses of discount
// codes; into takes over what it has not (identity.Merge); from is deleted. It answers {customer, moved, changes}, records by collection
// and the fields of into that became others. A preview answers that, with into as it would be, and does nothing.
//
// The first step ends the sessions of from and takes its password, so that no new work begins in its name. Then each record is
// moved in a transaction of its own, carts first: an order is placed under the lock of its checkout, so whatever comes out of a
// cart or checkout of from is found when its own collection is gone through. The last transaction locks both customers, looks
// whether there is anything left, and deletes. A merge that was interrupted goes on when it is repeated. Errors:
// fault.ErrForbidden, fault.ErrUnauthenticated, ports.ErrNotFound, fault.ErrValidation, collection.ErrChangedMeanwhile,
// ports.ErrStale.
func (s *Service) MergeCustomers(ctx context.Context, c idempotency.Call, into, from string, preview bool) (idempotency.Response, error) {
	p := c.Principal
	for _, verb := range []collection.Verb{collection.Update, collection.Delete} {
		reach, err := access.Allowed(p, identity.Customers, verb)
		if err == nil && !reach.All {
			err = fault.ErrForbidden
		}
		if err != nil {
			return idempotency.Response{}, err
		}
	}
	if preview {
		return s.previewMerge(ctx, c, into, from)
	}
	answer, _, err := s.Idempotency.RunOptional(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		return s.merge(ctx, c, into, from, claim)
	}, into, from)
	return answer, err
}

// previewMerge answers what MergeCustomers would do now. Records are counted, not moved: there may be many.
func (s *Service) previewMerge(ctx context.Context, c idempotency.Call, into, from string) (answer idempotency.Response, err error) {
	err = preview.TakenBack(s.Store)(ctx, ports.ForTenant(c.Principal.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		stays, goes, err := lockBoth(ctx, tx, into, from)
		if err != nil {
			return err
		}
		moved := map[string]int64{}
		for _, h := range ofCustomers() {
			q := h.about(from, 1)
			q.SkipCount = false
			page, err := tx.Records.Find(ctx, q)
			if err != nil {
				return err
			}
			if page.TotalDocs > 0 {
				moved[h.Schema.Slug] += page.TotalDocs
			}
		}
		answer = preview.Found(c, stays, mergeMembers(stays, identity.Merge(stays, goes), moved)...)
		return nil
	})
	return answer, err
}

func (s *Service) merge(ctx context.Context, c idempotency.Call, into, from string, claim *idempotency.Claim) (idempotency.Receipt, error) {
	t, moved := c.Principal.Tenant.ID, map[string]int64{}
	if err := s.closeCustomer(ctx, t, into, from); err != nil {
		return idempotency.Receipt{}, err
	}
	for range maxRounds {
		if err := s.moveAll(ctx, t, into, from, moved); err != nil {
			return idempotency.Receipt{}, err
		}
		receipt, err := s.finishMerge(ctx, c, into, from, moved, claim)
		if !errors.Is(err, errStillHeld) {
			return receipt, err
		}
	}
	return idempotency.Receipt{}, ports.ErrStale
}

// closeCustomer ends the sessions of from, and takes the password. Errors: ports.ErrNotFound for into, fault.ErrValidation for from.
func (s *Service) closeCustomer(ctx context.Context, t tenant.ID, into, from string) error {
	return s.Store.Atomically(ctx, ports.ForTenant(t), func(ctx context.Context, tx ports.Tx) error {
		_, goes, err := lockBoth(ctx, tx, into, from)
		if err != nil {
			return err
		}
		after := goes.Clone()
		after["tokenVersion"], after["signals"] = goes.Int("tokenVersion")+1, goes.Int("signals")+1
		delete(after, "password")
		return tx.Records.Write(ctx, collection.NewChange(identity.Customers, goes, after, s.NewID(), s.Now()))
	})
}

// lockBoth locks the customers in the order of their ids, if into exists. Errors: ports.ErrNotFound for into, fault.ErrValidation
// for from, identity.ErrErased for both.
func lockBoth(ctx context.Context, tx ports.Tx, into, from string) (stays, goes collection.Record, err error) {
	if _, err := tx.Records.Get(ctx, identity.Customers, into); err != nil {
		return nil, nil, err
	}
	if into == from {
		return nil, nil, fault.Invalidf("from", "A customer cannot be merged with themselves.")
	}
	ids := []string{into, from}
	slices.Sort(ids)
	for _, id := range ids {
		r, err := tx.Records.Lock(ctx, identity.Customers, id)
		switch {
		case errors.Is(err, ports.ErrNotFound) && id == from:
			return nil, nil, fault.Invalidf("from", "This customer does not exist.")
		case err != nil:
			return nil, nil, err
		case identity.IsErased(r):
			return nil, nil, identity.ErrErased
		case id == into:
			stays = r
		default:
			goes = r
		}
	}
	return stays, goes, nil
}

// moveAll moves every record that leads to from, and counts them by collection.
func (s *Service) moveAll(ctx context.Context, t tenant.ID, into, from string, moved map[string]int64) error {
	for _, h := range ofCustomers() {
		for {
			page, err := s.Store.Read(ports.ForTenant(t)).Find(ctx, h.about(from, collection.MaxLimit))
			if err != nil {
				return err
			}
			for _, r := range page.Docs {
				did, err := s.move(ctx, t, h, r.ID(), into, from)
				if err != nil {
					return err
				}
				if did {
					moved[h.Schema.Slug]++
				}
			}
			if len(page.Docs) < collection.MaxLimit {
				break
			}
		}
	}
	return nil
}

// ofCustomers are the holdings whose records name the customer themselves, and what the team was told about them.
func ofCustomers() []Holding {
	own := slices.DeleteFunc(slices.Clone(Holdings), func(h Holding) bool { return h.Via != nil })
	return append(own, Holding{team.Notifications, "record", nil})
}

// about are the first records of h that lead to a customer, in both environments.
func (h Holding) about(customer string, limit int) collection.Query {
	return collection.Query{Schema: h.Schema, Where: h.Schema.Where(h.By, collection.Equals, customer), Limit: limit, Page: 1, SkipCount: true}
}

// move makes a record one of into, unless somebody else did; did says that it was this call. The lock keeps into from being merged
// away in the meantime. Errors: ports.ErrNotFound for into.
func (s *Service) move(ctx context.Context, t tenant.ID, h Holding, id, into, from string) (did bool, err error) {
	err = s.Store.Atomically(ctx, ports.ForTenant(t), func(ctx context.Context, tx ports.Tx) error {
		did = false
		before, err := tx.Records.Lock(ctx, h.Schema, id)
		if errors.Is(err, ports.ErrNotFound) || err == nil && before.Text(h.By) != from {
			return nil
		}
		if err != nil {
			return err
		}
		if _, err := tx.Records.Lock(ctx, identity.Customers, into); err != nil {
			return err
		}
		after := before.Clone()
		after[h.By] = into
		if h.Schema == checkout.Schema || h.Schema == draft.Schema { // the holders of uses
			if err := tx.DiscountUses.Reassign(ctx, t, id, into); err != nil {
				return err
			}
		}
		did = true
		return tx.Records.Write(ctx, collection.NewChange(h.Schema, before, after, s.NewID(), s.Now()))
	})
	return did, err
}

// finishMerge completes into and deletes from. Errors: errStillHeld.
func (s *Service) finishMerge(
	ctx context.Context, c idempotency.Call, into, from string, moved map[string]int64, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	err = s.Store.Atomically(ctx, ports.ForTenant(c.Principal.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		stays, goes, err := lockBoth(ctx, tx, into, from)
		if err != nil {
			return err
		}
		for _, h := range ofCustomers() {
			if left, err := tx.Records.Find(ctx, h.about(from, 1)); err != nil || len(left.Docs) > 0 {
				return errors.Join(err, errStillHeld)
			}
		}
		now := s.Now()
		changes := []collection.Change{collection.NewChange(identity.Customers, goes, nil, s.NewID(), now)}
		after := identity.Merge(stays, goes)
		change := collection.NewChange(identity.Customers, stays, after, s.NewID(), now)
		if err := tx.Records.Write(ctx, append(changes, change)...); err != nil {
			return err
		}
		receipt = c.Receipt(ports.ReceiptOK, c.Body(mergeMembers(stays, after, moved)...), nil, now, now.Add(idempotency.Retention))
		receipt.About(after)
		return claim.Save(ctx, tx, receipt)
	})
	return receipt, err
}

// mergeMembers are those of the answer {customer, moved, changes}.
func mergeMembers(before, after collection.Record, moved map[string]int64) []reply.Member {
	rows := reply.List{}
	for _, slug := range slices.Sorted(maps.Keys(moved)) {
		rows = append(rows, reply.Object{{Name: "collection", Value: slug}, {Name: "records", Value: moved[slug]}})
	}
	changes := reply.List{}
	for i := range identity.Customers.Fields {
		f := &identity.Customers.Fields[i]
		if f.VisibleTo != collection.ServerOnly && !collection.Equal(before[f.Name], after[f.Name]) {
			changes = append(changes, f.Name)
		}
	}
	return []reply.Member{
		{Name: "customer", Schema: identity.Customers, Record: after}, {Name: "moved", Value: rows}, {Name: "changes", Value: changes},
	}
}
