package sqlstore_test

import (
	"context"
	"errors"
	"slices"
	"strings"
	"testing"

	"github.com/google/uuid"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Every table of the database that has rows of tenants is one of those that are erased: a new one cannot be forgotten.
func TestEveryTableOfTenantsIsErased(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s := open(t, registry.Schemas()...)
		named, err := s.ColumnsNamedTenant(t.Context())
		if err != nil || len(named) < 40 {
			t.Fatalf("the tables are %v, %v", named, err)
		}
		erased := s.ErasedTables()
		for _, table := range named {
			if !slices.Contains(erased, table) {
				t.Errorf("%s has rows of tenants, which nothing erases", table)
			}
		}
		for _, table := range erased {
			if !slices.Contains(named, table) && table != "email_requests" {
				t.Errorf("%s is erased, and has no column tenant", table)
			}
		}
		// Jobs write records, and files that only they name: they end before anything that they could write anew is gone.
		for _, jobs := range []string{"exports", "imports"} {
			if at := slices.Index(erased, jobs); at < 0 || at > slices.Index(erased, "orders") || at > slices.Index(erased, "events") {
				t.Errorf("%s are number %d of %v", jobs, at, erased)
			}
		}
	})
}

// Money that moved is kept whoever asks, unless the tenant is deleted. A database of an older version, in which not even that
// was possible, learns it when it is opened.
func TestLedgerIsKeptButOfDeletedTenants(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			o := options(t)
			s := openStore(t, o, nil)
			testLedgerKept(t, s)
			for _, text := range olderLedger(s.OnPostgres()) {
				if err := s.ExecOwner(t.Context(), text); err != nil {
					t.Fatal(err)
				}
			}
			if err := s.ExecSystem(t.Context(), "DELETE FROM migrations"); err != nil {
				t.Fatal(err)
			}
			testLedgerKept(t, openStore(t, o, nil))
		})
	}
}

// olderLedger brings the ledger to what it was before tenants could be deleted.
func olderLedger(postgres bool) []string {
	if postgres {
		return []string{"DROP POLICY erased ON ledger_entries", "REVOKE DELETE ON ledger_entries FROM cartwright_system"}
	}
	return []string{
		"DROP TRIGGER ledger_entries_kept",
		"CREATE TRIGGER ledger_entries_no_delete BEFORE DELETE ON ledger_entries BEGIN SELECT RAISE(ABORT, 'rows of ledger_entries are only ever added'); END",
	}
}

// testLedgerKept deletes a tenant with a ledger, next to one that stays.
func testLedgerKept(t *testing.T, s *sqlstore.Store) {
	t.Helper()
	gone, kept := tenant.ID(uuid.NewString()), tenant.ID(uuid.NewString())
	for _, id := range []tenant.ID{gone, kept} {
		err := s.Atomically(t.Context(), ports.Scope{System: true, Tenants: []tenant.ID{id}}, func(ctx context.Context, tx ports.Tx) error {
			if id == gone {
				if err := tx.TenantDeletions.Begin(ctx, ports.TenantDeletion{Tenant: id, Begun: start}); err != nil {
					return err
				}
			}
			return tx.Ledger.Append(ctx, ports.LedgerEntry{
				ID: "m" + string(id), Tenant: id, Environment: tenant.Live, Type: "charge", Amount: money.Of(5, "EUR"),
				Provider: "p", Reference: "r", At: start,
			})
		})
		if err != nil {
			t.Fatal(err)
		}
	}
	_ = s.ExecSystem(t.Context(), "DELETE FROM ledger_entries") // SQLite refuses, Postgres finds none but those of deleted tenants
	if err := s.ExecSystem(t.Context(), "UPDATE ledger_entries SET minor = 1"); err == nil || !strings.Contains(err.Error(), "ledger_entries") {
		t.Errorf("the ledger was changed: %v", err)
	}
	for more := true; more; {
		var err error
		if more, err = s.TenantErasure().Erase(t.Context(), gone); err != nil {
			t.Fatal(err)
		}
	}
	for id, want := range map[tenant.ID]int64{gone: 0, kept: 1} {
		if n, err := s.CountRows(t.Context(), "ledger_entries", id); err != nil || n != want {
			t.Errorf("%d entries are left, %v, want %d", n, err, want)
		}
	}
}

// Of two tenants with rows in every table one is deleted: nothing names it any more but its tombstone, and the rows of the other
// one are what they were, byte for byte.
func TestNothingNamesADeletedTenant(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s := open(t, registry.Schemas()...)
		gone, kept := tenant.ID(uuid.NewString()), tenant.ID(uuid.NewString())
		for _, id := range []tenant.ID{gone, kept} {
			if err := s.FillEveryTable(t.Context(), id); err != nil {
				t.Fatal(err)
			}
			err := s.Atomically(t.Context(), ports.Scope{System: true}, func(ctx context.Context, tx ports.Tx) error {
				return tx.Accounts.Save(ctx, ports.Account{
					ID: "u" + string(id), Email: "a@" + string(id), Home: id, Memberships: []ports.Membership{{Tenant: id, Role: tenant.Admin}},
				})
			})
			if err != nil {
				t.Fatal(err)
			}
		}
		if _, err := s.BlobSweep().ClaimExpired(t.Context(), start, start, 100); err != nil { // which changes rows
			t.Fatal(err)
		}
		before := dump(t, s)
		err := s.Atomically(t.Context(), ports.Scope{System: true}, func(ctx context.Context, tx ports.Tx) error {
			return tx.TenantDeletions.Begin(ctx, ports.TenantDeletion{Tenant: gone, Begun: start})
		})
		if err != nil {
			t.Fatal(err)
		}
		eraseWithFiles(t, s, gone)
		after := dump(t, s)
		for table, rows := range before {
			if table == "tenant_deletions" {
				continue
			}
			if !slices.ContainsFunc(rows, func(row string) bool { return strings.Contains(row, string(gone)) }) && slices.Contains(s.ErasedTables(), table) {
				t.Errorf("%s had no row to be erased", table)
			}
			want := slices.DeleteFunc(slices.Clone(rows), func(row string) bool { return strings.Contains(row, string(gone)) })
			if !slices.Equal(after[table], want) {
				t.Errorf("%s has %q, want %q", table, after[table], want)
			}
		}
		if rows := after["tenant_deletions"]; len(rows) != 1 || !strings.Contains(rows[0], string(gone)) {
			t.Errorf("the tombstones: %q", rows)
		}
	})
}

// eraseWithFiles erases a tenant to its end, as if its files had been deleted.
func eraseWithFiles(t *testing.T, s *sqlstore.Store, id tenant.ID) {
	t.Helper()
	for more := true; more; {
		var err error
		if more, err = s.TenantErasure().Erase(t.Context(), id); err != nil {
			t.Fatal(err)
		}
	}
	if done, err := s.TenantErasure().Finish(t.Context(), id, start); done || err != nil {
		t.Fatalf("finished %t with files, %v", done, err)
	}
	files, err := s.BlobSweep().ClaimExpired(t.Context(), start, start, 100)
	for _, one := range files {
		if one.Tenant == id {
			err = errors.Join(err, s.BlobSweep().MarkDeleted(t.Context(), one))
		}
	}
	if done, finishErr := s.TenantErasure().Finish(t.Context(), id, start); !done || errors.Join(err, finishErr) != nil {
		t.Fatalf("finished %t, %v, %v", done, err, finishErr)
	}
}

// dump has the rows of all tables as text, in order.
func dump(t *testing.T, s *sqlstore.Store) map[string][]string {
	t.Helper()
	all, err := s.Dump(t.Context())
	if err != nil || len(all) < 40 {
		t.Fatalf("%d tables, %v", len(all), err)
	}
	return all
}
