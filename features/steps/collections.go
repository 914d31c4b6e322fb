package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"regexp"
	"strings"
)

// collectionSteps runs the same operations on every collection.
type collectionSteps struct {
	*client

	catalog *catalogSteps
	members *memberSteps

	answers      []answer // one per operation
	listed, read string   // a record as its list shows it, and as it is read
}

func newCollectionSteps(c *client, catalog *catalogSteps, members *memberSteps) *collectionSteps {
	return &collectionSteps{client: c, catalog: catalog, members: members}
}

func (s *collectionSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop creates, lists, reads, updates and deletes one of its ([\w-]+) over (REST|GraphQL)$`, s.exercise},
		{`^all five operations succeed$`, s.wantAllDone},
		{`^the shop lists and reads one of its ([\w-]+) over (REST|GraphQL)$`, s.readCommandOnly},
		{`^both show the same record$`, s.wantSameRecord},
		{`^the shop tries to create one of its ([\w-]+)$`, func(ctx context.Context, slug string) error {
			return s.try(ctx, request{"POST", "/api/" + slug, object{}, s.asServer()})
		}},
		{`^an integrator reads the description of all paths$`, s.readPaths},
		{`^it has a path for every collection$`, s.wantEveryCollection},
		{`^no path contains a version$`, s.wantNoVersion},
	}
}

// collectionCase is what the steps know of a collection.
type collectionCase struct {
	minimal          object // a record with the required fields that need no other record
	changes          string // a field to update
	singular, plural string // its names over GraphQL
}

// commandOnlyCases are the collections that only operations write.
var commandOnlyCases = map[string]collectionCase{
	"carts":              {singular: "Cart", plural: "Carts"},
	"checkouts":          {singular: "Checkout", plural: "Checkouts"},
	"payment-sessions":   {singular: "PaymentSession", plural: "PaymentSessions"},
	"transactions":       {singular: "Transaction", plural: "Transactions"},
	"disputes":           {singular: "Dispute", plural: "Disputes"},
	"orders":             {singular: "Order", plural: "Orders"},
	"fulfillment-orders": {singular: "FulfillmentOrder", plural: "FulfillmentOrders"},
}

var collectionCases = map[string]collectionCase{
	"products":          {object{"name": "One", "price": 1000, "status": "draft"}, "name", "Product", "Products"},
	"product-options":   {object{"name": "One"}, "name", "ProductOption", "ProductOptions"},
	"product-variants":  {object{"title": "One", "sku": "ONE"}, "title", "ProductVariant", "ProductVariants"},
	"brands":            {object{"name": "One"}, "name", "Brand", "Brands"},
	"categories":        {object{"name": "One"}, "name", "Category", "Categories"},
	"tags":              {object{"name": "One"}, "name", "Tag", "Tags"},
	"videos":            {object{"title": "One", "url": "https://films.example/1"}, "title", "Video", "Videos"},
	"posts":             {object{"title": "One", "status": "draft"}, "title", "Post", "Posts"},
	"pages":             {object{"title": "One", "slug": "one", "status": "draft"}, "title", "Page", "Pages"},
	"customers":         {object{"email": "one@people.example", "name": "One"}, "name", "Customer", "Customers"},
	"markets":           {object{"name": "One", "code": "one", "currency": "JPY", "exchangeRate": 0.11}, "name", "Market", "Markets"},
	"discounts":         {object{"code": "ONE", "title": "One", "type": "percentage", "value": 10}, "title", "Discount", "Discounts"},
	"shipping-policies": {object{"title": "One", "baseFee": 3000}, "title", "ShippingPolicy", "ShippingPolicies"},
	"tax-rates":         {object{"name": "One", "country": "KR", "classes": []any{"standard"}, "percent": 10}, "name", "TaxRate", "TaxRates"},
	"tax-connections": {
		object{
			"name": "One", "environment": "test", "url": "https://taxes.example/", "secret": "whsec_MDEyMzQ1Njc4OWFiY2RlZjAxMjM0NTY3ODlhYmNkZWY=",
		},
		"name", "TaxConnection", "TaxConnections",
	},
	"stock-locations": {object{"name": "One"}, "name", "StockLocation", "StockLocations"},

	"market-prices": {object{}, "amount", "MarketPrice", "MarketPrices"},
	"users":         {object{"password": password, "role": "tenant-viewer", "name": "One"}, "name", "User", "Users"},
	"provider-connections": {
		object{"name": "One", "provider": "custom", "accountKey": "one", "environment": "test"},
		"name", "ProviderConnection", "ProviderConnections",
	},
}

// changed is the new value of the field to update.
func (c collectionCase) changed() any {
	if c.changes == "amount" {
		return json.Number("2")
	}
	return "Two"
}

// exercise runs the five operations on one record.
func (s *collectionSteps) exercise(ctx context.Context, slug, api string) error {
	c, known := collectionCases[slug]
	if !known {
		return fmt.Errorf("no case describes %s", slug)
	}
	minimal := maps.Clone(c.minimal)
	if err := s.addRequired(ctx, slug, minimal); err != nil {
		return err
	}
	as, err := s.writer(ctx, slug)
	if err != nil {
		return err
	}
	s.answers = nil
	if api == "GraphQL" {
		return s.exerciseGraphQL(ctx, c, minimal, as)
	}
	return s.exerciseREST(ctx, "/api/"+slug, c, minimal, as)
}

// writer are the headers of whoever may write records of a collection: users are written by the admin, all
// others by the shop's server.
func (s *collectionSteps) writer(ctx context.Context, slug string) (map[string]string, error) {
	if slug == "users" {
		return s.members.adminOf(ctx, s.shop)
	}
	return s.asServer(), nil
}

// addRequired adds required relations and unique values to a record.
func (s *collectionSteps) addRequired(ctx context.Context, slug string, minimal object) error {
	switch slug {
	case "users":
		minimal["email"] = s.emailOf("one")
	case "market-prices":
		if err := s.catalog.addProduct(ctx, map[string]string{"product": "One", "price": "1000"}); err != nil {
			return err
		}
		if err := s.catalog.createMarket(ctx, "one", "JPY", "0.11"); err != nil {
			return err
		}
		minimal["market"], minimal["variant"], minimal["amount"] = s.catalog.markets["one"], s.catalog.products["One"].variant,
			json.Number("1")
	case "product-options", "product-variants":
		made, err := s.must(ctx, request{"POST", "/api/products", collectionCases["products"].minimal, s.asServer()})
		if err != nil {
			return err
		}
		minimal["product"] = text(made.body, "doc", "id")
	}
	return nil
}

func (s *collectionSteps) exerciseREST(ctx context.Context, at string, c collectionCase, minimal object, as map[string]string) error {
	id := ""
	for _, step := range []func() request{
		func() request { return request{"POST", at, minimal, as} },
		func() request { return request{"GET", at + "?where[id][equals]=" + url.QueryEscape(id), nil, as} },
		func() request { return request{"GET", at + "/" + id, nil, as} },
		func() request { return request{"PATCH", at + "/" + id, object{c.changes: c.changed()}, as} },
		func() request { return request{"DELETE", at + "/" + id, nil, as} },
	} {
		a, err := s.must(ctx, step())
		if err != nil {
			return err
		}
		if id == "" {
			id = text(a.body, "doc", "id")
		}
		s.answers = append(s.answers, a)
	}
	if n := valueAt(s.answers[1].body, "docs", 0, "id"); n != id {
		return fmt.Errorf("the list %s", s.answers[1])
	}
	if err := equal("the changed "+c.changes, valueAt(s.answers[3].body, "doc", c.changes), text(c.changed())); err != nil {
		return err
	}
	a, err := s.send(ctx, request{"GET", at + "/" + id, nil, as})
	if err == nil && a.status != 404 {
		err = fmt.Errorf("the deleted record %s", a)
	}
	return err
}

func (s *collectionSteps) exerciseGraphQL(ctx context.Context, c collectionCase, minimal object, as map[string]string) error {
	id := ""
	for _, step := range []string{
		"mutation($data: mutation" + c.singular + "Input!) { done: create" + c.singular + "(data: $data) { id } }",
		"query($id: String) { done: " + c.plural + "(where: {id: {equals: $id}}) { docs { id } totalDocs } }",
		"query($id: String!) { done: " + c.singular + "(id: $id) { id " + c.changes + " } }",
		"mutation($id: String!, $change: mutation" + c.singular + "UpdateInput!) { done: update" + c.singular +
			"(id: $id, data: $change) { id " + c.changes + " } }",
		"mutation($id: String!) { done: delete" + c.singular + "(id: $id) { id } }",
	} {
		variables := object{"data": minimal, "id": id, "change": object{c.changes: c.changed()}}
		if err := s.graphQL(ctx, as, step, variables); err != nil {
			return err
		}
		if problems := list(s.got.body, "errors"); len(problems) > 0 {
			return fmt.Errorf("%s %s", step, s.got)
		}
		if id == "" {
			id, _ = s.data("done", "id").(string)
		}
		s.answers = append(s.answers, s.got)
	}
	if n := valueAt(s.answers[1].body, "data", "done", "docs", 0, "id"); n != id || id == "" {
		return fmt.Errorf("the list %s", s.answers[1])
	}
	return equal("the changed "+c.changes, valueAt(s.answers[3].body, "data", "done", c.changes), text(c.changed()))
}

// readCommandOnly lists and reads a record that operations wrote.
func (s *collectionSteps) readCommandOnly(ctx context.Context, slug, api string) error {
	c, known := commandOnlyCases[slug]
	if !known {
		return fmt.Errorf("no case describes %s", slug)
	}
	if api == "REST" {
		listed, err := s.must(ctx, request{"GET", "/api/" + slug + "?limit=1", nil, s.asServer()})
		if err != nil {
			return err
		}
		read, err := s.must(ctx, request{"GET", "/api/" + slug + "/" + text(listed.body, "docs", 0, "id"), nil, s.asServer()})
		s.listed, s.read = fmt.Sprint(valueAt(listed.body, "docs", 0)), fmt.Sprint(read.body)
		return err
	}
	const fields = "id createdAt updatedAt environment"
	if err := s.graphQL(ctx, s.asServer(), "{ done: "+c.plural+"(limit: 1) { docs { "+fields+" } } }", nil); err != nil {
		return err
	}
	first := s.data("done", "docs", 0)
	s.listed = fmt.Sprint(first)
	err := s.graphQL(ctx, s.asServer(), "query($id: String!) { done: "+c.singular+"(id: $id) { "+fields+" } }",
		object{"id": text(first, "id")})
	s.read = fmt.Sprint(s.data("done"))
	return err
}

func (s *collectionSteps) wantSameRecord() error {
	if one, other := s.listed, s.read; one != other || !strings.Contains(one, "createdAt:") {
		return fmt.Errorf("the list shows %s, and read it is %s", one, other)
	}
	return nil
}

func (s *collectionSteps) wantAllDone() error {
	if len(s.answers) != 5 {
		return fmt.Errorf("%d of 5 operations succeeded", len(s.answers))
	}
	return nil
}

func (s *collectionSteps) readPaths(ctx context.Context) error {
	return s.try(ctx, request{"GET", "/api/openapi.json", nil, nil})
}

func (s *collectionSteps) paths() object {
	paths, _ := s.got.body["paths"].(map[string]any)
	return paths
}

func (s *collectionSteps) wantEveryCollection() error {
	for slug := range collectionCases {
		if s.paths()["/api/"+slug] == nil {
			return fmt.Errorf("/api/%s is not among the %d paths", slug, len(s.paths()))
		}
	}
	return nil
}

var version = regexp.MustCompile(`/v\d+(/|$)`)

func (s *collectionSteps) wantNoVersion() error {
	for path := range s.paths() {
		if version.MatchString(path) {
			return fmt.Errorf("%s contains a version", path)
		}
	}
	return nil
}
