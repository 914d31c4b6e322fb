package steps

import (
	"context"
	"encoding/json"
	"fmt"
)

// locationSteps say where units lie.
type locationSteps struct {
	*client

	catalog   *catalogSteps
	locations map[string]string // their ids, by name
}

func newLocationSteps(c *client, catalog *catalogSteps) *locationSteps {
	return &locationSteps{client: c, catalog: catalog, locations: map[string]string{}}
}

func (s *locationSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the locations "([^"]*)" and "([^"]*)"$`, s.make},
		{`^the operator has moved (\d+) "([^"]*)" to the "([^"]*)"$`, func(ctx context.Context, n, name, to string) error {
			move, err := s.moving(n, name, "", to)
			if err == nil {
				_, err = s.must(ctx, move)
			}
			return err
		}},
		{`^the operator moves (\d+) "([^"]*)" from the "([^"]*)" to the "([^"]*)"$`, func(ctx context.Context, n, name, from, to string) error {
			move, err := s.moving(n, name, from, to)
			if err != nil {
				return err
			}
			return s.try(ctx, move)
		}},
		{`^the operator adds (\d+) "([^"]*)" to the "([^"]*)"$`, s.add},
		{`^"([^"]*)" lie as "([^"]*)"$`, s.wantPlaces},
	}
}

// make makes two locations, in this order.
func (s *locationSteps) make(ctx context.Context, first, last string) error {
	for i, name := range [...]string{first, last} {
		made, err := s.must(ctx, request{"POST", "/api/stock-locations", object{"name": name, "position": i}, s.asServer()})
		if err != nil {
			return err
		}
		s.locations[name] = text(made.body, "doc", "id")
	}
	return nil
}

// moving is the request that moves units; from "" is nowhere in particular.
func (s *locationSteps) moving(n, name, from, to string) (r request, err error) {
	p, err := s.catalog.product(name)
	if err != nil {
		return r, err
	}
	change := object{"to": s.locations[to], "units": json.Number(n)}
	if from != "" {
		change["from"] = s.locations[from]
	}
	return request{"POST", "/api/product-variants/" + p.variant + "/stock/move", change, s.asServer()}, nil
}

func (s *locationSteps) add(ctx context.Context, n, name, to string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	change := object{"delta": json.Number(n), "location": s.locations[to], "reason": "a delivery arrived"}
	_, err = s.must(ctx, request{"POST", "/api/product-variants/" + p.variant + "/stock", change, s.asServer()})
	return err
}

func (s *locationSteps) wantPlaces(ctx context.Context, name, want string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	found, err := s.must(ctx, request{"GET", "/api/product-variants/" + p.variant + "/stock", nil, s.asServer()})
	if err != nil {
		return err
	}
	lie := ""
	for _, at := range list(found.body, "places") {
		lie += fmt.Sprintf("%s: %s, ", text(at, "name"), text(at, "units"))
	}
	return equal("the places", lie+"nowhere: "+text(found.body, "unplaced"), want)
}
