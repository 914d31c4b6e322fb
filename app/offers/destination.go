package offers

import (
	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/shipping"
)

// Destination is where a parcel to a goes, whose shop is in home; "" if that is unknown.
func (f Facts) Destination(a address.Address, home string) *shipping.Destination {
	if f.Market == nil {
		return shipping.To(a, home, nil)
	}
	return shipping.To(a, home, f.Market.Countries)
}
