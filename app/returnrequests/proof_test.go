package returnrequests_test

import (
	"errors"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/testservers/paymentbed"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Whoever names an account with a return names where its refund goes.
func TestReturnsWithAnAccountTakeAProof(t *testing.T) {
	onBothDatabases(t, func(t *testing.T, b *bed) {
		in := b.ReturnInput(b.DeliveredOrder("mug"), 1)
		in.RefundAccount = &payment.RefundAccount{Bank: "088", Account: "110123456789", Holder: "Kim Jiwoo"}
		c := b.Server(paymentbed.Key(), "returnRequests.create", in.Order)
		c.Principal = tenant.Principal{Kind: tenant.User, ID: "u", Role: tenant.Admin, Tenant: b.Shop, Environment: tenant.Test, Stale: true}
		create := func() error { return paymentbed.Outcome(b.Returns.Create(t.Context(), c, in)) }
		if err := create(); !errors.Is(err, tenant.ErrReauthenticate) {
			t.Errorf("in a stale session: %v", err)
		}
		c.Principal.Stale = false
		if err := create(); err != nil {
			t.Errorf("proven, under the same key: %v", err)
		}
	})
}
