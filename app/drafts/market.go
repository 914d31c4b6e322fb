package drafts

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/draft"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// findMarket is the id of the market whose prices drafts have, "" where the tenant's own are in KRW: the
// default one of its active markets in KRW, else the oldest. Errors: draft.ErrMarketRequired.
func findMarket(ctx context.Context, r ports.Reader, t tenant.Settings) (string, error) {
	if t.Currency == draft.Currency {
		return "", nil
	}
	s := catalog.Markets
	oldest := []collection.SortKey{{Path: s.Where("createdAt", collection.Exists, true).Path}}
	page, err := r.Find(ctx, collection.Query{
		Schema: s, Sort: oldest, Limit: collection.MaxLimit, Page: 1, SkipCount: true,
		Where: collection.And{
			s.Where("currency", collection.Equals, string(draft.Currency)), s.Where("status", collection.Equals, catalog.Active),
		},
	})
	if err != nil {
		return "", err
	}
	var best collection.Record
	for _, m := range page.Docs {
		if best == nil || m.Bool("isDefault") && !best.Bool("isDefault") {
			best = m
		}
	}
	if best == nil {
		return "", draft.ErrMarketRequired
	}
	return best.ID(), nil
}
