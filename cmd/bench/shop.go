package main

import (
	"bytes"
	"cmp"
	"crypto/rand"
	"encoding/json"
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
	// traced starts a profile of the server, and waits for it.
	traced func() (wait func() error)
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
	var err error
	if _, e := h.post.get("/api/product-variants?where[product][equals]="+product, func(b []byte) { err = json.Unmarshal(b, &list) }); e != nil {
		return "", e
	}
	if err != nil {
		return "", fmt.Errorf("variants of product %s: %w", product, err)
	}
	if len(list.Docs) == 0 {
		return "", fmt.Errorf("product %s has no variant", product)
	}
	return list.Docs[0].ID, nil
}

func (h *shop) make(path, body string, out any) error {
	var parse error
	status, err := h.post.post(path, h.key(), []byte(body), func(b []byte) {
		if parse = json.Unmarshal(b, out); parse != nil {
			parse = fmt.Errorf("%w: %s", parse, b)
		}
	})
	if err != nil {
		return err
	}
	if status != 201 {
		return fmt.Errorf("POST %s: status %d", path, status)
	}
	return parse
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
