package program

import (
	"context"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// frozenClock is a clock that stands still, so that no cached value expires.
func frozenClock() time.Time { return time.Date(2026, 11, 1, 12, 0, 0, 0, time.UTC) }

// sellingInstance is an instance and a variant that it sells.
type sellingInstance struct {
	*testing.T

	url, secret, variant string
}

// cartPrice is the unit price in a new cart.
func (s sellingInstance) cartPrice() any {
	s.Helper()
	status, created := requestJSON(s.T, "POST", s.url+"/api/server/commerce/carts",
		fmt.Sprintf(`{"items": [{"variantId": %q, "quantity": 1}]}`, s.variant), s.secret)
	if status != http.StatusCreated {
		s.Fatalf("%d %v", status, created)
	}
	return created["cart"].(map[string]any)["lines"].([]any)[0].(map[string]any)["unitPrice"]
}

// waitForPrice waits until new carts have price. With a frozen clock, only an invalidation can change it.
func (s sellingInstance) waitForPrice(price float64) {
	s.Helper()
	waitUntil(s.T, func() bool { return s.cartPrice() == price })
}

// sell creates a product with one variant.
func sell(t *testing.T, s *Server, secret string, price int) (product, variant string) {
	t.Helper()
	status, created := requestJSON(t, "POST", s.BaseURL+"/api/products",
		fmt.Sprintf(`{"name": "Mug", "price": %d, "status": "published", "stock": 5000}`, price), secret)
	if status != http.StatusCreated {
		t.Fatalf("%d %v", status, created)
	}
	product = created["doc"].(map[string]any)["id"].(string)
	_, found := requestJSON(t, "GET", s.BaseURL+"/api/product-variants?where[product][equals]="+product, "", secret)
	return product, found["docs"].([]any)[0].(map[string]any)["id"].(string)
}

func TestPriceChangeReachesOtherInstance(t *testing.T) {
	t.Parallel()
	c := testDefaults()
	c.BurstPerMinute = 0
	c.Address, c.Data, c.Database = "127.0.0.1:0", t.TempDir(), migratedDB.Postgres(t)
	log, _ := captureLog(t)
	one := startServer(t, c, frozenClock, log)
	other := startServer(t, c, frozenClock, log)
	secret := "X-API-Key: " + one.NewCredentials.SecretKey
	product, variant := sell(t, one, secret, 1000)
	price := func(amount int) {
		t.Helper()
		status, got := requestJSON(t, "PATCH", one.BaseURL+"/api/products/"+product, fmt.Sprintf(`{"price": %d}`, amount), secret)
		if status != http.StatusOK {
			t.Fatalf("%d %v", status, got)
		}
	}
	b := sellingInstance{t, other.BaseURL, secret, variant}
	b.waitForPrice(1000)
	for amount := 1001; amount < 1010; amount++ {
		price(amount)
		b.waitForPrice(float64(amount))
	}

	conn, err := pgx.Connect(t.Context(), c.Database)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close(context.Background()) })
	for amount := 1010; amount < 1013; amount++ { // without a listening connection, or with one that just reconnected
		if _, err := conn.Exec(t.Context(),
			"SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE datname = current_database() AND application_name = 'cartwright listener'"); err != nil {
			t.Fatal(err)
		}
		price(amount)
		b.waitForPrice(float64(amount))
	}
}

// A command that changes prices in the SQLite file of a running server invalidates the server's cache, too.
func TestPriceChangedByCommandReachesServer(t *testing.T) {
	t.Parallel()
	c := testDefaults()
	c.BurstPerMinute = 0
	c.Address, c.Data = "127.0.0.1:0", t.TempDir()
	log, _ := captureLog(t)
	s := startServer(t, c, frozenClock, log)
	product, variant := sell(t, s, "X-API-Key: "+s.NewCredentials.SecretKey, 1000)
	b := sellingInstance{t, s.BaseURL, "X-API-Key: " + s.NewCredentials.SecretKey, variant}
	b.waitForPrice(1000)
	command, err := openCore(t.Context(), c, frozenClock, log)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() {
		if err := command.Close(); err != nil {
			t.Error(err)
		}
	})
	err = command.invalidatingStore.Atomically(t.Context(), ports.ForTenant(tenant.ID(s.NewCredentials.TenantID)),
		func(ctx context.Context, tx ports.Tx) error {
			before, err := tx.Records.Lock(ctx, catalog.Products, product)
			if err != nil {
				return err
			}
			after := before.Clone()
			after["price"] = money.Of(2000, "KRW")
			return tx.Records.Write(ctx, collection.NewChange(catalog.Products, before, after, newID(), frozenClock()))
		})
	if err != nil {
		t.Fatal(err)
	}
	b.waitForPrice(2000)
}
