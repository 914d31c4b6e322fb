package drafts_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/money"
)

func TestMain(m *testing.M) { shops.Main(m) }

// onBothDatabases runs a rule on SQLite and on a real Postgres.
func onBothDatabases(t *testing.T, rule func(t *testing.T, b *bed)) {
	onBothDatabasesIn(t, "KRW", rule)
}

// onBothDatabasesIn is onBothDatabases in a shop of another currency.
func onBothDatabasesIn(t *testing.T, currency money.Currency, rule func(t *testing.T, b *bed)) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) { rule(t, newBed(t, store, currency)) })
}

// onOwnServers runs a rule on databases of its own, whose every row can be looked at.
func onOwnServers(t *testing.T, rule func(t *testing.T, b *bed, all testservers.Inspector)) {
	shops.OnOwnDatabases(t, func(t *testing.T, store *sqlstore.Store, all testservers.Inspector) {
		rule(t, newBed(t, store, "KRW"), all)
	})
}
