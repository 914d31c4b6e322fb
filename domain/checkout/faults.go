package checkout

import "github.com/cartwright-dev/cartwright/domain/fault"

// The refusals of checkouts. Rule api-14.
var (
	ErrAddressRequired = fault.New(fault.Unprocessable, "shipping_address_required",
		"This checkout has goods to ship and needs a shipping address.")
	ErrExpired = fault.New(fault.Conflict, "checkout_expired", "This checkout has expired. Create a new one from the cart.")
	// ErrLinkExpired is ErrExpired for who was sent a payment link: they have no cart.
	ErrLinkExpired = fault.New(fault.Conflict, "payment_link_expired", "This payment link has expired. Ask the shop for a new one.")
	ErrOffered     = fault.New(fault.Conflict, "checkout_offered_by_shop",
		"The shop put this order together, for this address and this price. Ask the shop to change it.")
	ErrNotOpen         = fault.New(fault.Conflict, "checkout_not_open", "This checkout is no longer open.")
	ErrCartEmpty       = fault.New(fault.Unprocessable, "cart_empty", "The cart has no lines.")
	ErrPaymentRequired = fault.New(fault.Conflict, "payment_required", "This checkout has to be paid.")
	ErrTooLarge        = fault.New(fault.Unprocessable, "checkout_too_large", "The cart, address and notes of this checkout are too large.")
)
