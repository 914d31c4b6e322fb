package steps

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"net/http"
	"strconv"
	"strings"
	"time"
)

// paymentView is an open payment as the shopper's browser knows it.
type paymentView struct {
	id, orderID, key, returnTo string
	amount                     object
}

func (w *world) paymentSteps() []definition {
	return []definition{
		{`^an open payment for (\d+) "([^"]*)"$`, w.makePayment},
		{`^the shopper opens a payment$`, w.openPayment},
		{`^the shopper opens the same payment again$`, w.openPayment},
		{`^the shopper opens a payment that returns elsewhere$`, w.openOtherPayment},
		{`^the buyer (approve|decline|abandon)s(?: it)?$`, w.buyer},
		{`^the buyer (pays|declines) on the provider's page$`, w.buyerOnPage},
		{`^the shop confirms the payment$`, func(ctx context.Context) error { return w.try(ctx, w.confirmation()) }},
		{`^the shop confirms the payment as (\d+)$`, w.confirmOther},
		{`^the shop confirms a payment nobody approved$`, w.confirmUnapproved},
		{`^the shop confirms the payment (\d+) times at once$`, w.confirmTogether},
		{`^the shop cancels the payment$`, w.cancelPayment},
		{`^a browser tries to confirm the payment itself$`, w.confirmInBrowser},
		{`^the buyer's browser comes back to the shop$`, w.comeBack},
		{`^the provider loses its next answer$`, func(ctx context.Context) error { return w.order(ctx, object{"dropResponseNext": 1}) }},
		{`^the provider fails (\d+) times?$`, func(ctx context.Context, n int) error { return w.order(ctx, object{"failNext": n}) }},
		{`^the provider captures a wrong amount$`, func(ctx context.Context) error { return w.order(ctx, object{"wrongAmountNext": 1}) }},
		{`^the refusal says when to try again$`, w.wantRetry},
		{`^the refusal invites to no second try$`, w.wantNoRetry},
		{`^the refusal names the request$`, w.wantRequestID},
		{`^the payment slot is (held|free)$`, w.wantSlot},
		{`^the payment is "([^"]*)"$`, w.wantPaymentStatus},
		{`^the payment is the same as before$`, w.wantSamePayment},
		{`^the books show one payment of (\d+) ([A-Z]{3})$`, w.wantTransaction},
		{`^(\d+) shoppers with 1 "([^"]*)" each open a payment at once$`, func(ctx context.Context, n int, name string) error { return w.crowdPays(ctx, n, name, "") }},
	}
}

func (w *world) makePayment(ctx context.Context, n int, name string) error {
	if err := w.makeCheckout(ctx, n, name, true); err != nil {
		return err
	}
	if err := w.openPayment(ctx); err != nil {
		return err
	}
	return w.succeeded()
}

func (w *world) opening(returnTo string) request {
	return request{"POST", public + "/payment-sessions", object{
		"checkoutId": w.checkout.id, "successUrl": returnTo + "/thanks", "failUrl": returnTo + "/sorry",
	}, keyed(w.asBuyer())}
}

func (w *world) openPayment(ctx context.Context) error {
	return w.openReturning(ctx, "https://shop.example")
}

func (w *world) openOtherPayment(ctx context.Context) error {
	return w.openReturning(ctx, "https://elsewhere.example")
}

func (w *world) openReturning(ctx context.Context, returnTo string) error {
	if err := w.try(ctx, w.opening(returnTo)); err != nil || !w.got.ok() {
		return err
	}
	w.before = w.payment
	action := dig(w.got.body, "action")
	amount, _ := dig(action, "amount").(object)
	w.payment = paymentView{id: text(w.got.body, "paymentSession", "id"), orderID: text(action, "orderId"), amount: amount}
	return nil
}

// buyer decides on the provider's side, where nobody has a key of the shop.
func (w *world) buyer(ctx context.Context, outcome string) error {
	got, err := w.must(ctx, request{"POST", "/sandbox/authorize", object{"orderId": w.payment.orderID, "outcome": outcome}, nil})
	if err != nil {
		return err
	}
	w.payment.key, w.payment.returnTo = text(got.body, "paymentKey"), text(got.body, "redirectUrl")
	return nil
}

// buyerOnPage opens the payment page, presses a button and is sent back to the shop, as a browser would be.
func (w *world) buyerOnPage(ctx context.Context, decision string) error {
	outcome := map[string]string{"pays": "approve", "declines": "decline"}[decision]
	at := w.target.URLs[0] + "/sandbox/pay/" + w.payment.orderID
	page, body, err := w.browse(ctx, http.MethodGet, at, "") //nolint:bodyclose // browse closes it
	if err != nil {
		return err
	}
	if page.StatusCode != http.StatusOK || !strings.Contains(body, `value="`+outcome+`"`) {
		return fmt.Errorf("the page answered %d %.300s", page.StatusCode, body)
	}
	back, _, err := w.browse(ctx, http.MethodPost, at, "outcome="+outcome) //nolint:bodyclose // browse closes it
	if err != nil {
		return err
	}
	to, err := back.Location()
	if err != nil {
		return fmt.Errorf("the button answered %d: %w", back.StatusCode, err)
	}
	if back.StatusCode != http.StatusSeeOther || to.Hostname() != "shop.example" {
		return fmt.Errorf("the button answered %d and led to %v", back.StatusCode, to)
	}
	w.payment.returnTo, w.payment.key = to.String(), to.Query().Get("paymentKey")
	return nil
}

// browse makes one request as a browser without following where it leads.
func (w *world) browse(ctx context.Context, method, at, form string) (*http.Response, string, error) {
	req, err := http.NewRequestWithContext(ctx, method, at, strings.NewReader(form))
	if err != nil {
		return nil, "", err
	}
	req.Header.Set("Content-Type", "application/x-www-form-urlencoded")
	client := http.Client{Timeout: time.Minute, CheckRedirect: func(*http.Request, []*http.Request) error { return http.ErrUseLastResponse }}
	res, err := client.Do(req)
	if err != nil {
		return nil, "", err
	}
	defer func() { _ = res.Body.Close() }() // it was only read
	body, err := io.ReadAll(res.Body)
	return res, string(body), err
}

func (w *world) confirmation() request {
	return request{"POST", server + "/payment-sessions/" + w.payment.id + "/confirm", object{
		"paymentKey": w.payment.key, "orderId": w.payment.orderID, "amount": w.payment.amount,
	}, keyed(w.asOwner())}
}

func (w *world) confirmOther(ctx context.Context, amount string) error {
	r := w.confirmation()
	r.body.(object)["amount"] = object{"amount": json.Number(amount), "currency": w.payment.amount["currency"]}
	return w.try(ctx, r)
}

func (w *world) confirmUnapproved(ctx context.Context) error {
	w.payment.key = "made-up-by-somebody"
	return w.try(ctx, w.confirmation())
}

func (w *world) confirmTogether(ctx context.Context, n int) error {
	var all []request
	for range n {
		all = append(all, w.confirmation())
	}
	return w.together(ctx, all)
}

func (w *world) confirmInBrowser(ctx context.Context) error {
	r := w.confirmation()
	r.header = keyed(w.asBuyer())
	return w.try(ctx, r)
}

func (w *world) cancelPayment(ctx context.Context) error {
	return w.try(ctx, request{"POST", public + "/payment-sessions/" + w.payment.id + "/cancel", object{}, keyed(w.asBuyer())})
}

// comeBack is what a shop's page does after the redirect: it reads the payment and the checkout.
func (w *world) comeBack(ctx context.Context) error {
	if w.payment.returnTo == "" {
		return errors.New("the provider sent the buyer nowhere")
	}
	if _, err := w.must(ctx, request{"GET", public + "/payment-sessions/" + w.payment.id, nil, w.asBuyer()}); err != nil {
		return err
	}
	_, err := w.readCheckout(ctx)
	return err
}

// order arranges failures of the provider for this shop.
func (w *world) order(ctx context.Context, faults object) error {
	_, err := w.must(ctx, request{"PUT", "/sandbox/faults", faults, w.asOwner()})
	return err
}

func (w *world) readPayment(ctx context.Context) (object, error) {
	got, err := w.must(ctx, request{"GET", server + "/payment-sessions/" + w.payment.id, nil, w.asOwner()})
	if inner, ok := got.body["paymentSession"].(object); ok {
		return inner, err
	}
	return got.body, err
}

func (w *world) wantPaymentStatus(ctx context.Context, want string) error {
	got, err := w.readPayment(ctx)
	if err != nil {
		return err
	}
	return equal("the payment", got["status"], want)
}

func (w *world) wantSlot(ctx context.Context, want string) error {
	got, err := w.readCheckout(ctx)
	if err != nil {
		return err
	}
	return equal("holding the slot", dig(got, "checkout", "paymentSlot", "held"), strconv.FormatBool(want == "held"))
}

func (w *world) wantSamePayment() error {
	if w.payment.id != w.before.id || w.payment.orderID != w.before.orderID {
		return fmt.Errorf("first it was %+v, now %+v", w.before, w.payment)
	}
	return nil
}

func (w *world) wantTransaction(ctx context.Context, amount, currency string) error {
	got, err := w.must(ctx, request{"GET", "/api/transactions?limit=100", nil, w.asOwner()})
	if err != nil {
		return err
	}
	docs := list(got.body, "docs")
	if len(docs) != 1 {
		return fmt.Errorf("the books show %d entries", len(docs))
	}
	for field, want := range map[string]string{"amount": amount, "currency": currency, "type": "payment", "status": "paid"} {
		if err := equal("the entry's "+field, dig(docs[0], field), want); err != nil {
			return err
		}
	}
	return nil
}

// crowdPays lets n shoppers come to the till with one unit each, at the same time.
func (w *world) crowdPays(ctx context.Context, n int, name, code string) error {
	var all []request
	var codes []string
	if code != "" {
		codes = []string{code}
	}
	for range n {
		if err := w.makeCart(ctx, "", []wish{{1, name}}, codes...); err != nil {
			return err
		}
		if err := w.checkOut(ctx, true); err != nil {
			return err
		}
		all = append(all, w.opening("https://shop.example"))
	}
	return w.together(ctx, all)
}

func (w *world) wantRetry() error {
	how := dig(w.got.body, "errors", 0, "extensions")
	if text(how, "retryable") != "true" || text(how, "retryAfter") == "" || w.got.header.Get("Retry-After") != text(how, "retryAfter") {
		return fmt.Errorf("it %s with Retry-After %q", w.got, w.got.header.Get("Retry-After"))
	}
	return nil
}

func (w *world) wantNoRetry() error {
	how := dig(w.got.body, "errors", 0, "extensions")
	if text(how, "retryable") == "true" || text(how, "retryAfter") != "" || w.got.header.Get("Retry-After") != "" {
		return fmt.Errorf("it %s with Retry-After %q", w.got, w.got.header.Get("Retry-After"))
	}
	return nil
}

func (w *world) wantRequestID() error {
	id := text(w.got.body, "errors", 0, "extensions", "requestId")
	if id == "" || id != w.got.header.Get("X-Request-Id") {
		return fmt.Errorf("it %s with X-Request-Id %q", w.got, w.got.header.Get("X-Request-Id"))
	}
	return nil
}
