package draft

import (
	"cmp"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/inventory"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Limits of a draft. Rule drafts-11.
const (
	MaxLines    = 200
	MaxQuantity = 9999
)

// Status is the state of a draft. Rule drafts-1.
type Status string

// The statuses.
const (
	Open      Status = "draft"
	Awaiting  Status = "awaiting_payment" // its payment link is out; the order is placed when it is paid
	Finalized Status = "finalized"        // its order exists
	Discarded Status = "discarded"
)

// Buyer is the buyer as the operator entered it. It is checked when the draft is finalized.
type Buyer struct {
	sale.Contact

	Customer string // id; "" for a guest
}

// Draft is the content of a draft order.
type Draft struct {
	ID           string
	Tenant       tenant.ID
	Environment  tenant.Environment
	Status       Status
	Currency     money.Currency // of all amounts
	Market       string         // id of the market that was named; "": the shop's own prices, or its market in Currency
	Lines        []sale.Line    // only ID, Variant, Quantity and Terms; the rest comes from the catalog
	Buyer        Buyer
	Address      *address.Address // nil if every part of it is blank
	DiscountCode string           // discount code in its normal form; "": none
	ShippingFee  *money.Money     // set by the operator; nil: by the tenant's policies
	Policy       string           // id of the shipping policy for all that ships; "": the products' own, else the default one
	Notes        string           // of the customer
	Assignment   team.Assignment
}

// FromRecord reads a draft from a record of Schema.
func FromRecord(r collection.Record) Draft {
	d := Draft{
		ID: r.ID(), Tenant: tenant.ID(r.Text("tenant")), Environment: tenant.Environment(r.Text("environment")),
		Status: Status(r.Text("status")), Currency: money.Currency(r.Text("currency")), Market: r.Text("market"),
		Buyer: Buyer{Contact: sale.ContactFrom(r.Group("customerSnapshot")), Customer: r.Text("customer")},
		Lines: sale.LinesFrom(r.Rows("lines")), DiscountCode: discount.NormalizeCode(r.Text("discountCode")),
		Notes: r.Text("customerNotes"), Policy: r.Text("shippingPolicy"), Assignment: team.AssignmentFrom(r),
	}
	if fee, given := r.Money("shippingFee"); given {
		d.ShippingFee = &fee
	}
	if to := r.Group("shippingAddress"); !isBlank(to) {
		d.Address = address.From(to)
	}
	return d
}

// CompletePhone is a draft's record with the buyer's number as E.164 beside what was typed, as it is dialed where the goods go, else in
// home, the shop's country; "" if it is unknown. It does not change r.
func CompletePhone(r collection.Record, home string) collection.Record {
	const buyer = "customerSnapshot"
	if r.Group(buyer) == nil {
		return r
	}
	r = r.Clone()
	r[buyer] = address.CompletePhone(r.Group(buyer), sale.CountryOf(address.From(r.Group("shippingAddress")), home))
	return r
}

// isBlank reports whether every text of r is blank.
func isBlank(r collection.Record) bool {
	for name := range r {
		if strings.TrimSpace(r.Text(name)) != "" {
			return false
		}
	}
	return true
}

// WithDefaults returns b with the empty parts filled from the customer's record, which may be nil.
func (b Buyer) WithDefaults(customer collection.Record) Buyer {
	for to, name := range map[*string]string{&b.Name: "name", &b.Email: "email", &b.Phone: "phone"} {
		if *to = strings.TrimSpace(*to); *to == "" {
			*to = customer.Text(name)
		}
	}
	b.Email = strings.ToLower(b.Email)
	return b
}

// CheckEmail refuses an invalid email. Rule drafts-3. Errors: ErrEmail.
func (b Buyer) CheckEmail() error {
	if collection.ValidEmail(b.Email) {
		return nil
	}
	return ErrEmail
}

// DiscountCustomer identifies the buyer whose discount uses are counted: the customer's id, or the email of a
// guest. Rule discounts-6.
func (b Buyer) DiscountCustomer() string { return cmp.Or(b.Customer, b.Email) }

// Variants lists the variants of the lines.
func (d Draft) Variants() []string {
	out := make([]string, len(d.Lines))
	for i, l := range d.Lines {
		out[i] = l.Variant
	}
	return out
}

// Codes returns the discount code as a list.
func (d Draft) Codes() []string { return discount.NormalizeCodes([]string{d.DiscountCode}) }

// unitsByVariant adds up the quantities of the lines per variant.
func (d Draft) unitsByVariant() map[string]int64 {
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
