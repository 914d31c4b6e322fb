package personaldata

import (
	"context"
	"errors"
	"strings"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// foundGuest is what is known under an address.
type foundGuest struct {
	person  person
	erasure collection.Record // nil: none has this address
	held    heldSums
}

// findGuest finds what is held of a guest in the environment of by. Errors: ErrTooManyRecords, those of the store.
func (s *Service) findGuest(ctx context.Context, by tenant.Principal, email string) (found foundGuest, err error) {
	t := by.Tenant.ID
	if found.erasure, err = one(ctx, s.Store.Read(ports.ForTenant(t)), identity.GuestErasures, by.Environment, email); err != nil {
		return found, err
	}
	found.person = newGuest(by.Environment, email, s.Records.Fold)
	if found.erasure != nil {
		found.person = personOf(identity.GuestErasures, found.erasure, s.Records.Fold)
	}
	found.held, err = s.sumHeld(ctx, t, found.person)
	return found, err
}

// addressOf is an email address as records have it. Errors: fault.ErrValidation.
func addressOf(email string) (string, error) {
	email = strings.ToLower(strings.TrimSpace(email))
	if !collection.ValidEmail(email) && !collection.IsErasedEmail(email) {
		return "", fault.Invalidf("email", "This field takes an email address.")
	}
	return email, nil
}

// one is the record of s with an email address, in an environment if s has them; nil without one.
func one(
	ctx context.Context, from ports.Reader, s *collection.Schema, env tenant.Environment, email string,
) (collection.Record, error) {
	page, err := from.Find(ctx, collection.Query{
		Schema: s, Environment: string(env), Where: s.Where("email", collection.Equals, email), Limit: 1, Page: 1, SkipCount: true,
	})
	if err != nil || len(page.Docs) == 0 {
		return nil, err
	}
	return page.Docs[0], nil
}

// body is an answer {erasure, collections} and more.
func (g foundGuest) body(c idempotency.Call, more ...reply.Member) *reply.Body {
	return c.Body(append([]reply.Member{
		{Name: "erasure", Schema: identity.GuestErasures, Record: g.erasure}, {Name: "collections", Value: g.held.collections()},
	}, more...)...)
}

// withoutAddress is g as stored answers have it. A round that is under way has looked for answers already, and may end the erasure
// with one that is stored now: it must not have the guest's address.
func (g foundGuest) withoutAddress() foundGuest {
	g.erasure, _ = identity.GuestErasures.Redact(g.erasure)
	return g
}

// GuestErasure tells what an erasure of a guest of the caller's environment replaces and what is in its way, or how far one is:
// {erasure, collections, blocking, customer}. The customer is the one with the same address, whose account and what leads to it
// is not meant. email is the guest's, or that of an erasure, to see what came since. It changes nothing. Errors:
// ErrTooManyRecords, fault.ErrForbidden, fault.ErrUnauthenticated, fault.ErrValidation.
func (s *Service) GuestErasure(ctx context.Context, c idempotency.Call, email string) (idempotency.Response, error) {
	if err := mayErase(c.Principal, collection.Read); err != nil {
		return idempotency.Response{}, err
	}
	email, err := addressOf(email)
	if err != nil {
		return idempotency.Response{}, err
	}
	found, err := s.findGuest(ctx, c.Principal, email)
	if err != nil {
		return idempotency.Response{}, err
	}
	customer, err := one(ctx, s.Store.Read(ports.ForTenant(c.Principal.Tenant.ID)), identity.Customers, c.Principal.Environment, email)
	if err != nil {
		return idempotency.Response{}, err
	}
	account := reply.Member{Name: "customer"}
	if customer != nil {
		account.Value = customer.ID()
	}
	return idempotency.Response{
		Result: ports.ReceiptOK, Body: found.body(c, reply.Member{Name: "blocking", Value: found.held.inTheWay()}, account),
	}, nil
}

// EraseGuest begins to erase a guest of the caller's environment, and answers {erasure, collections}; an Eraser does the work. It begins where nothing is held,
// too: a request that was let in before may still make something. An erasure that goes on stays as it is. With the address of one
// that is done, what came since is erased.
// Errors: ErrUnderWay, ErrTooManyRecords, fault.ErrForbidden, fault.ErrUnauthenticated, fault.ErrValidation,
// collection.ErrChangedMeanwhile.
func (s *Service) EraseGuest(ctx context.Context, c idempotency.Call, email, reason string) (idempotency.Response, error) {
	if err := mayErase(c.Principal); err != nil {
		return idempotency.Response{}, err
	}
	email, err := addressOf(email)
	if err != nil {
		return idempotency.Response{}, err
	}
	answer, _, err := s.Idempotency.RunOptional(ctx, c, func(ctx context.Context, claim *idempotency.Claim) (idempotency.Receipt, error) {
		receipt, err := s.beginGuestErasure(ctx, c, email, reason, claim)
		if errors.Is(err, ports.ErrDuplicate) { // another call began it at the same moment, and is found now
			receipt, err = s.beginGuestErasure(ctx, c, email, reason, claim)
		}
		if errors.Is(err, ports.ErrDuplicate) { // what is unique is the folded address, and what is looked for the one that is kept
			err = ErrUnderWay.WithMessage("The erasure of an address goes on that differs from this one only in the forms of its letters.").WithCause(err)
		}
		return receipt, err
	})
	return answer, err
}

// beginGuestErasure begins an erasure in a transaction. Errors: ports.ErrDuplicate where another one was begun meanwhile, and those
// of EraseGuest.
func (s *Service) beginGuestErasure(
	ctx context.Context, c idempotency.Call, email, reason string, claim *idempotency.Claim,
) (receipt idempotency.Receipt, err error) {
	t := c.Principal.Tenant.ID
	found, err := s.findGuest(ctx, c.Principal, email)
	came := false
	if err == nil && found.erasure == nil {
		err = found.held.refusal()
	}
	if err == nil {
		came, err = s.cameSince(ctx, t, found.person, found.erasure, found.held)
	}
	if err != nil {
		return receipt, err
	}
	err = s.Store.Atomically(ctx, ports.ForTenant(t), func(ctx context.Context, tx ports.Tx) (err error) {
		now := s.Now()
		if found.erasure, err = s.beginIn(ctx, tx, c.Principal, email, reason, came); err != nil {
			return err
		}
		receipt = c.Receipt(ports.ReceiptOK, found.body(c), nil, now, now.Add(idempotency.Retention))
		receipt.Receipt.Body = found.withoutAddress().body(c).Receipt()
		receipt.Record = found.erasure.ID() // and no sequence: no event tells of it
		return claim.Save(ctx, tx, receipt)
	})
	return receipt, err
}

// beginIn begins the erasure with an address, and returns it: a new one, or one that is done if something came since. Errors:
// ports.ErrDuplicate where another transaction made one meanwhile.
func (s *Service) beginIn(
	ctx context.Context, tx ports.Tx, by tenant.Principal, email, reason string, came bool,
) (erasure collection.Record, err error) {
	before, err := one(ctx, tx.Records, identity.GuestErasures, by.Environment, email)
	if err == nil && before != nil {
		before, err = tx.Records.Lock(ctx, identity.GuestErasures, before.ID())
	}
	if err != nil || before != nil && (!came || !before.Time("erasingSince").IsZero()) {
		return before, err
	}
	next := before
	if before == nil {
		next = identity.NewGuestErasure(s.NewID(), by.Tenant.ID, by.Environment, email)
	}
	next = identity.BeginGuestErasure(next, by.ID, reason, s.Now())
	change := collection.NewChange(identity.GuestErasures, before, next, s.NewID(), s.Now())
	if err := tx.Records.Write(ctx, change); err != nil {
		return nil, err
	}
	return change.After, nil
}
