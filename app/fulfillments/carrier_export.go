package fulfillments

import (
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/carrier"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// CarrierExport selects the contents of a file.
type CarrierExport struct {
	Carrier order.Carrier           // written into every row; "" leaves the column empty
	From    time.Time               // orders placed at this time or later; zero: all
	Until   time.Time               // orders placed before this time; zero: all
	Format  ports.SpreadsheetFormat // of the file

	Unexported bool // leave out what is in a batch
}

const day = 24 * time.Hour

// ParseCarrierExport parses a request: carrier by any of its names, from and to as inclusive UTC dates
// (2026-01-31), each "" for no restriction; format "" is csv. Errors: fault.ErrValidation.
func ParseCarrierExport(carrierName, from, to, format string) (x CarrierExport, err error) {
	var problems []fault.Field
	wrong := func(field, message string) { problems = append(problems, fault.Field{Field: field, Message: message}) }
	date := func(field, text string) time.Time {
		at, err := time.Parse(time.DateOnly, text)
		if err != nil && text != "" {
			wrong(field, "Write the date as 2026-01-31.")
		}
		return at
	}
	if carrierName != "" {
		if x.Carrier, err = carrier.ByName(carrierName); err != nil {
			wrong("carrier", fault.From(err).Message)
		}
	}
	if x.From, x.Until = date("from", from), date("to", to); !x.Until.IsZero() {
		if x.Until = x.Until.Add(day); !x.From.Before(x.Until) {
			wrong("to", "This date must not be before from.")
		}
	}
	x.Format = ports.SpreadsheetFormat(format)
	if format == "" {
		x.Format = ports.CSV
	}
	if !slices.Contains(ports.SpreadsheetFormats, x.Format) {
		wrong("format", "This field takes one of: csv, xlsx.")
	}
	if len(problems) > 0 {
		return CarrierExport{}, fault.ErrValidation.WithFields(problems...)
	}
	return x, nil
}

// Filename is the name of a file exported at now.
func (x CarrierExport) Filename(now time.Time) string {
	return "carrier-file-" + now.UTC().Format("20060102-150405") + "." + string(x.Format)
}

// Export writes the rows to be shipped to a file, page by page, each as of when it is read. progress is
// called with the number of rows so far. Errors: tenant.ErrFeatureDisabled, those of access.Allowed,
// ports.ErrSpreadsheetTooLarge, fault.ErrUnavailable, those of to.
func (c *CarrierFiles) Export(ctx context.Context, p tenant.Principal, x CarrierExport, to io.Writer, progress func(rows int)) error {
	if err := requireExportAccess(p); err != nil {
		return err
	}
	return c.writeFile(to, x.Format, carrierHeader(), func(row func([]string) error) (err error) {
		rows := 0
		for after, more := "", true; more && err == nil; {
			after, more, err = c.exportPage(ctx, p, x, after, func(cells []string) error { rows++; return row(cells) })
			if progress != nil {
				progress(rows)
			}
		}
		return err
	})
}

// carrierHeader is the header of a carrier file.
func carrierHeader() []string {
	header := make([]string, len(carrier.Columns))
	for i, column := range carrier.Columns {
		header[i] = string(column)
	}
	return header
}

// writeFile writes a header and the rows that fill passes on.
func (c *CarrierFiles) writeFile(
	to io.Writer, format ports.SpreadsheetFormat, header []string, fill func(row func([]string) error) error,
) error {
	file, err := c.Sheets.Create(to, format)
	if err != nil {
		return err
	}
	if err = file.WriteRow(header); err == nil {
		err = fill(file.WriteRow)
	}
	if ended := file.Close(); err == nil {
		err = ended
	}
	return err
}

// requireExportAccess admits those who may read both orders and fulfillment orders.
func requireExportAccess(p tenant.Principal) error {
	return access.RequireReading(p, order.FulfillmentOrders, order.Schema)
}

// requireBatchAccess admits those whom requireExportAccess admits and who may read batches.
func requireBatchAccess(p tenant.Principal) error {
	return access.RequireReading(p, order.FulfillmentOrders, order.Schema, order.CarrierBatches)
}

// exportPage writes the rows of the page of orders after an id, and returns the id of the last one.
func (c *CarrierFiles) exportPage(
	ctx context.Context, p tenant.Principal, x CarrierExport, after string, row func([]string) error,
) (last string, more bool, err error) {
	from := c.Store.Read(ports.ForPrincipal(p))
	page, more, err := x.findOrders(ctx, from, p.Environment, after)
	if err != nil || len(page) == 0 {
		return "", false, err
	}
	goods, err := loadManyGoods(ctx, from, page)
	if err != nil {
		return "", false, err
	}
	for _, r := range page {
		if err := exportOrder(goods[r.ID()].OrderFulfillment, x, p.Tenant.Country, row); err != nil {
			return "", false, err
		}
	}
	return page[len(page)-1].ID(), more, nil
}

// findOrders is the page of orders after an id that may have something to be shipped; more tells that there may be others.
func (x CarrierExport) findOrders(
	ctx context.Context, from ports.Reader, env tenant.Environment, after string,
) (page []collection.Record, more bool, err error) {
	s := order.Schema
	where := collection.And{s.Where("id", collection.GreaterThan, after)}
	if !x.From.IsZero() {
		where = append(where, s.Where("placedAt", collection.GreaterThanEqual, x.From))
	}
	if !x.Until.IsZero() {
		where = append(where, s.Where("placedAt", collection.LessThan, x.Until))
	}
	return findByStatus(ctx, from, env, s, where, order.ExportedStatuses)
}

// findByStatus is a page of the records of s that where matches and that have one of the statuses, by id; more tells that there
// may be others after it.
//
// Each status is a query of its own, which an index answers in the order of ids: of several at once SQLite would read all records
// that the shop ever had. The statuses are named in the order in which a record moves on, so that one which does meanwhile is not
// missed; it may be found twice. One that moves back meanwhile, since its parcel was unpacked, is left to the next time.
func findByStatus[S ~string](
	ctx context.Context, from ports.Reader, env tenant.Environment, s *collection.Schema, where collection.And, statuses []S,
) (page []collection.Record, more bool, err error) {
	for _, status := range statuses {
		found, err := from.Find(ctx, collection.Query{
			Schema: s, Environment: string(env), Where: append(slices.Clip(where), s.Where("status", collection.Equals, string(status))),
			Sort: s.SortBy("id"), Limit: collection.MaxLimit, Page: 1, SkipCount: true,
		})
		if err != nil {
			return nil, false, err
		}
		page, more = append(page, found.Docs...), more || len(found.Docs) == collection.MaxLimit
	}
	slices.SortStableFunc(page, func(a, b collection.Record) int { return strings.Compare(a.ID(), b.ID()) })
	page = slices.CompactFunc(page, func(a, b collection.Record) bool { return a.ID() == b.ID() })
	if len(page) > collection.MaxLimit {
		page, more = page[:collection.MaxLimit], true
	}
	return page, more, nil
}

// exportOrder writes a row for every fulfillment order with open shipping units. home is the shop's country.
func exportOrder(g order.OrderFulfillment, x CarrierExport, home string, row func([]string) error) error {
	for _, w := range g.FulfillmentOrders {
		items := g.ToShip(w.ID)
		if len(items) == 0 || x.Unexported && w.CarrierBatch != "" {
			continue
		}
		text, units := parcelContents(g.Order, items)
		parcel := carrier.Parcel{FulfillmentOrder: w.ID, Items: text, Quantity: units, Tracking: order.Tracking{Carrier: x.Carrier}, Home: home}
		if err := row(carrier.Row(g.Order, parcel)); err != nil {
			return err
		}
	}
	return nil
}

// maxContentsLength is the maximum number of characters in a contents cell. Excel's limit is 32,767, with
// characters beyond U+FFFF counting twice; the rest is reserved for a prefix.
const maxContentsLength = 32_000

// parcelContents describes the contents of a parcel for packing, and counts the units: "Mug (blue) x2; Cup
// x1". Lines that do not ship are left out. Rule shipping-1. What does not fit into a cell is summarized at
// its end: "… and 12 more lines".
func parcelContents(o order.Order, items []order.Item) (text string, units int64) {
	var out strings.Builder
	room, more := maxContentsLength, 0
	for _, it := range items {
		i := slices.IndexFunc(o.Lines, func(l order.Line) bool { return l.ID == it.OrderLine })
		if i < 0 || !o.Lines[i].RequiresShipping {
			continue
		}
		units += it.Quantity
		part := lineText(o.Lines[i], it.Quantity)
		if out.Len() > 0 {
			part = "; " + part
		}
		if room -= excelLength(part); room < 0 || more > 0 {
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

// lineText is the description of a line for packing.
func lineText(l order.Line, quantity int64) string {
	title := l.Title
	if l.VariantTitle != "" && l.VariantTitle != l.Title {
		title += " (" + l.VariantTitle + ")"
	}
	return fmt.Sprintf("%s x%d", title, quantity)
}

// excelLength is the length of text as Excel counts it.
func excelLength(text string) (n int) {
	const last = 0xFFFF // the last character that counts once
	for _, r := range text {
		if n++; r > last {
			n++
		}
	}
	return n
}

// loadManyGoods reads the fulfillment state of many orders, by order id.
func loadManyGoods(ctx context.Context, from ports.Reader, orders []collection.Record) (map[string]*OrderGoods, error) {
	all := make(map[string]*OrderGoods, len(orders))
	ids := make([]string, len(orders))
	for i, r := range orders {
		ids[i] = r.ID()
		all[r.ID()] = &OrderGoods{
			OrderFulfillment: order.OrderFulfillment{Order: order.FromRecord(r)}, record: r,
			records: map[string]collection.Record{r.ID(): r},
		}
	}
	for _, s := range []*collection.Schema{order.FulfillmentOrders, order.Fulfillments} {
		records, err := ports.FindAll(ctx, from, collection.Query{
			Schema: s, Where: collection.FieldIn(s, "order", ids), Sort: s.SortBy("createdAt", "id"),
		})
		if err != nil {
			return nil, err
		}
		for _, r := range records {
			x := all[r.Text("order")]
			if x.records[r.ID()] = r; s == order.Fulfillments {
				x.Fulfillments = append(x.Fulfillments, order.FulfillmentFrom(r))
			} else {
				x.FulfillmentOrders = append(x.FulfillmentOrders, order.FulfillmentOrderFrom(r))
			}
		}
	}
	return all, nil
}
