package catalogtransfer

import (
	"fmt"
	"math/big"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// PriceConversion defines the currency of the amounts in a file. Files name no currency: without a conversion
// it is the tenant's, and amounts with too many fraction digits are rejected rather than silently rounded.
type PriceConversion struct {
	Tenant       money.Currency
	File         money.Currency // of the amounts in the file; "": the tenant's
	Rate         money.Decimal  // tenant units per file unit; used when File differs
	RoundingStep int64          // converted amounts are multiples of this many major units; 0: of the tenant's smallest unit
}

// ErrRateNeeded refuses a file in another currency than the tenant's without a conversion rate.
var ErrRateNeeded = fault.NewInvalid("exchangeRate", "exchange_rate_required", "The file's currency differs from the shop's: set the rate.")

// Check refuses an incomplete conversion. Errors: ErrRateNeeded, fault.ErrValidation.
func (p PriceConversion) Check() error {
	if p.File != "" && !p.File.Valid() {
		return fault.Invalidf("currency", "%q is not an ISO 4217 currency code.", p.File)
	}
	if p.converts() && p.Rate.Sign() <= 0 {
		return ErrRateNeeded.WithMessage("The file is in %s and the shop in %s: set the rate, %s per %s.",
			p.File, p.Tenant, p.Tenant, p.File)
	}
	return nil
}

func (p PriceConversion) converts() bool { return p.File != "" && p.File != p.Tenant }

// convertProduct converts every amount of a product to the tenant's currency, or returns the reasons by row.
func (p PriceConversion) convertProduct(in Product) (Product, []Rejection) {
	out := in
	out.Variants = make([]Variant, len(in.Variants))
	var rejected []Rejection
	for i, v := range in.Variants {
		for _, amount := range []struct {
			name string
			text *string
		}{{"price", &v.Price}, {"compare-at price", &v.CompareAt}, {"cost", &v.Cost}} {
			if *amount.text == "" {
				continue
			}
			converted, reason := p.convert(*amount.text)
			if reason != "" {
				rejected = append(rejected, Rejection{
					Row: v.Row, Handle: in.Handle, Reason: fmt.Sprintf("The %s %s %s", amount.name, *amount.text, reason),
				})
				continue
			}
			*amount.text = converted
		}
		out.Variants[i] = v
	}
	return out, rejected
}

func (p PriceConversion) convert(text string) (converted, reason string) {
	from := p.Tenant
	if p.converts() {
		from = p.File
	}
	m, err := money.Parse(text, from)
	if err != nil {
		return "", amountProblem(err, from)
	}
	if m.Minor < 0 {
		return "", "must not be negative."
	}
	if !p.converts() {
		return m.Major(), ""
	}
	step := max(1, p.RoundingStep*minorUnitsPerMajor(p.Tenant))
	exact := new(big.Rat).Mul(new(big.Rat).SetFrac64(m.Minor, minorUnitsPerMajor(from)), p.Rate.Rat())
	exact.Mul(exact, new(big.Rat).SetFrac64(minorUnitsPerMajor(p.Tenant), step))
	n, err := money.HalfUp.Round(exact)
	if err == nil {
		m, err = money.Of(n, p.Tenant).Times(step)
	}
	if err != nil {
		return "", "is too large."
	}
	return m.Major(), ""
}

func amountProblem(err error, c money.Currency) string {
	if fault.From(err).Is(money.ErrTooManyDigits) {
		return fmt.Sprintf("has more fraction digits than %s allows (%d). If the file is in another currency, set the currency and the rate.",
			c, c.Exponent())
	}
	return "is not a valid amount."
}

// minorUnitsPerMajor is how many minor units make one major unit.
func minorUnitsPerMajor(c money.Currency) int64 {
	n := int64(1)
	for range c.Exponent() {
		n *= 10
	}
	return n
}
