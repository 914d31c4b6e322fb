// Package personaldata gives people what a shop holds about them, and makes two customers one. Rules access-53, access-54.
//
// Decision: a file has everything that leads to the customer by relations, in the environment of the caller: what a guest
// bought with the same email is not attached to anybody, because anybody may register with an email. Customers get what they
// may read of their own records, the shop gets what its staff sees, with its comments on the customer. A member of staff who may not
// read one of the collections gets no file: a part would pass for the whole.
package personaldata

import (
	"context"
	"io"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Holding is a collection with records about customers.
type Holding struct {
	Schema *collection.Schema
	By     string             // field that leads to the customer, or to a record of Via
	Via    *collection.Schema // nil: By is the customer
}

// Holdings are the collections that a file consists of, besides the customer.
var Holdings = []Holding{
	{cart.Schema, "customer", nil},
	{checkout.Schema, "customer", nil},
	{draft.Schema, "customer", nil},
	{order.Schema, "customer", nil},
	{returns.Schema, "customer", nil},
	{payment.Sessions, "checkout", checkout.Schema},
	{payment.Transactions, "order", order.Schema},
	{payment.Disputes, "order", order.Schema},
	{order.FulfillmentOrders, "order", order.Schema},
	{order.Fulfillments, "order", order.Schema},
	{team.Comments, "record", nil},
}

// Service exports what a shop holds about customers, and merges them.
type Service struct {
	Store   ports.Store
	Records *records.Service
	Now     func() time.Time

	Idempotency *idempotency.Runner
	NewID       func() string
	Find        ports.ErasureFinder
	// MaxGuestRecords is how many records of a guest are erased at most; 0: 10,000. More is no person, but an address that many share.
	MaxGuestRecords int
}

// Filename is the name of the file about a customer.
func Filename(id string) string { return "customer-" + id + ".json" }

// Export writes a JSON list of {collection, record}, the customer first, page by page: each as of when it is read. Errors:
// fault.ErrUnauthenticated, fault.ErrForbidden, ports.ErrNotFound, those of to.
func (s *Service) Export(ctx context.Context, p tenant.Principal, id string, to io.Writer) error {
	held, err := readable(p)
	if err != nil {
		return err
	}
	customer, err := s.Records.GetRecord(ctx, p, identity.Customers, id)
	if err != nil {
		return err
	}
	f := file{to: to, audience: records.Audience(p), separator: "["}
	if err := f.write(identity.Customers, customer); err != nil {
		return err
	}
	roots := map[*collection.Schema][]string{}
	for _, h := range held {
		of := []string{id}
		if h.Via != nil {
			of = roots[h.Via]
		}
		for part := range slices.Chunk(of, collection.MaxLimit) {
			found, err := s.exportHolding(ctx, p, h, part, &f)
			if err != nil {
				return err
			}
			roots[h.Schema] = append(roots[h.Schema], found...)
		}
	}
	_, err = io.WriteString(to, "]\n")
	return err
}

// readable are the holdings that p may read: all of them for staff, their own records for customers. Errors:
// fault.ErrUnauthenticated, fault.ErrForbidden.
func readable(p tenant.Principal) (held []Holding, err error) {
	for _, h := range Holdings {
		reach, err := access.Allowed(p, h.Schema, collection.Read)
		switch {
		case err == nil && (reach.All || reach.OwnerID != ""):
			held = append(held, h)
		case p.Kind != tenant.Customer && err != nil:
			return nil, err
		case p.Kind != tenant.Customer:
			return nil, fault.ErrForbidden
		}
	}
	return held, nil
}

// exportHolding writes the records of a holding that lead to one of ids, and returns their own ids.
func (s *Service) exportHolding(ctx context.Context, p tenant.Principal, h Holding, ids []string, f *file) (found []string, err error) {
	of := whose{read: s.Store.Read(ports.ForPrincipal(p)), environment: p.Environment, now: s.Now()}
	err = of.each(ctx, h, ids, func(page []collection.Record) error {
		for _, r := range page {
			if err := f.write(h.Schema, h.Schema.AsOf(r, s.Now())); err != nil {
				return err
			}
			found = append(found, r.ID())
		}
		return nil
	})
	return found, err
}

// whose reads the records that lead to somebody.
type whose struct {
	read        ports.Reader
	environment tenant.Environment // "": both
	now         time.Time
}

// each calls fn with the records of a holding that lead to one of ids, in pages, in the order of their ids: fn may change them.
func (w whose) each(ctx context.Context, h Holding, ids []string, fn func(page []collection.Record) error) error {
	return ports.FindEach(ctx, w.read, collection.Query{
		Schema: h.Schema, Environment: string(w.environment), Now: w.now, Where: collection.FieldIn(h.Schema, h.By, ids),
	}, fn)
}

// file is a JSON list that is written element by element.
type file struct {
	to        io.Writer
	audience  collection.Audience
	separator string // before the next element
}

func (f *file) write(s *collection.Schema, r collection.Record) error {
	one := reply.Of(f.audience, reply.Member{Name: "collection", Value: s.Slug}, reply.Member{Name: "record", Schema: s, Record: r})
	_, err := io.WriteString(f.to, f.separator)
	if err == nil {
		_, err = f.to.Write(one.Bytes())
	}
	f.separator = ",\n"
	return err
}
