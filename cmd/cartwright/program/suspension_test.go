package program

import (
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// What a buyer pays while the shop is suspended becomes an order, as the provider's webhook says, and its callers are refused
// until the shop goes on. Rule access-50.
func TestSuspendedShopSettlesPaymentsUnderWay(t *testing.T) {
	t.Parallel()
	s, ahead := startServerWithClock(t, nil)
	b := newBuyer(t, s.BaseURL, s.NewCredentials.TestSecretKey)
	opened := b.must("/payment-sessions/aggregator", fmt.Sprintf(
		`{"checkoutId": %q, "mode": "hosted_v2", "method": "CARD_KR", "redirectUrl": "https://shop.example/back"}`, b.checkout()))
	id := tenant.ID(s.NewCredentials.TenantID)
	system := onboarding.SystemPrincipal(tenant.Settings{ID: id}, tenant.Live)
	if _, err := s.suspension.Suspend(t.Context(), system, id, "unpaid"); err != nil {
		t.Fatal(err)
	}
	ahead.Add(int64(time.Second)) // as long as keys are remembered
	if status, answer := b.openSession("x"); status != http.StatusForbidden || textAt(answer, "errors", "0", "extensions", "reason") != "tenant_suspended" {
		t.Fatalf("%d %v", status, answer)
	}
	status, answer := requestJSON(t, "POST", s.BaseURL+"/sandbox/authorize",
		fmt.Sprintf(`{"sessionId": %q, "outcome": "approve"}`, textAt(opened, "paymentSession", "providerSessionId")))
	if status != http.StatusOK {
		t.Fatalf("%d %v", status, answer)
	}
	session := textAt(opened, "paymentSession", "id")
	var placed string
	waitUntil(t, func() bool {
		r, err := s.store.Read(ports.ForTenant(id)).Get(t.Context(), payment.Sessions, session)
		placed = r.Text("order")
		return err == nil && placed != ""
	})
	if _, err := s.suspension.Resume(t.Context(), system, id); err != nil {
		t.Fatal(err)
	}
	ahead.Add(int64(time.Second))
	if status, answer := requestJSON(t, "GET", s.BaseURL+"/api/orders/"+placed, "", b.key); answer["status"] != "paid" {
		t.Errorf("%d %v", status, answer)
	}
}
