package hooking

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Hooks is what a change of an endpoint does besides what its schema says: its address and collections are looked at, and
// who switches it on again begins with what comes next. Whoever decides what is told where binds what it may hear.
func (h *Hooking) Hooks() content.Hooks {
	return content.Hooks{
		Shape: func(ctx context.Context, w *content.Write) error {
			if _, given := w.Input["enabled"]; !given {
				return nil
			}
			newest, err := h.newest(ctx, w.Principal.Tenant.ID)
			w.Note = newest
			return err
		},
		Within: func(_ context.Context, _ ports.Tx, w *content.Write) error {
			if w.After["enabled"] == nil {
				w.After["enabled"] = true
			}
			if on := w.After.Bool("enabled"); on != w.Before.Bool("enabled") {
				newest, _ := w.Note.(int64)
				webhook.Switched(w.After, on, webhook.ByOperator, newest, w.Now)
			}
			if err := h.changed(w.Before, w.After); err != nil || !webhook.Redirected(w.Before, w.After) {
				return err
			}
			return h.bind(w.Principal, w.Before, w.After)
		},
	}
}

// changed refuses an address or collections that are new and wrong. What was taken once stays, whatever an installation
// allows by now, so that everything else can be changed. Errors: fault.ErrValidation.
func (h *Hooking) changed(before, after collection.Record) error {
	looked := after.Clone()
	if collection.Equal(before["collections"], after["collections"]) {
		looked["collections"] = nil
	}
	if before.Text("url") == after.Text("url") {
		looked["url"] = nil
	}
	return h.check(looked)
}

// Disable switches an endpoint off because of what it answered, which is a change of it like any other: whoever hears of
// endpoints is told. One that is off or gone stays so; done is false then.
func (h *Hooking) Disable(ctx context.Context, of tenant.ID, id string, why webhook.Why) (done bool, err error) {
	err = h.Store.Atomically(ctx, ports.Of(of), func(ctx context.Context, tx ports.Tx) error {
		done = false
		before, err := tx.Records.Lock(ctx, webhook.Endpoints, id)
		if err != nil || !before.Bool("enabled") {
			return err
		}
		after := before.Clone()
		webhook.Switched(after, false, why, 0, h.Now())
		done = true
		return tx.Records.Write(ctx, collection.NewChange(webhook.Endpoints, before, after, h.NewID(), h.Now()))
	})
	if errors.Is(err, ports.ErrAbsent) {
		return false, nil
	}
	return done && err == nil, err
}

// Endpoints lists those of a shop, on or off, each as it is at a moment after the call.
func (h *Hooking) Endpoints(ctx context.Context, r ports.Reader) ([]webhook.Endpoint, error) {
	rows, err := all(ctx, r)
	out, reach := make([]webhook.Endpoint, len(rows)), h.reach()
	for i, row := range rows {
		out[i] = webhook.EndpointFrom(row).Within(reach)
	}
	return out, err
}

// Endpoint reads a record of one.
func (h *Hooking) Endpoint(r collection.Record) webhook.Endpoint {
	return webhook.EndpointFrom(r).Within(h.reach())
}

// all reads every endpoint, a page after the other by id: one that is deleted meanwhile must not hide another, as it would
// where pages are counted.
func all(ctx context.Context, r ports.Reader) (rows []collection.Record, err error) {
	s := webhook.Endpoints
	q := collection.Query{Schema: s, Limit: collection.MaxLimit, Page: 1, Uncounted: true, Sort: []collection.Order{{Path: s.Where("id", collection.Exists, true).Path}}}
	for {
		page, err := r.Find(ctx, q)
		if err != nil {
			return nil, err
		}
		rows = append(rows, page.Docs...)
		if len(page.Docs) < collection.MaxLimit {
			return rows, nil
		}
		q.Where = s.Where("id", collection.GreaterThan, rows[len(rows)-1].ID())
	}
}
