package portone_test

import (
	"maps"
	"testing"

	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestCashReceiptAndEscrowAreReported(t *testing.T) {
	t.Parallel()
	d := open(t)
	ref := d.paid(t, "Payment1")
	if got := d.want(t, ref, ports.ProviderPaid); got.CashReceipt != nil || got.Escrow || got.ReceiptURL == "" {
		t.Errorf("a payment without: %+v", got)
	}
	d.fake.Escrow = map[string]any{"status": "BEFORE_REGISTERED"}
	issued := func(status string, more map[string]any) map[string]any {
		r := map[string]any{"status": status, "issueNumber": "123456789", "totalAmount": 15000, "currency": "KRW", "issuedAt": "2026-01-31T09:00:00Z"}
		maps.Copy(r, more)
		return r
	}
	for name, c := range map[string]struct {
		receipt map[string]any
		want    *domain.CashReceipt
	}{
		"of a person": {
			issued("ISSUED", map[string]any{"type": "PERSONAL", "url": "https://receipts.example/1"}),
			&domain.CashReceipt{Type: domain.CashReceiptPersonal, Number: "123456789", URL: "https://receipts.example/1"},
		},
		"of a company": {
			issued("ISSUED", map[string]any{"type": "CORPORATE", "url": "javascript:alert(1)"}),
			&domain.CashReceipt{Type: domain.CashReceiptCorporate, Number: "123456789"},
		},
		"no more than its number": {issued("ISSUED", nil), &domain.CashReceipt{Number: "123456789"}},
		"canceled":                {issued("CANCELLED", nil), nil},
	} {
		d.fake.CashReceipt = c.receipt
		got := d.want(t, ref, ports.ProviderPaid)
		if !got.Escrow || (got.CashReceipt == nil) != (c.want == nil) || c.want != nil && *got.CashReceipt != *c.want {
			t.Errorf("%s: %+v, escrow %v", name, got.CashReceipt, got.Escrow)
		}
	}
}
