package personaldata

import (
	"cmp"
	"context"
	"strings"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ErrUnderWay refuses to erase a customer while something is under way. Data "collection" and "record" are of the first such
// record, "records" is how many there are.
var ErrUnderWay = fault.New(fault.Conflict, "customer_busy", "Something of this customer is still under way.")

// ErrTooManyRecords refuses to erase a guest whose address many purchases share, such as one that a shop uses for all who give none.
// Data "limit" is how many records an erasure takes.
var ErrTooManyRecords = fault.New(fault.Conflict, "guest_too_many_records", "More is held under this address than an erasure takes.")

// maxRecords is how many records of a guest are erased at most. Every round reads all of them, and keeps their ids in memory.
const maxRecords = 10_000

// maxBlocking is how many records that are under way are named.
const maxBlocking = 100

// heldSum is what is held about a customer in a collection.
type heldSum struct {
	schema           *collection.Schema
	records          int64 // all of them
	personal, active int64 // those with something personal, those that are under way
}

// heldSums is what is held about a customer.
type heldSums struct {
	sums     []*heldSum // in the order of Erased; none without a record
	blocking []collection.Link
	blocked  int64 // as many as block, of which some are in blocking
}

// sumHeld counts what is held about a person: a customer with their record, a guest without that of the erasure. Errors:
// ErrTooManyRecords, those of the store.
func (s *Service) sumHeld(ctx context.Context, t tenant.ID, p person, customer ...collection.Record) (all heldSums, err error) {
	now := s.Now()
	bySchema := map[*collection.Schema]*heldSum{}
	limit, read := int64(cmp.Or(s.MaxGuestRecords, maxRecords)), int64(0)
	add := func(page heldPage) error {
		if read += int64(len(page.records)); read > limit && p.isGuest() && p.id == "" { // what has begun is told, and goes on
			return ErrTooManyRecords.WithData("limit", limit)
		}
		sum := bySchema[page.schema]
		if sum == nil {
			sum = &heldSum{schema: page.schema}
			bySchema[page.schema] = sum
			all.sums = append(all.sums, sum)
		}
		for _, r := range page.records {
			sum.records++
			if _, personal := page.schema.Redact(r); personal {
				sum.personal++
			}
			yes, waits := underWay(page.schema, r, now)
			if yes {
				sum.active++
			}
			if yes && !waits {
				if all.blocked++; len(all.blocking) < maxBlocking {
					all.blocking = append(all.blocking, collection.Link{Slug: page.schema.Slug, ID: r.ID()})
				}
			}
		}
		return nil
	}
	if len(customer) > 0 {
		if err := add(heldPage{identity.Customers, customer}); err != nil {
			return all, err
		}
	}
	_, err = eachHeld(ctx, whose{read: s.Store.Read(ports.ForTenant(t)), now: now}, p, add)
	return all, err
}

// collections is an answer's list of what is held.
func (all heldSums) collections() reply.List {
	rows := reply.List{}
	for _, sum := range all.sums {
		fields := reply.List{}
		for _, path := range sum.schema.PersonalPaths() {
			fields = append(fields, path)
		}
		rows = append(rows, reply.Object{
			{Name: "collection", Value: sum.schema.Slug}, {Name: "records", Value: sum.records}, {Name: "personal", Value: sum.personal},
			{Name: "underWay", Value: sum.active}, {Name: "fields", Value: fields},
		})
	}
	return rows
}

// inTheWay is an answer's list of what is under way.
func (all heldSums) inTheWay() reply.List {
	rows := reply.List{}
	for _, link := range all.blocking {
		rows = append(rows, reply.Object{{Name: "collection", Value: link.Slug}, {Name: "record", Value: link.ID}})
	}
	return rows
}

// refusal refuses to begin while something is under way. Errors: ErrUnderWay.
func (all heldSums) refusal() error {
	if all.blocked == 0 {
		return nil
	}
	first := all.blocking[0]
	return ErrUnderWay.WithData("collection", first.Slug).WithData("record", first.ID).WithData("records", all.blocked)
}

// mayErase are the callers who may erase customers: who may change and delete all of them, and do what more verbs say. Errors:
// fault.ErrForbidden, fault.ErrUnauthenticated.
func mayErase(p tenant.Principal, more ...collection.Verb) error {
	for _, verb := range append(more, collection.Update, collection.Delete) {
		reach, err := access.Allowed(p, identity.Customers, verb)
		if err == nil && !reach.All {
			err = fault.ErrForbidden
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// Erasure tells what an erasure of a customer replaces and what is in its way, or how far one is: {customer, collections,
// blocking}. It changes nothing. Errors: fault.ErrForbidden, fault.ErrUnauthenticated, ports.ErrNotFound.
func (s *Service) Erasure(ctx context.Context, c idempotency.Call, id string) (idempotency.Response, error) {
	if err := mayErase(c.Principal, collection.Read); err != nil {
		return idempotency.Response{}, err
	}
	t := c.Principal.Tenant.ID
	customer, err := s.Store.Read(ports.ForTenant(t)).Get(ctx, identity.Customers, id)
	if err != nil {
		return idempotency.Response{}, err
	}
	all, err := s.sumHeld(ctx, t, personOf(identity.Customers, customer, nil), customer)
	if err != nil {
		return idempotency.Response{}, err
	}
	body := c.Body(reply.Member{Name: "customer", Schema: identity.Customers, Record: customer},
		reply.Member{Name: "collections", Value: all.collections()}, reply.Member{Name: "blocking", Value: all.inTheWay()})
	return idempotency.Response{Result: ports.ReceiptOK, Body: body}, nil
}

// EraseCustomer begins to erase a customer, and answers {customer, collections}: in one transaction their record loses what is
// personal, with all its events, and their logins end. An Eraser goes on with the rest. A customer who is being erased stays as they
// are; one who was erased is gone through again if something personal came since. Errors: ErrUnderWay, fault.ErrValidation,
// fault.ErrForbidden, fault.ErrUnauthenticated, ports.ErrNotFound, collection.ErrChangedMeanwhile.
func (s *Service) EraseCustomer(ctx context.Context, c idempotency.Call, id, reason string) (idempotency.Response, error) {
	if err := mayErase(c.Principal); err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := s.Idempotency.RunOptional(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		return s.beginErasure(ctx, c, id, reason, claim)
	}, id)
	return answer, err
}

func (s *Service) beginErasure(
	ctx context.Context, c idempotency.Call, id, reason string, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	t := c.Principal.Tenant.ID
	known, err := s.Store.Read(ports.ForTenant(t)).Get(ctx, identity.Customers, id)
	if err != nil {
		return receipt, err
	}
	who, came := personOf(identity.Customers, known, nil), false
	all, err := s.sumHeld(ctx, t, who, known)
	if err == nil && !identity.IsErased(known) {
		err = all.refusal()
	}
	if err == nil {
		came, err = s.cameSince(ctx, t, who, known, all)
	}
	if err != nil {
		return receipt, err
	}
	scope := ports.Scope{Tenants: []tenant.ID{t}, System: true} // what is remembered of logins belongs to no tenant
	err = s.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, identity.Customers, id)
		if err != nil {
			return err
		}
		now, after := s.Now(), before
		if begins := before.Time("erasingSince").IsZero() && (!identity.IsErased(before) || came); begins {
			after = identity.BeginErasure(before, c.Principal.ID, reason, now)
			if err := s.writeErased(ctx, tx, before, after); err != nil {
				return err
			}
		}
		receipt = c.Receipt(ports.ReceiptOK, c.Body(reply.Member{Name: "customer", Schema: identity.Customers, Record: after},
			reply.Member{Name: "collections", Value: all.collections()}), nil, now, now.Add(idempotency.Retention))
		receipt.About(after)
		return claim.Save(ctx, tx, receipt)
	})
	return receipt, err
}

// anything reports whether something personal is held.
func (all heldSums) anything() bool {
	for _, sum := range all.sums {
		if sum.personal > 0 {
			return true
		}
	}
	return false
}

// cameSince reports whether there is something personal about a person, of whom r is the record; of one who was erased, also in events
// alone: what was written since and taken back is in no record. Errors: those of the store.
func (s *Service) cameSince(ctx context.Context, t tenant.ID, p person, r collection.Record, all heldSums) (yes bool, err error) {
	if all.anything() || r.Time("erasedAt").IsZero() || !r.Time("erasingSince").IsZero() {
		return all.anything(), nil
	}
	_, err = eachHeld(ctx, whose{read: s.Store.Read(ports.ForTenant(t)), now: s.Now()}, p, func(page heldPage) error {
		if yes {
			return nil
		}
		ids := make([]string, len(page.records))
		for i, r := range page.records {
			ids[i] = r.ID()
		}
		events, err := s.Find.PersonalEvents(ctx, t, page.schema, ids...)
		yes = len(events.Of) > 0
		return err
	})
	return yes, err
}

// writeErased stores a customer from whom everything personal was taken, and takes it from their events and logins, too.
func (s *Service) writeErased(ctx context.Context, tx ports.Tx, before, after collection.Record) error {
	change := collection.NewChange(identity.Customers, before, after, s.NewID(), s.Now())
	if err := tx.Records.Write(ctx, change); err != nil {
		return err
	}
	if _, err := tx.Erasure.RedactEvents(ctx, identity.Customers, ports.PersonalEvents{}, before.ID()); err != nil {
		return err
	}
	return tx.Erasure.ForgetCustomer(ctx, before.ID(), strings.ToLower(before.Text("email")))
}
