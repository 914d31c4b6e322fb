package orders_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
)

func TestMain(m *testing.M) { shops.Main(m) }

// both runs a rule on SQLite and on a real Postgres.
func both(t *testing.T, rule func(t *testing.T, b *fixture)) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) { rule(t, newFixture(t, store)) })
}
