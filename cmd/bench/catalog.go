package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"math/rand/v2"
	"os"
	"os/exec"
	"strconv"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// Shape of a tenant's catalog. Ids of seeded products end in firstSerial and the numbers after it, eight
// digits each, so that pgbench, which only supports numbers, can generate the ids.
const (
	tenants     = 10
	filters     = 1000 // distinct ones per tenant
	firstSerial = 10_000_000
	lowestPrice = 1000    // price
	priceCount  = 100_000 // number of distinct prices
	filterWidth = 2000    // prices that a filter admits
	marker      = "86420975"
	markedPrice = 7531864
)

// catalog is tenants with equally many products, accessed over HTTP with secret keys.
type catalog struct {
	post   *httpClient
	stores []store
	each   int // seeded products per tenant
	keys   string

	mu      sync.Mutex
	created int
}

// store is one tenant: its key, a product created over HTTP that all seeded ones are copies of, and the input
// of new products.
type store struct {
	tenant, secret   string
	product, variant string
	brand, category  string
	stamp            string // creation time of the product, as in documents
	// Prefixes of the ids of its seeded products and variants.
	products, variants string
}

// openCatalog creates so many tenants, and one product in each over the API.
func openCatalog(ctx context.Context, server *testservers.Process, shops, rows, connections int) (*catalog, error) {
	c := &catalog{
		post: newHTTPClient(server.URL, connections), each: max(rows/shops, filters),
		keys: "bench_" + strconv.FormatInt(time.Now().UnixNano(), 36) + "_",
	}
	for i := range shops {
		keys, err := createTenant(ctx, server, fmt.Sprintf("Bench %d", i))
		if err != nil {
			return nil, err
		}
		s := store{
			tenant: keys.tenant, secret: keys.secret, products: fmt.Sprintf("019b0000-0000-7000-8%03d-0000", i),
			variants: fmt.Sprintf("019b0000-0000-7000-9%03d-0000", i),
		}
		if err := c.createTemplate(&s); err != nil {
			return nil, err
		}
		c.stores = append(c.stores, s)
	}
	return c, nil
}

// account is a tenant and its secret key.
type account struct{ tenant, secret, test string }

// createTenant creates a tenant.
func createTenant(ctx context.Context, server *testservers.Process, name string) (account, error) {
	cmd := exec.CommandContext(ctx, server.Path, "tenant", "create", "--json", "--plan", "enterprise", "--name", name)
	cmd.Env = append(os.Environ(), server.Env...)
	out, err := cmd.Output()
	if err != nil {
		return account{}, fmt.Errorf("create a tenant: %w", err)
	}
	var keys struct {
		TenantID  string `json:"tenantId"`
		SecretKey string `json:"secretKey"`
		Test      string `json:"testSecretKey"`
	}
	err = json.Unmarshal(out, &keys)
	return account{keys.TenantID, keys.SecretKey, keys.Test}, err
}

// createTemplate creates the brand, the category and the first product of a tenant.
func (c *catalog) createTemplate(s *store) (err error) {
	var created struct {
		Doc struct{ ID, CreatedAt string }
	}
	for path, id := range map[string]*string{"/api/brands": &s.brand, "/api/categories": &s.category} {
		if err := c.post.expect(201, request{method: "POST", path: path, secret: s.secret, body: []byte(`{"name":"Bench"}`)}, &created); err != nil {
			return err
		}
		*id = created.Doc.ID
	}
	if err := c.post.expect(201, request{
		method: "POST", path: "/api/products", secret: s.secret, body: s.input(marker, markedPrice),
	}, &created); err != nil {
		return err
	}
	s.product, s.stamp = created.Doc.ID, created.Doc.CreatedAt
	s.variant, err = variantOf(c.post, s.secret, s.product)
	return err
}

// input is the JSON of a new product with a serial number.
func (s *store) input(serial string, price int) []byte {
	return fmt.Appendf(nil,
		`{"name":"Bench product %s","price":%d,"status":"published","stock":25,"brand":%q,"category":%q,"categories":[%q],`+
			`"description":"A mug of stoneware, glazed twice and fired at 1240 degrees, 340 millilitres. Every piece is a little different; it goes into the dishwasher and the microwave, and comes in a box made of paper.",`+
			`"metadata":{"origin":"KR","grams":412}}`, serial, price, s.brand, s.category, s.category)
}

// randomStore picks a tenant.
func (c *catalog) randomStore() *store { return &c.stores[rand.IntN(len(c.stores))] }

// randomProduct is the id of a seeded product.
func (s *store) randomProduct(each int) string {
	return s.products + strconv.Itoa(firstSerial+rand.IntN(each))
}

// list runs pages of ten with a filter; a hundredth of the calls changes a price.
func (c *catalog) list(clients int, length time.Duration) result {
	return runClients("page of 10, filter, sort, total", clients, length, func(_, _ int) error {
		s := c.randomStore()
		if rand.IntN(100) == 0 {
			body := fmt.Appendf(nil, `{"price":%d}`, lowestPrice+rand.IntN(priceCount))
			return c.call(200, `{"message":`, request{
				method: "PATCH", path: "/api/products/" + s.randomProduct(c.each), secret: s.secret, body: body,
			})
		}
		return c.page(s)
	})
}

// page reads a page of ten with one of the filters.
func (c *catalog) page(s *store) error {
	from := lowestPrice + rand.IntN(filters)*(priceCount/filters)
	return c.pageBetween(s, from, from+filterWidth)
}

// pageBetween reads a page of ten of the products with prices in a range.
func (c *catalog) pageBetween(s *store, from, below int) error {
	path := fmt.Sprintf("/api/products?where[status][equals]=published&where[price][greater_than_equal]=%d&where[price][less_than]=%d&sort=-createdAt&limit=10",
		from, below)
	return c.call(200, `{"docs":[`, request{method: "GET", path: path, secret: s.secret})
}

// pages runs pages without writes.
func (c *catalog) pages(clients int, length time.Duration) result {
	return runClients("the same page over REST", clients, length, func(_, _ int) error { return c.page(c.randomStore()) })
}

// graphql runs the same pages over GraphQL, with a document that the server has cached or not.
func (c *catalog) graphql(known bool) func(int, time.Duration) result {
	const document = `query($where: Product_where) { Products(where: $where, sort: \"-createdAt\", limit: 10) { totalDocs docs { id createdAt updatedAt name slug status price description stock } } }`
	name := map[bool]string{true: "a known document", false: "a new document each time"}[known]
	return func(clients int, length time.Duration) result {
		return runClients("over GraphQL, "+name, clients, length, func(_, n int) error {
			s, comment := c.randomStore(), ""
			if !known {
				comment = fmt.Sprintf("#%d-%d\\n", n, rand.Int64())
			}
			from := lowestPrice + rand.IntN(filters)*(priceCount/filters)
			body := fmt.Appendf(nil,
				`{"query":"%s%s","variables":{"where":{"status":{"equals":"published"},"price":{"greater_than_equal":%d,"less_than":%d}}}}`,
				comment, document, from, from+filterWidth)
			return c.call(200, `{"data":{"Products":{"totalDocs":`, request{
				method: "POST", path: "/api/graphql", secret: s.secret, body: body,
			})
		})
	}
}

// get runs reads of one product.
func (c *catalog) get(clients int, length time.Duration) result {
	wires := newRawConns(c.post.base, clients)
	defer closeAll(wires)
	return runClients("product by id", clients, length, func(client, _ int) error {
		s := c.randomStore()
		return wires[client].expect(`{"id":`, request{method: "GET", path: "/api/products/" + s.randomProduct(c.each), secret: s.secret})
	})
}

// create runs creates of products.
func (c *catalog) create(clients int, length time.Duration) result {
	c.mu.Lock()
	c.created++
	run := c.created
	c.mu.Unlock()
	return runClients("new product", clients, length, func(client, n int) error {
		s := c.randomStore()
		return c.call(201, `{"message":`, request{
			method: "POST", path: "/api/products", secret: s.secret, body: s.input(fmt.Sprintf("%d-%d-%d", run, client, n), 12000),
		})
	})
}

// call sends one request; the response must have the status and begin with start.
func (c *catalog) call(status int, start string, r request) error {
	var refused error
	got, err := c.post.do(r, func(body []byte) {
		if !bytes.HasPrefix(body, []byte(start)) {
			refused = errors.New(string(body))
		}
	})
	if err == nil && refused == nil && got != status {
		refused = fmt.Errorf("status %d", got)
	}
	return errors.Join(err, refused)
}

// walk pages through the published products of one tenant, a hundred at a time, and returns the time of a
// page among the first and among the last twenty.
func (c *catalog) walk() (first, last time.Duration, pages int, err error) {
	s := &c.stores[0]
	var took []time.Duration
	for page, more := 1, true; more; page++ {
		r := request{
			method: "GET", secret: s.secret,
			path: "/api/products?where[status][equals]=published&sort=-createdAt&limit=100&page=" + strconv.Itoa(page),
		}
		began := time.Now()
		_, err := c.post.do(r, func(body []byte) { more = bytes.Contains(body, []byte(`"hasNextPage":true`)) })
		if err != nil {
			return 0, 0, 0, err
		}
		took = append(took, time.Since(began))
	}
	some := min(20, (len(took)+1)/2)
	return median(took[:some]), median(took[len(took)-some:]), len(took), nil
}
