package hooking_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func TestMain(m *testing.M) { shops.Main(m) }

// both runs a rule on SQLite and on a real Postgres, in a shop on enterprise.
func both(t *testing.T, rule func(t *testing.T, b *bed)) { on(t, tenant.Enterprise, rule) }

// on is both for a shop on a plan.
func on(t *testing.T, plan tenant.Plan, rule func(t *testing.T, b *bed)) {
	shops.Both(t, func(t *testing.T, store *sqlstore.Store) { rule(t, newBed(t, store, plan)) })
}
