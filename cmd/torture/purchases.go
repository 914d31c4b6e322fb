package main

import (
	"context"
	"encoding/json"
	"fmt"
	"math/big"
	"sync"
)

const commerce = "/api/server/commerce"

// sale is one acknowledged paid order.
type sale struct {
	order, variant string
	quantity       int64
	total          *big.Rat
	canceled       bool // and refunded
}

// purchases is every acknowledged purchase.
type purchases struct {
	mu    sync.Mutex
	sales []sale
}

var address = map[string]any{
	"recipientName": "Kim Torture", "phone": "010-0000-0000", "postalCode": "04524", "address1": "1 Sejong-daero", "address2": "",
	"country": "KR",
}

// load makes one purchase after the other until load ends, each through cart, checkout, payment session, approval and
// confirmation, and cancels every third order, beginning with the first.
func (b *purchases) load(ctx context.Context, load <-chan struct{}, c *caller, variant string) error {
	for n := int64(0); ; n++ {
		select {
		case <-load:
			return nil
		default:
		}
		s, err := buy(ctx, c, variant, 1+n%3)
		if err == nil && n%3 == 0 {
			s.canceled, err = true, cancel(ctx, c, s.order)
		}
		if err != nil {
			return err
		}
		b.add(s)
	}
}

func (b *purchases) add(s sale) {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.sales = append(b.sales, s)
}

// cancel cancels and refunds an order.
func cancel(ctx context.Context, c *caller, order string) error {
	var done struct{ Order orderBody }
	if _, err := c.must(ctx, request{
		"POST", "/api/orders/" + order + "/cancel", newKey(), map[string]any{"reason": "Bought too much"},
	}, &done); err != nil {
		return err
	}
	return done.Order.checkCanceled("refunded")
}

type orderBody struct {
	ID, Status, PaymentStatus   string
	DraftOrder                  string
	TotalAmount, RefundedAmount json.Number
	Lines                       []struct {
		ID, Variant                                   string
		Quantity, FulfilledQuantity, ReturnedQuantity int64
		RequiresShipping                              bool
	}
}

func buy(ctx context.Context, c *caller, variant string, quantity int64) (sale, error) {
	order, err := buyItems(ctx, c, cartItem(variant, quantity))
	if err != nil {
		return sale{}, err
	}
	total, ok := new(big.Rat).SetString(order.TotalAmount.String())
	if !ok {
		return sale{}, fmt.Errorf("order %+v", order)
	}
	return sale{order: order.ID, variant: variant, quantity: quantity, total: total}, nil
}

// cartItem is the input of units of a variant.
func cartItem(variant string, quantity int64) any {
	return map[string]any{"variantId": variant, "quantity": quantity}
}

// buyItems buys items, and returns the paid order.
func buyItems(ctx context.Context, c *caller, items ...any) (orderBody, error) {
	var cart cartBody
	if _, err := c.must(ctx, request{"POST", cartPath, newKey(), map[string]any{"items": items}}, &cart); err != nil {
		return orderBody{}, err
	}
	var checkout struct {
		Checkout struct {
			ID     string
			Totals struct{ Total json.Number }
		}
	}
	if _, err := c.must(ctx, checkoutOf(cart.Cart.ID), &checkout); err != nil {
		return orderBody{}, err
	}
	order, err := pay(ctx, c, checkout.Checkout.ID)
	if err == nil && (order.Status != "paid" || order.TotalAmount.String() != checkout.Checkout.Totals.Total.String()) {
		err = fmt.Errorf("order %+v of checkout %+v", order, checkout.Checkout)
	}
	return order, err
}

func pay(ctx context.Context, c *caller, checkout string) (orderBody, error) {
	opened, err := c.must(ctx, sessionOf(checkout), nil)
	if err != nil {
		return orderBody{}, err
	}
	return paySession(ctx, c, opened)
}

// checkoutOf makes a checkout of a cart.
func checkoutOf(cart string) request {
	return request{"POST", commerce + "/checkouts", newKey(), map[string]any{
		"cartId": cart, "email": "buyer@example.com", "shippingAddress": address,
	}}
}

// sessionOf opens a payment session.
func sessionOf(checkout string) request {
	return request{"POST", commerce + "/payment-sessions", newKey(), map[string]any{
		"checkoutId": checkout, "successUrl": "https://shop.example/ok", "failUrl": "https://shop.example/no",
	}}
}

// paySession approves and confirms a payment session.
func paySession(ctx context.Context, c *caller, opened answer) (orderBody, error) {
	confirm, err := approve(ctx, c, opened)
	if err != nil {
		return orderBody{}, err
	}
	var done struct{ Order orderBody }
	_, err = c.must(ctx, confirm, &done)
	return done.Order, err
}

// approve is the buyer of a payment session, and returns the request of the shop's server that confirms it.
func approve(ctx context.Context, c *caller, opened answer) (confirm request, err error) {
	var session struct {
		PaymentSession struct{ ID string }
		Action         struct {
			OrderID string
			Amount  json.RawMessage
		}
	}
	if err := opened.into(&session); err != nil {
		return request{}, err
	}
	var buyer struct{ PaymentKey string }
	if _, err := c.must(ctx, request{"POST", "/sandbox/authorize", "", map[string]any{
		"orderId": session.Action.OrderID, "outcome": "approve", "webhooks": "never",
	}}, &buyer); err != nil {
		return request{}, err
	}
	return request{
		"POST", commerce + "/payment-sessions/" + session.PaymentSession.ID + "/confirm", newKey(), map[string]any{
			"paymentKey": buyer.PaymentKey, "orderId": session.Action.OrderID, "amount": session.Action.Amount,
		},
	}, nil
}

// totals are the orders, transactions, stock and ledger in the database.
type totals struct {
	orders, transactions int
	stock                map[string]int64
	charged              string // sum of the ledger
}

// readTotals counts orders and transactions, and reads the stock of variants. Reserved units are an error: there must
// be none without load.
func readTotals(ctx context.Context, c *caller, variants []string) (totals, error) {
	b := totals{stock: map[string]int64{}}
	for slug, n := range map[string]*int{"orders": &b.orders, "transactions": &b.transactions} {
		var err error
		if *n, err = c.count(ctx, slug); err != nil {
			return b, err
		}
	}
	for _, variant := range variants {
		var v struct{ Stock, Reserved int64 }
		if _, err := c.must(ctx, request{"GET", "/api/product-variants/" + variant, "", nil}, &v); err != nil {
			return b, err
		}
		if v.Reserved != 0 {
			return b, fmt.Errorf("variant %s: %d units are still reserved", variant, v.Reserved)
		}
		b.stock[variant] = v.Stock
	}
	return b, nil
}

// count is the number of records of a collection.
func (c *caller) count(ctx context.Context, slug string) (int, error) {
	var out struct{ TotalDocs int }
	_, err := c.must(ctx, request{"GET", "/api/" + slug + "/count", "", nil}, &out)
	return out.TotalDocs, err
}

// check checks that orders, transactions and stock changed by exactly what was acknowledged since before.
func (b totals) check(before totals, want tally) error {
	if n := b.orders - before.orders; n != want.orders {
		return fmt.Errorf("%d orders, %d were acknowledged", n, want.orders)
	}
	if n := b.transactions - before.transactions; n != want.transactions {
		return fmt.Errorf("%d transactions, %d were acknowledged", n, want.transactions)
	}
	for variant, had := range before.stock {
		if left := had - want.sold[variant]; b.stock[variant] != left {
			return fmt.Errorf("variant %s: stock %d, want %d after %d sold", variant, b.stock[variant], left, want.sold[variant])
		}
	}
	return nil
}

// tally is the expected totals of all sales. Errors: an order that was acknowledged for two of them.
func (b *purchases) tally() (tally, error) {
	t := tally{
		orders: len(b.sales), transactions: len(b.sales), sold: map[string]int64{}, revenue: new(big.Rat), refunds: map[string][]int64{},
	}
	seen := map[string]bool{}
	for _, s := range b.sales {
		if seen[s.order] {
			return t, fmt.Errorf("two purchases were answered with order %s", s.order)
		}
		seen[s.order] = true
		if s.canceled {
			t.transactions++
			t.refunds[s.order] = []int64{s.total.Num().Int64()}
			continue
		}
		t.sold[s.variant] += s.quantity
		t.revenue.Add(t.revenue, s.total)
	}
	return t, nil
}

// canceled is the number of canceled sales.
func (b *purchases) canceled() (n int) {
	for _, s := range b.sales {
		if s.canceled {
			n++
		}
	}
	return n
}
