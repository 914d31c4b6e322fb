package fulfillments_test

import (
	"context"
	"errors"
	"fmt"
	"io"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/fulfillments"
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestCarrierFileListsOnlyOpenShippingUnits(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		mixed, partial := d.sell("2 mug, 1 course"), d.sell("3 mug, 1 lamp")
		d.change(mixed.id, func(o *order.Order) {
			o.Address = &address.Address{
				RecipientName: "홍길동", Phone: "+82 10-1234-5678", PostalCode: "06000", Address1: "강남구", Address2: "1층",
				DeliveryNote: "=문 앞\n에 두세요",
			}
		})
		d.pack(partial, "2 mug")
		d.change(partial.id, func(o *order.Order) { o.Contact = sale.Contact{Name: "Kim", Phone: "010-9999-8888"} })
		d.sell("1 course")
		d.pack(d.sell("1 mug"), "") // pending in a fulfillment
		for _, status := range []order.Status{order.Pending, order.Failed, order.Canceled, order.Shipped, order.Delivered} {
			d.change(d.sell("1 mug").id, func(o *order.Order) { o.Status = status })
		}
		d.change(d.sell("1 mug").id, func(o *order.Order) { o.CancelKey = "on its way back" })
		d.change(d.sell("1 mug").id, func(o *order.Order) { o.Hold = order.HoldReversed })
		want := [][]string{
			{
				"orderNumber", "fulfillmentOrder", "recipientName", "phone", "postalCode", "address1", "address2", "items", "quantity",
				"deliveryNote", "carrier", "trackingNumber", "company", "country", "province", "city", "district", "address",
			},
			{
				d.number(mixed), mixed.byCarrier, "홍길동", "+82 10-1234-5678", "06000", "강남구", "1층", "mug x2", "2", "=문 앞\n에 두세요", "cj", "",
				"", "", "", "", "", "강남구, 1층, 06000",
			},
			{d.number(partial), partial.byCarrier, "Kim", "010-9999-8888", "", "", "", "mug x1; lamp x1", "2", "", "cj", "", "", "", "", "", "", ""},
		}
		for _, format := range ports.SpreadsheetFormats {
			if got := d.exported(d.owner(), fulfillments.CarrierExport{Carrier: order.CJ, Format: format}); !slices.EqualFunc(got, want, slices.Equal) {
				t.Errorf("%s: %q", format, got)
			}
		}
		live, outsider := d.owner(), d.owner()
		live.Environment, outsider.Tenant.ID = tenant.Live, tenant.ID(shops.NewID())
		for _, p := range []tenant.Principal{live, outsider} {
			if got := d.exported(p, fulfillments.CarrierExport{Format: ports.CSV}); len(got) != 1 {
				t.Errorf("somebody else's file has %q", got)
			}
		}
	})
}

func TestLongParcelContentsAreTruncatedWithACount(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		s := d.sell("1 mug, 1 lamp")
		d.change(s.id, func(o *order.Order) {
			o.Lines[0].Title, o.Lines[1].Title = strings.Repeat("컵", 31_990), "lamp of brass"
		})
		for _, format := range ports.SpreadsheetFormats {
			row := d.exported(d.owner(), fulfillments.CarrierExport{Format: format})[1]
			if items := row[7]; !strings.HasSuffix(items, "컵 x1… and 1 more lines") || row[8] != "2" {
				t.Errorf("%s: %d bytes end with %q, %s units", format, len(items), items[max(0, len(items)-40):], row[8])
			}
		}
	})
}

func TestCarrierFileDateRange(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		var placed []string
		for _, at := range []string{
			"2026-01-30T23:59:59.999Z", "2026-01-31T00:00:00.000Z", "2026-01-31T23:59:59.999Z", "2026-02-01T00:00:00.000Z",
		} {
			s := d.sell("1 mug")
			d.change(s.id, func(o *order.Order) { o.PlacedAt, _ = collection.ParseTime(at) })
			placed = append(placed, s.byCarrier)
		}
		for days, want := range map[[2]string][]string{
			{"", ""}: placed, {"2026-01-31", "2026-01-31"}: placed[1:3], {"2026-01-31", ""}: placed[1:], {"", "2026-01-31"}: placed[:3],
			{"2026-02-02", ""}: nil,
		} {
			x, err := fulfillments.ParseCarrierExport("", days[0], days[1], "")
			if err != nil {
				t.Fatal(err)
			}
			var got []string
			for _, row := range d.exported(d.owner(), x)[1:] {
				got = append(got, row[1])
			}
			if !slices.Equal(got, want) {
				t.Errorf("%v: %v", days, got)
			}
		}
	})
}

func TestCarrierExportInputIsValidated(t *testing.T) {
	t.Parallel()
	if x, err := fulfillments.ParseCarrierExport("현대택배", "2026-01-31", "2026-01-31", "xlsx"); err != nil || x.Carrier != order.Lotte ||
		x.Format != ports.XLSX || x.Until.Sub(x.From) != 24*time.Hour {
		t.Errorf("%+v %v", x, err)
	}
	for field, asked := range map[string][4]string{
		"carrier": {"nobody", "", "", ""}, "from": {"", "31.1.2026", "", ""}, "to": {"", "2026-02-01", "2026-01-31", ""},
		"format": {"", "", "", "pdf"},
	} {
		_, err := fulfillments.ParseCarrierExport(asked[0], asked[1], asked[2], asked[3])
		if f := fault.From(err); !errors.Is(err, fault.ErrValidation) || len(f.Fields) != 1 || f.Fields[0].Field != field {
			t.Errorf("%s: %v", field, err)
		}
	}
}

func TestCarrierExportReadsAllPages(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		const orders = collection.MaxLimit + 20
		d.atomically(func(ctx context.Context, tx ports.Tx) error {
			var changes []collection.Change
			for range orders {
				line := sale.Line{
					Title: "mug", Quantity: 1, RequiresShipping: true, Kind: "physical", UnitPrice: nothing, Subtotal: nothing,
					Discount: nothing, Total: nothing,
				}
				o, work := order.Place(checkout.Checkout{
					Tenant: d.shop.ID, Environment: tenant.Test, Currency: "KRW", Lines: []sale.Line{line},
					Totals: sale.Totals{Subtotal: nothing, Discount: nothing, Total: nothing},
				}, shops.NewID(), start, shops.NewID)
				changes = append(changes, collection.NewChange(order.Schema, nil, o.Record(), shops.NewID(), start),
					collection.NewChange(order.FulfillmentOrders, nil, work[0].Record(), shops.NewID(), start))
			}
			return tx.Records.Write(ctx, changes...)
		})
		seen := map[string]bool{}
		for _, row := range d.exported(d.owner(), fulfillments.CarrierExport{Format: ports.CSV})[1:] {
			seen[row[1]] = true
		}
		if len(seen) != orders {
			t.Errorf("%d of %d rows", len(seen), orders)
		}
		told := 0
		if err := d.Export(t.Context(), d.owner(), fulfillments.CarrierExport{Format: ports.CSV}, io.Discard, func(rows int) {
			told = rows
		}); err != nil ||
			told != orders {
			t.Error(told, err)
		}
	})
}

func TestCarrierExportAccess(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		d := newCarrierFixture(b)
		as := func(kind tenant.Kind, role tenant.Role, read bool) tenant.Principal {
			return tenant.Principal{
				Kind: kind, ID: "x", Tenant: d.shop, Environment: tenant.Test, Role: role, CanRead: read, CanWrite: true,
			}
		}
		closed := d.owner()
		closed.Tenant.CommerceEnabled = false
		for name, c := range map[string]struct {
			who  tenant.Principal
			want error
		}{
			"admin": {as(tenant.User, tenant.Admin, false), nil}, "editor": {as(tenant.User, tenant.Editor, false), nil},
			"viewer": {as(tenant.User, tenant.Viewer, false), nil}, "server": {as(tenant.SecretKey, "", true), nil},
			"a key that does not read": {as(tenant.SecretKey, "", false), fault.ErrForbidden},
			"customer":                 {as(tenant.Customer, "", false), fault.ErrForbidden},
			"storefront":               {as(tenant.ClientKey, "", false), fault.ErrForbidden},
			"nobody":                   {as(tenant.Anonymous, "", false), fault.ErrUnauthenticated},
			"a shop without commerce":  {closed, tenant.ErrFeatureDisabled},
		} {
			if err := d.Export(t.Context(), c.who, fulfillments.CarrierExport{Format: ports.CSV}, io.Discard, nil); !errors.Is(err, c.want) ||
				c.want == nil && err != nil {
				t.Errorf("%s: %v", name, err)
			}
		}
		if err := d.Export(t.Context(), d.owner(), fulfillments.CarrierExport{Format: ports.CSV}, fullDisk{}, nil); !errors.Is(err, errFull) {
			t.Error(err)
		}
	})
}

var errFull = fmt.Errorf("the disk is full")

type fullDisk struct{}

func (fullDisk) Write([]byte) (int, error) { return 0, errFull }
