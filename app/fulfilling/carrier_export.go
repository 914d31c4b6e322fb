package fulfilling

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/waybill"
	"github.com/cartwright-dev/cartwright/ports"
)

// CarrierExport says what goes into a file.
type CarrierExport struct {
	Carrier order.Carrier     // who is to bring it: written into every row; "" leaves that open
	From    time.Time         // of orders placed from here on; zero: all
	Until   time.Time         // of orders placed before; zero: all
	Format  ports.SheetFormat // of the file
}

const day = 24 * time.Hour

// NewCarrierExport reads what a caller wants: carrier by any of its names, from and to as inclusive UTC dates (2026-01-31),
// each "" when it does not matter; format is csv where it is "". Errors: fault.ErrValidation.
func NewCarrierExport(carrier, from, to, format string) (x CarrierExport, err error) {
	var problems []fault.Field
	wrong := func(field, message string) { problems = append(problems, fault.Field{Field: field, Message: message}) }
	date := func(field, text string) time.Time {
		at, err := time.Parse(time.DateOnly, text)
		if err != nil && text != "" {
			wrong(field, "This field takes a date such as 2026-01-31.")
		}
		return at
	}
	if carrier != "" {
		if x.Carrier, err = waybill.Named(carrier); err != nil {
			wrong("carrier", fault.From(err).Message)
		}
	}
	if x.From, x.Until = date("from", from), date("to", to); !x.Until.IsZero() {
		if x.Until = x.Until.Add(day); !x.From.Before(x.Until) {
			wrong("to", "This date is before from.")
		}
	}
	x.Format = ports.SheetFormat(format)
	if format == "" {
		x.Format = ports.CSV
	}
	if !slices.Contains(ports.SheetFormats, x.Format) {
		wrong("format", "This field takes one of: csv, xlsx.")
	}
	if len(problems) > 0 {
		return CarrierExport{}, fault.ErrValidation.In(problems...)
	}
	return x, nil
}

// Filename is what a file made at now is called.
func (x CarrierExport) Filename(now time.Time) string {
	return "carrier-file-" + now.UTC().Format("20060102-150405") + "." + string(x.Format)
}

// Export writes to a file what is to be sent, page by page. Each page is as the shop is when it is read. progress is told
// the rows so far. Errors: tenant.ErrFeatureDisabled, those of access.Allowed, ports.ErrSheetSize, fault.ErrUnavailable,
// those of to.
func (c *CarrierFiles) Export(ctx context.Context, p tenant.Principal, x CarrierExport, to io.Writer, progress func(rows int)) error {
	if err := mayExport(p); err != nil {
		return err
	}
	file, err := c.Sheets.Create(to, x.Format)
	if err != nil {
		return err
	}
	header := make([]string, len(waybill.Columns))
	for i, column := range waybill.Columns {
		header[i] = string(column)
	}
	err = file.Row(header)
	rows := 0
	for after, more := "", true; more && err == nil; {
		after, more, err = c.exportPage(ctx, p, x, after, func(cells []string) error { rows++; return file.Row(cells) })
		if progress != nil {
			progress(rows)
		}
	}
	if ended := file.Close(); err == nil {
		err = ended
	}
	return err
}

// mayExport admits who may read both orders and the work they make.
func mayExport(p tenant.Principal) error {
	if p.Tenant.ID != "" && !p.Tenant.CommerceEnabled {
		return tenant.ErrFeatureDisabled
	}
	for _, s := range []*collection.Schema{order.FulfillmentOrders, order.Schema} {
		if reach, err := access.Allowed(p, s, collection.Read); err != nil {
			return err
		} else if !reach.All {
			return fault.ErrForbidden
		}
	}
	return nil
}

// exportPage writes the rows of a page of orders, those after the one with that id, and answers the last one's.
func (c *CarrierFiles) exportPage(ctx context.Context, p tenant.Principal, x CarrierExport, after string, row func([]string) error) (last string, more bool, err error) {
	s := order.Schema
	where := collection.And{s.Where("id", collection.GreaterThan, after), oneOf(s, "status", []order.Status{order.Paid, order.Preparing})}
	if !x.From.IsZero() {
		where = append(where, s.Where("placedAt", collection.GreaterThanEqual, x.From))
	}
	if !x.Until.IsZero() {
		where = append(where, s.Where("placedAt", collection.LessThan, x.Until))
	}
	from := c.Store.Read(ports.For(p))
	page, err := from.Find(ctx, collection.Query{
		Schema: s, Environment: string(p.Environment), Where: where, Sort: by(s, "id"), Limit: collection.MaxLimit, Page: 1, Uncounted: true,
	})
	if err != nil || len(page.Docs) == 0 {
		return "", false, err
	}
	goods, err := goodsOf(ctx, from, page.Docs)
	if err != nil {
		return "", false, err
	}
	for _, r := range page.Docs {
		if err := exportOrder(goods[r.ID()].Goods, x.Carrier, row); err != nil {
			return "", false, err
		}
	}
	return page.Docs[len(page.Docs)-1].ID(), len(page.Docs) == collection.MaxLimit, nil
}

// exportOrder writes a row for every fulfillment order of which something is to be shipped.
func exportOrder(g order.Goods, carrier order.Carrier, row func([]string) error) error {
	if g.Order.Canceling() {
		return nil
	}
	for _, w := range g.Work {
		if w.Type != order.ShippingWork {
			continue
		}
		text, units := contents(g.Order, g.Open(w.ID))
		if units == 0 {
			continue
		}
		if err := row(cells(g.Order, w.ID, text, units, carrier)); err != nil {
			return err
		}
	}
	return nil
}

// maxContents is how many characters a cell with the contents of a parcel has at most. Excel takes 32,767, counting those
// beyond the first 65,536 twice; the rest is for a mark before it.
const maxContents = 32_000

// contents is what is in a parcel for who packs it, and how many units: "Mug (blue) x2; Cup x1". Lines that do not ship are
// left out, wherever they stand. Spec 3.4 rule 1. What a cell has no room for is counted at its end: "… and 12 more lines".
func contents(o order.Order, items []order.Item) (text string, units int64) {
	var out strings.Builder
	room, more := maxContents, 0
	for _, it := range items {
		i := slices.IndexFunc(o.Lines, func(l order.Line) bool { return l.ID == it.OrderLine })
		if i < 0 || !o.Lines[i].RequiresShipping {
			continue
		}
		units += it.Quantity
		part := titled(o.Lines[i], it.Quantity)
		if out.Len() > 0 {
			part = "; " + part
		}
		if room -= width(part); room < 0 || more > 0 {
			more++
			continue
		}
		out.WriteString(part)
	}
	if more > 0 {
		fmt.Fprintf(&out, "… and %d more lines", more)
	}
	return out.String(), units
}

// titled is what a line sells, as who packs it knows it.
func titled(l order.Line, quantity int64) string {
	title := l.Title
	if l.VariantTitle != "" && l.VariantTitle != l.Title {
		title += " (" + l.VariantTitle + ")"
	}
	return fmt.Sprintf("%s x%d", title, quantity)
}

// width is how many characters Excel counts.
func width(text string) (n int) {
	const last = 0xFFFF // character that counts once
	for _, r := range text {
		if n++; r > last {
			n++
		}
	}
	return n
}

// cells is a row of the file, in the order of waybill.Columns.
func cells(o order.Order, work, items string, units int64, carrier order.Carrier) []string {
	var a checkout.Address
	if o.Address != nil {
		a = *o.Address
	}
	if a.Phone == "" {
		a.Phone = o.Contact.Phone
	}
	if a.RecipientName == "" {
		a.RecipientName = o.Contact.Name
	}
	return []string{
		o.Number, work, a.RecipientName, a.Phone, a.PostalCode, a.Address1, a.Address2, items, strconv.FormatInt(units, 10),
		a.DeliveryMessage, string(carrier), "",
	}
}

// goodsOf reads the goods of many orders, by the order's id.
func goodsOf(ctx context.Context, from ports.Reader, orders []collection.Record) (map[string]*Found, error) {
	all := make(map[string]*Found, len(orders))
	ids := make([]string, len(orders))
	for i, r := range orders {
		ids[i] = r.ID()
		all[r.ID()] = &Found{Goods: order.Goods{Order: order.FromRecord(r)}, record: r, records: map[string]collection.Record{r.ID(): r}}
	}
	for _, s := range []*collection.Schema{order.FulfillmentOrders, order.Fulfillments} {
		records, err := ports.All(ctx, from, collection.Query{Schema: s, Where: oneOf(s, "order", ids), Sort: by(s, "createdAt", "id")})
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			x := all[r.Text("order")]
			if x.records[r.ID()] = r; s == order.Fulfillments {
				x.Fulfillments = append(x.Fulfillments, order.FulfillmentFrom(r))
			} else {
				x.Work = append(x.Work, order.FulfillmentOrderFrom(r))
			}
		}
	}
	return all, nil
}
