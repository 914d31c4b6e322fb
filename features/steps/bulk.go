package steps

import (
	"context"
	"encoding/json"

	"github.com/cucumber/godog"
)

// bulkSteps change many products in one request.
type bulkSteps struct {
	*client

	catalog *catalogSteps
}

func newBulkSteps(c *client, catalog *catalogSteps) *bulkSteps { return &bulkSteps{c, catalog} }

func (s *bulkSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{
			`^an operator (?:sends|sent) these prices in one request(?:, and its answer got lost)?$`,
			func(ctx context.Context, t *godog.Table) error { return s.sendPrices(ctx, t, false) },
		},
		{
			`^an operator sends these prices in one request, all or none$`,
			func(ctx context.Context, t *godog.Table) error { return s.sendPrices(ctx, t, true) },
		},
		{`^(\d+) products? (?:is|are) updated, (\d+) (?:is|are) unchanged and (\d+) (?:is|are) refused$`, s.wantCounts},
		{`^the refused product is "([^"]*)", because of its price$`, s.wantRefusedPrice},
	}
}

func (s *bulkSteps) sendPrices(ctx context.Context, table *godog.Table, atomic bool) error {
	var patches []any
	for _, row := range table.Rows[1:] {
		p, err := s.catalog.product(row.Cells[0].Value)
		if err != nil {
			return err
		}
		patches = append(patches, object{"id": p.id, "data": object{"price": json.Number(row.Cells[1].Value)}})
	}
	return s.try(ctx, request{"POST", "/api/products/bulk", object{"patches": patches, "atomic": atomic}, keyed(s.asServer())})
}

func (s *bulkSteps) wantCounts(updated, unchanged, refused string) error {
	if err := s.wantSuccess(); err != nil {
		return err
	}
	if err := equal("the updated", s.got.body["updated"], updated); err != nil {
		return err
	}
	if err := equal("the unchanged", s.got.body["unchanged"], unchanged); err != nil {
		return err
	}
	return equal("the refused", s.got.body["refused"], refused)
}

func (s *bulkSteps) wantRefusedPrice(name string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	for _, r := range list(s.got.body, "results") {
		if text(r, "status") == "refused" && text(r, "errors", 0, "field") == "price" {
			return equal("the refused product", text(r, "id"), p.id)
		}
	}
	return equal("the refusals", s.got.String(), name)
}
