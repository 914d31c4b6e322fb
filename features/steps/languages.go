package steps

import (
	"context"
	"encoding/json"
	"fmt"
)

// languageSteps ask in the language of a reader.
type languageSteps struct {
	*client

	catalog *catalogSteps
}

func newLanguageSteps(c *client, catalog *catalogSteps) *languageSteps {
	return &languageSteps{c, catalog}
}

func (s *languageSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^an operator who reads "([^"]*)" makes the price of "([^"]*)" (-?\d+)$`, s.makePrice},
		{`^they are told "([^"]*)" about the price$`, s.wantToldOfPrice},
	}
}

func (s *languageSteps) makePrice(ctx context.Context, language, product, price string) error {
	p, err := s.catalog.product(product)
	if err != nil {
		return err
	}
	header := with(s.asServer(), "Accept-Language", language)
	return s.try(ctx, request{"PATCH", "/api/products/" + p.id, object{"price": json.Number(price)}, header})
}

func (s *languageSteps) wantToldOfPrice(words string) error {
	about := valueAt(s.got.body, "errors", 0, "data", 0, "field")
	if told := valueAt(s.got.body, "errors", 0, "data", 0, "message"); about != "price" || told != words {
		return fmt.Errorf("about %v they are told %q", about, told)
	}
	return nil
}
