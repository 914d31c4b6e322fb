package stripe_test

import (
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment/stripe/stripefake"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestAmountRoundTrip(t *testing.T) {
	t.Parallel()
	for name, rule := range map[string]struct {
		ours   money.Money
		theirs int64 // 0: refused without a call
	}{
		"won have no fraction":                    {money.Of(15000, "KRW"), 15000},
		"yen have no fraction":                    {money.Of(500, "JPY"), 500},
		"dollars are cents":                       {money.Of(1999, "USD"), 1999},
		"dinars are thousandths":                  {money.Of(5120, "KWD"), 5120},
		"dinars end in zero":                      {money.Of(5124, "KWD"), 0},
		"krónur are hundredths there":             {money.Of(5, "ISK"), 500},
		"shillings are hundredths there":          {money.Of(5000, "UGX"), 500000},
		"ariary are whole there":                  {money.Of(150000, "MGA"), 1500},
		"fractions of an ariary are refused":      {money.Of(150050, "MGA"), 0},
		"a currency of four digits":               {money.Of(10000, "CLF"), 0},
		"an unsupported currency of three digits": {money.Of(1000, "IQD"), 0},
		"no currency":                             {money.Of(1000, "XXX"), 0},
		"nothing":                                 {money.Of(0, "USD"), 0},
		"a negative amount":                       {money.Of(-5, "USD"), 0},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			got, err := s.send("key-prepare", 1, ports.PrepareRequest{PaymentRequest: request(rule.ours)})
			if rule.theirs == 0 {
				if code(err) != "invalid_charge_amount" || len(s.PostedRequests()) > 0 {
					t.Errorf("got %v %v", got, err)
				}
				return
			}
			if err != nil || s.Sessions[0].Total != rule.theirs {
				t.Fatalf("asked for %d, %v, want %d", s.Sessions[0].Total, err, rule.theirs)
			}
			ref := ports.PaymentRef{PaymentID: "Payment1", ProviderSessionID: got.Prepared.SessionID}
			if back := s.want(t, ref, ports.ProviderOpen); back.Amount != rule.ours {
				t.Errorf("came back as %v", back.Amount)
			}
		})
	}
}

func TestForeignAmountNeedsAttention(t *testing.T) {
	t.Parallel()
	for name, change := range map[string]func(*stripefake.Session){
		"a fraction of a króna":           func(c *stripefake.Session) { c.Currency, c.Received = "isk", 550 },
		"a currency of four digits":       func(c *stripefake.Session) { c.Currency = "clf" },
		"an unknown currency":             func(c *stripefake.Session) { c.Currency = "xyz" },
		"an overflowing amount":           func(c *stripefake.Session) { c.Received = 1 << 60 },
		"an overflowing amount of ariary": func(c *stripefake.Session) { c.Currency, c.Received = "mga", money.Max },
		"a negative amount":               func(c *stripefake.Session) { c.Received = -1 },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := open(t)
			ref := s.paid(t)
			s.ChangeSession(ref.ProviderSessionID, change)
			s.want(t, ref, ports.ProviderUnknown)
		})
	}
}
