package payments_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
)

func TestMain(m *testing.M) { shops.Main(m) }

// bed is the shared bed with the steps of this package.
type bed struct{ *paymentbed.Bed }

// onBothDatabases runs a rule on SQLite and on a real Postgres.
func onBothDatabases(t *testing.T, rule func(t *testing.T, b *bed)) {
	paymentbed.OnBothDatabases(t, func(t *testing.T, b *paymentbed.Bed) { rule(t, &bed{b}) })
}

func newBed(t testing.TB, store *sqlstore.Store) *bed { return &bed{paymentbed.New(t, store)} }

// onOwnServers runs a rule on databases of its own, every row of which can be inspected.
func onOwnServers(t *testing.T, rule func(t *testing.T, b *bed, all testservers.Inspector)) {
	paymentbed.OnOwnServers(t, func(t *testing.T, b *paymentbed.Bed, all testservers.Inspector) { rule(t, &bed{b}, all) })
}
