package fulfillments_test

import (
	"maps"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/app/orders"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/carrier"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/registry"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

// soldTo is where the orders of these tests go before they are corrected.
var soldTo = address.Address{
	RecipientName: "Lee", Phone: "010-2", PostalCode: "04524", City: "Seoul", Address1: "1 Road", Address2: "Flat 2", DeliveryNote: "Ring", Country: "KR",
}

// corrections are what staff may edit of an order, one field each, by its name.
func corrections() map[string]map[string]any {
	all := map[string]map[string]any{}
	for _, f := range order.Schema.Fields {
		switch {
		case !f.Patchable || f.Kind.Related(): // no record is on a row
		case f.Kind == collection.Group:
			for _, m := range f.Fields {
				group := map[string]any(maps.Clone(soldTo.Record()))
				group[m.Name] = corrected(m)
				all[f.Name+"."+m.Name] = map[string]any{f.Name: group}
			}
		default:
			all[f.Name] = map[string]any{f.Name: corrected(f)}
		}
	}
	return all
}

// corrected is another value of a field than in the orders of these tests.
func corrected(f collection.Field) any {
	switch {
	case f.Kind == collection.Email:
		return "corrected@example.com"
	case f.Kind == collection.JSON:
		return map[string]any{"corrected": "yes"}
	case f.Kind.Many():
		return []any{"corrected"}
	case f.Name == "country":
		return "DE"
	case f.Name == "province":
		return "26"
	}
	return "12345"
}

// correct edits an order as staff do.
func (d batchFixture) correct(id string, input map[string]any) {
	d.t.Helper()
	all, err := collection.NewRegistry(registry.Schemas()...)
	if err != nil {
		d.t.Fatal(err)
	}
	service := &records.Service{
		Store: d.store, Registry: all, Hooks: map[string]records.Hooks{order.Schema.Slug: orders.Hooks()}, Fold: strings.ToLower, Now: now, NewID: shops.NewID,
	}
	a, err := service.Update(d.t.Context(), d.staff("", ""), order.Schema, id, input, records.Projection{})
	shops.MustBody(d.t, a, err)
}

// rowsByWork are the rows of a batch, by the fulfillment order.
func (d batchFixture) rowsByWork(batch string) map[string][]string {
	d.t.Helper()
	all := map[string][]string{}
	for _, row := range d.rows(batch, false) {
		all[row[slices.Index(carrier.Columns, carrier.FulfillmentOrder)]] = row
	}
	return all
}

// notCorrected are the columns that no correction of the order changes. Cancels of units, which change the items, tell themselves:
// TestCanceledUnitsAreToldToPackers.
var notCorrected = []carrier.Column{
	carrier.OrderNumber, carrier.FulfillmentOrder, carrier.Items, carrier.Quantity, carrier.CarrierName, carrier.TrackingNumber,
}

func TestWhateverTheFileCarriesIsToldWhenItIsCorrected(t *testing.T) {
	onBatches(t, func(t *testing.T, d batchFixture) {
		edits, sold := corrections(), map[string]storedOrder{}
		for name := range edits {
			s := d.sell("1 mug")
			d.change(s.id, func(o *order.Order) {
				to := soldTo
				o.Address, o.Contact = &to, sale.Contact{Name: "Kim", Email: "kim@example.com", Phone: "010-1"}
			})
			sold[name] = s
		}
		batch := d.batch(fulfillments.BatchRequest{})
		before := d.rowsByWork(batch)
		for name, input := range edits {
			d.correct(sold[name].id, input)
		}
		changed, after, n := map[carrier.Column]bool{}, d.rowsByWork(batch), len(carrier.Columns)
		for name, s := range sold {
			was, is := before[s.byCarrier], after[s.byCarrier]
			for i, column := range carrier.Columns {
				changed[column] = changed[column] || was[i] != is[i]
			}
			if told := is[n+1]; !slices.Equal(was[:n], is[:n]) && told != order.AddressChanged {
				t.Errorf("%s: the row was %q and is %q, and packers are told %q", name, was[:n], is[:n], told)
			}
		}
		for _, column := range carrier.Columns {
			if changed[column] == slices.Contains(notCorrected, column) {
				t.Errorf("a correction changes the column %s: %t", column, changed[column])
			}
		}
	})
}
