package cartwright

import "context"

// AddressService tells how addresses are asked for.
type AddressService struct{ core *core }

// Format is the form for an address in a country, the shop's own if in.Country is empty: its fields in order, and the countries
// that the shop ships to.
func (s *AddressService) Format(ctx context.Context, in AddressFormatInput, opts ...Option) (out AddressFormatResult, err error) {
	_, err = s.core.call(ctx, opAddressFormat, in, &out, opts)
	return out, err
}
