package fulfillments_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
)

func TestMain(m *testing.M) { shops.Main(m) }

// onBothDatabases runs a rule on SQLite and on a real Postgres.
func onBothDatabases(t *testing.T, rule func(t *testing.T, b *bed)) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) { rule(t, newBed(t, store)) })
}
