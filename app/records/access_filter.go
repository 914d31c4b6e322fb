package records

import (
	"strings"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// accessFilter is the condition that matches the records of s which p may access with verb; nil matches all.
// Errors: fault.ErrUnauthenticated, fault.ErrForbidden.
func (c *Service) accessFilter(p tenant.Principal, s *collection.Schema, verb collection.Verb) (collection.Cond, error) {
	r, err := access.Allowed(p, s, verb)
	if err != nil || r.All || r.Public && r.Where == nil {
		return nil, err
	}
	if s.Access.PersonField != "" {
		return ofPerson(s, r.Person), nil
	}
	if len(r.About) > 0 {
		return collection.FieldIn(s, s.Access.AboutField, r.About), nil
	}
	var some collection.Or
	if r.Public {
		cond, err := (&collection.QueryParser{
			Registry: c.Registry, Schema: s, Audience: collection.ServerOnly, Fold: c.Fold,
		}).Where(r.Where)
		if err != nil {
			return nil, err
		}
		some = append(some, cond)
	}
	if r.OwnerID != "" {
		some = append(some, s.Where(s.Access.OwnerField, collection.Equals, r.OwnerID))
	}
	return some, nil
}

// ofPerson is the condition of a user's own records, and of those that are shared.
func ofPerson(s *collection.Schema, user string) collection.Cond {
	some := collection.Or{s.Where(s.Access.PersonField, collection.Equals, user)}
	if shared := s.Access.SharedField; shared != "" {
		some = append(some, s.Where(shared, collection.Equals, true))
	}
	return some
}

// CheckQuery refuses a condition and an order that a list of s refuses p: what nobody knows, and paths through what p may not
// read. Errors: collection.ErrQuery.
func (c *Service) CheckQuery(p tenant.Principal, s *collection.Schema, where collection.JSONValue, sort string) error {
	if _, err := c.parseWhere(p, s, where); err != nil {
		return err
	}
	_, err := c.parseSort(p, s, sort)
	return err
}

// parseWhere parses a client's condition. A path through a relation is limited by what p may read: a path
// through a collection p may not read is refused, and through one that p may read in part it matches readable
// records only. Otherwise the result would reveal the contents of unreadable records. Errors:
// collection.ErrQuery.
func (c *Service) parseWhere(p tenant.Principal, s *collection.Schema, tree collection.JSONValue) (collection.Cond, error) {
	cond, err := (&collection.QueryParser{Registry: c.Registry, Schema: s, Audience: Audience(p), Fold: c.Fold, Content: p.Content}).Where(tree)
	if err != nil || cond == nil {
		return nil, err
	}
	return c.restrictPaths(p, cond)
}

func (c *Service) restrictPaths(p tenant.Principal, cond collection.Cond) (collection.Cond, error) {
	switch cond := cond.(type) {
	case collection.And:
		all, err := c.restrictAll(p, cond)
		return collection.And(all), err
	case collection.Or:
		all, err := c.restrictAll(p, cond)
		return collection.Or(all), err
	case collection.Comparison:
		return c.restrictTest(p, cond)
	}
	return cond, nil
}

func (c *Service) restrictAll(p tenant.Principal, conds []collection.Cond) ([]collection.Cond, error) {
	out := make([]collection.Cond, len(conds))
	for i, cond := range conds {
		var err error
		if out[i], err = c.restrictPaths(p, cond); err != nil {
			return nil, err
		}
	}
	return out, nil
}

func (c *Service) restrictTest(p tenant.Principal, t collection.Comparison) (collection.Cond, error) {
	all := collection.And{t}
	for i, f := range t.Path[:len(t.Path)-1] {
		if !f.Kind.Related() {
			continue
		}
		part, err := c.accessFilter(p, c.Registry.Get(f.Target()), collection.Read)
		if err != nil || part != nil && passesList(t.Path[:i+1]) {
			return nil, pathRefusal(t.Path)
		}
		if part != nil {
			all = append(all, prefixPath(t.Path[:i+1], part))
		}
	}
	if len(all) == 1 {
		return t, nil
	}
	return all, nil
}

// parseSort parses a client's sort order. Errors: collection.ErrQuery, also for a path through a collection
// that p cannot read in full.
func (c *Service) parseSort(p tenant.Principal, s *collection.Schema, text string) ([]collection.SortKey, error) {
	parser := collection.QueryParser{Registry: c.Registry, Schema: s, Audience: Audience(p), Fold: c.Fold, Content: p.Content}
	orders, err := parser.SortBy(text)
	if err != nil {
		return nil, err
	}
	for _, o := range orders {
		for _, f := range o.Path[:len(o.Path)-1] {
			if !f.Kind.Related() {
				continue
			}
			if part, err := c.accessFilter(p, c.Registry.Get(f.Target()), collection.Read); err != nil || part != nil {
				return nil, pathRefusal(o.Path)
			}
		}
	}
	return orders, nil
}

func passesList(path []collection.Field) bool {
	for _, f := range path {
		if f.Kind.Many() {
			return true
		}
	}
	return false
}

// prefixPath prepends path to the path of every test of cond.
func prefixPath(path []collection.Field, cond collection.Cond) collection.Cond {
	switch cond := cond.(type) {
	case collection.And:
		out := make(collection.And, len(cond))
		for i, x := range cond {
			out[i] = prefixPath(path, x)
		}
		return out
	case collection.Or:
		out := make(collection.Or, len(cond))
		for i, x := range cond {
			out[i] = prefixPath(path, x)
		}
		return out
	case collection.Comparison:
		cond.Path = append(append([]collection.Field(nil), path...), cond.Path...)
		return cond
	}
	return cond
}

func pathRefusal(path []collection.Field) error {
	names := make([]string, len(path))
	for i, f := range path {
		names[i] = f.Name
	}
	name := strings.Join(names, ".")
	return collection.ErrQuery.At(name).WithMessage("The following path cannot be queried: %s", name)
}
