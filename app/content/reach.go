package content

import (
	"strings"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// reach is the condition that records of s meet which p may touch with verb; nil is all of them.
// Errors: fault.ErrUnauthenticated, fault.ErrForbidden.
func (c *Content) reach(p tenant.Principal, s *collection.Schema, verb collection.Verb) (collection.Cond, error) {
	r, err := access.Allowed(p, s, verb)
	if err != nil || r.All || r.Public && r.Where == nil {
		return nil, err
	}
	var some collection.Or
	if r.Public {
		cond, err := (&collection.Parser{Registry: c.Registry, Schema: s, Audience: collection.Nobody, Fold: c.Fold}).Where(r.Where)
		if err != nil {
			return nil, err
		}
		some = append(some, cond)
	}
	if r.Own != "" {
		some = append(some, s.Where(s.Access.Owner, collection.Equals, r.Own))
	}
	return some, nil
}

// where reads a client's condition. A path may lead through a relation only as far as p may read: through a collection
// that p may not read it is refused, and through one that p reads in part it holds for the readable records alone.
// Otherwise the answer would tell what the records behind the relation hold. Errors: collection.ErrQuery.
func (c *Content) where(p tenant.Principal, s *collection.Schema, tree collection.Tree) (collection.Cond, error) {
	cond, err := (&collection.Parser{Registry: c.Registry, Schema: s, Audience: Audience(p), Fold: c.Fold}).Where(tree)
	if err != nil || cond == nil {
		return nil, err
	}
	return c.guard(p, cond)
}

func (c *Content) guard(p tenant.Principal, cond collection.Cond) (collection.Cond, error) {
	switch cond := cond.(type) {
	case collection.And:
		all, err := c.guardAll(p, cond)
		return collection.And(all), err
	case collection.Or:
		all, err := c.guardAll(p, cond)
		return collection.Or(all), err
	case collection.Test:
		return c.guardTest(p, cond)
	}
	return cond, nil
}

func (c *Content) guardAll(p tenant.Principal, conds []collection.Cond) ([]collection.Cond, error) {
	out := make([]collection.Cond, len(conds))
	for i, cond := range conds {
		var err error
		if out[i], err = c.guard(p, cond); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (c *Content) guardTest(p tenant.Principal, t collection.Test) (collection.Cond, error) {
	all := collection.And{t}
	for i, f := range t.Path[:len(t.Path)-1] {
		if !f.Kind.Related() {
			continue
		}
		part, err := c.reach(p, c.Registry.Get(f.Target()), collection.Read)
		if err != nil || part != nil && throughList(t.Path[:i+1]) {
			return nil, refused(t.Path)
		}
		if part != nil {
			all = append(all, below(t.Path[:i+1], part))
		}
	}
	if len(all) == 1 {
		return t, nil
	}
	return all, nil
}

// sortBy reads a client's order. Errors: collection.ErrQuery, also for a path through what p cannot read in full.
func (c *Content) sortBy(p tenant.Principal, s *collection.Schema, text string) ([]collection.Order, error) {
	orders, err := (&collection.Parser{Registry: c.Registry, Schema: s, Audience: Audience(p), Fold: c.Fold}).SortBy(text)
	if err != nil {
		return nil, err
	}
	for _, o := range orders {
		for _, f := range o.Path[:len(o.Path)-1] {
			if !f.Kind.Related() {
				continue
			}
			if part, err := c.reach(p, c.Registry.Get(f.Target()), collection.Read); err != nil || part != nil {
				return nil, refused(o.Path)
			}
		}
	}
	return orders, nil
}

func throughList(path []collection.Field) bool {
	for _, f := range path {
		if f.Kind.Many() {
			return true
		}
	}
	return false
}

// below puts every test of cond behind path.
func below(path []collection.Field, cond collection.Cond) collection.Cond {
	switch cond := cond.(type) {
	case collection.And:
		out := make(collection.And, len(cond))
		for i, x := range cond {
			out[i] = below(path, x)
		}
		return out
	case collection.Or:
		out := make(collection.Or, len(cond))
		for i, x := range cond {
			out[i] = below(path, x)
		}
		return out
	case collection.Test:
		cond.Path = append(append([]collection.Field(nil), path...), cond.Path...)
		return cond
	}
	return cond
}

func refused(path []collection.Field) error {
	names := make([]string, len(path))
	for i, f := range path {
		names[i] = f.Name
	}
	return collection.ErrQuery.Saying("The following path cannot be queried: %s", strings.Join(names, "."))
}
