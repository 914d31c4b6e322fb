package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"

	"github.com/cucumber/godog"
)

// wholeProductSteps write products in one piece.
type wholeProductSteps struct {
	*client

	catalog *catalogSteps
	opened  object // the product that operators have open
}

func newWholeProductSteps(c *client, catalog *catalogSteps) *wholeProductSteps {
	return &wholeProductSteps{client: c, catalog: catalog}
}

func (s *wholeProductSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^an operator creates "([^"]*)" in one request, with these sizes$`, s.create},
		{`^the product in one piece has these sizes$`, s.wantSizes},
		{`^the shop has no product "([^"]*)"$`, s.wantNone},
		{`^an operator set the cost price of "([^"]*)" to (\d+)$`, s.setCost},
		{`^the product in one piece of "([^"]*)" costs (\d+)$`, s.wantCost},
		{`^two operators have "([^"]*)" open in one piece$`, s.open},
		{`^the (?:first|second) one saves it with a price of (\d+)$`, s.saveWithPrice},
		{`^the (?:first|second) one saves it as it is$`, s.save},
		{`^an operator duplicates "([^"]*)" as "([^"]*)"$`, s.duplicate},
		{`^the copy is a draft at (\d+) without stock$`, s.wantCopy},
	}
}

func (s *wholeProductSteps) create(ctx context.Context, name string, table *godog.Table) error {
	var values, variants []any
	for _, row := range table.Rows[1:] {
		size := row.Cells[0].Value
		values = append(values, object{"label": size})
		variants = append(variants, object{
			"optionValues": []any{object{"option": "Size", "value": size}}, "price": json.Number(row.Cells[1].Value),
			"stock": json.Number(row.Cells[2].Value),
		})
	}
	return s.try(ctx, request{"POST", "/api/products/complete", object{
		"name": name, "status": "published", "price": json.Number("30000"), "variants": variants,
		"options": []any{object{"name": "Size", "values": values}}, "stockReason": "opening stock",
	}, keyed(s.asServer())})
}

func (s *wholeProductSteps) wantSizes(table *godog.Table) error {
	if err := s.wantSuccess(); err != nil {
		return err
	}
	variants := list(s.got.body, "product", variantsKey)
	if len(variants) != len(table.Rows)-1 {
		return fmt.Errorf("it has %d sizes", len(variants))
	}
	for i, row := range table.Rows[1:] {
		v := variants[i]
		got := fmt.Sprint(text(v, "optionValues", 0, "value"), " ", text(v, "price"), " ", text(v, "stock"))
		if err := equal("the size", got, fmt.Sprint(row.Cells[0].Value, " ", row.Cells[1].Value, " ", row.Cells[2].Value)); err != nil {
			return err
		}
	}
	return nil
}

// variantsKey is the member of a product in one piece with its variants.
const variantsKey = "variants"

func (s *wholeProductSteps) wantNone(ctx context.Context, name string) error {
	query := url.Values{"where[name][equals]": {name}}
	found, err := s.must(ctx, request{"GET", "/api/products/count?" + query.Encode(), nil, s.asServer()})
	if err != nil {
		return err
	}
	return equal("the number of products", found.body["totalDocs"], "0")
}

func (s *wholeProductSteps) setCost(ctx context.Context, name, cost string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	_, err = s.must(ctx, request{"PATCH", "/api/product-variants/" + p.variant, object{"costPrice": json.Number(cost)}, s.asServer()})
	return err
}

func (s *wholeProductSteps) read(ctx context.Context, name string) (answer, error) {
	p, err := s.catalog.product(name)
	if err != nil {
		return answer{}, err
	}
	return s.must(ctx, request{"GET", "/api/products/" + p.id + "/complete", nil, s.asServer()})
}

func (s *wholeProductSteps) wantCost(ctx context.Context, name, want string) error {
	a, err := s.read(ctx, name)
	if err != nil {
		return err
	}
	return equal("the cost price", valueAt(a.body, "product", variantsKey, 0, "costPrice"), want)
}

func (s *wholeProductSteps) open(ctx context.Context, name string) error {
	a, err := s.read(ctx, name)
	if err != nil {
		return err
	}
	s.opened, _ = a.body["product"].(object)
	return nil
}

func (s *wholeProductSteps) save(ctx context.Context) error {
	return s.try(ctx, request{"PUT", "/api/products/" + text(s.opened, "id") + "/complete", s.opened, s.asServer()})
}

func (s *wholeProductSteps) saveWithPrice(ctx context.Context, price string) error {
	form := maps.Clone(s.opened)
	form["price"] = json.Number(price)
	return s.try(ctx, request{"PUT", "/api/products/" + text(s.opened, "id") + "/complete", form, s.asServer()})
}

func (s *wholeProductSteps) duplicate(ctx context.Context, name, copied string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	return s.try(ctx, request{"POST", "/api/products/" + p.id + "/duplicate", object{"name": copied}, keyed(s.asServer())})
}

func (s *wholeProductSteps) wantCopy(price string) error {
	if err := s.wantSuccess(); err != nil {
		return err
	}
	p := s.got.body["product"]
	got := fmt.Sprint(text(p, "status"), " ", text(p, "price"), " ", text(p, variantsKey, 0, "stock"))
	return equal("the copy", got, "draft "+price+" 0")
}
