package webhooks

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// Hooks validate a changed address and collections of an endpoint, make a re-enabled one start with the next
// event, and bind its audience to whoever changes what is sent or where to.
func (h *Service) Hooks() records.Hooks {
	return records.Hooks{
		Prepare: func(ctx context.Context, w *records.Write) error {
			if _, given := w.Input["enabled"]; !given {
				return nil
			}
			newest, err := h.newestSequence(ctx, w.Principal.Tenant.ID)
			w.HookData = newest
			return err
		},
		BeforeWrite: func(_ context.Context, _ ports.Tx, w *records.Write) error {
			if w.After["enabled"] == nil {
				w.After["enabled"] = true
			}
			if on := w.After.Bool("enabled"); on != w.Before.Bool("enabled") {
				newest, _ := w.HookData.(int64)
				webhook.SetEnabled(w.After, on, webhook.DisabledByOperator, newest, w.Now)
			}
			if err := h.validateChanged(w.Before, w.After); err != nil || !webhook.Retargeted(w.Before, w.After) {
				return err
			}
			return h.setAudience(w.Principal, w.Before, w.After)
		},
	}
}

// validateChanged refuses an invalid new address or new collections. Unchanged values stay, even if the
// installation no longer allows them, so that the other fields can be changed. Errors: fault.ErrValidation.
func (h *Service) validateChanged(before, after collection.Record) error {
	looked := after.Clone()
	if collection.Equal(before["collections"], after["collections"]) {
		looked["collections"] = nil
	}
	if before.Text("url") == after.Text("url") {
		looked["url"] = nil
	}
	return h.validate(looked)
}

// Disable disables an endpoint because of its responses, as an ordinary change with its event. If it is
// disabled or deleted already, done is false.
func (h *Service) Disable(ctx context.Context, of tenant.ID, id string, why webhook.DisabledReason) (done bool, err error) {
	err = h.Store.Atomically(ctx, ports.ForTenant(of), func(ctx context.Context, tx ports.Tx) error {
		done = false
		before, err := tx.Records.Lock(ctx, webhook.Endpoints, id)
		if err != nil || !before.Bool("enabled") {
			return err
		}
		after := before.Clone()
		webhook.SetEnabled(after, false, why, 0, h.Now())
		done = true
		return tx.Records.Write(ctx, collection.NewChange(webhook.Endpoints, before, after, h.NewID(), h.Now()))
	})
	if errors.Is(err, ports.ErrNotFound) {
		return false, nil
	}
	return done && err == nil, err
}

// Endpoints lists the endpoints of a tenant, enabled or not, each in a state committed after the call began.
func (h *Service) Endpoints(ctx context.Context, r ports.Reader) ([]webhook.Endpoint, error) {
	rows, err := allEndpoints(ctx, r)
	out, reach := make([]webhook.Endpoint, len(rows)), h.readableByAudience()
	for i, row := range rows {
		out[i] = webhook.EndpointFrom(row).WithReadable(reach)
	}
	return out, err
}

// Endpoint is the endpoint of a record.
func (h *Service) Endpoint(r collection.Record) webhook.Endpoint {
	return webhook.EndpointFrom(r).WithReadable(h.readableByAudience())
}

// allEndpoints reads every endpoint, page by page ordered by id: with page numbers, a concurrent deletion
// could make it skip one.
func allEndpoints(ctx context.Context, r ports.Reader) (rows []collection.Record, err error) {
	s := webhook.Endpoints
	q := collection.Query{
		Schema: s, Limit: collection.MaxLimit, Page: 1, SkipCount: true,
		Sort: s.SortBy("id"),
	}
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
