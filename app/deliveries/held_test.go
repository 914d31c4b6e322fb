package deliveries_test

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Deliveries behind a failed one are not examined before its retry, and follow it at once, also when an
// operator requests the retry earlier.
func TestHeldBackDeliveriesFollowInOrder(t *testing.T) {
	for name, hastened := range map[string]bool{"in time": false, "hastened": true} {
		t.Run(name, func(t *testing.T) {
			onBothDatabases(t, func(t *testing.T, b *bed) {
				id := b.endpoint("shop", "brands")
				nord := b.create("nord")
				b.net.answer(url("shop"), func(r ports.WebhookRequest) ports.WebhookResponse {
					return ports.WebhookResponse{Status: map[bool]int{true: 500, false: 204}[strings.Contains(string(r.Body), nord.ID())]}
				})
				want := []string{"nord"}
				r := nord
				for _, next := range []string{"a", "b", "c", "d"} {
					r = b.rename(r, next)
					want = append(want, next)
				}
				b.round()
				b.advance(time.Second) // the runner must not poll before that
				b.round()
				if due, _, err := b.store.Deliveries().Due(t.Context(), b.now(), 10); err != nil ||
					slices.ContainsFunc(due, func(e ports.DueEndpoint) bool { return e.Endpoint == id }) {
					t.Errorf("%+v %v", due, err)
				}
				b.net.receivedAt(url("shop"))
				b.net.answer(url("shop"), nil)
				b.advance(time.Second)
				if hastened {
					first := b.view().Get(webhook.Deliveries, b.deliveries(id)[0].ID)
					after := webhook.DeliveryFrom(first).Redeliver(b.now()).Record()
					after["tenant"] = string(b.shop)
					b.write(webhook.Deliveries, first, after)
				} else {
					b.advance(webhook.Schedule()[0] + time.Second)
				}
				b.round()
				if got := names(b.net.receivedAt(url("shop"))); !slices.Equal(got, want) {
					t.Errorf("arrived %v, want %v", got, want)
				}
			})
		})
	}
}
