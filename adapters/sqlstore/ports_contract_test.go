package sqlstore_test

import (
	"context"
	"errors"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestProcessedWebhooks(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s := open(t)
		portstest.ProcessedWebhooks(t, s.ProcessedWebhooks())
		portstest.ProcessedWebhooks(t, inTransactions{s})
	})
}

func TestNoticePlaces(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s := open(t, portstest.EventSchemas()...)
		f := portstest.NoticePlacesFixture{Store: s, Number: func(t *testing.T) {
			t.Helper()
			if _, err := s.Sequence(t.Context()); err != nil {
				t.Fatal(err)
			}
		}}
		portstest.NoticePlaces(t, func(*testing.T) portstest.NoticePlacesFixture {
			f.Places, f.Mover = s.NoticePlaces(), func(tx ports.Tx) ports.NoticeMover { return tx.NoticeMover }
			return f
		})
		portstest.NoticePlaces(t, func(*testing.T) portstest.NoticePlacesFixture {
			f.Places, f.Mover = s.MailPlaces(), func(tx ports.Tx) ports.NoticeMover { return tx.MailMover }
			return f
		})
	})
}

func TestStockPlaces(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		portstest.StockPlaces(t, func(t *testing.T, schemas ...*collection.Schema) portstest.StockPlacesFixture {
			s := open(t, schemas...)
			return portstest.StockPlacesFixture{Store: s, Reader: s.StockPlaceReader()}
		})
	})
}

func TestMailQueue(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		portstest.MailQueue(t, func(t *testing.T) portstest.MailQueueFixture {
			s := open(t, mail.Deliveries)
			return portstest.MailQueueFixture{Store: s, Queue: s.MailQueue()}
		})
	})
}

func TestOrderCounts(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		portstest.OrderCounts(t, open(t).OrderCounts())
	})
}

// inTransactions is the ports.ProcessedWebhooks of a transaction, which it commits.
type inTransactions struct{ *sqlstore.Store }

func (s inTransactions) Seen(ctx context.Context, id tenant.ID, connection, event string) (seen bool, err error) {
	err = s.Atomically(ctx, ports.ForTenant(id), func(ctx context.Context, tx ports.Tx) error {
		seen, err = tx.ProcessedWebhooks.Seen(ctx, id, connection, event)
		return err
	})
	return seen, err
}

func (s inTransactions) Mark(ctx context.Context, id tenant.ID, connection, event string, until time.Time) error {
	return s.Atomically(ctx, ports.ForTenant(id), func(ctx context.Context, tx ports.Tx) error {
		return tx.ProcessedWebhooks.Mark(ctx, id, connection, event, until)
	})
}

// A webhook is marked together with what the transaction does, and for no other tenant.
func TestWebhookIsMarkedWithItsTransaction(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s, failed, year := open(t), errors.New("failed"), start.AddDate(1, 0, 0)
		err := s.Atomically(t.Context(), ports.ForTenant("a"), func(ctx context.Context, tx ports.Tx) error {
			return errors.Join(tx.ProcessedWebhooks.Mark(ctx, "a", "c1", "e1", year), failed)
		})
		if seen, readErr := s.ProcessedWebhooks().Seen(t.Context(), "a", "c1", "e1"); seen || readErr != nil || !errors.Is(err, failed) {
			t.Errorf("seen %t after a rollback, %v, %v", seen, readErr, err)
		}
		if err := s.Atomically(t.Context(), ports.ForTenant("a"), func(ctx context.Context, tx ports.Tx) error {
			return tx.ProcessedWebhooks.Mark(ctx, "b", "c1", "e1", year)
		}); err == nil {
			t.Error("a webhook of another tenant was marked")
		}
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
