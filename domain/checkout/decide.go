package checkout

import (
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/sale"
)

// Create makes an open checkout at now of draft, whose lines and totals are priced already. home is the shop's country; "" if it is
// unknown. Errors: fault.ErrValidation for an invalid email or address, ErrTooLarge.
func Create(draft Checkout, home string, now time.Time) (Checkout, error) {
	c := draft
	c.Contact.Email = strings.ToLower(strings.TrimSpace(c.Contact.Email))
	if !collection.ValidEmail(c.Contact.Email) {
		return Checkout{}, fault.Invalidf("email", "This field takes an email address.")
	}
	if !c.RequiresShipping() {
		c.Address = nil // Rule shipping-1: nothing ships, so no address is stored
	}
	if c.Address != nil {
		to := c.Address.Complete(home)
		c.Address = &to
	}
	c.Contact = c.Contact.Complete(sale.CountryOf(c.Address, home))
	if err := CheckAddress(c.Address, home); err != nil {
		return Checkout{}, err
	}
	if c.Size() > MaxBytes {
		return Checkout{}, ErrTooLarge.WithData("limit", int64(MaxBytes))
	}
	c.Status = Open
	c.ExpiresAt = collection.TruncateTime(now.Add(Lifetime))
	return c, nil
}

// Size is how many bytes of JSON the buyer put into c, those of its cart included. What the catalog says of the goods is
// not counted, as in carts: a cart that is not too large can be checked out.
func (c Checkout) Size() int {
	size := collection.StringSize(c.Contact.Name) + collection.StringSize(c.Contact.Email) + collection.StringSize(c.Contact.Phone) +
		collection.StringSize(c.Notes) + collection.StringSize(c.OrderNumber) + collection.StringSize(c.PaymentID)
	if c.Address != nil {
		size += c.Address.Size()
	}
	for _, code := range c.Codes {
		size += collection.StringSize(code.Code)
	}
	for _, l := range c.Lines {
		size += sale.ContentSize(l.Admissions, l.Attributes)
	}
	return size
}

// CheckAddress reports the missing and invalid fields of a shippingAddress. No address is valid here. home is the shop's country; "" if
// it is unknown. Errors: fault.ErrValidation. Rule addresses-2.
func CheckAddress(a *address.Address, home string) error {
	if a == nil {
		return nil
	}
	problems := a.Check(home)
	if len(problems) == 0 {
		return nil
	}
	for i := range problems {
		problems[i].Field = "shippingAddress." + problems[i].Field
	}
	return fault.ErrValidation.WithFields(problems...)
}

// CheckPayable reports why c cannot be paid at now, or nil. Errors: those of ExpiredError, ErrNotOpen, ErrAddressRequired.
func (c Checkout) CheckPayable(now time.Time) error {
	switch c.StatusAt(now) {
	case Open, PaymentPending:
	case Expired:
		return c.ExpiredError()
	default:
		return ErrNotOpen
	}
	if c.RequiresShipping() && c.Address == nil {
		return ErrAddressRequired
	}
	return nil
}

// ExpiredError refuses what c has expired for, with what its buyer can do. Errors: ErrExpired, ErrLinkExpired.
func (c Checkout) ExpiredError() error {
	if c.Draft != "" {
		return ErrLinkExpired
	}
	return ErrExpired
}

// TakeSlot returns c with its payment slot held by session.
func (c Checkout) TakeSlot(session string) Checkout {
	c.Status, c.SlotHeld, c.Session = PaymentPending, true, session
	return c
}

// ReleaseSlot returns c after session released the slot at now: open again, or expired. A checkout whose slot
// session does not hold is returned unchanged.
func (c Checkout) ReleaseSlot(session string, now time.Time) Checkout {
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

// Supersede returns c after another checkout of its cart took its place. One that requires attention still
// does.
func (c Checkout) Supersede(by ID) Checkout {
	if c.Status != RequiresAttention {
		c.Status = Canceled
	}
	c.SlotHeld, c.SupersededBy = false, by
	return c
}

// Expire returns c after it expired without a payment in progress.
func (c Checkout) Expire() Checkout {
	c.Status = Expired
	return c
}

// Complete returns c with its order placed.
func (c Checkout) Complete(order string) Checkout {
	c.Status, c.SlotHeld, c.Order, c.AttentionCase = Completed, false, order, AttentionCase{}
	return c
}
