package main

import (
	"context"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"net/http"
	"net/url"
	"strings"
	"sync"

	"golang.org/x/sync/errgroup"
)

// contestedCart is a cart that is paid for up to three times. Rule payments-38.
type contestedCart struct {
	*testbed

	dice      *rand.Rand
	id        string
	checkouts [2]string // "": it was refused
	sessions  [3]buyerSession
	mu        sync.Mutex
	told      []string // the steps and what became of them
}

// buyerSession is a payment session as its buyer knows it.
type buyerSession struct {
	id      string // "": it was refused
	page    map[string]any
	charged bool
	silent  bool // charged, and the shop is not told
}

// waysToPay are the sessions that a buyer pays on an open page, whatever the shop thinks of them meanwhile. An action for
// the browser cannot even be closed.
var waysToPay = []map[string]any{
	{"mode": "hosted_v2", "method": "CARD_KR"}, {"mode": "standard_v2", "channel": "card"},
}

// webhookPlans are when the provider tells the shop; where it never does, the servers have to ask.
var webhookPlans = []string{"once", "twice", "reversed", "never", "never"}

// play makes the cart and takes all steps of a random story.
func (c *contestedCart) play(ctx context.Context) error {
	var made cartBody
	item := cartItem(c.variants[c.dice.IntN(len(c.variants))], 1)
	if _, err := c.caller.must(ctx, request{"POST", cartPath, newKey(), map[string]any{"items": []any{item}}}, &made); err != nil {
		return err
	}
	c.id = made.Cart.ID
	if err := c.checkOut(ctx, 0); err != nil {
		return err
	}
	for _, names := range drawStory(c.dice) {
		together, ctx := errgroup.WithContext(ctx)
		for _, name := range names {
			together.Go(func() error { return story[name].do(ctx, c) })
		}
		if err := together.Wait(); err != nil {
			return fmt.Errorf("cart %s, %v: %w", c.id, c.told, err)
		}
	}
	return nil
}

// notef remembers what became of a step.
func (c *contestedCart) notef(format string, args ...any) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.told = append(c.told, fmt.Sprintf(format, args...))
}

// roll draws a number below n; steps that are taken together share the dice.
func (c *contestedCart) roll(n int) int {
	c.mu.Lock()
	defer c.mu.Unlock()
	return c.dice.IntN(n)
}

// ask sends a request that may be refused because the cart is paid, or may be paid. It decodes a success into out.
func (c *contestedCart) ask(ctx context.Context, what string, r request, out any) (ok bool, err error) {
	a, err := c.caller.send(ctx, r)
	if err != nil {
		return false, err
	}
	if a.refusedFor("payment_slot_held", "payment_session_terminal", "checkout_not_open", "cart_not_active") {
		c.notef("%s is refused", what)
		return false, nil
	}
	c.notef("%s", what)
	return true, a.success(r, out)
}

// checkOut makes the checkout with this number.
func (c *contestedCart) checkOut(ctx context.Context, i int) error {
	var made struct{ Checkout struct{ ID string } }
	_, err := c.ask(ctx, fmt.Sprint("checkout ", i+1), checkoutOf(c.id), &made)
	c.checkouts[i] = made.Checkout.ID
	return err
}

// open opens a session of a checkout, in one of the ways to pay.
func (c *contestedCart) open(ctx context.Context, i, checkout int) error {
	if c.checkouts[checkout] == "" {
		return nil
	}
	input := map[string]any{"checkoutId": c.checkouts[checkout], "redirectUrl": fmt.Sprint("https://shop.example/back/", i)}
	maps.Copy(input, waysToPay[c.roll(len(waysToPay))])
	var made struct {
		PaymentSession struct{ ID, ProviderSessionID string }
		Action         struct{ PaymentID string }
	}
	if ok, err := c.ask(ctx, fmt.Sprint("session ", i+1, " ", input["mode"]), request{
		"POST", commerce + "/payment-sessions/aggregator", newKey(), input,
	}, &made); !ok || err != nil {
		return err
	}
	page := map[string]any{"sessionId": made.PaymentSession.ProviderSessionID}
	if made.Action.PaymentID != "" {
		page = map[string]any{"paymentId": made.Action.PaymentID}
	}
	c.sessions[i] = buyerSession{id: made.PaymentSession.ID, page: page}
	return nil
}

// release is the operator, who frees the slot without knowing whether the buyer will pay.
func (c *contestedCart) release(ctx context.Context, i int) error {
	if c.sessions[i].id == "" {
		return nil
	}
	_, err := c.ask(ctx, fmt.Sprint("release ", i+1), request{
		"POST", commerce + "/payment-sessions/" + c.sessions[i].id + "/release", newKey(), map[string]any{"note": "The shopper called."},
	}, nil)
	return err
}

// pay is the buyer, who approves on the open page at the provider, and comes back to the shop or not.
func (c *contestedCart) pay(ctx context.Context, i int) error {
	s := &c.sessions[i]
	if s.id == "" {
		return nil
	}
	decision := map[string]any{"outcome": "approve", "webhooks": webhookPlans[c.roll(len(webhookPlans))]}
	maps.Copy(decision, s.page)
	r := request{"POST", "/sandbox/authorize", "", decision}
	a, err := newCaller("", c.bank.URL).send(ctx, r)
	if err != nil {
		return err
	}
	if a.status == http.StatusConflict {
		c.notef("the page of session %d is closed", i+1)
		return nil
	}
	if err := a.success(r, nil); err != nil {
		return err
	}
	s.charged = true
	c.notef("session %d is charged, webhooks %v", i+1, decision["webhooks"])
	if c.roll(3) > 0 { // the buyer closes the page
		s.silent = decision["webhooks"] == "never"
		return nil
	}
	_, err = c.caller.must(ctx, request{"GET", commerce + "/payment-sessions/aggregator/" + s.id, "", nil}, nil)
	return err
}

// sessionState is a session as operators see it.
type sessionState struct{ ID, Status, Reason, Order, SuggestedAction, Resolution string }

// known reports whether the servers have booked the session's charge.
func (s sessionState) known() bool {
	return s.Status == "succeeded" || s.Status == "requires_attention" && s.Reason != "provider_state_unknown"
}

func (c *contestedCart) state(ctx context.Context, i int) (s sessionState, err error) {
	_, err = c.caller.must(ctx, request{"GET", "/api/payment-sessions/" + c.sessions[i].id, "", nil}, &s)
	return s, err
}

// waitUntilKnown waits until the servers know of every charge. Nobody gives them a sign any more.
func (c *contestedCart) waitUntilKnown(ctx context.Context) error {
	ctx, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for i, s := range c.sessions {
		var now sessionState
		var err error
		if s.charged {
			err = waitFor(ctx, func() bool {
				now, err = c.state(ctx, i)
				return err != nil || now.known()
			})
		}
		if err != nil {
			return fmt.Errorf("the charge of session %d, %+v, is not known: %w", i+1, now, err)
		}
	}
	return nil
}

// check checks that one charge became the one order, and that the others wait for an operator, who then refunds them.
func (c *contestedCart) check(ctx context.Context, sum *charges) error {
	var found struct{ Docs []orderBody }
	where := url.Values{"where[checkout][in]": {strings.Trim(strings.Join(c.checkouts[:], ","), ",")}}
	if _, err := c.caller.must(ctx, request{"GET", "/api/orders?" + where.Encode(), "", nil}, &found); err != nil {
		return err
	}
	if len(found.Docs) != 1 {
		return fmt.Errorf("%d orders: %+v", len(found.Docs), found.Docs)
	}
	total, ok := new(big.Rat).SetString(found.Docs[0].TotalAmount.String())
	if !ok {
		return fmt.Errorf("order %+v", found.Docs[0])
	}
	sum.revenue.Add(sum.revenue, total)
	charged, kept := 0, 0
	for i, s := range c.sessions {
		if s.charged {
			charged++
		}
		if s.silent {
			sum.silent++
		}
		ordered, err := c.checkSession(ctx, i, found.Docs[0].ID)
		if err != nil {
			return err
		}
		if ordered {
			kept++
		}
	}
	if kept != 1 {
		return fmt.Errorf("%d charges are the order", kept)
	}
	sum.total, sum.refunded, sum.most = sum.total+charged, sum.refunded+charged-kept, max(sum.most, charged)
	return nil
}

// checkSession checks that a charge is the order or waits for an operator, who then refunds it.
func (c *contestedCart) checkSession(ctx context.Context, i int, order string) (ordered bool, err error) {
	s := c.sessions[i]
	if s.id == "" {
		return false, nil
	}
	now, err := c.state(ctx, i)
	switch {
	case err != nil:
		return false, err
	case !s.charged && (now.Order != "" || now.known()):
		return false, fmt.Errorf("nobody paid session %d: %+v", i+1, now)
	case !s.charged:
		return false, nil
	case now.Order == order && now.Status == "succeeded":
		return true, nil
	case now.Order == "" && now.Status == "requires_attention" && now.SuggestedAction == "refund":
		return false, c.refund(ctx, now.ID)
	}
	return false, fmt.Errorf("session %d was paid and is neither the order %s nor to be refunded: %+v", i+1, order, now)
}

// refund is the operator, who does what the queue advises.
func (c *contestedCart) refund(ctx context.Context, session string) error {
	var done struct{ PaymentSession sessionState }
	_, err := c.caller.must(ctx, request{
		"POST", commerce + "/payment-sessions/" + session + "/resolve", newKey(), map[string]any{"action": "refund", "note": "Paid twice."},
	}, &done)
	if err == nil && done.PaymentSession.Resolution == "" {
		err = fmt.Errorf("a refunded session is %+v", done.PaymentSession)
	}
	return err
}
