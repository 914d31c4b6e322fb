package portstest

import (
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// processedWebhooks checks single calls.
type processedWebhooks struct{ ports.ProcessedWebhooks }

func (p processedWebhooks) seen(t *testing.T, id tenant.ID, connection, event string, want bool) {
	t.Helper()
	if got, err := p.Seen(t.Context(), id, connection, event); err != nil || got != want {
		t.Errorf("%s/%s/%q: %t, %v", id, connection, event, got, err)
	}
}

// mark marks an event of the connection c1.
func (p processedWebhooks) mark(t *testing.T, id tenant.ID, event string) {
	t.Helper()
	if err := p.Mark(t.Context(), id, "c1", event, time.Now().AddDate(1, 0, 0)); err != nil {
		t.Errorf("%s/c1/%q: %v", id, event, err)
	}
}

// ProcessedWebhooks checks ports.ProcessedWebhooks.
func ProcessedWebhooks(t *testing.T, p ports.ProcessedWebhooks) {
	c := processedWebhooks{p}
	t.Run("an event is seen once it is marked, however often", func(t *testing.T) {
		id := freshTenant()
		c.seen(t, id, "c1", "e1", false)
		for range 2 {
			c.mark(t, id, "e1")
			c.seen(t, id, "c1", "e1", true)
		}
	})
	t.Run("the same event of another tenant or connection is another one", func(t *testing.T) {
		id, other := freshTenant(), freshTenant()
		c.mark(t, id, "e1")
		c.seen(t, id, "c2", "e1", false)
		c.seen(t, other, "c1", "e1", false)
		c.seen(t, id, "e1", "c1", false)
		c.mark(t, other, "e1")
		c.seen(t, other, "c1", "e1", true)
	})
	t.Run("ids are compared byte for byte", func(t *testing.T) {
		id := freshTenant()
		events := []string{"evt_1", "EVT_1", "evt_1 ", "evt_", "evt%", "제주'\"", strings.Repeat("e", 200)}
		for i, event := range events {
			c.seen(t, id, "c1", event, false)
			c.mark(t, id, event)
			for j, other := range events {
				c.seen(t, id, "c1", other, j <= i)
			}
		}
	})
	t.Run("deliveries of one event at the same time are all marked without an error", func(t *testing.T) {
		id := freshTenant()
		var all sync.WaitGroup
		for range 10 {
			all.Go(func() { c.mark(t, id, "e1") })
		}
		all.Wait()
		c.seen(t, id, "c1", "e1", true)
	})
}
