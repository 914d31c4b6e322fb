package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"slices"
	"sync"
)

const (
	cartPath     = "/api/server/commerce/carts"
	cartVariants = 5 // variants that a cart may contain
)

// acknowledgedAdd is one acknowledged addItem.
type acknowledgedAdd struct {
	key      string
	body     map[string]any
	variant  string
	quantity int64
	revision int64
	answer   []byte
}

// cartHistory is every acknowledged change of one cart.
type cartHistory struct {
	id   string
	mu   sync.Mutex
	adds []acknowledgedAdd
}

type cartBody struct {
	Cart struct {
		ID       string
		Revision int64
		Lines    []struct {
			Variant  string
			Quantity int64
		}
		Totals struct{ Total json.Number }
	}
}

// newCart creates an empty cart.
func newCart(ctx context.Context, c *caller) (*cartHistory, error) {
	var out cartBody
	if _, err := c.must(ctx, request{"POST", cartPath, newKey(), map[string]any{}}, &out); err != nil {
		return nil, err
	}
	if out.Cart.Revision != 1 {
		return nil, fmt.Errorf("a new cart has revision %d", out.Cart.Revision)
	}
	return &cartHistory{id: out.Cart.ID}, nil
}

// load adds random items until load ends; a running operation is completed within ctx.
func (h *cartHistory) load(ctx context.Context, load <-chan struct{}, c *caller, variants []string) error {
	for {
		select {
		case <-load:
			return nil
		default:
		}
		if err := h.add(ctx, c, variants); err != nil {
			return err
		}
	}
}

// add adds a random item.
func (h *cartHistory) add(ctx context.Context, c *caller, variants []string) error {
	a := acknowledgedAdd{key: newKey(), variant: variants[rand.IntN(min(cartVariants, len(variants)))], quantity: 1 + rand.Int64N(3)}
	a.body = map[string]any{"variantId": a.variant, "quantity": a.quantity}
	if _, err := a.send(ctx, c, h.id); err != nil {
		return err
	}
	h.mu.Lock()
	h.adds = append(h.adds, a)
	h.mu.Unlock()
	return nil
}

// send sends the add until it is acknowledged, and remembers the response.
func (a *acknowledgedAdd) send(ctx context.Context, c *caller, cart string) (answer, error) {
	var out cartBody
	ack, err := c.must(ctx, request{"POST", cartPath + "/" + cart + "/items", a.key, a.body}, &out)
	if err == nil {
		a.revision, a.answer = out.Cart.Revision, ack.body
	}
	return ack, err
}

// check checks that the stored cart is exactly the acknowledged history, and that a repeated key changes
// nothing.
func (h *cartHistory) check(ctx context.Context, c *caller) error {
	var now cartBody
	if _, err := c.must(ctx, request{"GET", cartPath + "/" + h.id, "", nil}, &now); err != nil {
		return err
	}
	if want := int64(1 + len(h.adds)); now.Cart.Revision != want {
		return fmt.Errorf("cart %s: revision %d after %d acknowledged adds, want %d", h.id, now.Cart.Revision, len(h.adds), want)
	}
	seen := map[int64]bool{}
	want := map[string]int64{}
	for _, a := range h.adds {
		if a.revision < 2 || a.revision > now.Cart.Revision || seen[a.revision] {
			return fmt.Errorf("cart %s: revision %d was given twice or never existed", h.id, a.revision)
		}
		seen[a.revision] = true
		want[a.variant] += a.quantity
	}
	for _, l := range now.Cart.Lines {
		if want[l.Variant] != l.Quantity {
			return fmt.Errorf("cart %s: %d of %s, acknowledged %d", h.id, l.Quantity, l.Variant, want[l.Variant])
		}
		delete(want, l.Variant)
	}
	if len(want) > 0 {
		return fmt.Errorf("cart %s lost lines: %v", h.id, want)
	}
	return h.replay(ctx, c, now.Cart.Revision)
}

// replay repeats acknowledged operations: they get the same responses, and have no effect.
func (h *cartHistory) replay(ctx context.Context, c *caller, revision int64) error {
	again := slices.Clone(h.adds)
	rand.Shuffle(len(again), func(i, j int) { again[i], again[j] = again[j], again[i] })
	for _, a := range again[:min(5, len(again))] {
		ack, err := c.must(ctx, request{"POST", cartPath + "/" + h.id + "/items", a.key, a.body}, nil)
		if err != nil {
			return err
		}
		if !ack.replayed || !bytes.Equal(ack.body, a.answer) {
			return fmt.Errorf("cart %s: a repeated key was answered differently (replayed %v):\n%s\n%s",
				h.id, ack.replayed, a.answer, ack.body)
		}
	}
	var now cartBody
	if _, err := c.must(ctx, request{"GET", cartPath + "/" + h.id, "", nil}, &now); err != nil {
		return err
	}
	if now.Cart.Revision != revision {
		return fmt.Errorf("cart %s: repeated keys changed the revision from %d to %d", h.id, revision, now.Cart.Revision)
	}
	return nil
}
