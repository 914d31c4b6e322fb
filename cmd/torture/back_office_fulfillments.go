package main

import (
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math/rand/v2"
	"mime/multipart"
	"strconv"
)

type workBody struct {
	ID, Type, Status string
}

type fulfillmentBody struct {
	ID, Status, Order string
	Items             []struct {
		OrderLine string
		Quantity  int64
	}
}

// fulfillmentResponse is the response to a change of a fulfillment.
type fulfillmentResponse struct {
	Fulfillment fulfillmentBody
	Order       orderBody
}

// The ways of shipping, in turn.
const (
	shipByFile   = iota // by a carrier file, sent twice at once
	shipByHand          // several operators pack concurrently
	shipOrCancel        // an operator cancels the order while it is shipped
	shipWays
)

const (
	fulfillmentTransitionInvalid = "fulfillment_transition_invalid"
	orderTransitionInvalid       = "order_transition_invalid"
	quantityExceeded             = "fulfillment_quantity_exceeded"
	returnTransitionInvalid      = "return_transition_invalid"
)

// send ships the goods of an order, unless it is canceled before.
func (o *backOffice) send(ctx context.Context, d *officeOrder, turn int) error {
	work, err := listAll[workBody](ctx, o.caller, "fulfillment-orders", "order", d.order)
	if err != nil {
		return err
	}
	for _, w := range work {
		switch {
		case w.Status == "canceled": // with its last unit
		case w.Type != "shipping":
			err = o.completeManual(ctx, w.ID)
			d.handed = true
		case turn%shipWays == shipByFile:
			err = o.shipByCarrierFile(ctx, w.ID)
		case turn%shipWays == shipOrCancel:
			err = o.shipOrCancelRace(ctx, d, w.ID)
		default:
			err = o.packInParts(ctx, d, w.ID)
		}
		if err != nil || d.canceled {
			return err
		}
	}
	return o.deliverAll(ctx, d)
}

// completeManual has two operators complete a fulfillment order that is not shipped.
func (o *backOffice) completeManual(ctx context.Context, work string) error {
	var done struct{ FulfillmentOrder workBody }
	_, err := o.race(ctx, &done, []string{quantityExceeded, orderTransitionInvalid},
		duplicate(o.post("/api/fulfillment-orders/"+work+"/complete", nil))...)
	if err == nil && done.FulfillmentOrder.Status != "closed" {
		err = fmt.Errorf("completed work is %+v", done.FulfillmentOrder)
	}
	return err
}

// packInParts has three operators pack two of three units each; the successful one ships them while another
// operator cancels the parcel. Then the rest is shipped.
func (o *backOffice) packInParts(ctx context.Context, d *officeOrder, work string) error {
	path := "/api/fulfillment-orders/" + work + "/fulfillments"
	most := o.post(path, map[string]any{"items": []any{map[string]any{"orderLine": d.line, "quantity": orderUnits - 1}}})
	var response fulfillmentResponse
	if _, err := o.race(ctx, &response, []string{quantityExceeded}, append(duplicate(most), duplicate(most)[1])...); err != nil {
		return err
	}
	if response.Order.Status != "preparing" {
		return fmt.Errorf("%+v after the first parcel", response.Order)
	}
	first := "/api/fulfillments/" + response.Fulfillment.ID
	if _, err := o.race(ctx, &response, []string{fulfillmentTransitionInvalid, orderTransitionInvalid}, o.post(first+"/ship", tracking()),
		o.post(first+"/cancel", nil)); err != nil {
		return err
	}
	if err := o.must(ctx, o.post(path, nil), &response); err != nil { // all that is unfulfilled
		return err
	}
	if err := o.must(ctx, o.post("/api/fulfillments/"+response.Fulfillment.ID+"/ship", tracking()), &response); err != nil {
		return err
	}
	if response.Order.Status != "shipped" {
		return fmt.Errorf("%+v after its last parcel", response.Order)
	}
	return nil
}

// shipOrCancelRace packs everything and ships it while the order is canceled: one of the two is refused.
func (o *backOffice) shipOrCancelRace(ctx context.Context, d *officeOrder, work string) error {
	var response fulfillmentResponse
	if err := o.must(ctx, o.post("/api/fulfillment-orders/"+work+"/fulfillments", nil), &response); err != nil {
		return err
	}
	winner, err := o.race(ctx, &response, []string{fulfillmentTransitionInvalid, orderTransitionInvalid},
		o.post("/api/fulfillments/"+response.Fulfillment.ID+"/ship", tracking()), o.cancellation(d))
	if err != nil || winner == 0 {
		return err
	}
	d.canceled = true
	return response.Order.checkCanceled("refunded")
}

// tracking is the tracking data of a parcel.
func tracking() map[string]any {
	return map[string]any{"carrier": testCarrier, "trackingNumber": trackingNumber()}
}

const testCarrier = "cj"

// trackingNumber has the twelve digits that this carrier uses.
func trackingNumber() string {
	return strconv.FormatInt(100_000_000_000+rand.Int64N(900_000_000_000), 10)
}

// shipByCarrierFile sends a carrier file twice at once: its row is applied once, and already known the second
// time.
func (o *backOffice) shipByCarrierFile(ctx context.Context, work string) error {
	var text bytes.Buffer
	table := csv.NewWriter(&text)
	if err := table.WriteAll([][]string{{"fulfillmentOrder", "carrier", "trackingNumber"}, {work, testCarrier, trackingNumber()}}); err != nil {
		return err
	}
	var body bytes.Buffer
	m := multipart.NewWriter(&body)
	part, err := m.CreateFormFile("file", "numbers.csv")
	if err != nil {
		return err
	}
	if _, err := part.Write(text.Bytes()); err != nil {
		return err
	}
	if err := m.Close(); err != nil {
		return err
	}
	upload := request{"POST", "/api/fulfillments/carrier-file", newKey(), form{m.FormDataContentType(), body.Bytes()}}
	answers, err := o.all(ctx, duplicate(upload)...)
	for _, a := range answers {
		var response struct {
			Applied, Unchanged int
			Errors             []any
		}
		if err != nil {
			return err
		}
		if err = a.success(upload, &response); err == nil && (response.Applied+response.Unchanged != 1 || len(response.Errors) > 0) {
			err = fmt.Errorf("carrier file: %s", a.body)
		}
	}
	return err
}

// deliverAll has two operators mark each parcel as delivered. Then the order is delivered.
func (o *backOffice) deliverAll(ctx context.Context, d *officeOrder) error {
	parcels, err := listAll[fulfillmentBody](ctx, o.caller, "fulfillments", "order", d.order)
	if err != nil {
		return err
	}
	for _, p := range parcels {
		if p.Status == "canceled" {
			continue
		}
		var response fulfillmentResponse
		if _, err := o.race(ctx, &response, []string{fulfillmentTransitionInvalid, orderTransitionInvalid},
			duplicate(o.post("/api/fulfillments/"+p.ID+"/deliver", nil))...); err != nil {
			return err
		}
	}
	var now orderBody
	if _, err := o.caller.must(ctx, request{"GET", "/api/orders/" + d.order + "?depth=0", "", nil}, &now); err != nil {
		return err
	}
	if now.Status != "delivered" {
		return fmt.Errorf("order %+v after its parcels arrived", now)
	}
	return nil
}
