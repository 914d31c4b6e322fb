package carts_test

import (
	"context"
	"testing"

	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/ports"
)

// counting counts the lookups and the hits of a receipt cache.
type counting struct {
	ports.ReceiptCache

	asked, found int
}

func (c *counting) Find(ctx context.Context, k ports.ReceiptKey) (ports.Receipt, bool) {
	r, ok := c.ReceiptCache.Find(ctx, k)
	c.asked++
	if ok {
		c.found++
	}
	return r, ok
}

// The cache is asked only about keys that this process has received before, and about those that the database
// refuses because another process has received them.
func TestNewKeySkipsReceiptLookup(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		here, there := s.process(t, mailbox.Options{}), s.process(t, mailbox.Options{})
		c, call, cache := here.begin(t).Cart.ID, s.server("carts.addItem", newKey()), here.cache
		send := func(p *process, replayed bool, asked, found int) {
			t.Helper()
			of := &counting{ReceiptCache: cache}
			p.cache = of
			a, err := p.add(t, call, c, 0, s.variants[0], 2)
			if read(t, a, err).Cart.Revision != 2 || a.Replayed != replayed || of.asked != asked || of.found != found {
				t.Errorf("revision %d, replayed %v, asked %d times, found %d; want 2, %v, %d, %d", a.Revision, a.Replayed, of.asked,
					of.found, replayed, asked, found)
			}
		}
		send(here, false, 0, 0)
		for range 2 {
			send(here, true, 1, 1)
			send(there, true, 1, 1)
		}
	})
}
