package steps

import (
	"context"
	"encoding/json"
	"fmt"
	"maps"
	"strconv"
)

// orderImportSteps imports orders of another system, and reads them as customers.
type orderImportSteps struct {
	*client

	catalog   *catalogSteps
	members   *memberSteps
	customers *customerSteps
	orders    *orderSteps

	imported request // the last import
}

func newOrderImportSteps(
	c *client, catalog *catalogSteps, members *memberSteps, customers *customerSteps, orders *orderSteps,
) *orderImportSteps {
	return &orderImportSteps{client: c, catalog: catalog, members: members, customers: customers, orders: orders}
}

func (s *orderImportSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^an imported order that is "([^"]*)"$`, s.importWithStatus},
		{`^an imported order of (\d+) "([^"]*)"$`, func(ctx context.Context, n int, name string) error {
			return s.importProduct(ctx, n, name, "paid")
		}},
		{`^an imported order of (\d+) "([^"]*)" that is "([^"]*)"$`, s.importProduct},
		{`^"([^"]*)" has an order$`, s.importForCustomer},
		{`^an imported delivered order of (\d+) "([^"]*)" with (\d+) KRW of shipping$`, s.importDelivered},
		{`^the shop imports the same order again$`, func(ctx context.Context) error { return s.try(ctx, s.imported) }},
		{`^the shop imports the same order number as "([^"]*)"$`, s.importChanged},
		{`^the shop imports three orders, the second with a total that is 1 KRW too high$`, s.importThree},
		{`^(\d+) orders are created, (\d+) unchanged and (\d+) refused$`, s.wantResult},
		{`^the refusal names the total of the second order$`, s.wantWrongTotal},
		{`^the admin imports an order$`, func(ctx context.Context) error {
			admin, err := s.members.adminOf(ctx, s.shop)
			return s.importAs(ctx, admin, err)
		}},
		{`^"([^"]*)" imports an order$`, func(ctx context.Context, name string) error {
			member, err := s.members.logIn(ctx, name)
			return s.importAs(ctx, member, err)
		}},
		{`^"([^"]*)" lists their orders$`, func(ctx context.Context, who string) error {
			return s.try(ctx, request{"GET", "/api/orders", nil, s.customers.as(who)})
		}},
		{`^"([^"]*)" opens the order$`, func(ctx context.Context, who string) error { return s.open(ctx, who, s.orders.id) }},
		{
			`^"([^"]*)" opens the order by its number$`,
			func(ctx context.Context, who string) error { return s.open(ctx, who, importedNumber) },
		},
		{
			`^"([^"]*)" searches for the order number$`,
			func(ctx context.Context, who string) error { return s.find(ctx, s.customers.as(who)) },
		},
		{`^a visitor searches for the order number$`, func(ctx context.Context) error { return s.find(ctx, s.asVisitor()) }},
		{`^the list holds (\d+) orders?$`, func(n string) error { return equal("orders found", s.got.body["totalDocs"], n) }},
	}
}

// importedNumber is the number of every imported order; each scenario has a shop of its own.
const importedNumber = "OLD-1"

// importedOrder is an order of 18000 KRW including shipping; change replaces fields of it.
func importedOrder(status string, change object) object {
	o := object{
		"orderNumber": importedNumber, "status": status, "email": "kim@shopper.example", "currency": "KRW",
		"lines": []any{object{"title": "Shirt", "quantity": 1, "unitPrice": 15000}}, "shippingAmount": 3000, "totalAmount": 18000,
	}
	maps.Copy(o, change)
	return o
}

func (s *orderImportSteps) request(orders ...any) request {
	return request{"POST", "/api/orders/import", object{"orders": orders}, s.asServer()}
}

// importOne imports an order that is accepted, and makes it the current one.
func (s *orderImportSteps) importOne(ctx context.Context, o object) error {
	if err := s.try(ctx, s.request(o)); err != nil {
		return err
	}
	s.imported = s.sent
	if err := s.wantResult("1", "0", "0"); err != nil {
		return err
	}
	got, err := s.must(ctx, request{"GET", "/api/orders?where[orderNumber][equals]=" + importedNumber, nil, s.asServer()})
	s.orders.use(text(got.body, "docs", 0, "id"))
	return err
}

func (s *orderImportSteps) importWithStatus(ctx context.Context, status string) error {
	return s.importOne(ctx, importedOrder(status, nil))
}

func (s *orderImportSteps) importProduct(ctx context.Context, n int, name, status string) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	line := object{"title": name, "variant": p.variant, "quantity": n, "unitPrice": 15000}
	return s.importOne(ctx, importedOrder(status, object{"lines": []any{line}, "totalAmount": 15000*n + 3000}))
}

// importDelivered imports a delivered order; imported orders have no return shipping policy.
func (s *orderImportSteps) importDelivered(ctx context.Context, n int, name string, shipping int) error {
	p, err := s.catalog.product(name)
	if err != nil {
		return err
	}
	const price = 15000
	return s.importOne(ctx, importedOrder("delivered", object{
		"lines":          []any{object{"variant": p.variant, "title": name, "quantity": n, "unitPrice": price}},
		"shippingAmount": shipping, "totalAmount": n*price + shipping,
	}))
}

func (s *orderImportSteps) importForCustomer(ctx context.Context, who string) error {
	me, err := s.must(ctx, request{"GET", "/api/customers/me", nil, s.customers.as(who)})
	if err != nil {
		return err
	}
	return s.importOne(ctx, importedOrder("paid", object{"customer": text(me.body, "customer", "id")}))
}

func (s *orderImportSteps) importChanged(ctx context.Context, status string) error {
	return s.try(ctx, s.request(importedOrder(status, nil)))
}

func (s *orderImportSteps) importThree(ctx context.Context) error {
	return s.try(ctx, s.request(
		importedOrder("paid", object{"orderNumber": "OLD-1"}),
		importedOrder("paid", object{"orderNumber": "OLD-2", "totalAmount": 18001}),
		importedOrder("paid", object{"orderNumber": "OLD-3"}),
	))
}

// importAs imports an order as whose headers these are; err is the error of their login.
func (s *orderImportSteps) importAs(ctx context.Context, member map[string]string, err error) error {
	if err != nil {
		return err
	}
	r := s.request(importedOrder("paid", nil))
	r.header = member
	return s.try(ctx, r)
}

func (s *orderImportSteps) wantResult(created, unchanged, refused string) error {
	if err := s.wantSuccess(); err != nil {
		return err
	}
	if err := equal("the number of created orders", s.got.body["created"], created); err != nil {
		return fmt.Errorf("%w: %s", err, s.got)
	}
	if err := equal("the number of unchanged orders", s.got.body["unchanged"], unchanged); err != nil {
		return err
	}
	return equal("the number of refused orders", json.Number(strconv.Itoa(len(list(s.got.body, "errors")))), refused)
}

func (s *orderImportSteps) wantWrongTotal() error {
	if err := equal("the position of the refused order", valueAt(s.got.body, "errors", 0, "index"), "1"); err != nil {
		return err
	}
	return equal("the message", valueAt(s.got.body, "errors", 0, "message"), "totalAmount: The total is 18000, not 18001.")
}

func (s *orderImportSteps) open(ctx context.Context, who, id string) error {
	return s.try(ctx, request{"GET", "/api/orders/" + id, nil, s.customers.as(who)})
}

func (s *orderImportSteps) find(ctx context.Context, header map[string]string) error {
	return s.try(ctx, request{"GET", "/api/orders?where[orderNumber][equals]=" + importedNumber, nil, header})
}
