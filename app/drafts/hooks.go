package drafts

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Hooks are what writing a draft does besides what its schema says: a finalized or discarded draft refuses
// every edit. store has the markets that drafts name.
func Hooks(store ports.Store) records.Hooks {
	return records.Hooks{
		Prepare:    func(ctx context.Context, w *records.Write) error { return prepare(ctx, store, w) },
		BeforeLock: beforeLock, BeforeWrite: beforeWrite, Batchable: true,
		Reasons: []*fault.Error{draft.ErrNotEditable, draft.ErrAwaitsPayment, draft.ErrMarketRequired, tenant.ErrFeatureDisabled},
	}
}

// prepare refuses prices, and new drafts of tenants that do not sell, and sets the draft's currency before amounts are
// read.
func prepare(ctx context.Context, store ports.Store, w *records.Write) error {
	if p := w.Principal; w.Create && p.Tenant.ID != "" && !p.Tenant.CommerceEnabled {
		return tenant.ErrFeatureDisabled
	}
	if err := draft.RejectPrices(w.Input); err != nil {
		return err
	}
	if err := nameMarket(ctx, store.Read(ports.ForPrincipal(w.Principal)), w.Input); err != nil || !w.Create {
		return err
	}
	if _, given := w.Input["currency"]; !given {
		w.Input["currency"] = string(w.Principal.Tenant.Currency)
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

func beforeWrite(ctx context.Context, tx ports.Tx, w *records.Write) error {
	if err := checkCurrency(ctx, tx.Records, w.Principal.Tenant, w.Before, w.After); err != nil {
		return err
	}
	if err := draft.CheckTerms(w.After); err != nil {
		return err
	}
	if p := w.Principal; p.Kind == tenant.User && !p.May(tenant.PriceDrafts) && draft.HasNewTerms(w.Before, w.After) {
		return fault.ErrForbidden.WithMessage("You may not agree on prices or discounts of lines.")
	}
	if err := draft.CheckEdit(w.After); err != nil {
		return err
	}
	// What is wrong in it is refused when the draft becomes an order.
	w.After, _ = address.CompleteIn(w.Before, w.After, "shippingAddress", w.Principal.Tenant.Country)
	w.After = draft.CompletePhone(w.After, w.Principal.Tenant.Country)
	return nil
}
