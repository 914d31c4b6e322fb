package carts_test

import (
	"context"
	"errors"
	"maps"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// change updates fields of a record.
func (s *shop) change(t testing.TB, schema *collection.Schema, id string, fields collection.Record) {
	t.Helper()
	err := s.store.Atomically(t.Context(), ports.ForTenant(s.tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, schema, id)
		if err != nil {
			return err
		}
		after := before.Clone()
		maps.Copy(after, fields)
		return tx.Records.Write(ctx, collection.NewChange(schema, before, after, newID(), s.clock()))
	})
	if err != nil {
		t.Fatal(err)
	}
}

func TestClosedMarketAllowsOnlyRemoval(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 3)
		market := s.write(t, catalog.Markets, collection.Record{"name": "KR", "code": "kr", "currency": "KRW", "status": catalog.Active})
		p := s.process(t, mailbox.Options{})
		a, err := p.Create(t.Context(), s.server("carts.create", newKey()), carts.NewCart{Market: "kr", Lines: []cart.LineInput{
			{Variant: s.variants[0], Quantity: 2}, {Variant: s.variants[1], Quantity: 1}, {Variant: s.variants[2], Quantity: 1},
		}})
		c := read(t, a, err)
		s.change(t, catalog.Markets, market, collection.Record{"status": "inactive"})
		s.pass(time.Minute) // the cached market facts have expired
		target := func() carts.Target {
			return carts.Target{Call: s.server("carts.change", newKey()), Cart: c.Cart.ID}
		}
		one, none := int64(1), int64(0)
		a, err = p.AddLine(t.Context(), target(), cart.LineInput{Variant: s.variants[0], Quantity: 1}, "")
		if err != nil || !errors.Is(a.Fault, catalog.ErrMarketNotFound) {
			t.Error("more of a variant:", err, a.Fault)
		}
		a, err = p.UpdateLine(t.Context(), target(), cart.UpdateLine{Line: c.Cart.Lines[0].ID, Quantity: &one})
		if err != nil || !errors.Is(a.Fault, catalog.ErrMarketNotFound) {
			t.Error("another quantity:", err, a.Fault)
		}
		for name, change := range map[string]func() (idempotency.Response, error){
			"a code":        func() (idempotency.Response, error) { return p.SetCodes(t.Context(), target(), []string{"TEN"}) },
			"one more code": func() (idempotency.Response, error) { return p.ApplyCode(t.Context(), target(), "TEN") },
			"some attributes": func() (idempotency.Response, error) {
				return p.SetAttributes(t.Context(), target(), map[string]string{"a": "b"})
			},
		} {
			if a, err := change(); err != nil || !errors.Is(a.Fault, catalog.ErrMarketNotFound) {
				t.Error(name, err, a.Fault)
			}
		}
		if got := p.look(t, c.Cart.ID); got.Cart.Status != "active" || len(got.Cart.Lines) != 3 {
			t.Errorf("it reads as before: %+v", got.Cart)
		}
		a, err = p.RemoveLine(t.Context(), target(), c.Cart.Lines[0].ID)
		if got := read(t, a, err); len(got.Cart.Lines) != 2 || got.Cart.Totals.Total != "2000" || got.Cart.Lines[0].Available {
			t.Errorf("a line goes, the others keep their price and cannot be bought: %s", a.Body)
		}
		a, err = p.UpdateLine(t.Context(), target(), cart.UpdateLine{Line: c.Cart.Lines[1].ID, Quantity: &none})
		if got := read(t, a, err); len(got.Cart.Lines) != 1 {
			t.Errorf("%s", a.Body)
		}
		for name, change := range map[string]func() (idempotency.Response, error){
			"no codes":      func() (idempotency.Response, error) { return p.SetCodes(t.Context(), target(), nil) },
			"no such code":  func() (idempotency.Response, error) { return p.RemoveCode(t.Context(), target(), "TEN") },
			"no attributes": func() (idempotency.Response, error) { return p.SetAttributes(t.Context(), target(), nil) },
		} {
			if a, err := change(); err != nil || a.Fault != nil {
				t.Error(name, err, a.Fault)
			}
		}
		a, err = p.Clear(t.Context(), target())
		if got := read(t, a, err); len(got.Cart.Lines) != 0 || got.Cart.Market != market {
			t.Errorf("%s", a.Body)
		}
	})
}

func TestDisabledCommerceRefusesChanges(t *testing.T) {
	s := newShop(t, oneDatabase(t), 1)
	p := s.process(t, mailbox.Options{})
	c := p.begin(t)
	s.tenant.CommerceEnabled = false
	if _, err := p.add(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0, s.variants[0], 1); !errors.Is(err, tenant.ErrFeatureDisabled) {
		t.Error("add:", err)
	}
	if _, err := p.Create(t.Context(), s.server("carts.create", newKey()), carts.NewCart{}); !errors.Is(err, tenant.ErrFeatureDisabled) {
		t.Error("create:", err)
	}
	if got := p.look(t, c.Cart.ID); got.Cart.Revision != 1 {
		t.Error("it can still be read, unchanged")
	}
}
