package sqlstore_test

import (
	"context"
	"errors"
	"fmt"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestCommercePortContracts(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s := open(t)
		store := func(*testing.T) ports.Store { return s }
		t.Run("stock", func(t *testing.T) { portstest.Stock(t, store) })
		t.Run("uses", func(t *testing.T) { portstest.DiscountUses(t, store) })
		t.Run("ledger", func(t *testing.T) { portstest.Ledger(t, store) })
		t.Run("journal", func(t *testing.T) { portstest.ProviderCalls(t, store) })
		t.Run("receipts", func(t *testing.T) { portstest.Receipts(t, store) })
		t.Run("pending_blobs", func(t *testing.T) {
			portstest.PendingBlobs(t, func(*testing.T) portstest.PendingBlobsFixture {
				return portstest.PendingBlobsFixture{Store: s, Sweep: s.BlobSweep()}
			})
		})
		t.Run("email requests", func(t *testing.T) {
			portstest.EmailRequests(t, func(*testing.T) portstest.EmailRequestsFixture {
				return portstest.EmailRequestsFixture{Store: s, Queue: s.EmailRequests()}
			})
		})
		t.Run("payment tasks", func(t *testing.T) {
			portstest.PaymentTasks(t, func(*testing.T) portstest.PaymentTasksFixture {
				return portstest.PaymentTasksFixture{Store: s, Queue: s.PaymentTasks()}
			})
		})
		t.Run("usage", func(t *testing.T) { portstest.Usage(t, s.Usage()) })
		for name, c := range map[string]ports.Claims{
			"claims": s.Claims(), "claims in a transaction": claimsInside{s.Claims(), s, false}, "claims in a shared one": claimsInside{s.Claims(), s, true},
		} {
			t.Run(name, func(t *testing.T) {
				portstest.Claims(t, func(*testing.T) portstest.ClaimsFixture { return portstest.ClaimsFixture{Store: s, Claims: c} })
			})
		}
	})
}

// claimsInside claims keys in transactions, with the key declared or not.
type claimsInside struct {
	ports.Claims

	store    *sqlstore.Store
	declared bool
}

// Claim implements ports.Claims.
func (c claimsInside) Claim(
	ctx context.Context, id tenant.ID, key ports.ReceiptKey, fingerprint [32]byte, lease time.Duration,
) (fence int64, done *ports.Receipt, err error) {
	scope := ports.ForTenant(id)
	if c.declared {
		scope.Prefetch = &ports.Prefetch{Receipt: &key}
	}
	err = c.store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) (err error) {
		fence, done, err = tx.Receipts.Claim(ctx, id, key, fingerprint, lease)
		return err
	})
	return fence, done, err
}

func TestSweepEndsExpiredReservationsOnly(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s, now := open(t), time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
		reserve := func(holder string, until time.Time) {
			t.Helper()
			atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
				return tx.Stock.Reserve(ctx, "t1", tenant.Live, holder, []ports.Demand{{Variant: "v", Quantity: 2}}, until)
			})
		}
		atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
			return tx.Stock.Set(ctx, "t1", tenant.Live, "p", "v", ports.StockLevel{OnHand: 10, Tracked: true}, ports.StockCause{})
		})
		reserve("overdue", now)
		reserve("running", now.Add(time.Second))
		reserve("renewed", now)
		reserve("renewed", now.Add(time.Second))
		if swept, err := s.Sweep(t.Context(), now); err != nil || swept.ReservationHolders != 1 || swept.More() {
			t.Errorf("swept %+v, %v; want one holder", swept, err)
		}
		atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
			levels, err := tx.Stock.Levels(ctx, tenant.Live, []string{"v"})
			if want := (ports.StockLevel{OnHand: 10, Reserved: 4, Tracked: true}); levels["v"] != want {
				t.Errorf("stock %+v, want %+v", levels["v"], want)
			}
			return err
		})
	})
}

// Older versions stored receipts about money without an end: they end when those of today would.
func TestSweepDeletesExpiredReceipts(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s, now := open(t), time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
		receipts := []struct{ made, expires time.Time }{
			{now.Add(-time.Hour), now}, {now.Add(-time.Hour), now.Add(time.Second)},
			{made: now.AddDate(-1, 0, 0)}, {made: now.AddDate(-1, 0, 0).Add(time.Second)},
		}
		for i, r := range receipts {
			atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
				return tx.Receipts.Save(ctx, ports.Receipt{
					Tenant: "t1", Key: ports.ReceiptKey{byte(i)}, Result: ports.ReceiptOK, At: r.made, Expires: r.expires,
				}, 0)
			})
		}
		if swept, err := s.Sweep(t.Context(), now); err != nil || swept.Receipts != 1 || swept.EndlessReceipts != 1 {
			t.Errorf("swept %+v, %v; want one receipt of each kind", swept, err)
		}
		for i, want := range []error{ports.ErrNotFound, nil, ports.ErrNotFound, nil} {
			if _, err := s.Read(ports.ForTenant("t1")).Receipt(t.Context(), ports.ReceiptKey{byte(i)}); !errors.Is(err, want) {
				t.Errorf("receipt %d: %v, want %v", i, err, want)
			}
		}
	})
}

func TestSweepKeepsLiveClaimsDespiteClockSkew(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s, key := open(t), ports.ReceiptKey{1}
		fence, _, err := s.Claims().Claim(t.Context(), "t1", key, [32]byte{1}, time.Minute)
		if err != nil {
			t.Fatal(err)
		}
		if swept, err := s.Sweep(t.Context(), time.Now().AddDate(1, 0, 0)); err != nil || swept.Receipts != 0 {
			t.Errorf("swept %+v, %v; want nothing", swept, err)
		}
		if err := s.Claims().Renew(t.Context(), "t1", key, fence, time.Minute); err != nil {
			t.Errorf("the claim was forgotten: %v", err)
		}
	})
}

func TestSweepDeletesAbandonedClaims(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s := open(t)
		for i, days := range []int{-31, -29} {
			key := ports.ReceiptKey{byte(i)}
			if _, _, err := s.Claims().Claim(t.Context(), "t1", key, [32]byte{1}, time.Minute); err != nil {
				t.Fatal(err)
			}
			if err := s.Exec(t.Context(), "t1", "UPDATE receipts SET lease_until = $1 WHERE key = $2", time.Now().AddDate(0, 0, days),
				key[:]); err != nil {
				t.Fatal(err)
			}
		}
		for _, want := range []int{1, 0} {
			if swept, err := s.Sweep(t.Context(), time.Now()); err != nil || swept.Claims != want || swept.Receipts != 0 {
				t.Errorf("swept %+v, %v; want %d claims", swept, err, want)
			}
		}
	})
}

func TestSweepDeletesRevocationsOfExpiredTokens(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s, now := open(t), time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
		for jti, until := range map[string]time.Time{"long over": now.Add(-2 * time.Hour), "just over": now, "alive": now.Add(time.Hour)} {
			if err := s.Revocations().Revoke(t.Context(), now.Add(-3*time.Hour), until, jti); err != nil {
				t.Fatal(err)
			}
		}
		if swept, err := s.Sweep(t.Context(), now); err != nil || swept.Revocations != 1 || swept.More() {
			t.Errorf("swept %+v, %v; want one revocation", swept, err)
		}
		if revoked, err := s.Revocations().Revoked(t.Context(), now, "alive"); err != nil || !revoked {
			t.Errorf("a living token came back: %v", err)
		}
	})
}

func TestProcessedWebhooksExpire(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s, now := open(t), time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
		keep := func(event string, until time.Time) {
			if err := s.ProcessedWebhooks().Mark(t.Context(), "t1", "c1", event, until); err != nil {
				t.Fatal(err)
			}
		}
		keep("over", now)
		keep("alive", now.Add(time.Hour))
		keep("alive", now) // again, which changes nothing
		if swept, err := s.Sweep(t.Context(), now); err != nil || swept.ProcessedWebhooks != 1 || swept.More() {
			t.Errorf("swept %+v, %v; want one event", swept, err)
		}
		for event, want := range map[string]bool{"alive": true, "over": false} {
			if seen, err := s.ProcessedWebhooks().Seen(t.Context(), "t1", "c1", event); err != nil || seen != want {
				t.Errorf("%s: %v, %v", event, seen, err)
			}
		}
	})
}

func TestComputedFieldsUseOneEnvironmentOnEveryReadPath(t *testing.T) {
	counts := func(source string) collection.Field {
		return collection.Field{Name: "count", Kind: collection.Integer, Source: source}
	}
	products := &collection.Schema{
		Slug: "products", Singular: "Product", Plural: "Products", Fields: []collection.Field{counts(ports.SourceTotalOnHand)},
	}
	variants := &collection.Schema{Slug: "product-variants", Singular: "Variant", Plural: "Variants", Fields: []collection.Field{
		counts(ports.SourceReserved), {Name: "product", Kind: collection.Relation, RelationTo: "products"},
	}}
	discounts := &collection.Schema{
		Slug: "discounts", Singular: "Discount", Plural: "Discounts", Fields: []collection.Field{counts(ports.SourceDiscountCount)},
	}
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s, now := open(t, products, variants, discounts), time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
		atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
			var changes []collection.Change
			for i, c := range []*collection.Schema{products, variants, discounts} {
				changes = append(changes,
					collection.NewChange(c, nil, collection.Record{"id": fmt.Sprint("r", i), "tenant": "t1"}, fmt.Sprint("e", i), now))
			}
			return errors.Join(tx.Records.Write(ctx, changes...),
				tx.Stock.Set(ctx, "t1", tenant.Live, "r0", "r1", ports.StockLevel{OnHand: 7, Tracked: true}, ports.StockCause{}),
				tx.Stock.Set(ctx, "t1", tenant.Test, "r0", "r1", ports.StockLevel{OnHand: 9, Tracked: true}, ports.StockCause{}),
				tx.Stock.Reserve(ctx, "t1", tenant.Live, "h", []ports.Demand{{Variant: "r1", Quantity: 2}}, now),
				tx.DiscountUses.Redeem(ctx, "t1", tenant.Live, "h", []ports.DiscountUse{{Discount: "r2"}}))
		})
		for i, c := range []*collection.Schema{products, variants, discounts} {
			for env, want := range map[tenant.Environment]any{
				tenant.Live: []any{int64(7), int64(2), int64(1)}[i], tenant.Test: []any{int64(9), int64(0), int64(0)}[i], "": nil,
			} {
				scope := ports.ForPrincipal(tenant.Principal{Tenant: tenant.Settings{ID: "t1"}, Environment: env})
				for road, got := range readPaths(t, s, scope, c, fmt.Sprint("r", i)) {
					if got["count"] != want {
						t.Errorf("%s of %s for %q: %v, want %v", road, c.Slug, env, got["count"], want)
					}
				}
			}
		}
	})
}

// readPaths reads a record in every way there is.
func readPaths(t *testing.T, s *sqlstore.Store, scope ports.Scope, c *collection.Schema, id string) map[string]collection.Record {
	t.Helper()
	got := map[string]collection.Record{}
	r := s.Read(scope)
	one, err1 := r.Get(t.Context(), c, id)
	many, err2 := r.GetMany(t.Context(), c, []string{id}, nil)
	page, err3 := r.Find(t.Context(), collection.Query{Schema: c, Limit: 1, Page: 1})
	named, err4 := s.Read(ports.ForTenant("t1")).Find(t.Context(), collection.Query{
		Schema: c, Environment: string(scope.Environment), Limit: 1, Page: 1,
	})
	err5 := s.Atomically(t.Context(), scope, func(ctx context.Context, tx ports.Tx) (err error) {
		got["Lock"], err = tx.Records.Lock(ctx, c, id)
		return err
	})
	if err := errors.Join(err1, err2, err3, err4, err5); err != nil {
		t.Fatal(err)
	}
	got["Get"], got["GetMany"], got["Find"], got["a query that names it"] = one, many[id], page.Docs[0], named.Docs[0]
	return got
}

func TestCheckLedgerFindsOverRefunds(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s := open(t)
		move := func(id, kind string, minor int64) {
			t.Helper()
			atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
				return tx.Ledger.Append(ctx, ports.LedgerEntry{
					ID: id, Tenant: "t1", Environment: tenant.Live, Type: kind, Amount: money.Money{Minor: minor, Currency: "EUR"},
					Reference: id, Order: "o1", At: time.Unix(0, 0),
				})
			})
		}
		move("m1", "charge", 10)
		move("m2", "refund", 10)
		if wrong, err := s.CheckLedger(t.Context()); err != nil || len(wrong) != 0 {
			t.Errorf("balanced books: %v, %v", wrong, err)
		}
		move("m3", "refund", 1)
		wrong, err := s.CheckLedger(t.Context())
		if want := (sqlstore.Imbalance{Tenant: "t1", Environment: tenant.Live, Order: "o1", Currency: "EUR", Minor: -1}); err != nil ||
			len(wrong) != 1 || wrong[0] != want {
			t.Errorf("books %v, %v; want %v", wrong, err, want)
		}
	})
}

func TestLedgerIsAppendOnly(t *testing.T) {
	bothDatabases(t, func(t *testing.T, open func(t testing.TB, schemas ...*collection.Schema) *sqlstore.Store) {
		s := open(t)
		atomically(t, s, func(ctx context.Context, tx ports.Tx) error {
			return tx.Ledger.Append(ctx, ports.LedgerEntry{
				ID: "m1", Tenant: "t1", Environment: tenant.Live, Type: "charge", Amount: money.Money{Minor: 10, Currency: "EUR"},
				Order: "o1", At: time.Unix(0, 0),
			})
		})
		for _, sql := range []string{"UPDATE ledger_entries SET minor = 1", "DELETE FROM ledger_entries"} {
			if err := s.Exec(t.Context(), "t1", sql); err == nil {
				t.Errorf("%s was carried out", sql)
			}
		}
	})
}

func atomically(t testing.TB, s *sqlstore.Store, fn func(context.Context, ports.Tx) error) {
	t.Helper()
	if err := s.Atomically(t.Context(), ports.ForTenant("t1"), fn); err != nil {
		t.Fatal(err)
	}
}
