package order

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

// ErrAddressFixed says that the goods are not waiting for an address any more. Rule orders-24.
var ErrAddressFixed = fault.New(fault.Conflict, "address_not_editable",
	"The order was shipped, or has ended: its address stays as it was.")

// Correct is an order's record after an operator edited it, from before to next, with what follows from the edit: the buyer is
// who the new email names, and the order keeps what it replaces in formerEmails. The address can be corrected until the order is
// shipped, and neither it nor the email can be removed. It changes neither record. home is the shop's country; "" if it is unknown.
// Errors: fault.ErrValidation, ErrAddressFixed.
// Rule orders-24.
func Correct(before, next collection.Record, home string) (collection.Record, error) {
	if before.Text("email") != "" && strings.TrimSpace(next.Text("email")) == "" {
		return next, fault.Invalidf("email", "The order keeps an email address: correct it, or leave it as it is.")
	}
	next, _ = address.CompleteIn(before, next, "shippingAddress", home)
	next = completePhone(next, home)
	if err := checkNewAddress(FromRecord(before), FromRecord(next), home); err != nil {
		return next, err
	}
	if before.Text("email") == next.Text("email") {
		return next, nil
	}
	next = next.Clone()
	buyer := collection.Record{}
	if known := next.Group("customerSnapshot"); known != nil {
		buyer = known.Clone()
	}
	buyer["email"] = next.Text("email")
	next["customerSnapshot"] = buyer
	former := formerEmails(before)
	if len(former) > maxFormerEmails {
		return next, fault.Invalidf("email", "The email of an order can be corrected to at most %d addresses.", maxFormerEmails)
	}
	next["formerEmails"] = former
	return next, nil
}

// completePhone is an order's record with the buyer's number as E.164: those of older versions had none.
func completePhone(next collection.Record, home string) collection.Record {
	const buyer = "customerSnapshot"
	known := next.Group(buyer)
	if known.Text("phone") == "" || known.Text("phoneE164") != "" {
		return next
	}
	next = next.Clone()
	next[buyer] = address.CompletePhone(known, sale.CountryOf(address.From(next.Group("shippingAddress")), home))
	return next
}

// maxFormerEmails is how many addresses of an order can have been corrected.
const maxFormerEmails = 50

// formerEmails are the addresses of an order, each once, of which the one that it has is corrected now. What happened keeps all of
// them, and is found by them when their owner is erased. Rule access-63.
func formerEmails(before collection.Record) []string {
	all := slices.Clone(before.Texts("formerEmails"))
	for _, email := range []string{before.Group("customerSnapshot").Text("email"), before.Text("email")} {
		email = strings.ToLower(strings.TrimSpace(email))
		if email != "" && !collection.IsErasedEmail(email) && !slices.Contains(all, email) {
			all = append(all, email)
		}
	}
	return all
}

// checkNewAddress refuses an address of next that o cannot have any more, or that is incomplete: those of orders of other
// systems may be. Errors: fault.ErrValidation, ErrAddressFixed.
func checkNewAddress(o, next Order, home string) error {
	was, is := o.Address, next.Address
	switch {
	case was == nil && is == nil, was != nil && is != nil && *was == *is:
		return nil
	case !slices.Contains([]Status{Pending, Failed, Authorized, Paid, Preparing}, o.Status) || o.Canceling():
		return ErrAddressFixed.WithData("status", string(o.Status))
	case is == nil:
		return fault.Invalidf("shippingAddress", "The order keeps an address: correct it, or leave it as it is.")
	case o.Source == FromAPI:
		return nil
	}
	return checkout.CheckAddress(is, home)
}
