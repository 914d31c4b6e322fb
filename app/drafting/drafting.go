// Package drafting is what operators do with draft orders besides writing them: calculate, finalize, discard. Spec 3.1, 4.4;
// Contract 9. Decisions stand in package draft.
//
// Nothing here calls anybody: a finalized order is paid by hand or not at all, so there is no provider to ask and no link to
// send. What finalize does is one transaction; a refusal leaves the draft as it was, and is the answer of its key. Once the
// draft is corrected, another key finalizes it.
//
// Lock order: draft, discounts, stock. Whoever edits, discards or finalizes a draft has its row first, so one of them is
// the last.
package drafting

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Drafting is the use cases.
type Drafting struct {
	Store ports.Store
	Once  *once.Runner
	Now   func() time.Time
	NewID func() string
	Fail  func(point string) // called at the named points where a crash must heal; nil in production
}

// The points at which tests crash the process.
const (
	FailBeforeCommit = "finalize.before-commit" // the order is written, not committed
	FailCommitted    = "finalize.committed"     // the order is committed, nobody was told
)

func (d *Drafting) fail(point string) {
	if d.Fail != nil {
		d.Fail(point)
	}
}

// admit says who may do verb to drafts, in a shop that sells. Errors: fault.ErrUnauthenticated, fault.ErrForbidden,
// tenant.ErrFeatureDisabled.
func admit(p tenant.Principal, verb collection.Verb) error {
	if _, err := access.Allowed(p, draft.Schema, verb); err != nil {
		return err
	}
	if p.Tenant.ID != "" && !p.Tenant.CommerceEnabled {
		return tenant.ErrFeatureDisabled
	}
	return nil
}

// here is r if it is in the caller's environment. Errors: ports.ErrAbsent.
func here(c tenant.Principal, r collection.Record, err error) (collection.Record, error) {
	if err == nil && r.Text("environment") != string(c.Environment) {
		return nil, ports.ErrAbsent
	}
	return r, err
}

// lock is the draft while nobody else changes it. Errors: ports.ErrAbsent.
func lock(ctx context.Context, tx ports.Tx, p tenant.Principal, id string) (collection.Record, error) {
	r, err := tx.Records.Lock(ctx, draft.Schema, id)
	return here(p, r, err)
}

// changes collects what one transaction writes.
type changes struct {
	d    *Drafting
	now  time.Time
	list []collection.Change
}

// put adds the step from before (nil: create) to after.
func (w *changes) put(s *collection.Schema, before, after collection.Record) {
	w.list = append(w.list, collection.NewChange(s, before, after, w.d.NewID(), w.now))
}
