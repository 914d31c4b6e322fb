package main

import (
	"context"
	"encoding/json"
	"fmt"
)

const returnPath = "/api/return-requests"

type returnBody struct {
	ID, Status, Order string
	RefundAmount      json.Number
	Lines             []struct {
		OrderLine string
		Quantity  int64
	}
}

// returnResponse is the response to a change of a return.
type returnResponse struct {
	ReturnRequest returnBody
	Order         orderBody
}

// restockingFee is the fee of an order's first return.
const restockingFee = 100

// returnGoods returns goods of an order: two operators request the return of two of three units at once. Then two
// operators refund it at once, while one receives the last unit and another cancels its return.
func (o *backOffice) returnGoods(ctx context.Context, d *officeOrder) error {
	most := returnedGoods{units: orderUnits - 1, restocked: true, amount: (orderUnits-1)*d.price - restockingFee}
	if err := o.requestReturn(ctx, d, &most, restockingFee, true); err != nil {
		return err
	}
	if err := o.advanceReturn(ctx, most.id, "approve", "receive"); err != nil {
		return err
	}
	last := returnedGoods{units: 1, amount: d.price}
	if err := o.requestReturn(ctx, d, &last, 0, false); err != nil {
		return err
	}
	if err := o.advanceReturn(ctx, last.id, "approve"); err != nil {
		return err
	}
	err := concurrently(2, func(i int) (err error) {
		if i == 0 {
			return o.refundReturn(ctx, most)
		}
		var response returnResponse
		winner, err := o.race(ctx, &response, []string{returnTransitionInvalid}, o.post(returnPath+"/"+last.id+"/receive", nil),
			o.post(returnPath+"/"+last.id+"/cancel", nil))
		last.canceled = winner == 1
		return err
	})
	if err == nil && !last.canceled {
		err = o.refundReturn(ctx, last)
	}
	d.returns = []returnedGoods{most, last}
	return err
}

// requestReturn requests a return, with rivals for the same units, which are refused.
func (o *backOffice) requestReturn(ctx context.Context, d *officeOrder, r *returnedGoods, fee int64, rivals bool) error {
	change := o.post(returnPath, map[string]any{"order": d.order, "lines": []any{map[string]any{
		"orderLine": d.line, "quantity": r.units, "restockingFee": fee, "restock": r.restocked, "reason": "Too heavy",
	}}})
	changes := []request{change}
	if rivals {
		changes = duplicate(change)
	}
	var response returnResponse
	if _, err := o.race(ctx, &response, []string{"return_quantity_exceeded"}, changes...); err != nil {
		return err
	}
	r.id = response.ReturnRequest.ID
	if amount, err := response.ReturnRequest.RefundAmount.Int64(); err != nil || amount != r.amount ||
		response.ReturnRequest.Status != "requested" {
		return fmt.Errorf("a return of %+v is %+v: %w", *r, response.ReturnRequest, err)
	}
	return nil
}

// advanceReturn has two operators take each step of a return at once.
func (o *backOffice) advanceReturn(ctx context.Context, id string, steps ...string) error {
	for _, step := range steps {
		var response returnResponse
		if _, err := o.race(ctx, &response, []string{returnTransitionInvalid}, duplicate(o.post(returnPath+"/"+id+"/"+step, nil))...); err != nil {
			return err
		}
	}
	return nil
}

// refundReturn has two operators refund a return at once: both succeed, and it is refunded once.
func (o *backOffice) refundReturn(ctx context.Context, r returnedGoods) error {
	change := o.post(returnPath+"/"+r.id+"/refund", nil)
	answers, err := o.all(ctx, duplicate(change)...)
	for _, a := range answers {
		if err != nil {
			return err
		}
		var response returnResponse
		if err = a.success(change, &response); err == nil && response.ReturnRequest.Status != "refunded" {
			err = fmt.Errorf("a return after its refund is %+v", response.ReturnRequest)
		}
	}
	return err
}
