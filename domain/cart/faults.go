package cart

import "github.com/cartwright-dev/cartwright/domain/fault"

// The refusals of carts. Rule api-14.
var (
	ErrRevisionConflict = fault.New(fault.Conflict, "cart_revision_conflict",
		"The cart changed since you read it. Read it again and repeat the change with a new key.")
	ErrMarketMismatch   = fault.New(fault.Conflict, "cart_market_mismatch", "The cart belongs to another market.")
	ErrCustomerMismatch = fault.New(fault.Conflict, "cart_customer_mismatch", "The carts belong to different customers.")
	ErrNotActive        = fault.New(fault.Conflict, "cart_not_active", "This cart can no longer be changed.")
	ErrLineLimit        = fault.New(fault.Unprocessable, "cart_line_limit", "A cart holds at most 200 lines.")
	ErrQuantityLimit    = fault.New(fault.Unprocessable, "quantity_limit", "A line holds at most 9999 units.")
	ErrLineNotFound     = fault.New(fault.NotFound, "line_not_found", "The cart has no such line.")
	ErrTooLarge         = fault.New(fault.Unprocessable, "cart_too_large",
		"The attributes, admissions and codes of this cart are too large.")
	ErrAdmissionsMismatch = fault.New(fault.Unprocessable, "admissions_mismatch",
		"Each unit of an event needs exactly one admission; other products take none.")
)
