package portstest

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// TenantErasureFixture is a store of IdentitySchemas that erases tenants.
type TenantErasureFixture struct {
	Store    ports.Store
	Erasure  ports.TenantErasure
	Accounts ports.Accounts
	Sweep    ports.BlobSweep
	Number   func(t *testing.T) // gives events their numbers
}

// TenantErasure checks ports.TenantErasure and ports.TenantDeletions of the stores that open makes.
func TenantErasure(t *testing.T, open func(t *testing.T) TenantErasureFixture) {
	f := open(t)
	t.Run("a tenant is erased to its tombstone, and no other one", f.testErase)
	t.Run("nothing is erased that is not deleted", f.testRefusals)
	t.Run("a tenant is finished when nothing is left of it", f.testFinish)
	t.Run("the events of a tenant are counted", f.testEvents)
}

// fill writes some of everything for a tenant, and accounts: of its own, and one that is a member of another tenant, too.
func (f TenantErasureFixture) fill(t *testing.T, id, other tenant.ID) (receipts []ports.ReceiptKey) {
	t.Helper()
	schemas := IdentitySchemas()
	records := recordStore{f.Store, nil, new(int)}
	records.create(t, id, schemas[0], collection.Record{"id": string(id), "slug": string(id), "plan": "free", "currency": "KRW"})
	for _, key := range []string{"k1", "k2"} {
		records.create(t, id, schemas[1], collection.Record{"id": key, "kind": "secret", "environment": "live", "hash": key + string(id)})
	}
	for range 3 {
		r := receiptOf(id, freshKey())
		receipts = append(receipts, r.Key)
		mustInTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error { return tx.Receipts.Save(ctx, r, 0) })
	}
	mustInTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error {
		return tx.Ledger.Append(ctx, movement(id, 1, "charge", "p1", 10))
	})
	f.everywhere(t, func(ctx context.Context, tx ports.Tx) error {
		own := ports.Account{ID: "own-" + string(id), Email: "own@" + string(id), Memberships: []ports.Membership{{Tenant: id, Role: tenant.Admin}}}
		home := own
		home.ID, home.Home = "home-"+string(id), id
		both := ports.Account{ID: "both-" + string(id), Email: "both@" + string(id), Memberships: []ports.Membership{
			{Tenant: id, Role: tenant.Admin}, {Tenant: other, Role: tenant.Viewer, PasswordHash: "$", TokenVersion: 3},
		}}
		return errors.Join(tx.Accounts.Save(ctx, own), tx.Accounts.Save(ctx, home), tx.Accounts.Save(ctx, both))
	})
	slices.SortFunc(receipts, func(a, b ports.ReceiptKey) int { return slices.Compare(a[:], b[:]) })
	return receipts
}

func (f TenantErasureFixture) everywhere(t *testing.T, fn func(context.Context, ports.Tx) error) {
	t.Helper()
	if err := f.Store.Atomically(t.Context(), ports.Scope{System: true}, fn); err != nil {
		t.Fatal(err)
	}
}

func (f TenantErasureFixture) begin(t *testing.T, d ports.TenantDeletion) {
	t.Helper()
	f.everywhere(t, func(ctx context.Context, tx ports.Tx) error { return tx.TenantDeletions.Begin(ctx, d) })
}

// erase erases a tenant until nothing is left to be erased.
func (f TenantErasureFixture) erase(t *testing.T, id tenant.ID) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = f.Erasure.Erase(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
}

func (f TenantErasureFixture) testErase(t *testing.T) {
	id, other := freshTenant(), freshTenant()
	receipts := f.fill(t, id, other)
	kept := f.fill(t, other, id)
	f.begin(t, ports.TenantDeletion{Tenant: id, Begun: day, By: "u1", Archive: "abc"})
	var keys []ports.ReceiptKey
	for after := (ports.ReceiptKey{}); ; after = keys[len(keys)-1] {
		page, err := f.Erasure.ReceiptKeys(t.Context(), id, after, 2)
		if err != nil {
			t.Fatal(err)
		}
		if keys = append(keys, page...); len(page) < 2 {
			break
		}
	}
	if !slices.Equal(keys, receipts) {
		t.Errorf("receipts %x, want %x", keys, receipts)
	}
	f.erase(t, id)
	found, err := f.Accounts.ByIDs(t.Context(), []string{
		"own-" + string(id), "home-" + string(id), "both-" + string(id), "own-" + string(other), "home-" + string(other), "both-" + string(other),
	})
	want := []ports.Membership{{Tenant: other, Role: tenant.Viewer, PasswordHash: "$", TokenVersion: 3}}
	if err != nil || len(found) != 4 || found["own-"+string(other)].ID == "" || found["home-"+string(other)].ID == "" ||
		!slices.Equal(found["both-"+string(id)].Memberships, want) || len(found["both-"+string(other)].Memberships) != 1 {
		t.Errorf("accounts: %+v, %v", found, err)
	}
	left := f.Store.Read(ports.ForTenant(id))
	if _, err := left.Get(t.Context(), IdentitySchemas()[1], "k1"); !errors.Is(err, ports.ErrNotFound) {
		t.Errorf("a record: %v", err)
	}
	if _, err := left.Get(t.Context(), IdentitySchemas()[0], string(id)); err != nil {
		t.Errorf("the tenant's own record: %v", err)
	}
	if _, err := left.Receipt(t.Context(), receipts[0]); !errors.Is(err, ports.ErrNotFound) {
		t.Errorf("a receipt: %v", err)
	}
	if _, err := f.Store.Read(ports.ForTenant(other)).Receipt(t.Context(), kept[0]); err != nil {
		t.Errorf("another tenant's receipt: %v", err)
	}
	for of, want := range map[tenant.ID]int{id: 0, other: 1} {
		mustInTx(t, f.Store, of, func(ctx context.Context, tx ports.Tx) error {
			if got, err := tx.Ledger.Balance(ctx, "o1"); err != nil || len(got) != want {
				t.Errorf("the ledger of %s: %v, %v", of, got, err)
			}
			return nil
		})
	}
}

func (f TenantErasureFixture) testRefusals(t *testing.T) {
	id := freshTenant()
	f.fill(t, id, freshTenant())
	_, erasing := f.Erasure.Erase(t.Context(), id)
	_, finishing := f.Erasure.Finish(t.Context(), id, day)
	_, finding := f.Erasure.Find(t.Context(), id)
	for _, err := range []error{erasing, finishing, finding} {
		if !errors.Is(err, ports.ErrNotFound) {
			t.Errorf("%v, want ErrNotFound", err)
		}
	}
	if err := inTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error {
		return tx.TenantDeletions.Begin(ctx, ports.TenantDeletion{Tenant: id, Begun: day})
	}); err == nil {
		t.Error("a unit of work of one tenant deleted it")
	}
	f.begin(t, ports.TenantDeletion{Tenant: id, Begun: day})
	err := f.Store.Atomically(t.Context(), ports.Scope{System: true}, func(ctx context.Context, tx ports.Tx) error {
		return tx.TenantDeletions.Begin(ctx, ports.TenantDeletion{Tenant: id, Begun: day.Add(time.Hour)})
	})
	if !errors.Is(err, ports.ErrDuplicate) {
		t.Errorf("deleted twice: %v", err)
	}
}

func (f TenantErasureFixture) testFinish(t *testing.T) {
	id := freshTenant()
	f.fill(t, id, freshTenant())
	mustInTx(t, f.Store, id, func(ctx context.Context, tx ports.Tx) error {
		return tx.PendingBlobs.Add(ctx, id, "b1", day.AddDate(0, 0, 1))
	})
	begun := ports.TenantDeletion{Tenant: id, Begun: day, By: "u1", Archive: "abc"}
	f.begin(t, begun)
	finish := func(want bool, at time.Time) {
		t.Helper()
		if done, err := f.Erasure.Finish(t.Context(), id, at); err != nil || done != want {
			t.Errorf("finished %t, %v", done, err)
		}
	}
	finish(false, day)
	f.erase(t, id)
	finish(false, day) // a file is left
	all, err := f.Sweep.ClaimExpired(t.Context(), day, day.Add(time.Hour), 100)
	for _, blob := range all {
		err = errors.Join(err, f.Sweep.MarkDeleted(t.Context(), blob))
	}
	if err != nil {
		t.Fatal(err)
	}
	f.wantDeletions(t, day.Add(time.Hour), begun)
	finish(true, day.Add(time.Hour))
	finish(true, day.Add(2*time.Hour))
	begun.Finished = day.Add(time.Hour)
	f.wantDeletions(t, day, begun)
	if all, err := f.Erasure.Deletions(t.Context(), day.Add(time.Hour)); err != nil ||
		slices.ContainsFunc(all, func(d ports.TenantDeletion) bool { return d.Tenant == id }) {
		t.Errorf("those finished later: %+v, %v", all, err)
	}
	if _, err := f.Store.Read(ports.ForTenant(id)).Get(t.Context(), IdentitySchemas()[0], string(id)); !errors.Is(err, ports.ErrNotFound) {
		t.Errorf("the tenant: %v", err)
	}
}

func (f TenantErasureFixture) wantDeletions(t *testing.T, after time.Time, want ports.TenantDeletion) {
	t.Helper()
	all, err := f.Erasure.Deletions(t.Context(), after)
	one, findErr := f.Erasure.Find(t.Context(), want.Tenant)
	if err != nil || findErr != nil || !slices.Contains(all, want) || one != want {
		t.Errorf("%+v, %+v, %v, %v, want %+v", all, one, err, findErr, want)
	}
}

func (f TenantErasureFixture) testEvents(t *testing.T) {
	id := freshTenant()
	count := func(want int64) {
		t.Helper()
		f.everywhere(t, func(ctx context.Context, tx ports.Tx) error {
			if n, err := tx.TenantDeletions.EventsRecorded(ctx, id); err != nil || n != want {
				t.Errorf("%d events, %v, want %d", n, err, want)
			}
			return nil
		})
	}
	count(0)
	f.fill(t, id, freshTenant())
	count(3)
	f.Number(t)
	count(3)
}
