package carts_test

import (
	"database/sql"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/app/mailbox"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// A promotion loses the last change of a cart, and another instance makes one in its place, which gets the same
// numbers. A process that still remembers the lost state has to look again: its compare-and-set would succeed.
func TestCartIsReadAgainInAnotherEpoch(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s, epochs := newShop(t, db, 1), portstest.InEpoch("before")
		p := s.process(t, mailbox.Options{})
		p.cache = memory.NewReceipts(1<<20, time.Now, epochs)
		c := p.begin(t).Cart.ID
		add := func() int64 {
			t.Helper()
			a, err := p.add(t, s.server("carts.addItem", newKey()), c, 0, s.variants[0], 1)
			return read(t, a, err).Cart.Lines[0].Quantity
		}
		if n := add(); n != 1 {
			t.Fatalf("%d units", n)
		}
		db.exec(t, "UPDATE carts SET doc = replace(doc, '\"quantity\":1', '\"quantity\":7') WHERE id = $1", c)
		epochs.Begin("after")
		if n := add(); n != 8 {
			t.Errorf("%d units in the cart, want those of the other change and one more", n)
		}
		if n := add(); n != 9 {
			t.Errorf("%d units after that", n)
		}
	})
}

// exec changes the database past the store.
func (db database) exec(t testing.TB, text string, args ...any) {
	t.Helper()
	conn, err := sql.Open(db.driver, db.source)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	done, err := conn.ExecContext(t.Context(), text, args...)
	if err != nil {
		t.Fatal(err)
	}
	if n, err := done.RowsAffected(); n != 1 || err != nil {
		t.Fatalf("%d rows changed: %v", n, err)
	}
}
