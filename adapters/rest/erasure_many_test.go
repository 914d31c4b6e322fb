package rest_test

import (
	"context"
	"maps"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// More records than a page that are found in two ways, by the order and by the checkout: each is counted and erased once.
func TestErasureOfMoreThanAPage(t *testing.T) {
	b := newSQLiteHarness(t)
	here := b.seed(b.shop.Tenant, "plain", nil)
	b.holdPerson(b.shop.Tenant.ID, here, needle)
	const more = collection.MaxLimit + 1
	var changes []collection.Change
	add := func(s *collection.Schema, but collection.Record) string {
		was, err := b.store.Read(ports.ForTenant(b.shop.Tenant.ID)).Get(t.Context(), s, here[s.Slug].ID())
		if err != nil {
			t.Fatal(err)
		}
		next := was.Clone()
		next["id"] = newID()
		maps.Copy(next, but)
		changes = append(changes, collection.NewChange(s, nil, next, newID(), b.content.Now()))
		return next.ID()
	}
	for range more {
		add(payment.Transactions, collection.Record{"checkout": add(checkout.Schema, collection.Record{"liveCart": nil})})
	}
	err := b.store.Atomically(t.Context(), ports.ForTenant(b.shop.Tenant.ID), func(ctx context.Context, tx ports.Tx) error {
		return tx.Records.Write(ctx, changes...)
	})
	if err != nil {
		t.Fatal(err)
	}
	id, admin := here["customers"].ID(), b.adminOf(b.shop)
	if shown := personalOf(admin("GET", "/customers/"+id+"/erasure", "")); shown["transactions"] != more+1 || shown["checkouts"] != more+1 {
		t.Errorf("%v", shown)
	}
	b.erased(admin, id)
	if left := b.rowsWith(needle); len(left) > 0 || admin("GET", "/customers/"+id, "").body["erasedAt"] == nil {
		t.Errorf("left: %.3000v", left)
	}
}
