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

// returnResponse is the answer about a return.
type returnResponse struct {
	ReturnRequest returnBody
	Order         orderBody
}

// restockingFee is the fee of an order's first return.
const restockingFee = 100

// takeBack returns goods of an order: two operators request two of three units at once. Two operators pay the
// refund out at once, while one receives the last unit and another cancels its return.
func (o *backOffice) takeBack(ctx context.Context, d *officeOrder) error {
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
		var said returnResponse
		winner, err := o.race(ctx, &said, []string{returnTransitionInvalid}, o.post(returnPath+"/"+last.id+"/receive", nil), o.post(returnPath+"/"+last.id+"/cancel", nil))
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
	wish := o.post(returnPath, map[string]any{"order": d.order, "lines": []any{map[string]any{
		"orderLine": d.line, "quantity": r.units, "restockingFee": fee, "restock": r.restocked, "reason": "Too heavy",
	}}})
	wishes := []request{wish}
	if rivals {
		wishes = duplicate(wish)
	}
	var said returnResponse
	if _, err := o.race(ctx, &said, []string{"return_quantity_exceeded"}, wishes...); err != nil {
		return err
	}
	r.id = said.ReturnRequest.ID
	if amount, err := said.ReturnRequest.RefundAmount.Int64(); err != nil || amount != r.amount || said.ReturnRequest.Status != "requested" {
		return fmt.Errorf("a return of %+v is %+v: %w", *r, said.ReturnRequest, err)
	}
	return nil
}

// advanceReturn has two operators take each step of a return at once.
func (o *backOffice) advanceReturn(ctx context.Context, id string, steps ...string) error {
	for _, step := range steps {
		var said returnResponse
		if _, err := o.race(ctx, &said, []string{returnTransitionInvalid}, duplicate(o.post(returnPath+"/"+id+"/"+step, nil))...); err != nil {
			return err
		}
	}
	return nil
}

// refundReturn has two operators pay a return out at once: both get a success, and it is refunded once.
func (o *backOffice) refundReturn(ctx context.Context, r returnedGoods) error {
	change := o.post(returnPath+"/"+r.id+"/refund", nil)
	answers, err := o.all(ctx, duplicate(change)...)
	for _, a := range answers {
		if err != nil {
			return err
		}
		var said returnResponse
		if err = a.success(change, &said); err == nil && said.ReturnRequest.Status != "refunded" {
			err = fmt.Errorf("a return that was paid out is %+v", said.ReturnRequest)
		}
	}
	return err
}
