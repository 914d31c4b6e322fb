package steps

import (
	"context"
	"crypto/rand"
	"encoding/json"
	"fmt"
	"maps"
	"slices"
)

// bankView is a payment at a bank the shop has no connection for, as the bank names it.
type bankView struct{ session, payment, event string }

func (w *world) bridgeSteps() []definition {
	return []definition{
		{`^the shop opens a payment of its own bank$`, func(ctx context.Context) error { return w.openBridge(ctx, keyed(w.asOwner())) }},
		{`^a browser tries to open a payment of the shop's own bank$`, func(ctx context.Context) error { return w.openBridge(ctx, keyed(w.asBuyer())) }},
		{`^(?:an|another) open payment of the shop's own bank for (\d+) "([^"]*)"$`, w.makeBridge},
		{`^the shop says(?: again)? that (\d+) ([A-Z]{3}) arrived$`, func(ctx context.Context, amount, currency string) error {
			return w.try(ctx, w.arrival(w.bank, amount, currency, w.asOwner()))
		}},
		{`^a browser says that (\d+) ([A-Z]{3}) arrived$`, func(ctx context.Context, amount, currency string) error {
			return w.try(ctx, w.arrival(w.bank, amount, currency, w.asBuyer()))
		}},
		{`^the shop says (\d+) times at once that (\d+) ([A-Z]{3}) arrived$`, w.arriveTogether},
		{`^the shop says that the bank's first payment arrived for it$`, func(ctx context.Context) error {
			mixed := w.bank
			mixed.payment = w.firstBank.payment
			return w.try(ctx, w.arrival(mixed, "18000", "KRW", w.asOwner()))
		}},
		{`^the shop takes the bank's first news for another payment$`, func(ctx context.Context) error {
			mixed := w.bank
			mixed.event = w.firstBank.event
			return w.try(ctx, w.arrival(mixed, "18000", "KRW", w.asOwner()))
		}},
		{`^the shop's server says that the bank closed the payment$`, func(ctx context.Context) error {
			return w.try(ctx, request{"POST", server + "/payment-sessions/" + w.payment.id + "/cancel", object{}, keyed(w.asOwner())})
		}},
		{`^the shop asks what became of the bank's payment$`, func(ctx context.Context) error {
			return w.try(ctx, request{"GET", server + "/payment-sessions/custom?providerPaymentId=" + w.bank.payment, nil, w.asOwner()})
		}},
		{`^it is told "([^"]*)", (\d+) ([A-Z]{3}) and the order, and nothing else$`, w.wantBridged},
	}
}

func (w *world) openBridge(ctx context.Context, as map[string]string) error {
	w.firstBank, w.bank = w.bank, bankView{"session-" + rand.Text(), "payment-" + rand.Text(), "news-" + rand.Text()}
	err := w.try(ctx, w.bridging(w.bank, as))
	if err == nil && w.got.ok() {
		w.payment = paymentView{id: text(w.got.body, "paymentSession", "id")}
	}
	return err
}

// bridging tells of a payment that the shop began at its bank.
func (w *world) bridging(at bankView, as map[string]string) request {
	return request{"POST", server + "/payment-sessions/custom", object{
		"checkoutId": w.checkout.id, "providerSessionId": at.session, "providerName": "Corner Bank",
	}, as}
}

func (w *world) makeBridge(ctx context.Context, n int, name string) error {
	if err := w.makeCheckout(ctx, n, name, true); err != nil {
		return err
	}
	if err := w.openBridge(ctx, keyed(w.asOwner())); err != nil {
		return err
	}
	return w.succeeded()
}

// arrival tells of money at the bank.
func (w *world) arrival(at bankView, amount, currency string, as map[string]string) request {
	return request{"POST", server + "/payment-sessions/custom/confirm", object{
		"providerSessionId": at.session, "providerPaymentId": at.payment, "eventId": at.event,
		"captured": object{"amount": json.Number(amount), "currency": currency},
	}, keyed(as)}
}

func (w *world) arriveTogether(ctx context.Context, n int, amount, currency string) error {
	var all []request
	for range n {
		all = append(all, w.arrival(w.bank, amount, currency, w.asOwner()))
	}
	return w.together(ctx, all)
}

func (w *world) wantBridged(status, amount, currency string) error {
	got := w.got.body
	if names := slices.Sorted(maps.Keys(got)); !slices.Equal(names, []string{"amount", "orderId", "status"}) || text(got, "orderId") == "" {
		return fmt.Errorf("it %s", w.got)
	}
	for _, c := range [][2]string{{text(got, "status"), status}, {text(got, "amount", "amount"), amount}, {text(got, "amount", "currency"), currency}} {
		if c[0] != c[1] {
			return fmt.Errorf("it %s", w.got)
		}
	}
	return nil
}
