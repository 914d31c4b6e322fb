package program

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// demoBuyer is somebody who bought in the demo shop lately.
type demoBuyer struct {
	Name, Email, Phone string
	PostalCode         string
	Address1, Address2 string
	DeliveryNote       string
}

// demoOrder is an order of the demo shop's last two weeks.
type demoOrder struct {
	Number   string
	HoursAgo int // before the shop was made
	Status   order.Status
	Buyer    int // index of demoData.Buyers
	Items    []demoItem
	Notes    string
}

type demoItem struct {
	SKU   string
	Units int64
}

// demoSteps are what becomes of an order that was placed, and how long after it.
var demoSteps = []demoStep{
	{order.Paid, 10 * time.Minute}, {order.Preparing, 8 * time.Hour}, {order.Shipped, 15 * time.Hour},
	{order.Delivered, 40 * time.Hour}, {order.Confirmed, 5 * order.Day},
}

type demoStep struct {
	to    order.Status
	after time.Duration
}

// demoParcel is what the demo shop takes for a parcel, in won.
const demoParcel = 3000

// importDemoOrders imports the orders of the demo shop's former system into its test environment, as the
// shop's server would. Those of the last two weeks then take the steps that the shop's people would have
// taken, at the time of each, so that the console has work and figures to show. None has a return policy.
// After a crash it goes on where it was.
func (k *core) importDemoOrders(ctx context.Context, shop tenant.Settings, demo demoData) error {
	server := tenant.Principal{Kind: tenant.SecretKey, Tenant: shop, Environment: tenant.Test, CanRead: true, CanWrite: true}
	shops, err := k.listTenants(ctx)
	if err != nil {
		return err
	}
	made := shops[0].Time("createdAt")
	variants, err := k.demoVariants(ctx, server)
	if err != nil {
		return err
	}
	for _, o := range demo.Orders {
		if err := k.importDemoOrder(ctx, server, k.now(), exactObject(o), variants); err != nil {
			return err
		}
	}
	for _, o := range slices.Backward(demo.Recent) {
		placed := made.Add(-time.Duration(o.HoursAgo) * time.Hour)
		if err := k.importDemoOrder(ctx, server, placed, demo.importRow(o, placed), variants); err != nil {
			return err
		}
		if err := k.moveDemoOrder(ctx, server, o, placed); err != nil {
			return err
		}
	}
	return nil
}

// ordersAt is the use cases of orders as if it were that time.
func (k *core) ordersAt(at time.Time) *orders.Service {
	return &orders.Service{Store: k.store, Idempotency: &idempotency.Runner{}, Now: func() time.Time { return at }, NewID: newID}
}

// demoVariants are the ids of the shop's variants by SKU.
func (k *core) demoVariants(ctx context.Context, by tenant.Principal) (map[any]string, error) {
	all, err := ports.FindAll(ctx, k.store.Read(ports.ForPrincipal(by)), collection.Query{Schema: catalog.Variants, Sort: catalog.Variants.SortBy("id")})
	ids := make(map[any]string, len(all))
	for _, v := range all {
		ids[v.Text("sku")] = v.ID()
	}
	return ids, err
}

// importDemoOrder imports an order whose lines name their variants by SKU.
func (k *core) importDemoOrder(ctx context.Context, by tenant.Principal, at time.Time, row map[string]any, variants map[any]string) error {
	lines, _ := row["lines"].([]any)
	for _, l := range lines {
		line, _ := l.(map[string]any)
		id, known := variants[line["sku"]]
		if !known {
			return fmt.Errorf("there is no product-variants with sku %v", line["sku"])
		}
		line["variant"] = id
	}
	done, err := k.ordersAt(at).Import(ctx, idempotency.Call{Principal: by}, []any{row})
	if err == nil && len(done.Rejected) > 0 {
		err = errors.New(done.Rejected[0].Message)
	}
	return err
}

// moveDemoOrder takes the steps up to the status of an order that it has not taken yet.
func (k *core) moveDemoOrder(ctx context.Context, by tenant.Principal, o demoOrder, placed time.Time) error {
	there, err := k.store.Read(ports.ForPrincipal(by)).Find(ctx, collection.Query{
		Schema: order.Schema, Environment: string(by.Environment), Limit: 1, Page: 1,
		Where: order.Schema.Where("orderNumber", collection.Equals, o.Number),
	})
	if err != nil {
		return err
	}
	is := func(status order.Status) int {
		return slices.IndexFunc(demoSteps, func(s demoStep) bool { return s.to == status })
	}
	first, last := is(order.Status(there.Docs[0].Text("status")))+1, is(o.Status)
	for i := first; i <= last; i++ {
		step := demoSteps[i]
		_, err := k.ordersAt(placed.Add(step.after)).Transition(ctx, idempotency.Call{Principal: by}, there.Docs[0].ID(), orders.Transition{To: step.to})
		if err != nil {
			return err
		}
	}
	return nil
}

// importRow is the order before its first step, as a client would send it.
func (d demoData) importRow(o demoOrder, placed time.Time) map[string]any {
	b, lines, total := d.Buyers[o.Buyer], make([]any, len(o.Items)), int64(demoParcel)
	ofParcel, taxes := demoVAT(demoParcel)
	for i, item := range o.Items {
		title, values, price := d.sold(item.SKU)
		lines[i] = map[string]any{
			"sku": item.SKU, "title": title, "variantTitle": values, "quantity": numeral(item.Units), "unitPrice": numeral(price),
		}
		rates, vat := demoVAT(price * item.Units)
		lines[i].(map[string]any)["taxes"] = map[string]any{"amount": numeral(vat), "rates": rates}
		total, taxes = total+price*item.Units, taxes+vat
	}
	status := order.Pending
	if o.Status == order.Canceled {
		status = o.Status
	}
	return map[string]any{
		"orderNumber": o.Number, "status": string(status), "email": b.Email, "placedAt": placed.UTC().Format(time.RFC3339), "lines": lines,
		"notes": o.Notes, "customerSnapshot": map[string]any{"name": b.Name, "phone": b.Phone},
		"shippingAddress": map[string]any{
			"recipientName": b.Name, "phone": b.Phone, "postalCode": b.PostalCode, "address1": b.Address1, "address2": b.Address2,
			"deliveryNote": b.DeliveryNote, "country": "KR",
		},
		"shippingAmount": numeral(demoParcel), "totalAmount": numeral(total),
		"taxes": map[string]any{"amount": numeral(taxes), "included": true, "shipping": ofParcel},
	}
}

// demoVAT is the value added tax in won that a price contains, and the same by rate.
func demoVAT(price int64) (rates []any, vat int64) {
	vat = (2*price + 11) / 22 // an eleventh, rounded half up
	return []any{map[string]any{
		"rate": "vat", "name": "VAT", "country": "KR", "percent": numeral(10), "base": numeral(price - vat), "amount": numeral(vat),
	}}, vat
}

func numeral(n int64) collection.JSONNumber { return collection.JSONNumber(strconv.FormatInt(n, 10)) }

// sold is the title of a product, the values of a variant and its price in won; the title is empty if there is no such SKU.
func (d demoData) sold(sku string) (title, values string, price int64) {
	for _, p := range d.Products {
		for _, v := range p.Variants {
			if v.SKU == sku {
				price, _ = strconv.ParseInt(v.Price, 10, 64) // the import refuses an order without a price
				return p.Title, strings.Join(v.Values, " / "), price
			}
		}
	}
	return "", "", 0
}
