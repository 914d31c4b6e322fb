package searchindex

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/search"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Finder asks the index for somebody.
type Finder struct {
	Index ports.SearchIndex
	Fold  collection.Fold
}

// Find returns the ids of records of s in p's environment that p finds by a text, best first; at most limit. What p may
// not read it does not find anything by. Rules search-2, search-6. Errors: fault.ErrUnauthenticated,
// fault.ErrForbidden, search.ErrQuery.
func (f *Finder) Find(ctx context.Context, p tenant.Principal, s *collection.Schema, text string, limit int) ([]string, error) {
	if err := mayFind(p, s); err != nil {
		return nil, err
	}
	query, err := search.Parse(text, f.Fold)
	if err != nil {
		return nil, err
	}
	q := ports.SearchQuery{
		Tenant: p.Tenant.ID, Collection: s.Slug, Query: query, Limit: min(limit, ports.MaxFound),
		Kinds: search.KindsOf(s, func(of *collection.Schema) bool { return mayFind(p, of) == nil }),
	}
	if s.PerEnvironment {
		q.Environment = p.Environment
	}
	if len(q.Kinds) == 0 {
		return nil, nil
	}
	return f.Index.Find(ctx, q)
}

// mayFind says whether p finds records of s: users and secret keys that may read all of them.
func mayFind(p tenant.Principal, s *collection.Schema) error {
	reach, err := access.Allowed(p, s, collection.Read)
	if err == nil && (!p.IsStaff() || !reach.All) {
		err = fault.ErrForbidden
	}
	return err
}
