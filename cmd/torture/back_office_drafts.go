package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
)

const draftPath = "/api/draft-orders"

type draftBody struct {
	ID, Status, Order string
}

// The outcomes of a draft, in turn.
const (
	draftPaid          = iota // then shipped and returned
	draftPaidAgain            // most drafts are paid
	draftCanceled             // its order is canceled before it is paid
	draftDiscardedRace        // discarded while another operator finalizes it
	draftOutcomes
)

// fromDraft creates an order from a draft: it is created, edited and calculated; then two operators finalize
// it at once, or one of them discards it.
func (o *backOffice) fromDraft(ctx context.Context, d *officeOrder, turn int) error {
	total, err := o.createDraft(ctx, d)
	if err != nil {
		return err
	}
	order, err := o.finalizeDraft(ctx, d, turn%draftOutcomes == draftDiscardedRace)
	if err != nil || d.order == "" {
		return err
	}
	if order.Status != "pending" || d.total != total {
		return fmt.Errorf("a draft of %d became order %+v", total, order)
	}
	if err := o.checkFinalizedIsFrozen(ctx, d); err != nil {
		return err
	}
	switch turn % draftOutcomes {
	case draftDiscardedRace:
		return nil // it is not paid
	case draftCanceled:
		d.canceled = true
		return o.cancelOrder(ctx, d, "unpaid")
	}
	var paid struct{ Order orderBody }
	byHand := o.post("/api/orders/"+d.order+"/transitions", map[string]any{"to": "paid", "note": "By bank transfer"})
	if _, err = o.race(ctx, &paid, []string{"order_transition_invalid"}, duplicate(byHand)...); err == nil && paid.Order.Status != "paid" {
		err = fmt.Errorf("order %+v after its payment", paid.Order)
	}
	d.paid = true
	return err
}

// createDraft creates a draft, and is its total.
func (o *backOffice) createDraft(ctx context.Context, d *officeOrder) (total int64, err error) {
	line := func(quantity int64) []any { return []any{map[string]any{"variant": d.variant, "quantity": quantity}} }
	var created struct{ Doc draftBody }
	if err := o.must(ctx, o.post(draftPath, map[string]any{
		"lines": line(1), "customerSnapshot": map[string]any{"name": "Kim Torture", "email": "buyer@example.com"},
		"shippingAddress": address,
	}), &created); err != nil {
		return 0, err
	}
	d.draft = created.Doc.ID
	edit := request{
		http.MethodPatch, draftPath + "/" + d.draft, newKey(), map[string]any{"lines": line(orderUnits), "operatorNotes": "by telephone"},
	}
	if err := o.must(ctx, edit, &created); err != nil {
		return 0, err
	}
	var sum struct{ Subtotal, Total json.Number }
	if _, err := o.caller.must(ctx, request{http.MethodPost, draftPath + "/" + d.draft + "/calculate", "", map[string]any{}}, &sum); err != nil {
		return 0, err
	}
	if subtotal, err := sum.Subtotal.Int64(); err != nil || subtotal != orderUnits*d.price {
		return 0, fmt.Errorf("%d units at %d come to %s: %w", orderUnits, d.price, sum.Subtotal, err)
	}
	return sum.Total.Int64()
}

// finalizeDraft is the order of a draft, unless it was discarded first.
func (o *backOffice) finalizeDraft(ctx context.Context, d *officeOrder, discarded bool) (orderBody, error) {
	path := draftPath + "/" + d.draft
	rivals := duplicate(o.post(path+"/finalize", nil))
	if discarded {
		rivals[0] = o.post(path+"/discard", nil)
	}
	var created struct {
		Order      orderBody
		DraftOrder draftBody
	}
	winner, err := o.race(ctx, &created, []string{"draft_not_editable"}, rivals...)
	if err != nil {
		return orderBody{}, err
	}
	if discarded && winner == 0 {
		if created.DraftOrder.Status != "discarded" {
			err = fmt.Errorf("draft %+v after it was discarded", created.DraftOrder)
		}
		return orderBody{}, err
	}
	if created.DraftOrder.Status != "finalized" || created.DraftOrder.Order != created.Order.ID {
		return orderBody{}, fmt.Errorf("draft %+v became order %+v", created.DraftOrder, created.Order)
	}
	return created.Order, d.setOrder(created.Order)
}

// checkFinalizedIsFrozen checks that a finalized or discarded draft cannot be edited.
func (o *backOffice) checkFinalizedIsFrozen(ctx context.Context, d *officeOrder) error {
	late := request{http.MethodPatch, draftPath + "/" + d.draft, newKey(), map[string]any{"operatorNotes": "too late"}}
	a, err := o.do(ctx, late)
	if err == nil && !a.refusedFor("draft_not_editable") {
		err = fmt.Errorf("an edit of a finalized or discarded draft: %d %s", a.status, a.body)
	}
	return err
}

// cancelOrder cancels an order.
func (o *backOffice) cancelOrder(ctx context.Context, d *officeOrder, money string) error {
	var done struct{ Order orderBody }
	if err := o.must(ctx, o.cancellation(d), &done); err != nil {
		return err
	}
	return done.Order.checkCanceled(money)
}

func (o *backOffice) cancellation(d *officeOrder) request {
	return o.post("/api/orders/"+d.order+"/cancel", map[string]any{"reason": "Not wanted any more"})
}

// checkCanceled checks that an order is canceled and refunded as expected.
func (b orderBody) checkCanceled(money string) error {
	if b.Status != "canceled" || b.PaymentStatus != money {
		return fmt.Errorf("order after its cancellation: %+v", b)
	}
	return nil
}
