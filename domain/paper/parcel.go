package paper

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// PackingSlip is the list of what is in a parcel, for those who pack and unpack it: units of this parcel alone, without prices. f
// may be one that is yet to be packed.
func PackingSlip(l Language, s Shop, o order.Order, f order.Fulfillment) Document {
	w, to := l.words(), shipTo(o)
	d := Document{
		Language: l, Title: w.PackingSlip, Sender: s.Name, Logo: s.Logo, Mark: mark(w, o, parcelMark(w, o, f)), Barcode: o.Number,
		Facts: facts(
			Fact{w.OrderNumber, o.Number}, Fact{w.OrderDate, l.Date(o.PlacedAt, s.Zone)}, Fact{w.Carrier, w.Carriers[f.Tracking.Carrier]},
			Fact{w.TrackingNumber, f.Tracking.Number}, Fact{w.ShippedOn, l.Date(f.ShippedAt, s.Zone)},
		),
		Parties: []Block{{w.ShipTo, s.recipient(to)}, s.sender(w)},
		Columns: []Column{{w.SKU, 2, false}, {w.Item, 5, false}, {w.Options, 3, false}, {w.Quantity, 1, true}},
		Notes:   notes(Block{w.Message, paragraphs(to.DeliveryNote)}, s.returns(w), Block{w.ReturnPolicy, paragraphs(beginning(s.ReturnPolicy))}),
	}
	for _, it := range f.Items {
		line := lineOf(o, it.OrderLine)
		d.Rows = append(d.Rows, []Cell{
			{Text: line.SKU}, {Text: line.Title, Small: attributes(line)}, {Text: options(line)}, {Text: strconv.FormatInt(it.Quantity, 10)},
		})
	}
	return d
}

// ParcelLabel is what is stuck on a parcel.
func ParcelLabel(l Language, s Shop, o order.Order, f order.Fulfillment) Document {
	w, to := l.words(), shipTo(o)
	var units int64
	for _, it := range f.Items {
		units += it.Quantity
	}
	title := w.Carriers[f.Tracking.Carrier]
	if title == "" {
		title = w.Parcel
	}
	return Document{
		Language: l, Title: title, Sender: s.Name, Mark: mark(w, o, parcelMark(w, o, f)), Barcode: f.Tracking.Number,
		Parties: []Block{{w.To, s.recipient(to)}, s.sender(w)},
		Facts:   facts(Fact{w.OrderNumber, o.Number}, Fact{w.OrderDate, l.Date(o.PlacedAt, s.Zone)}, Fact{w.Units, strconv.FormatInt(units, 10)}),
		Notes:   notes(Block{w.Message, paragraphs(to.DeliveryNote)}),
	}
}

// AddressLabel is the label of a parcel that has no tracking number yet: the order number is its barcode.
func AddressLabel(l Language, s Shop, o order.Order, f order.Fulfillment) Document {
	d := ParcelLabel(l, s, o, f)
	d.Barcode = o.Number
	return d
}

// mark is what has to be seen first of a document of o: that it is a test, and what else there is to know.
func mark(w *words, o order.Order, more string) string {
	if o.Environment != tenant.Test {
		return more
	}
	return strings.Join(nonempty(w.Test, more), " · ")
}

// shipTo is where o goes. What the address does not say is the buyer's.
func shipTo(o order.Order) *address.Address {
	var a address.Address
	if o.Address != nil {
		a = *o.Address
	}
	if a.RecipientName == "" {
		a.RecipientName = o.Contact.Name
	}
	if a.Phone == "" {
		a.Phone = o.Contact.Phone
	}
	return &a
}

// parcelMark is why a parcel should not leave; "" for no reason.
func parcelMark(w *words, o order.Order, f order.Fulfillment) string {
	switch {
	case f.State == order.FulfillmentCanceled || o.Status == order.Canceled || o.Canceling():
		return w.Canceled
	case o.Hold != "" && f.State == order.FulfillmentPending:
		return w.OnHold
	}
	return ""
}

// returns says where goods go that come back.
func (s Shop) returns(w *words) Block {
	a := s.ReturnAddress
	if a == nil {
		a = s.Address
	}
	if a == nil {
		return Block{}
	}
	named := *a
	if named.RecipientName == "" {
		named.RecipientName = s.Name
	}
	if named.Phone == "" {
		named.Phone = s.Phone
	}
	return Block{w.ReturnTo, []string{strings.Join(s.recipient(&named), ", ")}}
}

// lineOf is the line of o called id; a line without text if there is none.
func lineOf(o order.Order, id string) order.Line {
	if i := slices.IndexFunc(o.Lines, func(l order.Line) bool { return l.ID == id }); i >= 0 {
		return o.Lines[i]
	}
	return order.Line{}
}

// options is the variant of a line, unless it is the product itself.
func options(l order.Line) string {
	if l.VariantTitle == l.Title {
		return ""
	}
	return l.VariantTitle
}

// attributes are the choices of the shopper, and the people of an event.
func attributes(l order.Line) (lines []string) {
	for _, name := range slices.Sorted(maps.Keys(l.Attributes)) {
		lines = append(lines, name+": "+l.Attributes[name])
	}
	for _, a := range l.Admissions {
		lines = append(lines, a.Name)
	}
	return nonempty(lines...)
}

// facts are those that are known.
func facts(all ...Fact) []Fact {
	return slices.DeleteFunc(all, func(f Fact) bool { return f.Value == "" })
}

// notes are those that say something.
func notes(all ...Block) []Block {
	return slices.DeleteFunc(all, func(b Block) bool { return len(b.Lines) == 0 })
}

// paragraphs are the lines of a text that has its own.
func paragraphs(text string) []string {
	lines := strings.FieldsFunc(text, func(r rune) bool { return r == '\n' || r == '\r' })
	for i := range lines {
		lines[i] = strings.TrimSpace(lines[i])
	}
	return nonempty(lines...)
}

// maxPolicy is how many characters of a policy are printed.
const maxPolicy = 1200

// beginning is as much of a policy as fits on a packing slip.
func beginning(policy string) string {
	letters := []rune(policy)
	if len(letters) <= maxPolicy {
		return policy
	}
	return strings.TrimSpace(string(letters[:maxPolicy])) + "…"
}
