package sqlstore_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestProcessedWebhooks(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		portstest.ProcessedWebhooks(t, open(t).ProcessedWebhooks())
	})
}

func TestBackgroundFailures(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		portstest.BackgroundFailures(t, open(t).BackgroundFailures())
	})
}

func TestLedgerReader(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		portstest.LedgerReader(t, func(t *testing.T) portstest.LedgerReaderFixture {
			s := open(t)
			return portstest.LedgerReaderFixture{
				Store: s, Reader: s.LedgerReader(),
				SetReserved: func(t *testing.T, id tenant.ID, env tenant.Environment, variant string, units int64) {
					err := s.Exec(t.Context(), id, "UPDATE stock SET reserved = $1 WHERE variant = $2 AND environment = $3", units,
						variant, string(env))
					if err != nil {
						t.Fatal(err)
					}
				},
			}
		})
	})
}

func TestChangeNotifier(t *testing.T) {
	for name, options := range both {
		t.Run(name, func(t *testing.T) {
			portstest.ChangeNotifier(t, func(t *testing.T) portstest.ChangeNotifierFixture {
				o := options(t)
				o.NotifyOf = map[string]bool{"notes": true}
				return portstest.ChangeNotifierFixture{
					Store: openStore(t, o, portstest.EventSchemas()), Notifier: openStore(t, o, portstest.EventSchemas()),
				}
			})
		})
	}
}
