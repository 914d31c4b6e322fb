package main

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"errors"
	"fmt"
	"strconv"
	"sync/atomic"
	"time"
)

// shop is our side: carts that clients add items to over HTTP, each mutation with a key of its own.
type shop struct {
	post  *poster
	carts []string
	item  []byte
	keys  string
	n     atomic.Int64
}

const cartsPath = "/api/server/commerce/carts"

// openShop makes a product with endless stock, and the carts.
func openShop(s *set, carts int) (*shop, error) {
	h := &shop{post: newPoster(s.server.URL, s.credentials.TestSecretKey, carts), keys: "bench_" + rand.Text() + "_"}
	var product struct {
		Doc struct{ ID string }
	}
	body := `{"name": "Bench mug", "price": 12000, "status": "published", "variants": [{"title": "Blue", "trackInventory": false}]}`
	if err := h.make("/api/products", body, &product); err != nil {
		return nil, err
	}
	variant, err := h.variantOf(product.Doc.ID)
	if err != nil {
		return nil, err
	}
	h.item = fmt.Appendf(nil, `{"variantId": %q, "quantity": 1}`, variant)
	for range carts {
		var out struct{ Cart struct{ ID string } }
		if err := h.make(cartsPath, `{}`, &out); err != nil {
			return nil, err
		}
		h.carts = append(h.carts, out.Cart.ID)
	}
	return h, nil
}

func (h *shop) variantOf(product string) (string, error) {
	var list struct {
		Docs []struct {
			ID string `json:"id"`
		} `json:"docs"`
	}
	err := h.post.expect(200, request{method: "GET", path: "/api/product-variants?where[product][equals]=" + product}, &list)
	if err == nil && len(list.Docs) == 0 {
		err = fmt.Errorf("product %s has no variant", product)
	}
	if err != nil {
		return "", err
	}
	return list.Docs[0].ID, nil
}

func (h *shop) make(path, body string, out any) error {
	return h.post.expect(201, request{method: "POST", path: path, key: h.key(), body: []byte(body)}, out)
}

func (h *shop) key() string { return h.keys + strconv.FormatInt(h.n.Add(1), 10) }

// addItems drives one client per cart.
func (h *shop) addItems(length time.Duration) result {
	return drive("cart addItem over HTTP", len(h.carts), length, func(client, _ int) error {
		var refused error
		_, err := h.post.post(cartsPath+"/"+h.carts[client]+"/items", h.key(), h.item, func(body []byte) {
			if !bytes.HasPrefix(body, []byte(`{"cart":`)) {
				refused = errors.New(string(body))
			}
		})
		return cmp.Or(err, refused)
	})
}
