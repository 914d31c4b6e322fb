package portone_test

import (
	"encoding/json"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment"
	"github.com/cartwright-dev/cartwright/adapters/payment/portone"
	"github.com/cartwright-dev/cartwright/adapters/payment/portone/portonefake"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// refundedTo are the accounts that refunds of a payment went to, each with the phone number of its holder.
func refundedTo(t *testing.T, f *portonefake.PortOne, id string) (all []domain.RefundAccount) {
	t.Helper()
	for _, one := range f.RefundedTo(id) {
		a, _ := one.(map[string]any)
		if a["holderPhoneNumber"] != "010-1234-5678" {
			t.Errorf("the holder's phone number is %v", a["holderPhoneNumber"])
		}
		var to domain.RefundAccount
		to.Bank, _ = a["bank"].(string)
		to.Account, _ = a["number"].(string)
		to.Holder, _ = a["holderName"].(string)
		all = append(all, to)
	}
	return all
}

func TestCancelNamesWhomPortOneAsks(t *testing.T) {
	t.Parallel()
	p := portone.New("http://127.0.0.1", payment.NewClient(payment.Limits{}, nil))
	for name, c := range map[string]struct {
		method string
		buyer  ports.Buyer
		want   any
	}{
		"Triple-A asks by e-mail":          {"Crypto", ports.Buyer{Email: "kim@shop.example"}, "kim@shop.example"},
		"no address is known":              {"Crypto", ports.Buyer{}, nil},
		"other gateways do not ask anyone": {"Card", ports.Buyer{Email: "kim@shop.example"}, nil},
	} {
		raw, err := p.Build(connection(), ports.RefundRequest{
			PaymentRef: ports.PaymentRef{PaymentID: "Payment1"}, Captured: money.Of(100, "KRW"), Amount: money.Of(100, "KRW"),
			Remaining: money.Of(100, "KRW"), Reason: "returned", Method: c.method, Buyer: c.buyer,
		})
		var call struct{ Body map[string]any }
		if err != nil || json.Unmarshal(raw, &call) != nil || call.Body["refundEmail"] != c.want || call.Body["refundAccount"] != nil {
			t.Errorf("%s: %s, %v", name, raw, err)
		}
	}
}
