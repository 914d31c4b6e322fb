package checkout

import (
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

// Create freezes draft, whose lines and totals are priced already, at now. Errors: fault.ErrValidation for an unusable
// email or address.
func Create(draft Checkout, now time.Time) (Checkout, error) {
	c := draft
	c.Contact.Email = strings.ToLower(strings.TrimSpace(c.Contact.Email))
	if !collection.ValidEmail(c.Contact.Email) {
		return Checkout{}, fault.Invalidf("email", "This field takes an email address.")
	}
	if !c.RequiresShipping() {
		c.Address = nil // Spec 3.4 rule 1: nothing ships, nothing to know
	}
	if err := c.checkAddress(); err != nil {
		return Checkout{}, err
	}
	c.Status = Open
	c.ExpiresAt = collection.Instant(now.Add(Lifetime))
	return c, nil
}

// checkAddress asks for what a carrier needs.
func (c Checkout) checkAddress() error {
	if c.Address == nil {
		return nil
	}
	var missing []fault.Field
	for _, f := range []struct{ name, value string }{
		{"recipientName", c.Address.RecipientName}, {"postalCode", c.Address.PostalCode}, {"address1", c.Address.Address1},
	} {
		if strings.TrimSpace(f.value) == "" {
			missing = append(missing, fault.Field{Field: "shippingAddress." + f.name, Message: "This field is required."})
		}
	}
	if c.Address.PostalCode != "" && !shipping.ValidPostalCode(c.Address.PostalCode) {
		missing = append(missing, fault.Field{Field: "shippingAddress.postalCode", Message: "A postal code has five digits."})
	}
	if len(missing) > 0 {
		return fault.ErrValidation.In(missing...)
	}
	return nil
}

// Payable reports why c cannot be paid at now, or nil. Errors: ErrExpired, ErrNotOpen, ErrAddressRequired.
func (c Checkout) Payable(now time.Time) error {
	switch c.StatusAt(now) {
	case Open, PaymentPending:
	case Expired:
		return ErrExpired
	default:
		return ErrNotOpen
	}
	if c.RequiresShipping() && c.Address == nil {
		return ErrAddressRequired
	}
	return nil
}

// TakeSlot is c with its payment slot held by session.
func (c Checkout) TakeSlot(session string) Checkout {
	c.Status, c.SlotHeld, c.Session = PaymentPending, true, session
	return c
}

// FreeSlot is c after session let go of the slot, as seen at now. A checkout whose slot another session holds, or which
// is over, is left alone.
func (c Checkout) FreeSlot(session string, now time.Time) Checkout {
	if c.Session != session || !c.SlotHeld {
		return c
	}
	c.SlotHeld = false
	if c.Status == PaymentPending {
		c.Status = Open
		c.Status = c.StatusAt(now)
	}
	return c
}

// Supersede is c after a newer checkout of its cart took its place.
func (c Checkout) Supersede(by ID) Checkout {
	c.Status, c.SupersededBy = Canceled, by
	return c
}

// Expire is c after its time ran out without a payment under way.
func (c Checkout) Expire() Checkout {
	c.Status = Expired
	return c
}

// Complete is c with its order placed.
func (c Checkout) Complete(order string) Checkout {
	c.Status, c.SlotHeld, c.Order, c.Case = Completed, false, order, Case{}
	return c
}
