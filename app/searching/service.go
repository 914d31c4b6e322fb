// Package searching finds records of all collections at once, for one field at the top of a page. Rule search-9.
package searching

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The records of one collection that an answer shows.
const (
	DefaultLimit = 5
	MaxLimit     = 20
)

// Service searches.
type Service struct {
	Records *records.Service
}

// targets are the collections that p searches, those that p may read. Errors: fault.ErrUnauthenticated, fault.ErrForbidden.
func targets(p tenant.Principal) (all []*collection.Schema, err error) {
	if p.Kind == tenant.Anonymous || p.Kind == "" {
		return nil, fault.ErrUnauthenticated
	}
	for _, target := range search.Targets() {
		if _, err := access.Allowed(p, target, collection.Read); err == nil && p.IsStaff() {
			all = append(all, target)
		}
	}
	if all == nil {
		err = fault.ErrForbidden
	}
	return all, err
}

// All answers with a group for each collection that p may read: the best matches in it, and whether there are more.
// Errors: fault.ErrUnauthenticated, fault.ErrForbidden, fault.ErrValidation, search.ErrQuery.
func (s *Service) All(ctx context.Context, p tenant.Principal, text string, limit int) (idempotency.Response, error) {
	readable, err := targets(p)
	if err != nil {
		return idempotency.Response{}, err
	}
	if limit < 1 || limit > MaxLimit {
		return idempotency.Response{}, fault.Invalidf("limit", "limit must be from 1 to %d.", MaxLimit)
	}
	if _, err := search.Parse(text, s.Records.Fold); err != nil {
		return idempotency.Response{}, err
	}
	groups := reply.List{}
	for _, target := range readable {
		group, err := s.group(ctx, p, target, text, limit)
		if err != nil {
			return idempotency.Response{}, err
		}
		groups = append(groups, group)
	}
	return idempotency.Response{Result: ports.ReceiptOK, Body: reply.Of(collection.Staff, reply.Member{Name: "groups", Value: groups})}, nil
}

// group is what is found in one collection.
func (s *Service) group(ctx context.Context, p tenant.Principal, target *collection.Schema, text string, limit int) (reply.Object, error) {
	page, err := s.Records.Find(ctx, p, target, records.Query{Search: text, Limit: limit, Page: 1})
	if err != nil {
		return nil, err
	}
	orders, err := s.ordersOf(ctx, p, target, page.Docs)
	if err != nil {
		return nil, err
	}
	docs := reply.List{}
	for _, r := range page.Docs {
		h := search.HitOf(target, r, orders[r.Text("order")])
		hit := reply.Object{{Name: "id", Value: r.ID()}, {Name: "title", Value: h.Title}}
		for _, m := range []reply.Member{{Name: "subtitle", Value: h.Subtitle}, {Name: "status", Value: h.Status}} {
			if m.Value != "" {
				hit = append(hit, m)
			}
		}
		docs = append(docs, append(hit, reply.Member{Name: "createdAt", Value: r.Time("createdAt")}))
	}
	return reply.Object{
		{Name: "collection", Value: target.Slug}, {Name: "docs", Value: docs}, {Name: "more", Value: page.Total > int64(len(page.Docs))},
	}, nil
}

// ordersOf are the orders of returns, by id, as far as p may read them; none of other records.
func (s *Service) ordersOf(
	ctx context.Context, p tenant.Principal, target *collection.Schema, docs []collection.Record,
) (map[string]collection.Record, error) {
	if target != returns.Schema || len(docs) == 0 {
		return nil, nil
	}
	ids := make([]string, len(docs))
	for i, r := range docs {
		ids[i] = r.Text("order")
	}
	return s.Records.GetMany(ctx, p, order.Schema, ids, nil)
}
