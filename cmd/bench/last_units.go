package main

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"sync"
	"sync/atomic"
	"time"
)

// Of many buyers who want the last units, as many get one as there are.
const (
	lastUnitsLeft   = 100
	lastUnitsBuyers = 200
)

var errOversold = errors.New("not exactly the last units were sold")

// lastUnits has buyers with ready checkouts compete for the last units of a variant, pay, and get their orders.
func (t *checkoutLoad) lastUnits(ctx context.Context) error {
	d, err := t.shopOfLastUnits()
	if err != nil {
		return err
	}
	return t.compete(ctx, d)
}

// shopOfLastUnits is the first shop, where a new product is all that its customers buy.
func (t *checkoutLoad) shopOfLastUnits() (shopTenant, error) {
	d := t.shops[0]
	var created struct{ Doc struct{ ID string } }
	if err := t.post.expect(201, request{
		method: "POST", path: "/api/products", secret: d.secret, key: t.key(),
		body: fmt.Appendf(nil, `{"name": "Last cups", "price": 12000, "status": "published", "stock": %d}`, lastUnitsLeft),
	}, &created); err != nil {
		return d, err
	}
	variant, err := variantOf(t.post, d.secret, created.Doc.ID)
	if err != nil {
		return d, err
	}
	d.items = make([]string, productsPerShop)
	for i := range d.items {
		d.items[i] = fmt.Sprintf(`{"variantId": %q, "quantity": 1}`, variant)
	}
	return d, nil
}

// compete has buyers with ready checkouts pay at the same time.
func (t *checkoutLoad) compete(ctx context.Context, d shopTenant) error {
	wires := newRawConns(t.post.base, lastUnitsBuyers)
	defer closeAll(wires)
	checkouts := make([]string, len(wires))
	for i, w := range wires {
		var err error
		if checkouts[i], err = t.checkout(w, &d, i); err != nil {
			return err
		}
	}
	before, err := t.activity(ctx)
	if err != nil {
		return err
	}
	var sold, refused atomic.Int64
	var wrong atomic.Pointer[error]
	var all sync.WaitGroup
	began := time.Now()
	for i, w := range wires {
		all.Go(func() {
			switch got, err := t.tryToBuy(w, &d, checkouts[i]); {
			case err != nil:
				wrong.CompareAndSwap(nil, &err)
			case got:
				sold.Add(1)
			default:
				refused.Add(1)
			}
		})
	}
	all.Wait()
	took := time.Since(began)
	after, err := t.activity(ctx)
	if err != nil {
		return err
	}
	fmt.Printf("%d buyers of the last %d units: %d orders, %d refused, %d deadlocks, in %.2f s (%.0f attempts/s)\n\n", lastUnitsBuyers, lastUnitsLeft,
		sold.Load(), refused.Load(), after.deadlocks-before.deadlocks, took.Seconds(), lastUnitsBuyers/took.Seconds())
	if failed := wrong.Load(); failed != nil {
		return *failed
	}
	if sold.Load() != lastUnitsLeft {
		return errOversold
	}
	return ctx.Err()
}

// tryToBuy pays a checkout; got is false when its goods are sold out.
func (t *checkoutLoad) tryToBuy(w *rawConn, d *shopTenant, checkout string) (got bool, err error) {
	status, answer, err := w.do(request{
		method: "POST", path: serverAPI + "/payment-sessions", secret: d.secret, key: t.key(),
		body: fmt.Appendf(nil, `{"checkoutId": %q, "successUrl": "https://shop.example/ok", "failUrl": "https://shop.example/no"}`, checkout),
	})
	switch {
	case err != nil:
		return false, err
	case status == 409 || status == 422:
		return false, nil
	case status != 201:
		return false, fmt.Errorf("status %d: %s", status, answer)
	}
	var o openedSession
	if err := json.Unmarshal(answer, &o); err != nil { //nolint:musttag // the server names the fields so
		return false, err
	}
	return true, t.pay(w, d, o)
}
