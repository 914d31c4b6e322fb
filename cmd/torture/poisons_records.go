package main

import (
	"context"
	"errors"
	"fmt"
	"time"
)

// plantConfirmations has orders be delivered long ago.
func plantConfirmations(ctx context.Context, w *ward) (dose, error) {
	for range 2 {
		bought, err := buy(ctx, w.caller, w.digitalVariant, 1)
		if err != nil {
			return dose{}, err
		}
		if err := (&backOffice{testbed: w.testbed}).send(ctx, &officeOrder{order: bought.order}, 0); err != nil {
			return dose{}, err
		}
	}
	ids, err := w.ids(ctx, 2, "SELECT id FROM orders WHERE status = 'delivered' AND source = 'checkout' ORDER BY id")
	if err != nil {
		return dose{}, err
	}
	if err := w.refuse(ctx, "UPDATE", "orders", "NEW.id = '"+ids[0]+"' AND NEW.status = 'confirmed'"); err != nil {
		return dose{}, err
	}
	return dose{tenant: w.healthy.Tenant, item: ids[0], left: "SELECT count(*) FROM orders WHERE status = 'delivered' AND id = '" + ids[1] + "'"},
		w.exec(ctx, w.age("orders", "delivered_at", "deliveredAt", ids))
}

// age sets a time of records two years back, in the column and in the document.
func (w *ward) age(table, column, member string, ids []string) string {
	this := time.Now().UTC().Format("2006")
	return fmt.Sprintf(`UPDATE %s SET %s = %s, doc = replace(doc, '"%s":"%s-', '"%s":"%d-') WHERE id IN %s`,
		table, column, w.ago(2*365*24*time.Hour), member, this, member, time.Now().Year()-2, list(ids))
}

// plantPublications has the time of drafts come, one of which cannot be published.
func plantPublications(ctx context.Context, w *ward) (dose, error) {
	var ids []string
	draft := func(ctx context.Context) error {
		var made struct{ Doc struct{ ID string } }
		_, err := w.caller.must(ctx, request{"POST", "/api/products", newKey(), map[string]any{
			"name": "Announced " + newKey(), "status": "draft", "price": 1000, "publishAt": time.Now().UTC().Add(time.Hour).Format(time.RFC3339),
		}}, &made)
		ids = append(ids, made.Doc.ID)
		return err
	}
	if err := errors.Join(draft(ctx), draft(ctx)); err != nil {
		return dose{}, err
	}
	if err := w.refuse(ctx, "UPDATE", "products", "NEW.id = '"+ids[0]+"' AND NEW.status = 'published'"); err != nil {
		return dose{}, err
	}
	due := func() string { return w.age("products", "publish_at", "publishAt", ids) }
	return dose{
		tenant: w.healthy.Tenant, item: ids[0],
		left: "SELECT count(*) FROM products WHERE status = 'draft' AND name LIKE 'Announced %' AND id <> '" + ids[0] + "'",
		again: func(ctx context.Context) error {
			if err := draft(ctx); err != nil {
				return err
			}
			return w.exec(ctx, due())
		},
	}, w.exec(ctx, due())
}

// plantUnpaid makes orders that nobody has paid for long.
func plantUnpaid(ctx context.Context, w *ward) (dose, error) {
	var ids []string
	for range 2 {
		d := officeOrder{variant: w.variants[0], price: price(0)}
		office := &backOffice{testbed: w.testbed}
		if _, err := office.createDraft(ctx, &d); err != nil {
			return dose{}, err
		}
		if _, err := office.finalizeDraft(ctx, &d, false); err != nil {
			return dose{}, err
		}
		ids = append(ids, d.order)
	}
	if err := w.refuse(ctx, "UPDATE", "orders", "NEW.id = '"+ids[0]+"' AND NEW.status = 'canceled'"); err != nil {
		return dose{}, err
	}
	return dose{tenant: w.healthy.Tenant, item: ids[0], left: "SELECT count(*) FROM orders WHERE status <> 'canceled' AND id = '" + ids[1] + "'"},
		w.exec(ctx, w.age("orders", "placed_at", "placedAt", ids))
}
