package cartwright

import (
	"context"
	"encoding/json"
	"net/http"
)

// Of these, which make something, a later one for the same cart or checkout takes the place of an earlier one.
var replacing = map[string]string{
	opCheckoutCreate.name: "cartId", opOrderCheckout.name: "cartId", opPaymentSessionCreate.name: "checkoutId", opPaymentSessionCreateAggregator.name: "checkoutId",
}

// target is what an operation sets, whatever to; "" if it adds to something, or makes something new.
func (p PendingOperation) target() string {
	if p.Method == http.MethodPatch || p.Method == http.MethodPut {
		return p.Operation + " " + p.Path
	}
	var body map[string]json.RawMessage
	if member := replacing[p.Operation]; member != "" && json.Unmarshal(p.Body, &body) == nil {
		return p.Operation + " " + string(body[member])
	}
	return ""
}

// supersede forgets the unsettled operations that would take back what done has set since: an address whose change got no
// answer must not come back after a later change succeeded.
func (c *core) supersede(ctx context.Context, done PendingOperation) {
	target := done.target()
	if target == "" {
		return
	}
	c.flights.mu.Lock()
	defer c.flights.mu.Unlock()
	all, err := c.live(ctx)
	if err != nil {
		return // they stay, as they would have without us
	}
	for _, p := range all {
		if p.target() != target || p.Scope != done.Scope || p.CreatedAt.After(done.CreatedAt) || c.flights.flying[p.ID] {
			continue
		}
		if c.pending.Remove(ctx, p.ID) != nil {
			c.flights.settle(p.ID)
		}
	}
}
