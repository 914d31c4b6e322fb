// Package draft is an order that an operator puts together by hand and then makes real. Spec 3.1, 4.4; Contract 9.
//
// Decisions of our own, where specification and contract are silent:
//
//   - A draft takes an email of any form: finalize is where it has to be good. One that is left out is the customer's own.
//   - Lines of the same variant stay apart, as they were typed in; what they ask for adds up when stock is looked at.
//   - Lines have ids, so that refusals can name them. An event is sold without naming who comes: drafts know no admissions.
//   - A fee for delivery that the operator gives stands as it is, beside a code for free shipping too. Where nothing ships
//     there is none, whatever the draft says. Spec 3.4 rule 1.
//   - Totals are those of the order and stand in the draft from finalize on; before, calculate tells them.
//   - Calculate answers for a draft in any state what its lines come to now. What cannot be sold has no price and is left
//     out of the sums; what there is too little of counts.
//   - The order takes over the customer's notes. Those of operators stay here, where customers cannot read them.
//   - Discarding is final, for a discarded draft too: whoever repeats it under another key learns that it is over.
//   - A shop that sells in another currency is asked for its active market in KRW: the default one of several, else the
//     oldest.
package draft

import (
	"cmp"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Limits of a draft. Contract 9.
const (
	MaxLines    = 200
	MaxQuantity = 9999

	Currency money.Currency = "KRW" // of every draft; Spec 4.4
)

// Status is where a draft is. Spec 3.1.
type Status string

// The statuses.
const (
	Open      Status = "draft"
	Finalized Status = "finalized" // its order exists
	Discarded Status = "discarded"
)

// Line asks for units of a variant; the catalog says what they cost.
type Line struct {
	ID, Variant string
	Quantity    int64
}

// Buyer is who buys, as the operator wrote it down. Nothing of it need be good before finalize.
type Buyer struct {
	Customer           string // id; "" for a guest
	Name, Email, Phone string
}

// Draft is what a draft order says.
type Draft struct {
	ID          string
	Tenant      tenant.ID
	Environment tenant.Environment
	Status      Status
	Lines       []Line
	Buyer       Buyer
	Address     collection.Record // by shipping.AddressFields; nil while nothing of it is known
	Code        string            // discount code in its normal form; "": none
	Fee         *money.Money      // for delivery; nil: what the shop's policies say
	Notes       string            // the customer's
}

// FromRecord reads a draft as its collection keeps it.
func FromRecord(r collection.Record) Draft {
	contact := r.Group("customerSnapshot")
	d := Draft{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")), Status: Status(r.Text("status")),
		Buyer: Buyer{Customer: r.Text("customer"), Name: contact.Text("name"), Email: contact.Text("email"), Phone: contact.Text("phone")},
		Code:  discount.Normal(r.Text("discountCode")), Notes: r.Text("customerNotes"),
	}
	for _, l := range r.Rows("lines") {
		d.Lines = append(d.Lines, Line{ID: l.ID(), Variant: l.Text("variant"), Quantity: l.Int("quantity")})
	}
	if fee, given := r.Money("shippingFee"); given {
		d.Fee = &fee
	}
	address := r.Group("shippingAddress")
	for name := range address {
		if strings.TrimSpace(address.Text(name)) != "" {
			d.Address = address
		}
	}
	return d
}

// Complete is b with what the customer's own record says where the operator wrote nothing; nil changes nothing.
func (b Buyer) Complete(customer collection.Record) Buyer {
	for to, name := range map[*string]string{&b.Name: "name", &b.Email: "email", &b.Phone: "phone"} {
		if *to = strings.TrimSpace(*to); *to == "" {
			*to = customer.Text(name)
		}
	}
	b.Email = strings.ToLower(b.Email)
	return b
}

// CheckEmail refuses an email that nobody can be written to. Spec 3.1 rule 3. Errors: ErrEmail.
func (b Buyer) CheckEmail() error {
	if collection.ValidEmail(b.Email) {
		return nil
	}
	return ErrEmail
}

// Counted is who discount uses are counted for: the customer, or the email of a guest. Contract 6.
func (b Buyer) Counted() string { return cmp.Or(b.Customer, b.Email) }

// Variants are those of the lines.
func (d Draft) Variants() []string {
	out := make([]string, len(d.Lines))
	for i, l := range d.Lines {
		out[i] = l.Variant
	}
	return out
}

// Codes is the discount code as a list.
func (d Draft) Codes() []string { return discount.NormalList([]string{d.Code}) }

// demand is how many units of each variant the lines ask for together.
func (d Draft) demand() map[string]int64 {
	demands := make([]inventory.Demand, len(d.Lines))
	for i, l := range d.Lines {
		demands[i] = inventory.Demand{Variant: l.Variant, Quantity: l.Quantity}
	}
	sum := map[string]int64{}
	for _, x := range inventory.Sum(demands) {
		sum[x.Variant] = x.Quantity
	}
	return sum
}
