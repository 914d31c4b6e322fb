package main

import (
	"context"
	"crypto/rand"
	"fmt"
	"strconv"
	"strings"
	"sync/atomic"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// cartLoad is carts of ten tenants that clients change over HTTP with secret keys and without an expected
// revision. Each mutation has its own idempotency key, receipt, revision and event.
type cartLoad struct {
	post   *httpClient
	stalls []shopTenant
	carts  []cartRef
	hot    cartRef // shared by all clients
	keys   string
	n      atomic.Int64
}

// shopTenant is a tenant with variants of ample stock.
type shopTenant struct {
	account

	items []string // variants, as the body of an addItem
}

// cartRef is a cart and its tenant.
type cartRef struct {
	tenant *shopTenant
	id     string
}

const (
	cartsPath = "/api/server/commerce/carts"
	// maxHotRate is an upper bound of adds to one cart in a second; a line holds 9999 units.
	maxHotRate      = 10_000
	maxLineQuantity = 9_000
)

// openShop creates the tenants and the carts. The hot cart has enough lines for length.
func openShop(ctx context.Context, server *testservers.Process, carts int, length time.Duration) (*cartLoad, error) {
	h := &cartLoad{post: newHTTPClient(server.URL, 64), keys: "bench_" + rand.Text() + "_"}
	for i := range tenants {
		keys, err := createTenant(ctx, server, fmt.Sprintf("Shop %d", i))
		if err != nil {
			return nil, err
		}
		h.stalls = append(h.stalls, shopTenant{account: keys})
	}
	for i := range h.stalls {
		n := 1
		if i == 0 {
			n += int(length.Seconds()*maxHotRate) / maxLineQuantity
		}
		if err := h.createVariants(&h.stalls[i], n); err != nil {
			return nil, err
		}
	}
	for i := range carts {
		cart, err := h.cart(&h.stalls[i%tenants], "")
		if err != nil {
			return nil, err
		}
		h.carts = append(h.carts, cart)
	}
	return h, h.warmUp()
}

// createVariants creates products with one variant each.
func (h *cartLoad) createVariants(s *shopTenant, products int) error {
	for i := range products {
		var product struct {
			Doc struct{ ID string }
		}
		body := fmt.Sprintf(
			`{"name": "Bench mug %d", "price": 12000, "status": "published", "variants": [{"title": "Blue", "trackInventory": false}]}`, i)
		if err := h.create(s, "/api/products", body, &product); err != nil {
			return err
		}
		variant, err := variantOf(h.post, s.secret, product.Doc.ID)
		if err != nil {
			return err
		}
		s.items = append(s.items, fmt.Sprintf(`{"variantId": %q, "quantity": 1}`, variant))
	}
	return nil
}

// variantOf is the variant of a product that has one.
func variantOf(post *httpClient, secret, product string) (string, error) {
	var list struct {
		Docs []struct {
			ID string `json:"id"`
		} `json:"docs"`
	}
	err := post.expect(200, request{method: "GET", secret: secret, path: "/api/product-variants?where[product][equals]=" + product}, &list)
	if err == nil && len(list.Docs) == 0 {
		err = fmt.Errorf("product %s has no variant", product)
	}
	if err != nil {
		return "", err
	}
	return list.Docs[0].ID, nil
}

func (h *cartLoad) create(s *shopTenant, path, body string, out any) error {
	return h.post.expect(201, request{method: "POST", path: path, secret: s.secret, key: h.key(), body: []byte(body)}, out)
}

// cart creates a cart that starts with items.
func (h *cartLoad) cart(s *shopTenant, items string) (cartRef, error) {
	var created struct{ Cart struct{ ID string } }
	err := h.create(s, cartsPath, `{"items": [`+items+`]}`, &created)
	return cartRef{s, created.Cart.ID}, err
}

// warmUp changes every cart once, so that all have a line, receipts and events.
func (h *cartLoad) warmUp() error {
	if r := h.addItems(len(h.carts), 2*time.Second); r.errors > 0 {
		return fmt.Errorf("%d of the first requests failed: %w", r.errors, r.first)
	}
	if r := h.addToOneCart(1, time.Second/4); r.errors > 0 {
		return r.first
	}
	return nil
}

func (h *cartLoad) key() string { return h.keys + strconv.FormatInt(h.n.Add(1), 10) }

func (h *cartLoad) add(c cartRef, item int) request {
	return request{
		method: "POST", path: cartsPath + "/" + c.id + "/items", secret: c.tenant.secret, key: h.key(), body: []byte(c.tenant.items[item]),
	}
}

// addItems runs one client for each of the first carts.
func (h *cartLoad) addItems(clients int, length time.Duration) result {
	wires := newRawConns(h.post.base, clients)
	defer closeAll(wires)
	return runClients("cart addItem over HTTP", clients, length, func(client, _ int) error {
		return wires[client].expect(`{"cart":`, h.add(h.carts[client], 0))
	})
}

// addToOneCart runs many clients on one cart, which is new and starts with all its lines.
func (h *cartLoad) addToOneCart(clients int, length time.Duration) result {
	items := h.stalls[0].items
	cart, err := h.cart(&h.stalls[0], strings.Join(items, ", "))
	if err != nil {
		return result{errors: 1, first: err}
	}
	h.hot = cart
	wires := newRawConns(h.post.base, clients)
	defer closeAll(wires)
	var n atomic.Int64
	return runClients("addItem to one cart over HTTP", clients, length, func(client, _ int) error {
		return wires[client].expect(`{"cart":`, h.add(cart, int(n.Add(1))%len(items)))
	})
}

// retrieve runs reads of the first carts.
func (h *cartLoad) retrieve(clients int, length time.Duration) result {
	wires := newRawConns(h.post.base, clients)
	defer closeAll(wires)
	return runClients("retrieve a cart over HTTP", clients, length, func(client, n int) error {
		c := h.carts[(client+n)%clients]
		return wires[client].expect(`{"cart":`, request{method: "GET", path: cartsPath + "/" + c.id, secret: c.tenant.secret})
	})
}
