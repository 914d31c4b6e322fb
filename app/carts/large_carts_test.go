package carts_test

import (
	"database/sql"
	"encoding/json"
	"fmt"
	"strings"
	"sync"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/commit"
	"github.com/cartwright-dev/cartwright/app/carts"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/ports"
)

// Changes of a cart that is full wait for their turn in several commits, since each stores the whole cart. They are all
// applied, and their events show what was before, of which SQLite stores what differs.
func TestLargeChangesOfOneCartTakeSeveralCommits(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 8)
		p := s.process(t, mailbox.Options{})
		c := p.begin(t)
		for _, variant := range s.variants {
			attributes := map[string]string{}
			for i := range 7 {
				attributes[fmt.Sprint(i)] = strings.Repeat(variant[:1], 2000)
			}
			a, err := p.AddLine(t.Context(), carts.Target{Call: s.server("carts.addItem", newKey()), Cart: c.Cart.ID},
				cart.LineInput{Variant: variant, Quantity: 1, Attributes: attributes}, "")
			read(t, a, err)
		}
		const changes = 40
		committer := p.Committer.(*commit.Committer)
		before := committer.Stats().Commits
		var wg sync.WaitGroup
		for i := range changes {
			wg.Go(func() {
				a, err := p.add(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0, s.variants[i%8], 1)
				if err != nil || a.Fault != nil {
					t.Error(err, a.Fault)
				}
			})
		}
		wg.Wait()
		if n := committer.Stats().Commits - before; n < changes/9 {
			t.Errorf("%d changes of 240 KiB took %d commits", changes, n)
		}
		if got := p.look(t, c.Cart.ID); got.Cart.Revision != 9+changes {
			t.Errorf("revision %d", got.Cart.Revision)
		}
		db.checkEvents(t, s, c.Cart.ID)
	})
}

// checkEvents checks that every event of a cart shows the one before, and that SQLite stores that as a delta.
func (db database) checkEvents(t *testing.T, s *shop, cart string) {
	t.Helper()
	if db.driver != "sqlite" {
		return // events are numbered later there, and do not store what was before
	}
	last := ""
	for after := int64(0); ; {
		page, err := s.store.EventLog().Events(t.Context(), ports.EventQuery{Tenant: s.tenant.ID, After: after, Limit: 100})
		if err != nil {
			t.Fatal(err)
		}
		for _, e := range page.Events {
			if e.Record != cart {
				continue
			}
			var body struct{ Doc, PreviousDoc json.RawMessage }
			if err := json.Unmarshal(e.Body, &body); err != nil || string(body.PreviousDoc) != last {
				t.Fatalf("event %d shows as the cart before\n%.300s, not\n%.300s\n%v", e.RecordSequence, body.PreviousDoc, last, err)
			}
			last = string(body.Doc)
		}
		if after = page.Next; !page.More() {
			break
		}
	}
	conn, err := sql.Open(db.driver, db.source)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	var whole, before int
	if err := conn.QueryRowContext(t.Context(), "SELECT sum(length(doc)), sum(length(previous_doc)) FROM events WHERE record = $1", cart).
		Scan(&whole, &before); err != nil || before > whole/10 {
		t.Errorf("%d bytes say what was before %d: %v", before, whole, err)
	}
}
