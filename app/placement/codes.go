package placement

import (
	"context"

	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/ports"
)

// discountsOf reads the discounts of the codes of c as this transaction sees them, by id.
func discountsOf(ctx context.Context, tx ports.Tx, c checkout.Checkout) (map[string]*discount.Discount, error) {
	if len(c.Codes) == 0 {
		return nil, nil
	}
	ids := make([]string, len(c.Codes))
	for i, code := range c.Codes {
		ids[i] = code.Discount
	}
	rows, err := tx.Records.GetMany(ctx, discount.Schema, ids, nil)
	if err != nil {
		return nil, err
	}
	found := make(map[string]*discount.Discount, len(rows))
	for id, r := range rows {
		found[id] = discount.FromRecord(r, c.Currency)
	}
	return found, nil
}

// CheckCodes refuses a sale with a code that was deleted, renamed or switched off since it was priced. What a
// code takes off stays as it was priced. Errors: discount.ErrNotFound, discount.ErrInactive, with Data "code".
// Rule discounts-15.
func CheckCodes(ctx context.Context, tx ports.Tx, c checkout.Checkout) error {
	found, err := discountsOf(ctx, tx, c)
	if err != nil {
		return err
	}
	for _, code := range c.Codes {
		switch d := found[code.Discount]; {
		case d == nil, d.Code != code.Code:
			return discount.ErrNotFound.WithData("code", code.Code)
		case !d.Active:
			return discount.ErrInactive.WithData("code", code.Code)
		}
	}
	return nil
}

// DiscountUses is the discount uses that an order of c counts, with the limits that this transaction sees. A
// discount that was deleted limits nothing. Rule discounts-15.
func DiscountUses(ctx context.Context, tx ports.Tx, c checkout.Checkout) ([]ports.DiscountUse, error) {
	found, err := discountsOf(ctx, tx, c)
	if err != nil {
		return nil, err
	}
	out := make([]ports.DiscountUse, len(c.Codes))
	for i, code := range c.Codes {
		out[i] = ports.DiscountUse{Code: code.Code, Discount: code.Discount, Customer: c.DiscountCustomer()}
		if d := found[code.Discount]; d != nil {
			out[i].Limit, out[i].PerCustomerLimit = d.UsageLimit, d.PerCustomerLimit
		}
	}
	return out, nil
}

// DiscountRefs are the records that CheckCodes and DiscountUses read.
func DiscountRefs(c checkout.Checkout) (refs []ports.Ref) {
	for _, code := range c.Codes {
		refs = append(refs, ports.Ref{Schema: discount.Schema, ID: code.Discount})
	}
	return refs
}
