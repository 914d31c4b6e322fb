package carts_test

import (
	"database/sql"
	"slices"
	"testing"

	"github.com/cartwright-dev/cartwright/app/mailbox"
)

// befores lists the record sequences of a cart's events that store the previous document.
func (db database) befores(t testing.TB, cart string) (list []int64) {
	t.Helper()
	conn, err := sql.Open(db.driver, db.source)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	rows, err := conn.QueryContext(t.Context(),
		"SELECT record_sequence, doc, coalesce(previous_doc, '') FROM events WHERE record = $1 ORDER BY record_sequence", cart)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	last := ""
	for rows.Next() {
		var n int64
		var doc, before string
		if err := rows.Scan(&n, &doc, &before); err != nil {
			t.Fatal(err)
		}
		if before != "" {
			list = append(list, n)
			if before != last {
				t.Errorf("event %d: the cart was\n%s, and is said to have been\n%s", n, last, before)
			}
		}
		last = doc
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return list
}

// The previous document of a cart is not stored again when the same process made the change before, since
// that event shows it. It is stored when another process has changed the cart in between.
func TestPreviousDocIsStoredOnce(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, db database) {
		s := newShop(t, db, 1)
		here, there := s.process(t, mailbox.Options{}), s.process(t, mailbox.Options{})
		c := here.begin(t)
		for _, p := range []*process{here, here, there, there, here, here} {
			a, err := p.add(t, s.server("carts.addItem", newKey()), c.Cart.ID, 0, s.variants[0], 1)
			read(t, a, err)
		}
		want := []int64{2, 4, 6}
		if db.driver == "sqlite" { // SQLite has no index to find a cart's previous event
			want = []int64{2, 3, 4, 5, 6, 7}
		}
		if got := db.befores(t, c.Cart.ID); !slices.Equal(got, want) {
			t.Errorf("events %v keep the cart before", got)
		}
	})
}
