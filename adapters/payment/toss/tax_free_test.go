package toss_test

import (
	"encoding/json"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment/toss"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// What Toss is sent and a browser is handed names the tax-free part, and nothing else changes with it: without such a part
// the bytes are those of before. Facts toss-23, toss-24.
func TestRequestsToTossNameTheTaxFreePart(t *testing.T) {
	t.Parallel()
	const prepare = `{"orderId":"Payment12345"}`
	const confirm = `{"paymentKey":"tgen_1","orderId":"Payment12345","amount":15000}`
	const action = `{"amount":{"amount":15000,"currency":"KRW"},"clientKey":"test_gck_docs_Ovk5rk1EwkEbP0W43n07xlzm",` +
		`"customerKey":"buyer_Payment12345","failUrl":"","orderId":"Payment12345","orderName":"Linen shirt","provider":"toss",` +
		`"setAmount":{"currency":"KRW","value":15000},"successUrl":"",`
	const actionEnd = `"type":"widget","version":"widget_v1"}`
	cancel := func(part string) string {
		return `{"paymentKey":"tgen_1","remaining":15000,"cancel":{"cancelReason":"one returned","cancelAmount":5000` + part + `}}`
	}
	p, won := toss.New("", nil), func(n int64) money.Money { return money.Of(n, "KRW") }
	for name, c := range map[string]struct {
		taxFree, refunded, left money.Money
		action, cancel          string
	}{
		"none":                       {money.Money{}, money.Money{}, money.Money{}, "", ""},
		"a part, taxed goods return": {won(4000), won(0), won(4000), `"taxFreeAmount":4000,`, ""},
		"a part that returns":        {won(4000), won(3999), won(4000), `"taxFreeAmount":4000,`, `,"taxFreeAmount":3999`},
		"all":                        {won(15000), won(5000), won(15000), `"taxFreeAmount":15000,`, `,"taxFreeAmount":5000`},
	} {
		r := request("Payment12345")
		r.TaxFree = c.taxFree
		refund := ports.RefundRequest{
			PaymentRef: ports.PaymentRef{PaymentID: "Payment12345", ProviderPaymentID: "tgen_1"}, Captured: won(15000), Amount: won(5000),
			Remaining: won(15000), TaxFree: c.refunded, RemainingTaxFree: c.left, Reason: "one returned",
		}
		for _, built := range []struct {
			of   ports.ProviderRequest
			want string
		}{
			{ports.PrepareRequest{PaymentRequest: r}, prepare}, {ports.ConfirmRequest{PaymentRequest: r, PaymentKey: "tgen_1"}, confirm},
			{refund, cancel(c.cancel)},
		} {
			if got, err := p.Build(connection(), built.of); err != nil || string(got) != built.want {
				t.Errorf("%s: %s, %v, want %s", name, got, err, built.want)
			}
		}
		act, err := p.Action(connection(), r, domain.Prepared{})
		if err != nil {
			t.Fatal(err)
		}
		if got, err := json.Marshal(act); err != nil || string(got) != action+c.action+actionEnd {
			t.Errorf("%s: %s, %v, want %s", name, got, err, action+c.action+actionEnd)
		}
	}
}
