package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"net/http"
	"strings"
	"time"
)

// bulkPart is the change of many records by one request, beside single changes.
const bulkPart = "bulk"

// bulkRecords is how many records one request changes at most.
const bulkRecords = 1000

// bulkLoad is a shop with products whose prices change.
type bulkLoad struct {
	post   *httpClient
	secret string
	ids    []string
	price  int
}

// bulk measures a thousand patches of differing values in one request, and as single requests: one after the other, and by
// many clients.
func (p *benchConfig) bulk(ctx context.Context, s *testbed, database string) error {
	owner, err := createTenant(ctx, s.server, "Bulk")
	if err != nil {
		return err
	}
	b := &bulkLoad{post: newHTTPClient(s.server.URL, idleClients), secret: owner.secret, ids: make([]string, bulkRecords), price: 1000}
	if err := runEach(bulkRecords, func(_, i int) error {
		var made struct{ Doc struct{ ID string } }
		body := fmt.Appendf(nil, `{"name": "Product %d", "status": "published", "price": 1000}`, i)
		err := b.post.expect(http.StatusCreated, request{method: "POST", path: "/api/products", secret: b.secret, body: body}, &made)
		b.ids[i] = made.Doc.ID
		return err
	}); err != nil {
		return err
	}
	var together, alone, crowd []float64
	for range p.rounds {
		for _, way := range []struct {
			rates  *[]float64
			change func() error
		}{{&together, b.together}, {&alone, b.oneAfterTheOther}, {&crowd, b.byManyClients}} {
			b.price += bulkRecords
			began := time.Now()
			if err := way.change(); err != nil {
				return err
			}
			*way.rates = append(*way.rates, bulkRecords/time.Since(began).Seconds())
		}
	}
	t, a, c := median(together), median(alone), median(crowd)
	fmt.Printf("%s, %d patches: %.0f records/s in one request, %.0f one after the other (%.1f×), %.0f by %d clients (%.1f×)\n",
		database, bulkRecords, t, a, t/a, c, idleClients, t/c)
	return nil
}

// together changes all prices in one request with an idempotency key.
func (b *bulkLoad) together() error {
	patches := make([]string, len(b.ids))
	for i, id := range b.ids {
		patches[i] = fmt.Sprintf(`{"id": %q, "data": {"price": %d}}`, id, b.price+i)
	}
	var done struct{ Updated int }
	err := b.post.expect(http.StatusOK, request{
		method: "POST", path: "/api/products/bulk", secret: b.secret, key: "bench_" + rand.Text(),
		body: []byte(`{"patches": [` + strings.Join(patches, ",") + `]}`),
	}, &done)
	if err == nil && done.Updated != len(b.ids) {
		err = fmt.Errorf("%d of %d records were changed", done.Updated, len(b.ids))
	}
	return err
}

// single changes the price of one product, with a key.
func (b *bulkLoad) single(i int) error {
	var ignored struct{}
	return b.post.expect(http.StatusOK, request{
		method: "PATCH", path: "/api/products/" + b.ids[i], secret: b.secret, key: "bench_" + rand.Text(),
		body: fmt.Appendf(nil, `{"price": %d}`, b.price+i),
	}, &ignored)
}

func (b *bulkLoad) oneAfterTheOther() error {
	for i := range b.ids {
		if err := b.single(i); err != nil {
			return err
		}
	}
	return nil
}

func (b *bulkLoad) byManyClients() error {
	return runEach(len(b.ids), func(_, i int) error { return b.single(i) })
}
