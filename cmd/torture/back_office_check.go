package main

import (
	"context"
	"database/sql"
	"encoding/json"
	"errors"
	"fmt"
	"path/filepath"
	"slices"
)

// pageSize is the size of a page of records.
const pageSize = 500

// listAll is the records of a collection whose field has a value; all of them without a field.
func listAll[T any](ctx context.Context, c *caller, slug, field, value string) (all []T, err error) {
	where := ""
	if field != "" {
		where = "&where[" + field + "][equals]=" + value
	}
	for page := 1; ; page++ {
		var got struct {
			Docs        []T
			HasNextPage bool
		}
		path := fmt.Sprintf("/api/%s?depth=0&limit=%d&page=%d%s", slug, pageSize, page, where)
		if _, err := c.must(ctx, request{"GET", path, "", nil}, &got); err != nil {
			return nil, err
		}
		all = append(all, got.Docs...)
		if !got.HasNextPage {
			return all, nil
		}
	}
}

type movementBody struct {
	Order, Type, Status, Provider, ProviderPaymentID string
	Amount                                           json.Number
}

// storedState is the stored orders and what belongs to them, by order.
type storedState struct {
	orders  []orderBody
	drafts  []draftBody
	parcels map[string][]fulfillmentBody
	returns map[string][]returnBody
	moved   map[string][]movementBody
}

func readStore(ctx context.Context, c *caller) (s storedState, err error) {
	read := func(list func() error) {
		if err == nil {
			err = list()
		}
	}
	read(func() (err error) { s.orders, err = listAll[orderBody](ctx, c, "orders", "", ""); return err })
	read(func() (err error) { s.drafts, err = listAll[draftBody](ctx, c, "draft-orders", "", ""); return err })
	read(func() (err error) {
		s.parcels, err = grouped(ctx, c, "fulfillments", func(p fulfillmentBody) string { return p.Order })
		return err
	})
	read(func() (err error) {
		s.returns, err = grouped(ctx, c, "return-requests", func(r returnBody) string { return r.Order })
		return err
	})
	read(func() (err error) {
		s.moved, err = grouped(ctx, c, "transactions", func(m movementBody) string { return m.Order })
		return err
	})
	return s, err
}

// grouped is all records of a collection, grouped by of.
func grouped[T any](ctx context.Context, c *caller, slug string, of func(T) string) (map[string][]T, error) {
	all, err := listAll[T](ctx, c, slug, "", "")
	groups := map[string][]T{}
	for _, r := range all {
		groups[of(r)] = append(groups[of(r)], r)
	}
	return groups, err
}

// check checks that goods and money of all orders are what was acknowledged. Refunds are the acknowledged
// ones, by order.
func (o *backOffice) check(ctx context.Context, refunds map[string][]int64) error {
	s, err := readStore(ctx, o.caller)
	if err != nil {
		return err
	}
	for _, b := range s.orders {
		err = errors.Join(err, b.checkQuantities(s.parcels[b.ID], s.returns[b.ID]), b.checkRefunds(s.moved[b.ID], refunds[b.ID]))
	}
	return errors.Join(err, o.checkDrafts(s), o.checkBankRefunds(ctx, s.moved, refunds), o.checkOrderStates(s))
}

// checkQuantities checks that no unit of an order was packed, shipped or returned twice.
func (b orderBody) checkQuantities(parcels []fulfillmentBody, returns []returnBody) error {
	packed, sent, back := map[string]int64{}, map[string]int64{}, map[string]int64{}
	for _, p := range parcels {
		for _, it := range p.Items {
			if p.Status != "canceled" {
				packed[it.OrderLine] += it.Quantity
			}
			if p.Status == "shipped" || p.Status == "delivered" {
				sent[it.OrderLine] += it.Quantity
			}
		}
	}
	for _, r := range returns {
		for _, l := range r.Lines {
			if r.Status == "received" || r.Status == "refunded" {
				back[l.OrderLine] += l.Quantity
			}
		}
	}
	for _, l := range b.Lines {
		if packed[l.ID] > l.Quantity || l.RequiresShipping && len(parcels) > 0 && sent[l.ID] != l.FulfilledQuantity ||
			l.FulfilledQuantity > l.Quantity {
			return fmt.Errorf("%w: order %s: %d packed, %d sent of %+v", errMismatch, b.ID, packed[l.ID], sent[l.ID], l)
		}
		if back[l.ID] > l.FulfilledQuantity || len(returns) > 0 && back[l.ID] != l.ReturnedQuantity ||
			l.ReturnedQuantity > l.FulfilledQuantity {
			return fmt.Errorf("%w: order %s: %d came back of %+v", errMismatch, b.ID, back[l.ID], l)
		}
	}
	return nil
}

// checkRefunds checks that an order's refunds are the acknowledged ones, each once, and at most what was
// paid.
func (b orderBody) checkRefunds(moved []movementBody, acknowledged []int64) error {
	var charges int
	var refunds []int64
	var paid, back int64
	for _, m := range moved {
		amount, err := m.Amount.Int64()
		switch {
		case err != nil:
			return err
		case m.Type == "payment":
			charges++
			paid += amount
		default:
			refunds = append(refunds, amount)
			back += amount
		}
	}
	if charges > 1 || back > paid || !sameAmounts(refunds, acknowledged) {
		return fmt.Errorf("%w: order %s: paid %d in %d payments, refunded %v, acknowledged %v: %+v", errMismatch, b.ID, paid, charges,
			refunds, acknowledged, moved)
	}
	if recorded, err := b.RefundedAmount.Int64(); len(moved) > 0 && (err != nil || recorded != back) {
		return fmt.Errorf("%w: order %s shows %s as refunded, want %d: %w", errMismatch, b.ID, b.RefundedAmount, back, err)
	}
	return nil
}

func sameAmounts(a, b []int64) bool {
	return slices.Equal(slices.Sorted(slices.Values(a)), slices.Sorted(slices.Values(b)))
}

// checkDrafts checks that every finalized draft has exactly one order, the one that it names and that was
// acknowledged, and that no other draft has any.
func (o *backOffice) checkDrafts(s storedState) error {
	made, acknowledged := map[string][]string{}, map[string]string{}
	for _, b := range s.orders {
		if b.DraftOrder != "" {
			made[b.DraftOrder] = append(made[b.DraftOrder], b.ID)
		}
	}
	for _, d := range o.orders {
		if d.draft != "" {
			acknowledged[d.draft] = d.order
		}
	}
	if len(s.drafts) != len(acknowledged) {
		return fmt.Errorf("%w: %d drafts, %d were acknowledged", errMismatch, len(s.drafts), len(acknowledged))
	}
	for _, d := range s.drafts {
		want := []string{}
		if acknowledged[d.ID] != "" {
			want = append(want, acknowledged[d.ID])
		}
		if !slices.Equal(made[d.ID], want) || d.Order != acknowledged[d.ID] || (d.Status == "finalized") != (d.Order != "") {
			return fmt.Errorf("%w: draft %+v became %v, acknowledged %v", errMismatch, d, made[d.ID], want)
		}
	}
	return nil
}

// checkOrderStates checks that every order has the state that was acknowledged.
func (o *backOffice) checkOrderStates(s storedState) error {
	status := map[string]string{}
	for _, b := range s.orders {
		status[b.ID] = b.Status
	}
	for _, d := range o.orders {
		if d.order == "" {
			continue
		}
		if want := d.status(); status[d.order] != want || len(s.returns[d.order]) != len(d.returns) {
			return fmt.Errorf("%w: order %s is %s with %d returns, want %s with %d", errMismatch, d.order, status[d.order],
				len(s.returns[d.order]), want, len(d.returns))
		}
	}
	return nil
}

// status is the expected status of an order.
func (d *officeOrder) status() string {
	switch {
	case d.canceled:
		return "canceled"
	case !d.paid:
		return "pending"
	case d.digital || slices.ContainsFunc(d.returns, func(r returnedGoods) bool { return r.canceled }):
		return "delivered" // not everything was returned
	default:
		return "returned"
	}
}

// checkBankRefunds checks that the bank refunded what was acknowledged, each refund once. It reads the bank's
// own database.
func (o *backOffice) checkBankRefunds(ctx context.Context, moved map[string][]movementBody, acknowledged map[string][]int64) error {
	refunds, err := o.bankRefunds(ctx)
	if err != nil {
		return err
	}
	for order, list := range moved {
		for _, m := range list {
			if m.Type != "payment" || m.Provider != "sandbox" {
				continue
			}
			refunded, ok := refunds[m.ProviderPaymentID]
			if !ok || !sameAmounts(refunded, acknowledged[order]) {
				return fmt.Errorf("%w: of payment %s of order %s the bank refunded %v, acknowledged %v",
					errMismatch, m.ProviderPaymentID, order, refunded, acknowledged[order])
			}
		}
	}
	return nil
}

// bankRefunds is the bank's refunds of each payment, by its id and its key.
func (o *backOffice) bankRefunds(ctx context.Context) (map[string][]int64, error) {
	db, err := sql.Open("sqlite", "file:"+filepath.Join(o.dir, "shop", "sandbox.db")+"?mode=ro")
	if err != nil {
		return nil, err
	}
	defer func() { _ = db.Close() }() // it was only read
	rows, err := db.QueryContext(ctx, "SELECT body FROM payments")
	if err != nil {
		return nil, err
	}
	defer func() { _ = rows.Close() }() // rows.Err reports errors
	refunds := map[string][]int64{}
	for rows.Next() {
		var body []byte
		var p struct {
			ID         string `json:"id"`
			PaymentKey string `json:"paymentKey"`
			Refunds    []struct {
				Amount int64  `json:"amount"`
				Status string `json:"status"`
			} `json:"refunds"`
		}
		if err := errors.Join(rows.Scan(&body), json.Unmarshal(body, &p)); err != nil {
			return nil, err
		}
		refunded := []int64{}
		for _, r := range p.Refunds {
			if r.Status != "FAILED" {
				refunded = append(refunded, r.Amount)
			}
		}
		refunds[p.ID], refunds[p.PaymentKey] = refunded, refunded
	}
	return refunds, rows.Err()
}
