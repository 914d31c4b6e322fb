package cartwright

import (
	"context"
	"encoding/json"
	"errors"
	"net/http"
	"net/url"
)

// errWhere is for what would change everything there is.
var errWhere = errors.New("the filter is empty: it would find every record")

// Collection is a collection by its slug, for records of the caller's own type: what its fields do not name
// is not read.
type Collection[T any] struct {
	Reader[T]
	Creator[T, any]
	Updater[T, any]
	Remover[T]
}

// From is the collection of that slug. The typed ones are Client.Collections; this is for others, and for own types:
//
//	names, err := cartwright.From[struct{ ID, Name string }](client, "brands").Find(ctx, cartwright.Query{})
func From[T any](c *Client, slug string) Collection[T] {
	on := endpoint{c.core, slug}
	return Collection[T]{Reader[T]{on}, Creator[T, any]{on}, Updater[T, any]{on}, Remover[T]{on}}
}

// endpoint is where a collection is.
type endpoint struct {
	core *core
	slug string
}

// Reader finds records of a collection.
type Reader[T any] struct{ on endpoint }

// Creator makes records of a collection.
type Creator[T, C any] struct{ on endpoint }

// Updater changes records of a collection.
type Updater[T, U any] struct{ on endpoint }

// Remover deletes records of a collection.
type Remover[T any] struct{ on endpoint }

// call does an operation on the collection; data nil: without a body.
func (e endpoint) call(ctx context.Context, o operation, in, data, out any, opts []Option) error {
	o.path = "/" + url.PathEscape(e.slug) + o.path
	r, err := o.request(in)
	if err == nil && !isID(e.slug) {
		err = errID
	}
	if err == nil && data != nil {
		r, err = r.carrying(data, r.path)
	}
	if err != nil {
		return invalid(o.name, err)
	}
	_, err = e.core.do(ctx, r, out, opts)
	return err
}

// one is a record, and how it is shown.
type one struct {
	ID     string   `path:"id"`
	Depth  int64    `query:"depth"`
	Select []string `query:"select"`
}

// many are the records that a filter finds.
type many struct {
	Where Where `query:"where"`
}

// Find is one page of the records that q asks for.
func (r Reader[T]) Find(ctx context.Context, q Query, opts ...Option) (out List[T], err error) {
	return out, r.on.call(ctx, operation{name: "collections.find", method: http.MethodGet}, q, nil, &out, opts)
}

// FindByID is one record; of q, Depth and Select count. Errors: ReasonNotFound.
func (r Reader[T]) FindByID(ctx context.Context, id string, q Query, opts ...Option) (out T, err error) {
	return out, r.on.call(ctx, operation{name: "collections.findById", method: http.MethodGet, path: "/{id}"}, one{id, q.Depth, q.Select},
		nil, &out, opts)
}

// Count is how many records there are; where nil: all.
func (r Reader[T]) Count(ctx context.Context, where Where, opts ...Option) (int64, error) {
	var out struct {
		TotalDocs int64 `json:"totalDocs"`
	}
	err := r.on.call(ctx, operation{name: "collections.count", method: http.MethodGet, path: "/count"}, many{where}, nil, &out, opts)
	return out.TotalDocs, err
}

// Create makes a record.
func (c Creator[T, C]) Create(ctx context.Context, data C, opts ...Option) (out Written[T], err error) {
	return out, c.on.call(ctx, operation{name: "collections.create", method: http.MethodPost, keyed: true}, nil, data, &out, opts)
}

// Update changes the fields of a record that data holds.
func (u Updater[T, U]) Update(ctx context.Context, id string, data U, opts ...Option) (out Written[T], err error) {
	return out, u.on.call(ctx, operation{name: "collections.update", method: http.MethodPatch, path: "/{id}", keyed: true}, byID{id},
		data, &out, opts)
}

// UpdateFields is Update by the names of fields: what is nil becomes null.
func (u Updater[T, U]) UpdateFields(ctx context.Context, id string, data Fields, opts ...Option) (out Written[T], err error) {
	return out, u.on.call(ctx, operation{name: "collections.update", method: http.MethodPatch, path: "/{id}", keyed: true}, byID{id},
		data, &out, opts)
}

// UpdateEach changes up to 1,000 records, each in its own way, and tells what became of each: one that is refused leaves the
// others alone, unless in is Atomic. The Collection of in is this one.
func (u Updater[T, U]) UpdateEach(ctx context.Context, in BulkUpdateInput, opts ...Option) (out BulkUpdates, err error) {
	in.Collection = u.on.slug
	_, err = u.on.core.call(ctx, opBulkUpdate, in, &out, opts)
	return out, err
}

// UpdateMany changes all records that where finds. Errors: where is empty, and nothing was sent; those of
// single records stand in the answer.
func (u Updater[T, U]) UpdateMany(ctx context.Context, where Where, data U, opts ...Option) (out Bulk[T], err error) {
	if len(where) == 0 {
		return out, invalid("collections.updateMany", errWhere)
	}
	return out, u.on.call(ctx, operation{name: "collections.updateMany", method: http.MethodPatch, keyed: true}, many{where},
		data, &out, opts)
}

// Remove deletes a record.
func (r Remover[T]) Remove(ctx context.Context, id string, opts ...Option) (out Deleted[T], err error) {
	return out, r.on.call(ctx, operation{name: "collections.remove", method: http.MethodDelete, path: "/{id}", keyed: true}, byID{id},
		nil, &out, opts)
}

// RemoveMany deletes all records that where finds. Errors: where is empty, and nothing was sent; those of
// single records stand in the answer.
func (r Remover[T]) RemoveMany(ctx context.Context, where Where, opts ...Option) (out Bulk[T], err error) {
	if len(where) == 0 {
		return out, invalid("collections.removeMany", errWhere)
	}
	return out, r.on.call(ctx, operation{name: "collections.removeMany", method: http.MethodDelete, keyed: true}, many{where},
		nil, &out, opts)
}

// Decode reads a record that came without a type, such as the Result of a resumed operation or the Doc of an
// event, into one of the types of this package.
func Decode[T any](text json.RawMessage) (out T, err error) {
	return out, json.Unmarshal(text, &out)
}
