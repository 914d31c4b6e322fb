package rest_test

import (
	"context"
	"fmt"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// meanwhileStore does something between the reads of the first transaction that asks for prices in markets, which are the last
// thing that is read of a product.
type meanwhileStore struct {
	ports.Store

	do func()
}

// Atomically implements ports.Store.
func (s meanwhileStore) Atomically(ctx context.Context, scope ports.Scope, fn func(ctx context.Context, tx ports.Tx) error) error {
	return s.Store.Atomically(ctx, scope, func(ctx context.Context, tx ports.Tx) error {
		tx.Records = meanwhileRecords{tx.Records, s.do}
		return fn(ctx, tx)
	})
}

type meanwhileRecords struct {
	ports.Records

	do func()
}

// Find implements ports.Records.
func (r meanwhileRecords) Find(ctx context.Context, q collection.Query) (collection.Page, error) {
	if q.Schema.Slug == catalog.MarketPrices.Slug {
		r.do()
	}
	return r.Records.Find(ctx, q)
}

// Rule transfers-12: what others add to a product while a file changes it stays. Only Postgres lets them at that time.
func TestImportOfProductsKeepsWhatOthersAdd(t *testing.T) {
	t.Parallel()
	b := newHarness(t, sqlstore.Options{URL: migrated.Postgres(t)})
	made := b.secret(201, "POST", "/api/products/complete",
		`{"name":"Tee","slug":"tee","status":"draft","price":1,"options":[{"name":"Size","values":[{"label":"S"},{"label":"M"},{"label":"L"}]}],"variants":[`+
			`{"sku":"T-S","optionValues":[{"option":"Size","value":"S"}]},{"sku":"T-M","optionValues":[{"option":"Size","value":"M"}]}]}`)
	product, _ := made.body["product"].(map[string]any)
	id := b.begin("products", rowsOf("handle,sku,price", "tee,T-S,9"))
	var once sync.Once
	busy := b.instance()
	busy.Store = meanwhileStore{b.store, func() {
		once.Do(func() {
			b.secret(201, "POST", "/api/product-variants", fmt.Sprintf(`{"product":%q,"sku":"T-L","price":5}`, product["id"]))
		})
	}}
	if _, err := busy.RunNext(t.Context()); err != nil {
		t.Fatal(err)
	}
	b.importNow(id).want("done 1 0 0")
	if there := b.secret(200, "GET", "/api/product-variants?where[sku][in]=T-S,T-M,T-L", "").docs(); len(there) != 3 {
		t.Errorf("%d variants are left", len(there))
	}
}
