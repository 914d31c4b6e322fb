// Package drafts is what operators do with draft orders besides writing them: calculate, finalize, discard.
// Rules: features/drafts/RULES.md. Decisions stand in package draft.
//
// A payment link is a checkout of the draft, with a cart that nobody can change, so it is paid as any checkout is, and the
// order comes with the money (Decision 62).
//
// No payment provider is called: a finalized order is paid manually or not at all. Finalizing is one transaction, before which a tax
// service may be asked (package taxing); a refusal leaves the draft as it was, and is the answer of its key. Once the draft is corrected,
// another key finalizes it.
//
// Lock order: cart, checkout, payment session, draft, discounts, stock. A draft has a cart and a checkout once it has a payment
// link; edit, discard and finalize lock the draft first.
package drafts

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/checkouts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/placement"
	"github.com/cartwright-dev/cartwright/app/taxing"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Service is the use cases.
type Service struct {
	Store       ports.Store
	Idempotency *idempotency.Runner
	Numbers     placement.Numbers // of orders
	Vault       ports.Vault       // derives the tokens of payment links
	Sessions    checkouts.SessionCloser
	Taxes       *taxing.Asker // asks tax services; nil: nothing is sold in markets that have one
	Now         func() time.Time
	NewID       func() string
	Failpoint   func(point string) // called at the Fail points, where tests crash the process; nil in production
}

// The points at which tests crash the process.
const (
	FailBeforeCommit = "finalize.before-commit" // the order is written, not committed
	FailCommitted    = "finalize.committed"     // the order is committed, the caller has no answer
)

func (d *Service) failpoint(point string) {
	if d.Failpoint != nil {
		d.Failpoint(point)
	}
}

// requireAccess admits callers who may do verb to drafts, in tenants with commerce enabled. Errors:
// fault.ErrUnauthenticated, fault.ErrForbidden, tenant.ErrFeatureDisabled.
func requireAccess(p tenant.Principal, verb collection.Verb) error {
	if _, err := access.Allowed(p, draft.Schema, verb); err != nil {
		return err
	}
	if p.Tenant.ID != "" && !p.Tenant.CommerceEnabled {
		return tenant.ErrFeatureDisabled
	}
	return nil
}

// inEnvironment returns r if it is in the caller's environment. Errors: ports.ErrNotFound.
func inEnvironment(c tenant.Principal, r collection.Record, err error) (collection.Record, error) {
	if err == nil && r.Text("environment") != string(c.Environment) {
		return nil, ports.ErrNotFound
	}
	return r, err
}

// lockDraft locks a draft. Errors: ports.ErrNotFound.
func lockDraft(ctx context.Context, tx ports.Tx, p tenant.Principal, id string) (collection.Record, error) {
	r, err := tx.Records.Lock(ctx, draft.Schema, id)
	return inEnvironment(p, r, err)
}
