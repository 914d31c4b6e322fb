package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"net/url"
	"strings"

	"github.com/cucumber/godog"
)

// findingSteps finds records of all kinds by a text.
type findingSteps struct {
	*client

	catalog      *catalogSteps
	fulfillments *fulfillmentSteps

	imported []string // ids of orders, as they stand in the table
}

func newFindingSteps(c *client, catalog *catalogSteps, fulfillments *fulfillmentSteps) *findingSteps {
	return &findingSteps{client: c, catalog: catalog, fulfillments: fulfillments}
}

func (s *findingSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^a shop with the imported orders$`, s.importAll},
		{`^the operator searches orders for "([^"]*)"$`, func(ctx context.Context, what string) error {
			return s.findOrders(ctx, s.asServer(), url.Values{"q": {what}})
		}},
		{`^the operator searches delivered orders for "([^"]*)"$`, func(ctx context.Context, what string) error {
			return s.findOrders(ctx, s.asServer(), url.Values{"q": {what}, "where[status][equals]": {"delivered"}})
		}},
		{`^the other shop searches orders for "([^"]*)"$`, func(ctx context.Context, what string) error {
			other, err := s.otherShop(ctx)
			if err != nil {
				return err
			}
			return s.findOrders(ctx, withSecretKey(other.TestSecretKey), url.Values{"q": {what}})
		}},
		{`^a visitor searches everything for "([^"]*)"$`, func(ctx context.Context, what string) error {
			return s.try(ctx, request{"GET", "/api/search?" + url.Values{"q": {what}}.Encode(), nil, s.asVisitor()})
		}},
		{`^the orders "([^"]*)" are found$`, s.wantOrders},
		{`^no orders are found$`, func() error { return equal("the orders", strings.Join(orderNumbers(s.got), ", "), "") }},
		{`^no order is found for "([^"]*)"$`, s.wantNone},
		{`^the second order was shipped with the number "([^"]*)"$`, s.ship},
		{`^the email of the first order is corrected to "([^"]*)"$`, func(ctx context.Context, email string) error {
			_, err := s.must(ctx, request{"PATCH", "/api/orders/" + s.imported[0], object{"email": email}, s.asServer()})
			return err
		}},
		{`^the product "([^"]*)" with the SKU "([^"]*)"$`, s.createProduct},
		{`^the product "([^"]*)" is deleted$`, func(ctx context.Context, name string) error {
			_, err := s.must(ctx, request{"DELETE", "/api/products/" + s.catalog.products[name].id, nil, s.asServer()})
			return err
		}},
		{`^the customer "([^"]*)" with the phone "([^"]*)"$`, func(ctx context.Context, name, phone string) error {
			_, err := s.must(ctx, request{"POST", "/api/customers", object{
				"email": s.emailOf("customer"), "password": password, "name": name, "phone": phone,
			}, s.asServer()})
			return err
		}},
		{`^everything is found for "([^"]*)"$`, s.wantEverything},
		{`^nothing is found for "([^"]*)"$`, func(ctx context.Context, what string) error {
			return s.wantEverything(ctx, what, &godog.Table{})
		}},
	}
}

// importAll opens a shop with orders of a table with the columns number, buyer, email, phone, sku and status.
func (s *findingSteps) importAll(ctx context.Context, table *godog.Table) error {
	if err := s.openShop(ctx); err != nil {
		return err
	}
	var orders []any
	for _, row := range table.Rows[1:] {
		cells := map[string]string{}
		for i, cell := range row.Cells {
			cells[table.Rows[0].Cells[i].Value] = cell.Value
		}
		orders = append(orders, importedOrder(cells["status"], object{
			"orderNumber": cells["number"], "email": cells["email"],
			"customerSnapshot": object{"name": cells["buyer"], "email": cells["email"], "phone": cells["phone"]},
			"lines":            []any{object{"title": "Mug", "sku": cells["sku"], "quantity": 1, "unitPrice": 15000}},
		}))
	}
	if _, err := s.must(ctx, request{"POST", "/api/orders/import", object{"orders": orders}, s.asServer()}); err != nil {
		return err
	}
	for _, o := range orders {
		query := url.Values{"where[orderNumber][equals]": {text(o, "orderNumber")}}
		got, err := s.must(ctx, request{"GET", "/api/orders?" + query.Encode(), nil, s.asServer()})
		if err != nil {
			return err
		}
		s.imported = append(s.imported, text(got.body, "docs", 0, "id"))
	}
	return nil
}

func (s *findingSteps) findOrders(ctx context.Context, who map[string]string, query url.Values) error {
	return s.try(ctx, request{"GET", "/api/orders?" + query.Encode(), nil, who})
}

func orderNumbers(a answer) (all []string) {
	for _, doc := range list(a.body, "docs") {
		all = append(all, text(doc, "orderNumber"))
	}
	return all
}

// wantOrders repeats the last search until it finds these orders: the index is about a second behind.
func (s *findingSteps) wantOrders(ctx context.Context, want string) error {
	again := s.sent
	return eventually(ctx, func(ctx context.Context) error {
		if err := s.try(ctx, again); err != nil {
			return err
		}
		if got := strings.Join(orderNumbers(s.got), ", "); got != want || !s.got.ok() {
			return fmt.Errorf("%q are found; it %s", got, s.got)
		}
		return nil
	})
}

func (s *findingSteps) wantNone(ctx context.Context, what string) error {
	if err := s.findOrders(ctx, s.asServer(), url.Values{"q": {what}}); err != nil {
		return err
	}
	return s.wantOrders(ctx, "")
}

func (s *findingSteps) ship(ctx context.Context, number string) error {
	s.fulfillments.orders.use(s.imported[1])
	if err := s.fulfillments.create(ctx, "shipping"); err != nil {
		return err
	}
	if err := s.fulfillments.ship(ctx, "ups", number); err != nil {
		return err
	}
	return s.wantSuccess()
}

func (s *findingSteps) createProduct(ctx context.Context, name, sku string) error {
	made, err := s.must(ctx, request{"POST", "/api/products", object{
		"name": name, "price": json.Number("1000"), "status": "published", "variants": []any{object{"sku": sku}},
	}, s.asServer()})
	s.catalog.products[name] = product{id: text(made.body, "doc", "id")}
	return err
}

// wantEverything searches all records until it finds those of a table with the columns collection and titles, and no others.
func (s *findingSteps) wantEverything(ctx context.Context, what string, table *godog.Table) error {
	want := map[string]string{}
	for _, row := range table.Rows {
		want[row.Cells[0].Value] = row.Cells[1].Value
	}
	return eventually(ctx, func(ctx context.Context) error {
		if err := s.try(ctx, request{"GET", "/api/search?" + url.Values{"q": {what}}.Encode(), nil, s.asServer()}); err != nil {
			return err
		}
		got := map[string]string{}
		for _, group := range list(s.got.body, "groups") {
			var titles []string
			for _, doc := range list(group, "docs") {
				titles = append(titles, text(doc, "title"))
			}
			if titles != nil {
				got[text(group, "collection")] = strings.Join(titles, ", ")
			}
		}
		if !maps.Equal(got, want) || !s.got.ok() {
			return fmt.Errorf("%v is found; it %s", got, s.got)
		}
		return nil
	})
}
