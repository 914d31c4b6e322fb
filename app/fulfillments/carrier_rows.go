package fulfillments

import (
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/app/words"
	"github.com/cartwright-dev/cartwright/domain/carrier"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/order"
)

// RowStatus is what becomes of a row of a carrier file.
type RowStatus string

// The statuses.
const (
	RowApplied   RowStatus = "applied"   // it ships units
	RowUnchanged RowStatus = "unchanged" // the shop has its tracking number already
	RowSkipped   RowStatus = "skipped"   // it has no tracking number
	RowRefused   RowStatus = "refused"
)

// rowStatuses are all statuses, as options of a field.
var rowStatuses = []string{string(RowApplied), string(RowUnchanged), string(RowSkipped), string(RowRefused)}

// RowResult is what became of a row, or in a dry run would become of it.
type RowResult struct {
	Status RowStatus
	Note   *fault.Error // why it was refused, or what to look at in an applied row; nil: nothing

	entry                   carrier.Entry
	order, fulfillmentOrder string // ids; "": not known
	orderNumber             string // of the order; "": not known
	units, left             int64  // that leave with it, and that the fulfillment order still has after it
}

// RowNote is a message about a row.
type RowNote struct {
	Row     int    // as shown by spreadsheets: the header is row 1
	Reason  string // stable word
	Message string
	Data    map[string]any // facts; nil: none
}

var (
	rowMember     = collection.Field{Name: "row", Kind: collection.Integer, Required: true, Doc: "The row number in the file; the header is row 1."}
	reasonMember  = collection.Field{Name: "reason", Kind: collection.Text, Doc: "A stable word for the message."}
	messageMember = collection.Field{Name: "message", Kind: collection.Textarea, Doc: "Human-readable message."}
	dataMember    = collection.Field{Name: "data", Kind: collection.JSON, Doc: "Facts of the message; null for none."}
)

// RowNoteFields are the members of a RowNote.
var RowNoteFields = func() []collection.Field {
	reason, message := reasonMember, messageMember
	reason.Required, message.Required = true, true
	return []collection.Field{rowMember, reason, message, dataMember}
}()

// rowFields are the members of a RowResult.
var rowFields = []collection.Field{
	rowMember,
	{
		Name: "status", Kind: collection.Select, Options: rowStatuses, Required: true,
		Doc: "What became of it: applied ships units, unchanged was there already, skipped has no tracking number.",
	},
	{Name: "orderNumber", Kind: collection.Text, Doc: "Number of the order, as it stands in the file where there is no such order; null if it names none."},
	{Name: "order", Kind: collection.Text, Doc: "Id of the order; null if there is none."},
	{Name: "fulfillmentOrder", Kind: collection.Text, Doc: "Id of the fulfillment order, as it stands in the file where there is no such one; null if it names none."},
	{Name: "carrier", Kind: collection.Text, Doc: "The carrier, as it stands in the file."},
	{Name: "trackingNumber", Kind: collection.Text, Doc: "The tracking number as it is kept; of refused rows, as it stands in the file."},
	{Name: "quantity", Kind: collection.Integer, Required: true, Doc: "Units that leave with it; 0 where nothing is shipped."},
	{Name: "left", Kind: collection.Integer, Required: true, Doc: "Units that the fulfillment order still has to ship after it; 0 where nothing is shipped."},
	reasonMember, messageMember, dataMember,
}

// CarrierReportFields are the members of the response to an import.
var CarrierReportFields = []collection.Field{
	{Name: "dryRun", Kind: collection.Boolean, Required: true, Doc: "Whether this is what an import would do, and nothing was changed."},
	{Name: "applied", Kind: collection.Integer, Required: true, Doc: "Rows that shipped goods."},
	{Name: "unchanged", Kind: collection.Integer, Required: true, Doc: "Rows that changed nothing."},
	{Name: "skipped", Kind: collection.Integer, Required: true, Doc: "Rows without a tracking number."},
	{Name: "errors", Kind: collection.Array, Required: true, Fields: RowNoteFields, Doc: "Rejected rows with the reason: the first 1,000."},
	{Name: "moreErrors", Kind: collection.Integer, Required: true, Doc: "Rejected rows beyond those in errors."},
	{
		Name: "warnings", Kind: collection.Array, Required: true, Fields: RowNoteFields,
		Doc: "Applied rows that need a review: the first 1,000.",
	},
	{Name: "moreWarnings", Kind: collection.Integer, Required: true, Doc: "Such rows beyond those in warnings."},
	{Name: "rows", Kind: collection.Array, Required: true, Fields: rowFields, Doc: "What became of each row, in the order of the file. Of more than 10,000, those that were refused, and as many of the first others as there is room for."},
	{Name: "moreRows", Kind: collection.Integer, Required: true, Doc: "Rows beyond those in rows."},
}

// refusedRow is a row that err refuses.
func refusedRow(x matchedRow, err error) RowResult {
	r := resultOf(x, RowRefused)
	r.Note = fault.From(err)
	return r
}

// resultOf is a row of which this became.
func resultOf(x matchedRow, status RowStatus) RowResult {
	return RowResult{Status: status, entry: x.Entry, order: x.order, fulfillmentOrder: x.fulfillmentOrder, orderNumber: x.orderNumber}
}

// shipping is r with the units that leave, by the fulfillment order before and after it.
func (r RowResult) shipping(before, after order.OrderFulfillment) RowResult {
	r.left = unshipped(after, r.fulfillmentOrder)
	r.units = unshipped(before, r.fulfillmentOrder) - r.left
	return r
}

// unshipped is how many units of a fulfillment order have not left.
func unshipped(g order.OrderFulfillment, id string) (units int64) {
	for _, w := range g.FulfillmentOrders {
		for _, l := range w.Lines {
			if w.ID == id {
				units += l.Quantity - l.Done
			}
		}
	}
	return units
}

func noteOf(x RowResult) RowNote {
	return RowNote{x.entry.Row, x.Note.Reason, refusalMessage(x.Note), x.Note.Data}
}

// object is the row in the body of a response, in a language.
func (r RowResult) object(l words.Language) reply.Object {
	number := carrier.Excerpt(r.entry.NumberCell)
	if r.Status == RowApplied || r.Status == RowUnchanged {
		number = r.entry.Tracking.Number
	}
	orderNumber, work := carrier.Excerpt(r.entry.OrderNumber), carrier.Excerpt(r.entry.FulfillmentOrder)
	o := reply.Object{
		{Name: "row", Value: r.entry.Row}, {Name: "status", Value: string(r.Status)}, {Name: "orderNumber", Value: first(r.orderNumber, orderNumber)},
		{Name: "order", Value: first(r.order)}, {Name: "fulfillmentOrder", Value: first(r.fulfillmentOrder, work)},
		{Name: "carrier", Value: first(carrier.Excerpt(r.entry.CarrierCell))}, {Name: "trackingNumber", Value: first(number)},
		{Name: "quantity", Value: r.units}, {Name: "left", Value: r.left},
	}
	if r.Note == nil {
		return append(o, reply.Member{Name: "reason"}, reply.Member{Name: "message"}, reply.Member{Name: "data"})
	}
	n := noteOf(r)
	return append(o, reply.Member{Name: "reason", Value: n.Reason}, reply.Member{Name: "message", Value: n.message(l)}, n.dataMember())
}

func (n RowNote) message(l words.Language) string { return l.Because(n.Reason, n.Message, n.Data) }

// first is the first text that is not empty, or nil. What the shop keeps is told whole, what only stands in the file is shortened.
func first(texts ...string) any {
	for _, text := range texts {
		if text != "" {
			return text
		}
	}
	return nil
}

func notes(all []RowNote, l words.Language) reply.List {
	out := make(reply.List, len(all))
	for i, n := range all {
		out[i] = reply.Object{n.dataMember(), {Name: "message", Value: n.message(l)}, {Name: "reason", Value: n.Reason}, {Name: "row", Value: n.Row}}
	}
	return out
}

func (n RowNote) dataMember() reply.Member {
	if len(n.Data) == 0 {
		return reply.Member{Name: "data"}
	}
	facts := make(reply.Object, 0, len(n.Data))
	for _, name := range slices.Sorted(maps.Keys(n.Data)) {
		facts = append(facts, reply.Member{Name: name, Value: n.Data[name]})
	}
	return reply.Member{Name: "data", Value: facts}
}
