package main

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"math/big"
	"math/rand/v2"
	"net/http"
	"sync"
	"sync/atomic"

	"github.com/cartwright-dev/cartwright/cmd/torture/linear"
)

// What the buyers of a market compete for. Canceled orders give it back, so that there is always a little left, or nothing.
const (
	marketUnits = 9
	marketUses  = 4
	marketPrice = 700
	marketCode  = "MARKET"

	tradersUnderFaults = 6
	tradersAtOnce      = 16
	tradesAtOnce       = 12 // of each
)

// market is a variant with few units and a code with few uses, and the history of the purchases of its traders.
type market struct {
	*testbed

	history *linear.History
	bought  *purchases
	numbers atomic.Int64 // of checkouts
	traders []*trader

	mu   sync.Mutex
	uses int64 // of orders that were not canceled
}

// trader buys at the market: in a widget or on the provider's page, sometimes from two windows at once, with the code or
// without. It leaves some sessions and cancels some orders.
type trader struct {
	*market

	id   int
	dice *rand.Rand
}

// marketSession is an open payment session.
type marketSession struct {
	opened answer
	hosted bool
	id     string
	page   string // the provider's id of a hosted session
}

// newMarket is the market of the testbed. The seed decides what its traders do.
func (st *testbed) newMarket(seed uint64, traders int, bought *purchases) *market {
	m := &market{testbed: st, bought: bought, history: linear.NewMarketHistory(linear.Market{Units: marketUnits, Uses: marketUses})}
	for i := range traders {
		m.traders = append(m.traders, &trader{market: m, id: i, dice: rand.New(rand.NewPCG(seed, uint64(i)<<32))})
	}
	return m
}

// tradeAtOnce lets many trade at the same time, so that their steps share transactions.
func tradeAtOnce(ctx context.Context, st *testbed) error {
	m := st.newMarket(1, tradersAtOnce, &purchases{})
	if err := concurrently(tradersAtOnce, func(i int) (err error) {
		for n := 0; n < tradesAtOnce && err == nil; n++ {
			err = m.traders[i].trade(ctx)
		}
		return err
	}); err != nil {
		return err
	}
	return m.check(ctx)
}

// load trades until load ends.
func (t *trader) load(ctx context.Context, load <-chan struct{}) error {
	for {
		select {
		case <-load:
			return nil
		default:
		}
		if err := t.trade(ctx); err != nil {
			return err
		}
	}
}

// trade fills a cart, opens its checkout, and buys it or not.
func (t *trader) trade(ctx context.Context) error {
	if t.dice.IntN(4) == 0 {
		return t.look(ctx)
	}
	deal := linear.Trade{Checkout: int(t.numbers.Add(1)), Units: 1 + t.dice.Int64N(2)}
	var codes []string
	if t.dice.IntN(2) == 0 {
		codes, deal.Uses = append(codes, marketCode), 1
	}
	checkout, total, err := t.checkOut(ctx, deal, codes)
	if err != nil || checkout == "" {
		return err
	}
	for {
		s, err := t.open(ctx, checkout, deal)
		if err != nil || s == nil {
			return err
		}
		if t.dice.IntN(3) > 0 {
			return t.buy(ctx, *s, deal, total)
		}
		if err := t.leave(ctx, *s, deal); err != nil || t.dice.IntN(2) == 0 {
			return err
		}
	}
}

// step records a step, whose answer act gives.
func (t *trader) step(window int, what linear.Step, deal linear.Trade, act func() (linear.TradeResult, error)) error {
	deal.Step = what
	sent := t.history.Now()
	result, err := act()
	if err == nil {
		t.history.RecordTrade(2*t.id+window, deal, sent, result, t.history.Now())
	}
	return err
}

// look reads the variant.
func (t *trader) look(ctx context.Context) error {
	return t.step(0, linear.Look, linear.Trade{}, func() (linear.TradeResult, error) {
		var v struct{ Stock, Reserved int64 }
		_, err := t.caller.must(ctx, request{"GET", "/api/product-variants/" + t.marketVariant, "", nil}, &v)
		return linear.TradeResult{OnHand: v.Stock, Reserved: v.Reserved}, err
	})
}

// checkOut makes a checkout; it is "" where there are no units or uses at the moment.
func (t *trader) checkOut(ctx context.Context, deal linear.Trade, codes []string) (id, total string, err error) {
	soldOut := []string{linear.NoUnits, linear.NoUses}
	var cart cartBody
	a, err := t.caller.send(ctx, request{"POST", cartPath, newKey(), map[string]any{
		"items": []any{cartItem(t.marketVariant, deal.Units)}, "discountCodes": append([]string{}, codes...),
	}})
	if err != nil || a.refusedFor(soldOut...) {
		return "", "", err
	}
	if err := a.success(request{"POST", cartPath, "", nil}, &cart); err != nil {
		return "", "", err
	}
	var made struct {
		Checkout struct {
			ID            string
			DiscountCodes []struct{ Applied bool }
			Totals        struct{ Total json.Number }
		}
	}
	r := checkoutOf(cart.Cart.ID)
	if a, err = t.caller.send(ctx, r); err != nil || a.refusedFor(soldOut...) {
		return "", "", err
	}
	if err := a.success(r, &made); err != nil {
		return "", "", err
	}
	if x := made.Checkout; len(x.DiscountCodes) != len(codes) || len(codes) > 0 && !x.DiscountCodes[0].Applied {
		return "", "", fmt.Errorf("a checkout with the codes %v is %s", codes, a.body)
	}
	return made.Checkout.ID, made.Checkout.Totals.Total.String(), nil
}

// open opens a session, sometimes from two windows at once, of which one may succeed; nil: none did.
func (t *trader) open(ctx context.Context, checkout string, deal linear.Trade) (*marketSession, error) {
	windows := 1 + t.dice.IntN(3)/2
	sessions, hosted := make([]*marketSession, windows), t.dice.IntN(2) == 0
	err := concurrently(windows, func(i int) error {
		return t.step(i, linear.Open, deal, func() (linear.TradeResult, error) {
			s, refusal, err := t.openIn(ctx, checkout, hosted)
			sessions[i] = s
			return linear.TradeResult{Refusal: refusal}, err
		})
	})
	if err != nil || windows == 1 || sessions[0] != nil {
		return sessions[0], err
	}
	return sessions[1], nil
}

// openIn opens a session in one window. Each window has URLs of its own, so that none repeats the other's action.
func (t *trader) openIn(ctx context.Context, checkout string, hosted bool) (s *marketSession, refusal string, err error) {
	r := sessionOf(checkout)
	if hosted {
		input := map[string]any{"checkoutId": checkout, "redirectUrl": "https://shop.example/back/" + newKey()}
		maps.Copy(input, waysToPay[0])
		r = request{"POST", commerce + "/payment-sessions/aggregator", newKey(), input}
	} else {
		r.body.(map[string]any)["successUrl"] = "https://shop.example/ok/" + newKey()
	}
	a, err := t.caller.send(ctx, r)
	if err != nil {
		return nil, "", err
	}
	for _, reason := range []string{linear.SlotHeld, linear.NoUnits, linear.NoUses} {
		if a.status >= http.StatusBadRequest && a.refusedFor(reason) {
			return nil, reason, nil
		}
	}
	var made struct {
		PaymentSession struct{ ID, ProviderSessionID string }
	}
	if err := a.success(r, &made); err != nil {
		return nil, "", err
	}
	return &marketSession{a, hosted, made.PaymentSession.ID, made.PaymentSession.ProviderSessionID}, "", nil
}

// leave cancels a session that nobody paid.
func (t *trader) leave(ctx context.Context, s marketSession, deal linear.Trade) error {
	path := commerce + "/payment-sessions/" + s.id + "/cancel"
	if s.hosted {
		path = commerce + "/payment-sessions/aggregator/" + s.id + "/cancel"
	}
	return t.step(0, linear.Leave, deal, func() (linear.TradeResult, error) {
		r := request{"POST", path, newKey(), map[string]any{}}
		a, err := t.caller.send(ctx, r)
		if err == nil && !a.refusedFor("payment_session_terminal") { // an attempt without an answer closed it, and a look-up found that
			err = a.success(r, nil)
		}
		var now sessionState
		if err == nil {
			_, err = t.caller.must(ctx, request{"GET", "/api/payment-sessions/" + s.id, "", nil}, &now)
		}
		if err == nil && now.Status != "canceled" {
			err = fmt.Errorf("a session that was left is %+v", now)
		}
		return linear.TradeResult{}, err
	})
}

// buy pays for a session, and cancels half of the orders.
func (t *trader) buy(ctx context.Context, s marketSession, deal linear.Trade, total string) error {
	var order orderBody
	if err := t.step(0, linear.Pay, deal, func() (_ linear.TradeResult, err error) {
		if s.hosted {
			order, err = t.payOnPage(ctx, s)
		} else {
			order, err = paySession(ctx, t.caller, s.opened)
		}
		return linear.TradeResult{}, err
	}); err != nil {
		return err
	}
	money, ok := new(big.Rat).SetString(order.TotalAmount.String())
	if !ok || order.Status != "paid" || order.TotalAmount.String() != total {
		return fmt.Errorf("order %+v of a checkout for %s", order, total)
	}
	sold := sale{order: order.ID, variant: t.marketVariant, quantity: deal.Units, total: money, canceled: t.dice.IntN(2) == 0}
	if sold.canceled {
		if err := t.step(0, linear.Undo, deal, func() (linear.TradeResult, error) {
			return linear.TradeResult{}, cancel(ctx, t.caller, order.ID)
		}); err != nil {
			return err
		}
	} else {
		t.mu.Lock()
		t.uses += deal.Uses
		t.mu.Unlock()
	}
	t.bought.add(sold)
	return nil
}

// payOnPage is the buyer who approves on the provider's page, and comes back to the shop. The provider's webhook comes
// before, meanwhile, or never.
func (t *trader) payOnPage(ctx context.Context, s marketSession) (orderBody, error) {
	if _, err := newCaller("", t.bank.URL).must(ctx, request{"POST", "/sandbox/authorize", "", map[string]any{
		"sessionId": s.page, "outcome": "approve", "webhooks": webhookPlans[t.dice.IntN(len(webhookPlans))],
	}}, nil); err != nil {
		return orderBody{}, err
	}
	var back struct{ Order orderBody }
	_, err := t.caller.must(ctx, request{"GET", commerce + "/payment-sessions/aggregator/" + s.id, "", nil}, &back)
	return back.Order, err
}

// check looks for an order of all steps that explains their answers, and compares the uses that the code counts.
func (m *market) check(ctx context.Context) error {
	if err := m.history.Check(checkTimeout); err != nil {
		return fmt.Errorf("market: %w", err)
	}
	var now struct{ UsageCount int64 }
	if _, err := m.caller.must(ctx, request{"GET", "/api/discounts/" + m.marketDiscount, "", nil}, &now); err != nil {
		return err
	}
	if now.UsageCount != m.uses {
		return fmt.Errorf("market: the code counts %d uses, %d orders have it", now.UsageCount, m.uses)
	}
	return nil
}
