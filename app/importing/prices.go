package importing

import (
	"fmt"
	"math/big"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// Prices says what the numbers in a file mean. Files name no currency: without a conversion they are taken as the tenant's,
// and amounts it has no coins for are rejected rather than rounded behind the shop's back.
type Prices struct {
	Tenant money.Currency
	File   money.Currency // of the amounts in the file; "" is the tenant's
	Rate   money.Decimal  // tenant units per file unit; used when File differs
	Step   int64          // converted amounts are multiples of so many major units; 0 is the tenant's smallest unit
}

// ErrRateNeeded says that the file is in another currency than the tenant, and nobody said how to convert.
var ErrRateNeeded = fault.New(fault.Invalid, "exchange_rate_required", "The file is in another currency than the shop: state the rate.")

// Check refuses a conversion that is not described. Errors: ErrRateNeeded, fault.ErrValidation.
func (p Prices) Check() error {
	if p.File != "" && !p.File.Valid() {
		return fault.Invalidf("currency", "%q is no ISO 4217 currency.", p.File)
	}
	if p.converts() && p.Rate.Sign() <= 0 {
		return ErrRateNeeded.Saying("The file is in %s and the shop in %s: state the rate, %s per %s.", p.File, p.Tenant, p.Tenant, p.File)
	}
	return nil
}

func (p Prices) converts() bool { return p.File != "" && p.File != p.Tenant }

// apply gives every amount of a product in the tenant's currency, or says row by row why it cannot.
func (p Prices) apply(in Product) (Product, []Rejection) {
	out := in
	out.Variants = make([]Variant, len(in.Variants))
	var rejected []Rejection
	for i, v := range in.Variants {
		for _, amount := range []struct {
			name string
			text *string
		}{{"price", &v.Price}, {"compare-at price", &v.CompareAt}} {
			if *amount.text == "" {
				continue
			}
			converted, reason := p.amount(*amount.text)
			if reason != "" {
				rejected = append(rejected, Rejection{Row: v.Row, Handle: in.Handle, Reason: fmt.Sprintf("The %s %s %s", amount.name, *amount.text, reason)})
				continue
			}
			*amount.text = converted
		}
		out.Variants[i] = v
	}
	return out, rejected
}

func (p Prices) amount(text string) (converted, reason string) {
	from := p.Tenant
	if p.converts() {
		from = p.File
	}
	m, err := money.Parse(text, from)
	if err != nil {
		return "", explain(err, from)
	}
	if m.Minor < 0 {
		return "", "is below zero."
	}
	if !p.converts() {
		return m.Major(), ""
	}
	step := max(1, p.Step*unit(p.Tenant))
	exact := new(big.Rat).Mul(new(big.Rat).SetFrac64(m.Minor, unit(from)), p.Rate.Rat())
	exact.Mul(exact, new(big.Rat).SetFrac64(unit(p.Tenant), step))
	n, err := money.HalfUp.Round(exact)
	if err == nil {
		m, err = money.Of(n, p.Tenant).Times(step)
	}
	if err != nil {
		return "", "is too large."
	}
	return m.Major(), ""
}

func explain(err error, c money.Currency) string {
	if fault.From(err).Is(money.ErrTooManyDigits) {
		return fmt.Sprintf("has more fraction digits than %s has (%d). If the file is in another currency, say which, and the rate.", c, c.Exponent())
	}
	return "is no amount."
}

// unit is how many minor units make one major unit.
func unit(c money.Currency) int64 {
	n := int64(1)
	for range c.Exponent() {
		n *= 10
	}
	return n
}
