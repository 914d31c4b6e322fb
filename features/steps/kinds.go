package steps

import (
	"context"
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
}

// walkKind does the five things to one record; all has their answers.
func (w *world) walkKind(ctx context.Context, slug, road string) error {
	k, known := kinds[slug]
	if !known {
		return fmt.Errorf("no sentence knows what %s need", slug)
	}
	least := maps.Clone(k.least)
	if strings.HasPrefix(slug, "product-") {
		made, err := w.must(ctx, request{"POST", "/api/products", kinds["products"].least, w.asOwner()})
		if err != nil {
			return err
		}
		least["product"] = text(made.body, "doc", "id")
	}
	w.all = nil
	if road == "GraphQL" {
		return w.walkGraphQL(ctx, k, least)
	}
	return w.walkREST(ctx, slug, k, least)
}

func (w *world) walkREST(ctx context.Context, slug string, k kind, least object) error {
	at, id := "/api/"+slug, ""
	for _, step := range []func() request{
		func() request { return request{"POST", at, least, w.asOwner()} },
		func() request {
			return request{"GET", at + "?where[id][equals]=" + url.QueryEscape(id), nil, w.asOwner()}
		},
		func() request { return request{"GET", at + "/" + id, nil, w.asOwner()} },
		func() request { return request{"PATCH", at + "/" + id, object{k.changes: "Two"}, w.asOwner()} },
		func() request { return request{"DELETE", at + "/" + id, nil, w.asOwner()} },
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
	if err := equal("the changed "+k.changes, dig(w.all[3].body, "doc", k.changes), "Two"); err != nil {
		return err
	}
	a, err := w.send(ctx, request{"GET", at + "/" + id, nil, w.asOwner()})
	if err == nil && a.status != 404 {
		err = fmt.Errorf("the deleted record %s", a)
	}
	return err
}

func (w *world) walkGraphQL(ctx context.Context, k kind, least object) error {
	id := ""
	for _, step := range []string{
		"mutation($data: mutation" + k.one + "Input!) { done: create" + k.one + "(data: $data) { id } }",
		"query($id: String) { done: " + k.many + "(where: {id: {equals: $id}}) { docs { id } totalDocs } }",
		"query($id: String!) { done: " + k.one + "(id: $id) { id " + k.changes + " } }",
		"mutation($id: String!, $change: mutation" + k.one + "UpdateInput!) { done: update" + k.one + "(id: $id, data: $change) { id " + k.changes + " } }",
		"mutation($id: String!) { done: delete" + k.one + "(id: $id) { id } }",
	} {
		variables := object{"data": least, "id": id, "change": object{k.changes: "Two"}}
		if err := w.ask(ctx, w.asOwner(), step, variables); err != nil {
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
	return equal("the changed "+k.changes, dig(w.all[3].body, "data", "done", k.changes), "Two")
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
