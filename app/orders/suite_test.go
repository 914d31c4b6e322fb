package orders_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
)

func TestMain(m *testing.M) { shops.Main(m) }

// both runs a rule on SQLite and on a real Postgres.
func both(t *testing.T, rule func(t *testing.T, b *fixture)) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) { rule(t, newFixture(t, store)) })
}

// bothAlone is both on databases of its own, for rules about rounds over all tenants: on the databases that tests
// share, a round would change the orders of every other test.
func bothAlone(t *testing.T, rule func(t *testing.T, b *fixture, all testservers.Inspector)) {
	shops.OnOwnDatabases(t, func(t *testing.T, store *sqlstore.Store, all testservers.Inspector) {
		rule(t, newFixture(t, store), all)
	})
}
