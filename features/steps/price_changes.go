package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
)

// priceChangeSteps change many prices by a percentage.
type priceChangeSteps struct {
	*client

	catalog *catalogSteps
	change  object // that was previewed
	shown   []any  // the prices of its preview
}

func newPriceChangeSteps(c *client, catalog *catalogSteps) *priceChangeSteps {
	return &priceChangeSteps{client: c, catalog: catalog}
}

func (s *priceChangeSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^an operator preview(?:s|ed) raising all prices by (\d+) percent, to prices that end in (\d+)$`, s.preview},
		{`^"([^"]*)" would cost (\d+) instead of (\d+)$`, s.wantChange},
		{`^the operator does what was previewed$`, s.do},
	}
}

func (s *priceChangeSteps) preview(ctx context.Context, percent int, ending int) error {
	s.change = object{
		"where": object{"name": object{"exists": true}}, "basisPoints": percent * 100, "roundTo": json.Number("1000"), "below": 1000 - ending,
	}
	asked := object{"preview": true}
	maps.Copy(asked, s.change)
	a, err := s.must(ctx, request{"POST", "/api/products/prices/adjust", asked, s.asServer()})
	s.shown = list(a.body, "prices")
	return err
}

func (s *priceChangeSteps) wantChange(name, to, from string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	for _, one := range s.shown {
		if text(one, "id") == p.id {
			return equal("the change", text(one, "from")+" to "+text(one, "to"), from+" to "+to)
		}
	}
	return fmt.Errorf("the preview has no price of %q", name)
}

func (s *priceChangeSteps) do(ctx context.Context) error {
	var expected []any
	for _, one := range s.shown {
		expected = append(expected, object{"id": valueAt(one, "id"), "revision": valueAt(one, "revision")})
	}
	s.change["expected"] = expected
	return s.try(ctx, request{"POST", "/api/products/prices/adjust", s.change, keyed(s.asServer())})
}
