package main

import (
	"context"
	"fmt"
	"net/http"
)

// The corrections of orders that came by a checkout, in turn; the other ones are sent as they are.
const (
	dropDigital = iota // two operators cancel the unit that is not shipped
	giveBack           // two operators refund an amount each, and one corrects the address
	noCorrection
	corrections
)

// givenBack is what each of the two refunds; less than the digital unit costs, which is never returned.
const givenBack = 10

// correct takes back a part of an order that is paid, before it is sent.
func (o *backOffice) correct(ctx context.Context, d *officeOrder, turn int) error {
	switch {
	case !d.digital:
		return nil
	case turn%corrections == dropDigital:
		return o.dropDigital(ctx, d)
	case turn%corrections == giveBack:
		return o.giveBack(ctx, d)
	}
	return nil
}

// dropDigital has two operators cancel the same unit at once: it is canceled and refunded once.
func (o *backOffice) dropDigital(ctx context.Context, d *officeOrder) error {
	change := o.post("/api/orders/"+d.order+"/cancel-lines", map[string]any{
		"reason": "Sold out", "lines": []any{map[string]any{"orderLine": d.digitalLine, "quantity": 1}},
	})
	var done struct {
		Order        orderBody
		Cancellation struct{ RefundAmount int64 }
	}
	if _, err := o.race(ctx, &done, []string{quantityExceeded}, duplicate(change)...); err != nil {
		return err
	}
	d.digital = false
	d.corrected = append(d.corrected, done.Cancellation.RefundAmount)
	if done.Order.Status != "paid" || done.Order.PaymentStatus != "partially_refunded" {
		return fmt.Errorf("%+v after a unit was canceled", done.Order)
	}
	return nil
}

// giveBack has two operators refund the same amount, which are two refunds, while another one corrects the address.
func (o *backOffice) giveBack(ctx context.Context, d *officeOrder) error {
	change := o.post("/api/orders/"+d.order+"/refund", map[string]any{
		"reason": "It came late", "amount": map[string]any{"amount": givenBack, "currency": "KRW"},
	})
	changes := duplicate(change)
	return concurrently(len(changes)+1, func(i int) error {
		if i == len(changes) {
			address := map[string]any{"shippingAddress": map[string]any{"address1": "2 Other Street"}}
			_, err := o.caller.must(ctx, request{http.MethodPatch, "/api/orders/" + d.order, "", address}, nil)
			return err
		}
		var done struct{ Order orderBody }
		err := o.must(ctx, changes[i], &done)
		if err == nil {
			o.mu.Lock()
			defer o.mu.Unlock()
			d.corrected = append(d.corrected, givenBack)
		}
		return err
	})
}
