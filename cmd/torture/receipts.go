package main

import (
	"context"
	"encoding/json"
	"fmt"
	"hash/maphash"
)

// cartRevision is one revision of a cart.
type cartRevision struct {
	cart     string
	revision int64
}

// receipts checks that events and receipts of carts are consistent: revisions without a gap, each with one
// receipt that shows the same cart as its event. Only the end of a cart, by an order or a merge, has no
// receipt of its own; an order leaves the revision unchanged.
func (a *auditor) receipts(ctx context.Context) error {
	hash := maphash.MakeSeed() // hashes take less memory than the carts
	shown := map[cartRevision]uint64{}
	err := a.each(ctx,
		"SELECT record, revision, "+a.receiptCart+
			" FROM receipts WHERE done AND result IN ('ok', 'created') AND record IN (SELECT id FROM carts)",
		func(p cartRevision, cart string) error {
			if _, twice := shown[p]; twice {
				return fmt.Errorf("%+v has two receipts", p)
			}
			shown[p] = maphash.String(hash, cart)
			return nil
		})
	if err != nil {
		return err
	}
	err = a.each(ctx, "SELECT record, record_sequence, "+a.eventDoc+
		" FROM events WHERE collection = 'carts'", func(p cartRevision, cart string) error {
		var shownCart struct {
			Status   string `json:"status"`
			Revision int64  `json:"revision"`
		}
		if err := json.Unmarshal([]byte(cart), &shownCart); err != nil {
			return err
		}
		receipt, found := shown[p]
		delete(shown, p)
		switch {
		case shownCart.Revision != p.revision && shownCart.Status != "completed":
			return fmt.Errorf("%+v: the event shows revision %d", p, shownCart.Revision)
		case found && receipt != maphash.String(hash, cart):
			return fmt.Errorf("%+v: event and receipt differ", p)
		case !found && shownCart.Status == "active":
			return fmt.Errorf("%+v has no receipt", p)
		}
		return nil
	})
	if err == nil && len(shown) > 0 {
		err = fmt.Errorf("%d receipts show revisions without an event: %v", len(shown), shown)
	}
	return err
}

// each calls fn for each row of a query: a revision and the JSON of its cart.
func (a *auditor) each(ctx context.Context, query string, fn func(p cartRevision, cart string) error) error {
	rows, err := a.db.QueryContext(ctx, query)
	if err != nil {
		return err
	}
	defer rows.Close()
	for rows.Next() {
		var p cartRevision
		var cart string
		if err := rows.Scan(&p.cart, &p.revision, &cart); err != nil {
			return err
		}
		if err := fn(p, cart); err != nil {
			return err
		}
	}
	return rows.Err()
}
