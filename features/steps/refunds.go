package steps

import (
	"context"
	"errors"
	"fmt"
	"time"
)

func (w *world) refundSteps() []definition {
	return []definition{
		{`^a paid order of (\d+) "([^"]*)"$`, w.makeOrder},
		{`^a canceled order of (\d+) "([^"]*)" whose money the bank gives back later$`, w.makeCanceled},
		{`^the shop cancels the order$`, func(ctx context.Context) error { return w.try(ctx, w.canceling()) }},
		{`^the shop sends the same cancel again$`, func(ctx context.Context) error { return w.try(ctx, w.sent) }},
		{`^the shop cancels the order (\d+) times at once$`, w.cancelTogether},
		{`^the shopper tries to cancel the order$`, w.cancelAsShopper},
		{`^the cancel succeeds$`, w.succeeded},
		{`^the cancel is refused because "([^"]*)"$`, w.refused},
		{`^the order is "([^"]*)"$`, func(ctx context.Context, want string) error { return w.wantOrder(ctx, "status", want) }},
		{`^the order reads as "([^"]*)"$`, func(ctx context.Context, want string) error { return w.wantOrder(ctx, "paymentStatus", want) }},
		{`^(\d+) KRW of the order went back$`, func(ctx context.Context, want string) error { return w.wantOrder(ctx, "refundedAmount", want) }},
		{`^the books show (\d+) refunds?$`, w.wantRefunds},
		{`^the refund says that it failed$`, w.wantFailedRefund},
		{`^the bank gives it back$`, func(ctx context.Context) error { return w.bankDecides(ctx, "succeed", "refunded") }},
		{`^the bank cannot give it back$`, func(ctx context.Context) error { return w.bankDecides(ctx, "fail", "failed") }},
		{`^the work of the order is called off$`, w.wantNoWork},
		{`^somebody refunds (\d+) KRW in the provider's console$`, w.refundInConsole},
		{`^the shop learns that (\d+) KRW of the order went back$`, w.wantLearnt},
		{`^the shop reads that (\d+) KRW are left$`, func(want string) error {
			return equal("what is left", text(w.got.body, "errors", 0, "data", "left"), want)
		}},
	}
}

// makeOrder goes the whole way of a buyer.
func (w *world) makeOrder(ctx context.Context, n int, name string) error {
	if err := w.makePayment(ctx, n, name); err != nil {
		return err
	}
	return w.payOpen(ctx)
}

// payOpen is the buyer approving the open payment, and the shop confirming it: the order is placed.
func (w *world) payOpen(ctx context.Context) error {
	if err := w.buyer(ctx, "approve"); err != nil {
		return err
	}
	got, err := w.must(ctx, w.confirmation())
	w.sold = text(got.body, "order", "id")
	return err
}

func (w *world) makeCanceled(ctx context.Context, n int, name string) error {
	if err := w.makeOrder(ctx, n, name); err != nil {
		return err
	}
	if err := w.order(ctx, object{"asyncRefundNext": 1}); err != nil {
		return err
	}
	_, err := w.must(ctx, w.canceling())
	return err
}

func (w *world) canceling() request {
	return request{"POST", "/api/orders/" + w.sold + "/cancel", object{"reason": "The buyer changed her mind"}, keyed(w.asOwner())}
}

func (w *world) cancelTogether(ctx context.Context, n int) error {
	var all []request
	for range n {
		all = append(all, w.canceling())
	}
	return w.together(ctx, all)
}

func (w *world) cancelAsShopper(ctx context.Context) error {
	r := w.canceling()
	r.header = keyed(w.asBuyer())
	return w.try(ctx, r)
}

func (w *world) wantOrder(ctx context.Context, field, want string) error {
	got, err := w.must(ctx, request{"GET", "/api/orders/" + w.sold, nil, w.asOwner()})
	if err != nil {
		return err
	}
	return equal("the order's "+field, got.body[field], want)
}

// refunds are the entries of the books that gave money back.
func (w *world) refunds(ctx context.Context) ([]any, error) {
	got, err := w.must(ctx, request{"GET", "/api/transactions?limit=100&where[type][equals]=refund", nil, w.asOwner()})
	return list(got.body, "docs"), err
}

func (w *world) wantRefunds(ctx context.Context, n int) error {
	all, err := w.refunds(ctx)
	if err == nil && len(all) != n {
		err = fmt.Errorf("the books show %d refunds", len(all))
	}
	return err
}

func (w *world) wantFailedRefund(ctx context.Context) error {
	all, err := w.refunds(ctx)
	if err != nil {
		return err
	}
	if len(all) != 1 || text(all[0], "status") != "failed" || text(all[0], "note") == "" {
		return fmt.Errorf("the books show %v", all)
	}
	return nil
}

const heardOf = 20 * time.Second // the provider tells, or the server asks

// bankDecides has the bank say what became of a refund that it does later, and waits until the shop knows.
func (w *world) bankDecides(ctx context.Context, outcome, status string) error {
	if _, err := w.must(ctx, request{"POST", "/sandbox/refunds", object{"orderId": w.payment.orderID, "outcome": outcome}, nil}); err != nil {
		return err
	}
	ctx, cancel := context.WithTimeout(ctx, heardOf)
	defer cancel()
	for tick := time.NewTicker(50 * time.Millisecond); ; {
		all, err := w.refunds(ctx)
		if err != nil {
			return err
		}
		if len(all) == 1 && text(all[0], "status") == status {
			tick.Stop()
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return errors.New("the shop never heard of it")
		}
	}
}

func (w *world) refundInConsole(ctx context.Context, amount int) error {
	_, err := w.must(ctx, request{"POST", "/sandbox/refunds", object{"orderId": w.payment.orderID, "outcome": "console", "amount": amount}, nil})
	return err
}

// wantLearnt waits until the provider's word arrived.
func (w *world) wantLearnt(ctx context.Context, amount string) error {
	ctx, cancel := context.WithTimeout(ctx, heardOf)
	defer cancel()
	tick := time.NewTicker(50 * time.Millisecond)
	defer tick.Stop()
	for {
		err := w.wantOrder(ctx, "refundedAmount", amount)
		if err == nil {
			return nil
		}
		select {
		case <-tick.C:
		case <-ctx.Done():
			return err
		}
	}
}

func (w *world) wantNoWork(ctx context.Context) error {
	got, err := w.must(ctx, request{"GET", "/api/fulfillment-orders?limit=100", nil, w.asOwner()})
	if err != nil {
		return err
	}
	all := list(got.body, "docs")
	for _, f := range all {
		if err := equal("the work", dig(f, "status"), "canceled"); err != nil {
			return err
		}
	}
	if len(all) == 0 {
		return errors.New("the order never had work")
	}
	return nil
}
