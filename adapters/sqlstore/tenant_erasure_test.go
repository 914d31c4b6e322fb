package sqlstore_test

import (
	"context"
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
				ID: "m" + string(id), Tenant: id, Environment: tenant.Live, Type: "charge", Amount: money.Of(5, "EUR"), Provider: "p", Reference: "r", At: start,
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
