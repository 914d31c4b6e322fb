package cartwright

import (
	"context"
	"encoding/json"
	"net/http"
	"slices"
	"strings"
)

// member is a text in the body of an operation; "" if it has none.
func (p PendingOperation) member(name string) string {
	var body map[string]json.RawMessage
	var text string
	if json.Unmarshal(p.Body, &body) == nil {
		_ = json.Unmarshal(body[name], &text) // another kind of value is no text
	}
	return text
}

// target is what an operation sets, whatever to; "" if it adds to something, or makes something new. A later
// checkout of a cart, and a later payment of a checkout, takes the place of an earlier one.
func (p PendingOperation) target() string {
	switch p.Operation {
	case opCheckoutCreate.name, opOrderCheckout.name:
		return p.Operation + " " + p.member("cartId")
	case opPaymentSessionCreate.name, opPaymentSessionCreateAggregator.name:
		return p.Operation + " " + p.member("checkoutId")
	}
	if p.Method == http.MethodPatch || p.Method == http.MethodPut {
		return p.Operation + " " + p.Path
	}
	return ""
}

// changes are the ids of the carts that an operation changes.
func (p PendingOperation) changes() []string {
	if p.Operation == opCartMerge.name {
		return []string{p.member("sourceCartId"), p.member("targetCartId")}
	}
	parts := strings.Split(p.Path, "/") // "", server, commerce, carts, the id, …
	if len(parts) > 5 && (parts[3] == "carts" || parts[3] == "cart") {
		return parts[4:5]
	}
	return nil
}

// outdates reports whether p, which was begun before, must not happen any more now that done has: it would
// take back what done has set, or place the order of a cart that is another one by now.
func (done PendingOperation) outdates(p PendingOperation) bool {
	if p.Scope != done.Scope || !p.CreatedAt.Before(done.CreatedAt) {
		return false
	}
	if target := done.target(); target != "" && p.target() == target {
		return true
	}
	places := p.Operation == opCheckoutCreate.name || p.Operation == opOrderCheckout.name
	return places && slices.Contains(done.changes(), p.member("cartId"))
}

// supersede forgets the unsettled operations that a settled one outdates.
func (c *core) supersede(ctx context.Context, done PendingOperation) {
	if done.target() == "" && done.changes() == nil {
		return
	}
	c.flights.mu.Lock()
	defer c.flights.mu.Unlock()
	all, err := c.live(ctx)
	if err != nil {
		return // they stay, as they would have without us
	}
	for _, p := range all {
		if !done.outdates(p) || c.flights.flying[p.ID] {
			continue
		}
		if c.pending.Remove(ctx, p.ID) != nil {
			c.flights.settle(p.ID)
		}
	}
}
