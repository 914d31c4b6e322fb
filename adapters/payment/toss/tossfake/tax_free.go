package tossfake

import (
	"encoding/json"
	"fmt"
	"math/big"
)

// ApproveMixed is Approve of an amount with a tax-free part, which the page told the widget. It is nil when the SDK takes no
// such part: one that is negative, or more than the amount. Fact toss-23.
func (f *Toss) ApproveMixed(mID, orderID, amount, taxFree, currency string) *Payment {
	f.mu.Lock()
	defer f.mu.Unlock()
	total, ok := new(big.Rat).SetString(amount)
	free, ok2 := new(big.Rat).SetString(taxFree)
	if !ok || !ok2 {
		panic(amount + " " + taxFree)
	}
	if free.Sign() < 0 || free.Cmp(total) > 0 {
		return nil
	}
	p := &Payment{
		MID: mID, PaymentKey: fmt.Sprintf("tgen_%s_%d", orderID, len(f.payments)), OrderID: orderID, Status: "IN_PROGRESS",
		Currency: currency, Method: "카드", Total: total, Balance: total, TaxFree: free, TaxFreeLeft: free,
	}
	f.payments = append(f.payments, p)
	return p
}

// vat is the value added tax in the balance: an eleventh of what is not tax-free, rounded half up. Fact toss-24.
func (p *Payment) vat() *big.Rat {
	scale := big.NewInt(100)
	if p.Currency == "KRW" || p.Currency == "JPY" {
		scale.SetInt64(1)
	}
	units := new(big.Rat).Mul(minus(p.Balance, p.TaxFreeLeft), new(big.Rat).SetFrac(scale, big.NewInt(11)))
	units.Add(units, big.NewRat(1, 2))
	return new(big.Rat).SetFrac(new(big.Int).Quo(units.Num(), units.Denom()), scale)
}

// supplied is the balance without tax.
func (p *Payment) supplied() *big.Rat { return minus(minus(p.Balance, p.TaxFreeLeft), p.vat()) }

// taxFreeOf is the tax-free part of a cancel of this amount that leaves as much of that part as it can.
func (p *Payment) taxFreeOf(amount string) json.Number {
	back, ok := new(big.Rat).SetString(amount)
	if !ok {
		return ""
	}
	if over := minus(back, minus(p.Balance, p.TaxFreeLeft)); over.Sign() > 0 {
		return FormatNumber(over)
	}
	return ""
}

func minus(a, b *big.Rat) *big.Rat { return new(big.Rat).Sub(a, b) }
