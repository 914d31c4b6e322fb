package webhooks_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func TestMain(m *testing.M) { shops.Main(m) }

// both runs a rule on SQLite and on a real Postgres, for a tenant on the enterprise plan.
func both(t *testing.T, rule func(t *testing.T, b *fixture)) { on(t, tenant.Enterprise, rule) }

// on is both for a tenant on the given plan.
func on(t *testing.T, plan tenant.Plan, rule func(t *testing.T, b *fixture)) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) { rule(t, newFixture(t, store, plan)) })
}
