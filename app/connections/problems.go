package connections

import (
	"context"
	"fmt"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// Problems says of each enabled connection of all tenants, oldest first, what its provider needs and it does not have.
func (o Opener) Problems(ctx context.Context, store ports.Store) (all []string, err error) {
	c := payment.Connections
	enabled, err := ports.FindAll(ctx, store.Read(ports.Scope{System: true}), collection.Query{
		Schema: c, Where: c.Where("enabled", collection.Equals, true),
		Sort: c.SortBy("createdAt"),
	})
	if err != nil {
		return nil, err
	}
	for _, row := range enabled {
		if row.Text("provider") == payment.CustomProvider {
			continue
		}
		for _, problem := range o.problemsOf(row) {
			all = append(all, fmt.Sprintf("connection %s of tenant %s at %s %s", row.ID(), row.Text("tenant"), row.Text("provider"), problem))
		}
	}
	return all, nil
}

// problemsOf is what one connection lacks.
func (o Opener) problemsOf(row collection.Record) (all []string) {
	a, err := o.Open(row)
	if a.Adapter == nil {
		return []string{"cannot be used: this server has no adapter for it"}
	}
	if err != nil {
		return []string{"cannot be used: no configured secret opens its credentials"}
	}
	for _, k := range a.Description.Kinds {
		if missing := a.Description.Missing(k, a.Credentials); len(missing) > 0 {
			all = append(all, fmt.Sprintf("opens no %s sessions: it has no %s", k, strings.Join(missing, ", ")))
		}
	}
	for _, wrong := range a.Description.Malformed(a.AccountKey, a.Credentials) {
		all = append(all, fmt.Sprintf("fails at its provider: %s: %s", wrong.Field, wrong.Message))
	}
	if secrets, _ := row["webhookSecrets"].([]string); a.Description.SignsWebhooks && len(secrets) == 0 {
		all = append(all, "refuses the provider's webhooks: it has no webhookSecrets")
	}
	return all
}
