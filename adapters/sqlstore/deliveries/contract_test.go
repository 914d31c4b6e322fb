package deliveries_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/stores"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestDeliveries(t *testing.T) {
	stores.OnBoth(t, func(t *testing.T, open stores.Opener) {
		portstest.Deliveries(t, func(t *testing.T) portstest.DeliveriesFixture {
			s, _ := open(t, portstest.DeliverySchemas()...)
			return portstest.DeliveriesFixture{Store: s, Deliveries: s.Deliveries(), Number: stores.Number(s)}
		})
	})
}
