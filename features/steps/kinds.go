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

func (w *world) kindSteps() []definition {
	return []definition{
		{`^the shop adds, lists, opens, changes and deletes one of its ([\w-]+) over (REST|GraphQL)$`, w.walkKind},
		{`^each of these was done$`, w.wantWalked},
		{`^the shop lists and opens one of its ([\w-]+) over (REST|GraphQL)$`, w.readKind},
		{`^both show the same record$`, w.wantSameRecord},
		{`^the shop adds one of its ([\w-]+) by hand$`, func(ctx context.Context, slug string) error {
			return w.try(ctx, request{"POST", "/api/" + slug, object{}, w.asOwner()})
		}},
		{`^an integrator reads the list of all addresses$`, w.readAddresses},
		{`^the address of every kind is in it$`, w.wantEveryAddress},
		{`^no address carries a version$`, w.wantNoVersion},
		{`^production is started with an address (with|without) HTTPS$`, w.startProduction},
		{`^the start is refused because of the address$`, w.wantStartRefused},
		{`^nothing stands against the start$`, w.wantNoObjection},
	}
}

// kind is one kind of record: what its records need, a field that can change, and its names over GraphQL.
type kind struct {
	least     object
	changes   string
	one, many string
}

// operated are the kinds that operations write, by their names over GraphQL.
var operated = map[string]kind{
	"carts":              {one: "Cart", many: "Carts"},
	"checkouts":          {one: "Checkout", many: "Checkouts"},
	"payment-sessions":   {one: "PaymentSession", many: "PaymentSessions"},
	"transactions":       {one: "Transaction", many: "Transactions"},
	"orders":             {one: "Order", many: "Orders"},
	"fulfillment-orders": {one: "FulfillmentOrder", many: "FulfillmentOrders"},
}

var kinds = map[string]kind{
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

	"market-prices":        {object{}, "amount", "MarketPrice", "MarketPrices"},
	"users":                {object{"password": password, "role": "tenant-viewer", "name": "One"}, "name", "User", "Users"},
	"provider-connections": {object{"name": "One", "provider": "custom", "accountKey": "one", "environment": "test"}, "name", "ProviderConnection", "ProviderConnections"},
}

// changed is what the field of a kind that can change becomes.
func (k kind) changed() any {
	if k.changes == "amount" {
		return json.Number("2")
	}
	return "Two"
}

// walkKind does the five things to one record; all has their answers.
func (w *world) walkKind(ctx context.Context, slug, road string) error {
	k, known := kinds[slug]
	if !known {
		return fmt.Errorf("no sentence knows what %s need", slug)
	}
	least := maps.Clone(k.least)
	if err := w.complement(ctx, slug, least); err != nil {
		return err
	}
	as, err := w.keeperOf(ctx, slug)
	if err != nil {
		return err
	}
	w.all = nil
	if road == "GraphQL" {
		return w.walkGraphQL(ctx, k, least, as)
	}
	return w.walkREST(ctx, "/api/"+slug, k, least, as)
}

// keeperOf is who writes records of a kind: people are the admin's business, all others the shop's server's.
func (w *world) keeperOf(ctx context.Context, slug string) (map[string]string, error) {
	if slug == "users" {
		return w.adminOf(ctx, w.shop)
	}
	return w.asOwner(), nil
}

// complement adds to a record what it names of others, and what nobody else has.
func (w *world) complement(ctx context.Context, slug string, least object) error {
	switch slug {
	case "users":
		least["email"] = w.emailOf("one")
	case "market-prices":
		if err := w.stockUp(ctx, map[string]string{"product": "One", "price": "1000"}); err != nil {
			return err
		}
		if err := w.makeMarket(ctx, "one", "JPY", "0.11"); err != nil {
			return err
		}
		least["market"], least["variant"], least["amount"] = w.markets["one"], w.goods["One"].variant, json.Number("1")
	case "product-options", "product-variants":
		made, err := w.must(ctx, request{"POST", "/api/products", kinds["products"].least, w.asOwner()})
		if err != nil {
			return err
		}
		least["product"] = text(made.body, "doc", "id")
	}
	return nil
}

func (w *world) walkREST(ctx context.Context, at string, k kind, least object, as map[string]string) error {
	id := ""
	for _, step := range []func() request{
		func() request { return request{"POST", at, least, as} },
		func() request { return request{"GET", at + "?where[id][equals]=" + url.QueryEscape(id), nil, as} },
		func() request { return request{"GET", at + "/" + id, nil, as} },
		func() request { return request{"PATCH", at + "/" + id, object{k.changes: k.changed()}, as} },
		func() request { return request{"DELETE", at + "/" + id, nil, as} },
	} {
		a, err := w.must(ctx, step())
		if err != nil {
			return err
		}
		if id == "" {
			id = text(a.body, "doc", "id")
		}
		w.all = append(w.all, a)
	}
	if n := dig(w.all[1].body, "docs", 0, "id"); n != id {
		return fmt.Errorf("the list %s", w.all[1])
	}
	if err := equal("the changed "+k.changes, dig(w.all[3].body, "doc", k.changes), text(k.changed())); err != nil {
		return err
	}
	a, err := w.send(ctx, request{"GET", at + "/" + id, nil, as})
	if err == nil && a.status != 404 {
		err = fmt.Errorf("the deleted record %s", a)
	}
	return err
}

func (w *world) walkGraphQL(ctx context.Context, k kind, least object, as map[string]string) error {
	if role, is := least["role"].(string); is {
		least["role"] = strings.ReplaceAll(role, "-", "_") // the name of a choice has no dashes there
	}
	id := ""
	for _, step := range []string{
		"mutation($data: mutation" + k.one + "Input!) { done: create" + k.one + "(data: $data) { id } }",
		"query($id: String) { done: " + k.many + "(where: {id: {equals: $id}}) { docs { id } totalDocs } }",
		"query($id: String!) { done: " + k.one + "(id: $id) { id " + k.changes + " } }",
		"mutation($id: String!, $change: mutation" + k.one + "UpdateInput!) { done: update" + k.one + "(id: $id, data: $change) { id " + k.changes + " } }",
		"mutation($id: String!) { done: delete" + k.one + "(id: $id) { id } }",
	} {
		variables := object{"data": least, "id": id, "change": object{k.changes: k.changed()}}
		if err := w.ask(ctx, as, step, variables); err != nil {
			return err
		}
		if problems := list(w.got.body, "errors"); len(problems) > 0 {
			return fmt.Errorf("%s %s", step, w.got)
		}
		if id == "" {
			id, _ = w.told("done", "id").(string)
		}
		w.all = append(w.all, w.got)
	}
	if n := dig(w.all[1].body, "data", "done", "docs", 0, "id"); n != id || id == "" {
		return fmt.Errorf("the list %s", w.all[1])
	}
	return equal("the changed "+k.changes, dig(w.all[3].body, "data", "done", k.changes), text(k.changed()))
}

// readKind lists and opens what operations left behind.
func (w *world) readKind(ctx context.Context, slug, road string) error {
	k, known := operated[slug]
	if !known {
		return fmt.Errorf("no sentence knows %s", slug)
	}
	if road == "REST" {
		listed, err := w.must(ctx, request{"GET", "/api/" + slug + "?limit=1", nil, w.asOwner()})
		if err != nil {
			return err
		}
		opened, err := w.must(ctx, request{"GET", "/api/" + slug + "/" + text(listed.body, "docs", 0, "id"), nil, w.asOwner()})
		w.records["listed"], w.records["opened"] = fmt.Sprint(dig(listed.body, "docs", 0)), fmt.Sprint(opened.body)
		return err
	}
	const facts = "id createdAt updatedAt environment"
	if err := w.ask(ctx, w.asOwner(), "{ done: "+k.many+"(limit: 1) { docs { "+facts+" } } }", nil); err != nil {
		return err
	}
	first := w.told("done", "docs", 0)
	w.records["listed"] = fmt.Sprint(first)
	err := w.ask(ctx, w.asOwner(), "query($id: String!) { done: "+k.one+"(id: $id) { "+facts+" } }", object{"id": text(first, "id")})
	w.records["opened"] = fmt.Sprint(w.told("done"))
	return err
}

func (w *world) wantSameRecord() error {
	if one, other := w.records["listed"], w.records["opened"]; one != other || !strings.Contains(one, "createdAt:") {
		return fmt.Errorf("the list shows %s, and opened it is %s", one, other)
	}
	return nil
}

func (w *world) wantWalked() error {
	if len(w.all) != 5 {
		return fmt.Errorf("%d of 5 things were done", len(w.all))
	}
	return nil
}

func (w *world) readAddresses(ctx context.Context) error {
	return w.try(ctx, request{"GET", "/api/openapi.json", nil, nil})
}

func (w *world) addresses() object {
	paths, _ := w.got.body["paths"].(map[string]any)
	return paths
}

func (w *world) wantEveryAddress() error {
	for slug := range kinds {
		if w.addresses()["/api/"+slug] == nil {
			return fmt.Errorf("/api/%s is not among the %d addresses", slug, len(w.addresses()))
		}
	}
	return nil
}

var version = regexp.MustCompile(`/v\d+(/|$)`)

func (w *world) wantNoVersion() error {
	for address := range w.addresses() {
		if version.MatchString(address) {
			return fmt.Errorf("%s carries a version", address)
		}
	}
	return nil
}

func (w *world) startProduction(with string) error {
	address := map[string]string{"with": "https://shop.example", "without": "http://shop.example"}[with]
	w.objection = w.target.Start(map[string]string{
		"CARTWRIGHT_ENV": "production", "CARTWRIGHT_PUBLIC_URL": address, "CARTWRIGHT_SECRETS": "1:0123456789abcdef0123456789abcdef",
	})
	return nil
}

func (w *world) wantStartRefused() error {
	if said := fmt.Sprint(w.objection); !strings.Contains(said, "CARTWRIGHT_PUBLIC_URL") {
		return fmt.Errorf("the server said: %s", said)
	}
	return nil
}

func (w *world) wantNoObjection() error { return w.objection }
