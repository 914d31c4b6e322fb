package carts_test

import (
	"encoding/json"
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// changes are all kinds of changes of a cart with one line, by name.
func (p *process) changes(t testing.TB, c shown) map[string]func() (idempotency.Response, error) {
	s, ctx := p.shop, t.Context()
	now := func() carts.Target {
		return carts.Target{Call: s.server("carts.change", newKey()), Cart: c.Cart.ID}
	}
	old := func() carts.Target {
		return carts.Target{Call: s.guest("cart.change", "", c.CartToken), Cart: c.Cart.ID, Form: carts.Flat}
	}
	more := cart.LineInput{Variant: s.variants[0], Quantity: 1}
	update := cart.UpdateLine{Line: c.Cart.Lines[0].ID, Attributes: new(map[string]string{"note": "x"})}
	return map[string]func() (idempotency.Response, error){
		"an item":            func() (idempotency.Response, error) { return p.AddLine(ctx, now(), more, "") },
		"an item, flat form": func() (idempotency.Response, error) { return p.AddLine(ctx, old(), more, "") },
		"a line":             func() (idempotency.Response, error) { return p.UpdateLine(ctx, now(), update) },
		"the codes":          func() (idempotency.Response, error) { return p.SetCodes(ctx, now(), []string{"TEN"}) },
		"no such code":       func() (idempotency.Response, error) { return p.RemoveCode(ctx, old(), "TEN") },
		"the attributes":     func() (idempotency.Response, error) { return p.SetAttributes(ctx, now(), map[string]string{"a": "b"}) },
		"a merge into it": func() (idempotency.Response, error) {
			return p.Merge(ctx, s.server("carts.merge", newKey()), carts.MergeInput{Source: p.guestsCart(t, 1).Cart.ID, Target: c.Cart.ID})
		},
	}
}

func TestAbandonedCartRefusesChanges(t *testing.T) {
	s := newShop(t, oneDatabase(t), 1)
	p := s.process(t, mailbox.Options{})
	c := p.guestsCart(t, 1)
	s.pass(cart.Lifetime)
	for name, change := range p.changes(t, c) {
		if a, err := change(); err != nil && !errors.Is(err, cart.ErrNotActive) || err == nil && !errors.Is(a.Fault, cart.ErrNotActive) {
			t.Errorf("%s: %v %v", name, err, a.Fault)
		}
	}
	a, err := p.Merge(t.Context(), s.server("carts.merge", newKey()),
		carts.MergeInput{Source: c.Cart.ID, Target: p.guestsCart(t, 1).Cart.ID})
	if err != nil || !errors.Is(a.Fault, cart.ErrNotActive) {
		t.Error("a merge of it:", err, a.Fault)
	}
	if got := p.look(t, c.Cart.ID); got.Cart.Status != "abandoned" || got.Cart.Revision != 1 {
		t.Errorf("%+v", got.Cart)
	}
}

func TestEveryChangeReprices(t *testing.T) {
	s := newShop(t, oneDatabase(t), 1)
	p := s.process(t, mailbox.Options{})
	carts := map[string]shown{}
	for name := range p.changes(t, p.guestsCart(t, 1)) {
		carts[name] = p.guestsCart(t, 1)
	}
	s.change(t, catalog.Products, s.product, collection.Record{"price": money.Of(700, "KRW")})
	s.pass(time.Minute) // the cached price has expired
	for name, c := range carts {
		a, err := p.changes(t, c)[name]()
		var got struct {
			Cart  struct{ Lines []shownTotals }
			Lines []shownTotals // of a flat cart
		}
		if err != nil || a.Fault != nil || json.Unmarshal(a.Body.Bytes(), &got) != nil {
			t.Fatalf("%s: %v %v", name, err, a.Fault)
		}
		if line := append(got.Cart.Lines, got.Lines...)[0]; line.UnitPrice != 700 || !line.PriceChanged {
			t.Errorf("%s: %+v", name, line)
		}
	}
}

type shownTotals struct {
	UnitPrice    int64
	PriceChanged bool
}

func TestTestCartsUseTestStock(t *testing.T) {
	s := newShop(t, oneDatabase(t), 1)
	p := s.process(t, mailbox.Options{})
	s.stock(t, s.product, s.variants[0], 3) // on sale live; the test stock is a copy from before
	inTest := func(c idempotency.Call) idempotency.Call {
		c.Principal.Environment = tenant.Test
		return c
	}
	fill := func(n int64) shown { return p.fill(t, inTest(s.server("carts.create", newKey())), n) }
	source, target := fill(4), fill(5)
	a, err := p.Merge(t.Context(), inTest(s.server("carts.merge", newKey())),
		carts.MergeInput{Source: source.Cart.ID, Target: target.Cart.ID})
	if got := read(t, a, err); got.units() != 9 || !got.Cart.Lines[0].Available {
		t.Errorf("%+v", got.Cart)
	}
	if _, err := p.Create(t.Context(), s.server("carts.create", ""),
		carts.NewCart{Lines: []cart.LineInput{{Variant: s.variants[0], Quantity: 4}}}); err == nil {
		t.Error("live carts take live stock")
	}
}
