package records

import (
	"context"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/ports"
)

// ErasureReasons are the refusals of writes to s that would make data about a customer who was erased.
func ErasureReasons(s *collection.Schema) []*fault.Error {
	about := func(f collection.Field) bool {
		return f.Kind == collection.Relation && f.RelationTo == identity.Customers.Slug
	}
	if s != identity.Customers && !slices.ContainsFunc(s.Fields, about) {
		return nil
	}
	return []*fault.Error{identity.ErrErased}
}

// checkErased refuses to write what is personal into a record about a customer who was erased, and into one that has the address of
// a guest's erasure. Errors: identity.ErrErased.
func checkErased(ctx context.Context, r ports.Reader, w *Write) error {
	if w.Schema == identity.Customers {
		if identity.IsErased(w.Before) {
			return identity.ErrErased
		}
		return nil
	}
	var ids []string
	for _, link := range w.Schema.Links(w.After) {
		if link.Slug == identity.Customers.Slug {
			ids = append(ids, link.ID)
		}
	}
	ofGuest := collection.IsErasedEmail(w.Before.Text("email")) || collection.IsErasedEmail(w.Before.Group("customerSnapshot").Text("email"))
	if len(ids) == 0 && !ofGuest {
		return nil
	}
	if _, personal := w.Schema.Redact(w.After); !personal {
		return nil
	}
	if ofGuest {
		return identity.ErrErased
	}
	found, err := r.GetMany(ctx, identity.Customers, ids, nil)
	for _, customer := range found {
		if identity.IsErased(customer) {
			return identity.ErrErased
		}
	}
	return err
}
