package rest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// execute runs SQL on the database, past the store.
func (b *harness) execute(text string) {
	b.t.Helper()
	db, err := b.database()
	if err != nil {
		b.t.Fatal(err)
	}
	defer db.Close()
	if _, err := db.ExecContext(b.t.Context(), text); err != nil {
		b.t.Fatal(err)
	}
}

// count is the result of a query for a number.
func (b *harness) count(text string) (n int) {
	b.t.Helper()
	db, err := b.database()
	if err != nil {
		b.t.Fatal(err)
	}
	defer db.Close()
	if err := db.QueryRowContext(b.t.Context(), text).Scan(&n); err != nil {
		b.t.Fatal(err)
	}
	return n
}

// A request that was answered is worked on although its process has ended, once, by whichever process finds it.
func TestAnsweredEmailRequestsOutliveTheirProcess(t *testing.T) {
	bothDatabases(t, func(t *testing.T, b *harness) {
		b.customer("kim@shop.example")
		b.access.Wait()
		b.emailTokens.Clear()
		before := b.count("SELECT count(*) FROM sealed_tokens")
		now := time.UnixMilli(b.clock.Load()).UTC()
		add := func(collection, purpose string, t tenant.ID, email string) {
			b.t.Helper()
			err := b.store.Atomically(b.t.Context(), ports.Scope{System: true}, func(ctx context.Context, tx ports.Tx) error {
				return tx.EmailRequests.Add(ctx, now.Add(time.Minute), ports.EmailRequest{
					ID: newID(), Collection: collection, Purpose: purpose, Tenant: t, Email: email, RequestedAt: now,
				})
			})
			if err != nil {
				b.t.Fatal(err)
			}
		}
		add("customers", "rst", b.shop.Tenant.ID, "kim@shop.example")
		add("customers", "rst", b.shop.Tenant.ID, "nobody@shop.example")
		add("users", "rst", "", b.shop.AdminEmail)
		retry := func() {
			if _, err := b.access.RetryRequests(b.t.Context()); err != nil {
				b.t.Error(err)
			}
		}
		if retry(); b.count("SELECT count(*) FROM sealed_tokens") != before {
			t.Fatal("requests are worked on while their process may be")
		}
		b.advance(time.Minute)
		var processes sync.WaitGroup
		for range 4 {
			processes.Go(retry)
		}
		processes.Wait()
		b.advance(time.Minute)
		retry()
		if n := b.count("SELECT count(*) FROM sealed_tokens") - before; n != 2 {
			t.Errorf("%d tokens were sent, want one to the customer and one to the user", n)
		}
		if n := b.count("SELECT count(*) FROM email_requests"); n != 0 {
			t.Errorf("%d requests are not finished", n)
		}
		if a := b.resetPassword("customers", b.emailToken("kim@shop.example"), "another horse"); a.status != 200 {
			t.Error(a.raw)
		}
	})
}

// Nobody is told that a mail will come while the request for it cannot be stored; known addresses are answered as unknown
// ones are.
func TestEmailRequestsNeedADatabaseThatCanWrite(t *testing.T) {
	b := newHarness(t, sqlstore.Options{URL: migrated.Postgres(t)})
	b.customer("kim@shop.example")
	b.execute("CREATE FUNCTION disk_full() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN RAISE EXCEPTION 'could not extend file' USING ERRCODE = '53100'; END $$")
	tables := []string{"email_requests", "events", "sealed_tokens", "storage_probe"}
	for _, table := range tables {
		b.execute("CREATE TRIGGER full_disk BEFORE INSERT ON " + table + " EXECUTE FUNCTION disk_full()")
	}
	ask := func(want int) {
		t.Helper()
		for path, email := range map[string]string{
			"/customers/forgot-password": "kim@shop.example", "/customers/verify-email": "kim@shop.example",
			"/users/forgot-password": b.shop.AdminEmail,
		} {
			known := b.post(path, fmt.Sprintf(`{"email":%q}`, email))
			unknown := b.post(path, `{"email":"nobody@shop.example"}`)
			if known.status != want || unknown.status != want || (want == 200 && known.raw != unknown.raw) {
				t.Errorf("%s: %s and %s, want both %d", path, known.raw, unknown.raw, want)
			}
		}
	}
	ask(503)
	for _, table := range tables {
		b.execute("DROP TRIGGER full_disk ON " + table)
	}
	if err := b.store.Ready(t.Context()); err != nil {
		t.Fatal(err)
	}
	ask(200)
	if b.emailToken("kim@shop.example") == "" || b.emailToken(b.shop.AdminEmail) == "" {
		t.Error("no token was sent")
	}
}
