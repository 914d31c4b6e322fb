package portstest

import (
	"context"
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// commitWithCreates also commits many such requests at once: they share statements, but one that is refused
// does not affect the others.
func commitWithCreates(t *testing.T, b commitFixture) {
	taken := b.change(nil, collection.Record{"code": "BESIDES"})
	if err := b.commit(t, []collection.Change{taken}); err != nil {
		t.Fatal(err)
	}
	parallel(24, func(i int) {
		first, second, third := b.change(nil, nil), b.change(nil, nil), b.change(nil, nil)
		var want error
		switch i % 4 {
		case 1:
			second, want = b.change(nil, collection.Record{"code": "besides"}), ports.ErrDuplicate
		case 2:
			first, want = b.change(nil, collection.Record{"code": "Besides"}), ports.ErrDuplicate
		}
		variant := second.ID()
		key := freshKey()
		err := b.Committer.Commit(t.Context(), ports.CommitRequest{
			Tenant: b.id, Changes: []collection.Change{first}, Creates: []collection.Change{second, third},
			Receipts: []ports.Receipt{receiptOf(b.id, key)},
			InitialStock: []ports.InitialStock{
				{Product: first.ID(), Variant: variant, Level: ports.StockLevel{OnHand: int64(i), Tracked: true}},
			},
		})
		if !errors.Is(err, want) || want == nil && err != nil {
			t.Errorf("step %d: %v, want %v", i, err, want)
		}
		b.wantCreated(t, want == nil, []string{first.ID(), second.ID(), third.ID()}, variant, int64(i))
		if b.hasReceipt(t, key) != (want == nil) {
			t.Errorf("step %d: receipt stored: %v", i, want != nil)
		}
	})
	update := b.change(taken.After, collection.Record{"count": int64(1)})
	if err := b.Committer.Commit(t.Context(), ports.CommitRequest{
		Tenant: b.id, Changes: []collection.Change{update}, Creates: []collection.Change{b.change(nil, nil)},
	}); err == nil {
		t.Error("a record was created with an update")
	}
	outsider := commitFixture{b.CommitterFixture, freshTenant()}
	if err := b.Committer.Commit(t.Context(), ports.CommitRequest{
		Tenant: b.id, Changes: []collection.Change{b.change(nil, nil)}, Creates: []collection.Change{outsider.change(nil, nil)},
	}); err == nil {
		t.Error("a record of another tenant was created")
	}
}

// wantCreated checks that all of ids are stored with an event and their stock, or none of them.
func (b commitFixture) wantCreated(t *testing.T, stored bool, ids []string, variant string, units int64) {
	t.Helper()
	for _, id := range ids {
		_, err := b.Store.Read(ports.ForTenant(b.id)).Get(t.Context(), Parcels, id)
		if (err == nil) != stored || len(b.Events(t, b.id, id)) != map[bool]int{true: 1}[stored] {
			t.Errorf("%s: %v with events %v; stored is to be %v", id, err, b.Events(t, b.id, id), stored)
		}
	}
	err := b.Store.Atomically(t.Context(), ports.ForTenant(b.id), func(ctx context.Context, tx ports.Tx) error {
		for _, env := range []tenant.Environment{tenant.Live, tenant.Test} {
			levels, err := tx.Stock.Levels(ctx, env, []string{variant})
			if l, there := levels[variant]; err != nil || there != stored || stored && (l.OnHand != units || !l.Tracked) {
				t.Errorf("%s stock %v, %v; want %d units: %v", env, levels, err, units, stored)
			}
		}
		return nil
	})
	if err != nil {
		t.Error(err)
	}
}
