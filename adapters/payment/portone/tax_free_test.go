package portone_test

import (
	"encoding/json"
	"math/rand/v2"
	"strconv"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/payment/portone"
	"github.com/cartwright-dev/cartwright/adapters/payment/portone/portonefake"
	"github.com/cartwright-dev/cartwright/domain/money"
	domain "github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/ports"
)

// mixed is a payment of an amount, a part of it tax-free.
func mixed(kind domain.Kind, amount, taxFree money.Money) ports.PaymentRequest {
	r := request("Payment1")
	r.Kind, r.Amount, r.TaxFree = kind, amount, taxFree
	return r
}

// withVAT is r with the VAT that the shop computed.
func withVAT(r ports.RefundRequest, vat money.Money) ports.RefundRequest {
	r.VAT = vat
	return r
}

// What PortOne is sent names the tax-free part and VAT, where it takes them, and nothing else changes with it: without such a
// part the bytes are those of before. Facts portone-29, portone-30.
func TestRequestsToPortOneNameTheTaxFreePart(t *testing.T) {
	t.Parallel()
	won := func(n int64) money.Money { return money.Of(n, "KRW") }
	cents := func(n int64) money.Money { return money.Of(n, "USD") }
	const store = portonefake.Store
	register := func(currency, part string) string {
		return `{"payment":"Payment1","path":"/payments/Payment1/pre-register","body":{"storeId":"` + store + `","totalAmount":15000,` + part +
			`"currency":"` + currency + `"}}`
	}
	page := `{"payment":"Payment1","path":"/payment-sessions","body":{"storeId":"` + store + `","paymentId":"Payment1","profileKey":"profile-key-1",` +
		`"country":"KR","currency":"KRW","totalAmount":15000,"orderName":"Linen shirt","paymentMethod":"PAY_PAL",` +
		`"redirectUrl":"https://shop.example/thanks","ttlSeconds":7200}}`
	cancel := func(parts string) string {
		return `{"payment":"Payment1","path":"/payments/Payment1/cancel","body":{` + parts + `"storeId":"` + store +
			`","amount":5000,"currentCancellableAmount":15000,"reason":"returned"}}`
	}
	refund := func(session string, of func(int64) money.Money, taxFree, left money.Money) ports.RefundRequest {
		return ports.RefundRequest{
			PaymentRef: ports.PaymentRef{PaymentID: "Payment1", ProviderSessionID: session}, Captured: of(15000), Amount: of(5000),
			Remaining: of(15000), TaxFree: taxFree, RemainingTaxFree: left, Reason: "returned",
		}
	}
	prepare := func(kind domain.Kind, amount, taxFree money.Money) ports.PrepareRequest {
		return ports.PrepareRequest{PaymentRequest: mixed(kind, amount, taxFree)}
	}
	p, none := portone.New("", nil), money.Money{}
	for name, c := range map[string]struct {
		of   ports.ProviderRequest
		want string
	}{
		"no part":                    {prepare(domain.Standard, won(15000), none), register("KRW", "")},
		"a part":                     {prepare(domain.Standard, won(15000), won(4000)), register("KRW", `"taxFreeAmount":4000,`)},
		"a part in dollars":          {prepare(domain.Standard, cents(15000), cents(4000)), register("USD", "")},
		"a page without a part":      {prepare(domain.Hosted, won(15000), none), page},
		"a page takes no part":       {prepare(domain.Hosted, won(15000), won(4000)), page},
		"refund without a part":      {refund("", won, none, none), cancel("")},
		"refund of taxed goods":      {refund("", won, won(0), won(4000)), cancel(`"taxFreeAmount":0,"vatAmount":455,`)}, // 1000 − 545
		"refund of tax-free goods":   {refund("", won, won(4000), won(4000)), cancel(`"taxFreeAmount":4000,"vatAmount":91,`)},
		"refund, all tax-free gone":  {refund("", won, won(0), won(0)), cancel(`"taxFreeAmount":0,"vatAmount":455,`)}, // 1364 − 909
		"refund with the shop's VAT": {withVAT(refund("", won, won(0), won(4000)), won(0)), cancel(`"taxFreeAmount":0,"vatAmount":0,`)},
		"refund in dollars":          {refund("", cents, cents(1000), cents(4000)), cancel("")},
		"refund of a page":           {refund("session-1", won, won(1000), won(4000)), cancel("")},
		"refund of all that is free": {refund("", won, won(5000), won(15000)), cancel(`"taxFreeAmount":5000,"vatAmount":0,`)},
	} {
		if got, err := p.Build(connection(), c.of); err != nil || string(got) != c.want {
			t.Errorf("%s: %s, %v, want %s", name, got, err, c.want)
		}
	}
}

// Fact portone-29.
func TestActionNamesTheTaxFreePartAndVAT(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		amount, taxFree money.Money
		vat             money.Money // that the shop computed
		want            string
	}{
		"none":       {money.Of(15000, "KRW"), money.Money{}, money.Money{}, `{"taxFreeAmount":null,"vatAmount":null}`},
		"a part":     {money.Of(13026, "KRW"), money.Of(4000, "KRW"), money.Money{}, `{"taxFreeAmount":4000,"vatAmount":821}`}, // 820.5…
		"all":        {money.Of(15000, "KRW"), money.Of(15000, "KRW"), money.Money{}, `{"taxFreeAmount":15000,"vatAmount":0}`},
		"in dollars": {money.Of(15000, "USD"), money.Of(4000, "USD"), money.Of(1000, "USD"), `{"taxFreeAmount":null,"vatAmount":null}`},
		"computed":   {money.Of(13026, "KRW"), money.Of(4000, "KRW"), money.Of(7, "KRW"), `{"taxFreeAmount":4000,"vatAmount":7}`},
	} {
		r := mixed(domain.Standard, c.amount, c.taxFree)
		r.VAT = c.vat
		act, err := portone.New("", nil).Action(connection(), r, domain.Prepared{})
		if err != nil {
			t.Fatal(err)
		}
		all := act.(map[string]any)
		got, err := json.Marshal(map[string]any{"taxFreeAmount": all["taxFreeAmount"], "vatAmount": all["vatAmount"]})
		if err != nil || string(got) != c.want {
			t.Errorf("%s: %s %v, want %s", name, got, err, c.want)
		}
	}
}

// The VAT of the cancels of a payment is that of the payment, whatever is refunded in which order; the fake refuses more than
// is left and computes another one itself.
func TestVATOfRefundsAddsUpToThatOfThePayment(t *testing.T) {
	t.Parallel()
	d, random := open(t), rand.New(rand.NewPCG(21, 8))
	for n := range 200 {
		total := 1 + random.Int64N(2000)
		r := mixed(domain.Standard, money.Of(total, "KRW"), money.Of(1+random.Int64N(total), "KRW"))
		r.PaymentID = "Payment" + strconv.Itoa(n)
		act, err := d.provider.Action(d.conn, r, domain.Prepared{})
		if err != nil || !d.fake.Buy(r.PaymentID, "", act.(map[string]any), "PAID") {
			t.Fatalf("the buyer could not pay: %v", err)
		}
		left, leftTaxFree := total, r.TaxFree.Minor
		for i := 0; left > 0; i++ {
			backTaxFree, backTaxed := random.Int64N(leftTaxFree+1), random.Int64N(left-leftTaxFree+1)
			if i == 5 {
				backTaxFree, backTaxed = leftTaxFree, left-leftTaxFree
			}
			if backTaxFree+backTaxed == 0 {
				continue
			}
			won := func(n int64) money.Money { return money.Of(n, "KRW") }
			if _, err := d.send(t, key+strconv.Itoa(n)+"x"+strconv.Itoa(i), ports.RefundRequest{
				PaymentRef: ports.PaymentRef{PaymentID: r.PaymentID}, Captured: r.Amount, Amount: won(backTaxFree + backTaxed), Remaining: won(left),
				TaxFree: won(backTaxFree), RemainingTaxFree: won(leftTaxFree), Reason: "returned",
			}, 0); err != nil {
				t.Fatalf("%d and %d of %d, %d tax-free: %v", backTaxFree, backTaxed, left, leftTaxFree, err)
			}
			left, leftTaxFree = left-backTaxFree-backTaxed, leftTaxFree-backTaxFree
		}
		b, sum := d.fake.LedgerOf(r.PaymentID), int64(0)
		for _, one := range b.RefundedVAT {
			sum += one
		}
		if sum != b.VAT || b.Refunded != b.Captured {
			t.Errorf("%d won, %d tax-free: VAT %d, of the refunds %v; %+v", total, r.TaxFree.Minor, b.VAT, b.RefundedVAT, b)
		}
	}
}

// A cancel in PortOne's console has a VAT of its own, with which the next refund has to reckon. Fact portone-30.
func TestVATOfConsoleCancelsIsListed(t *testing.T) {
	t.Parallel()
	d := open(t)
	r := mixed(domain.Standard, money.Of(700, "KRW"), money.Of(400, "KRW"))
	r.VAT = money.Of(10, "KRW")
	act, err := d.provider.Action(d.conn, r, domain.Prepared{})
	if err != nil || !d.fake.Buy(r.PaymentID, "", act.(map[string]any), "PAID") {
		t.Fatalf("the buyer could not pay: %v", err)
	}
	d.fake.ConsoleCancel(r.PaymentID, 110)
	got, err := d.provider.Lookup(t.Context(), d.conn, ports.PaymentRef{PaymentID: r.PaymentID})
	if err != nil || len(got.Refunds) != 1 || got.Refunds[0].VAT != money.Of(10, "KRW") || got.Refunds[0].TaxFree != money.Of(0, "KRW") {
		t.Errorf("%+v %v", got.Refunds, err)
	}
}
