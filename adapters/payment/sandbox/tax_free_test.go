package sandbox_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// capturedTaxFree is a captured payment of 15000 KRW of which taxFree is tax-free.
func (s *shop) capturedTaxFree(t *testing.T, taxFree int64) registered {
	t.Helper()
	p := registered{PaymentRequest: request(fmt.Sprint("TaxFree", counter.Add(1)))}
	p.Kind, p.TaxFree = domain.Hosted, money.Of(taxFree, "KRW")
	if _, err := s.send(t.Context(), "key-"+p.PaymentID, p.prepare()); err != nil {
		t.Fatal(err)
	}
	s.authorize(t, map[string]any{"orderId": p.PaymentID, "outcome": "approve"})
	return p
}

// taxFreeParts are the tax-free parts of a payment and of its refunds, as the provider shows them.
func (s *shop) taxFreeParts(t *testing.T, p registered) (parts []int64) {
	t.Helper()
	_, body := s.call(t, http.MethodGet, "/v1/payments/"+p.PaymentID, nil)
	var shown struct {
		TaxFree int64
		Refunds []struct{ TaxFree int64 }
	}
	if err := json.Unmarshal(body, &shown); err != nil {
		t.Fatal(err)
	}
	parts = append(parts, shown.TaxFree)
	for _, r := range shown.Refunds {
		parts = append(parts, r.TaxFree)
	}
	return parts
}

func TestRefundsTakeNoMoreThanTheTaxFreePart(t *testing.T) {
	t.Parallel()
	s := open(t)
	p := s.capturedTaxFree(t, 4000)
	refund := func(amount, taxFree, left, taxFreeLeft int64) error {
		krw := func(n int64) money.Money { return money.Of(n, "KRW") }
		_, err := s.send(t.Context(), fmt.Sprint("key-", p.PaymentID, amount, taxFree), ports.RefundRequest{
			PaymentRef: p.ref(), Captured: p.Amount, Amount: krw(amount), Remaining: krw(left), TaxFree: krw(taxFree),
			RemainingTaxFree: krw(taxFreeLeft), Reason: "one item returned",
		})
		return err
	}
	// A shop that is wrong about what is left.
	wantCode(t, refund(5000, 4001, 15000, 5000), "TAX_FREE_EXCEEDS_REMAINING")
	wantCode(t, refund(11_500, 499, 15000, 3000), "TAX_FREE_EXCEEDS_REMAINING") // 11000 are taxed
	if err := refund(3000, 3000, 15000, 4000); err != nil {
		t.Fatal(err)
	}
	if status, body := s.call(t, http.MethodPost, "/sandbox/refunds", fmt.Appendf(nil,
		`{"paymentId":%q,"outcome":"console","amount":6000}`, p.PaymentID)); status != http.StatusOK {
		t.Fatalf("%d %s", status, body)
	}
	if err := refund(6000, 500, 6000, 500); err != nil {
		t.Fatal(err)
	}
	if got := s.taxFreeParts(t, p); !slices.Equal(got, []int64{4000, 3000, 500, 500}) {
		t.Errorf("%v", got)
	}
}

// A payment without such a part is requested in the same words as ever.
func TestRequestsWithoutATaxFreePartDoNotMentionIt(t *testing.T) {
	t.Parallel()
	s := open(t)
	for _, r := range []ports.ProviderRequest{
		ports.PrepareRequest{PaymentRequest: request("Payment0")},
		ports.RefundRequest{Amount: money.Of(1, "KRW"), Remaining: money.Of(1, "KRW"), Reason: "x"},
	} {
		if body, err := s.provider.Build(s.conn, r); err != nil || strings.Contains(string(body), "taxFree") {
			t.Errorf("%s %v", body, err)
		}
	}
}
