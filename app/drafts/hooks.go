package drafts

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Hooks are what writing a draft does besides what its schema says: a finalized or discarded draft refuses
// every edit.
func Hooks() records.Hooks {
	return records.Hooks{
		Prepare: prepare, BeforeLock: beforeLock, BeforeWrite: beforeWrite, Batchable: true,
		Reasons: []*fault.Error{draft.ErrNotEditable, tenant.ErrFeatureDisabled},
	}
}

// prepare refuses prices, and new drafts of tenants that do not sell, and sets the draft's currency before amounts are
// read.
func prepare(_ context.Context, w *records.Write) error {
	if p := w.Principal; w.Create && p.Tenant.ID != "" && !p.Tenant.CommerceEnabled {
		return tenant.ErrFeatureDisabled
	}
	if err := draft.RejectPrices(w.Input); err != nil || !w.Create {
		return err
	}
	if _, given := w.Input["currency"]; !given {
		w.Input["currency"] = string(draft.Currency)
	}
	if w.Input["status"] == string(draft.Open) { // its status after this write
		delete(w.Input, "status")
	}
	return nil
}

// beforeLock refuses every edit of a draft that is not open, before any other refusal. It locks the row, so
// that a concurrent finalize comes before or after.
func beforeLock(ctx context.Context, tx ports.Tx, w *records.Write) error {
	if w.Create {
		return nil
	}
	r, err := lockDraft(ctx, tx, w.Principal, w.ID)
	if errors.Is(err, ports.ErrNotFound) {
		return nil // refused as any missing record
	}
	if err != nil {
		return err
	}
	return draft.CheckEditable(r)
}

func beforeWrite(_ context.Context, _ ports.Tx, w *records.Write) error {
	return draft.CheckEdit(w.After)
}
