package pricing

import (
	"cmp"
	"math/big"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/discount"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/shipping"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// Record is x as a record of ExplanationFields.
func (x Explanation) Record() collection.Record {
	r := collection.Record{
		"currency": string(x.Currency), "rounding": string(cmp.Or(x.Rounding, money.HalfUp)), "market": collection.TextOrNull(x.Market),
		"pricedAt": x.At, "lines": each(x.Lines, LineExplanation.record), "discountCodes": each(x.Codes, CodeExplanation.record),
		"totals": collection.Record{"subtotal": x.Subtotal, "discount": x.Discount, "total": x.Total},
	}
	if x.Shipping != nil {
		r["shipping"] = x.Shipping.record()
	}
	if x.Taxes != nil {
		r["taxes"] = x.Taxes.record()
	}
	return r
}

func (x TaxExplanation) record() collection.Record {
	per := tax.PerLine
	if x.Rules.PerTotal {
		per = tax.PerTotal
	}
	return collection.Record{
		"mode": string(x.Rules.Mode), "rounded": per, "rounding": string(cmp.Or(x.Rules.Rounding, money.HalfUp)),
		"shippingTax": cmp.Or(x.Rules.Shipping, string(tax.Standard)), "country": collection.TextOrNull(cmp.Or(x.Place.Country, x.Rules.Country)),
		"province": collection.TextOrNull(x.Place.Province), "postalCode": collection.TextOrNull(x.Place.PostalCode),
		"estimated": x.Result.Estimated, "exempt": x.Exempt, "amount": x.Result.Total, "rates": x.Result.Rates.Records(),
		"shipping": x.Result.Shipping.Records(),
	}
}

func (l LineExplanation) record() collection.Record {
	r := collection.Record{
		"line": collection.TextOrNull(l.ID), "variant": collection.TextOrNull(l.Variant), "quantity": l.Quantity,
		"requiresShipping": l.RequiresShipping, "price": priceRecord(l.Price), "subtotal": l.Subtotal, "discount": l.Discount,
		"total": l.Total, "agreedDiscount": l.Agreed,
	}
	if l.Tax.Currency != "" {
		r["taxes"] = l.Taxes.Records()
	}
	return r
}

func priceRecord(p catalog.PriceExplanation) collection.Record {
	r := collection.Record{"source": string(p.Source), "amount": p.Amount}
	if p.Exact == nil {
		return r
	}
	r["base"], r["baseCurrency"], r["productDiscount"] = p.Base, string(p.Base.Currency), p.Discount
	r["roundingIncrement"], r["unrounded"] = p.Increment, exactText(p.Exact, p.Amount.Currency)
	if p.Source == catalog.PriceComputed {
		r["exchangeRate"], r["adjustmentPercent"] = p.Rate, p.Adjustment
	}
	return r
}

func (c CodeExplanation) record() collection.Record {
	r := collection.Record{
		"code": c.Code, "discount": collection.TextOrNull(c.Discount), "applied": c.Applied, "reason": collection.TextOrNull(c.Reason),
		"amount": c.Amount, "freeShipping": c.FreeShipping,
		"rules": each(c.How.Checks, func(k discount.Check) collection.Record {
			return collection.Record{
				"rule": string(k.Rule), "passed": k.Passed, "got": collection.TextOrNull(k.Got), "wanted": collection.TextOrNull(k.Wanted),
			}
		}),
		"lines": each(c.Lines, func(l CodeLine) collection.Record {
			return collection.Record{
				"line": collection.TextOrNull(l.ID), "variant": collection.TextOrNull(l.Variant), "eligible": l.Remaining, "share": l.Share,
			}
		}),
	}
	if !c.Applied {
		return r
	}
	r["type"], r["value"], r["eligible"] = string(c.How.Type), c.How.Value, c.How.Base
	r["unrounded"], r["rounded"] = exactText(c.How.Exact, c.Amount.Currency), c.How.Rounded
	r["tierFrom"], r["cap"] = moneyOrNull(c.How.From), moneyOrNull(c.How.Cap)
	return r
}

func (s ShippingExplanation) record() collection.Record {
	return collection.Record{
		"country": collection.TextOrNull(s.To.Country), "province": collection.TextOrNull(s.To.Province),
		"postalCode": collection.TextOrNull(s.To.PostalCode), "amount": s.How.Amount, "freeShippingCode": s.How.FreeCode,
		"policies": each(s.How.Policies, func(t shipping.PolicyTerms) collection.Record {
			return collection.Record{
				"policy": t.Policy, "baseFee": t.BaseFee, "freeFrom": moneyOrNull(t.FreeThreshold), "reached": t.Reached, "free": t.Free,
				"zone": collection.TextOrNull(t.Zone), "rangeFrom": collection.TextOrNull(t.Range.From),
				"rangeTo": collection.TextOrNull(t.Range.To), "extraFee": t.ExtraFee, "waived": t.Waived,
			}
		}),
		"baseFee": s.Quote.BaseFee, "surcharge": s.Quote.Surcharge, "zone": collection.TextOrNull(s.Quote.Zone), "total": s.Quote.Total,
	}
}

// exactText is minor units of c as decimal text in major units with all its digits, which are finitely many,
// since every factor of an amount is a decimal.
func exactText(minor *big.Rat, c money.Currency) string {
	scale := new(big.Int).Exp(big.NewInt(10), big.NewInt(int64(c.Exponent())), nil)
	major := new(big.Rat).Quo(minor, new(big.Rat).SetInt(scale))
	digits, _ := major.FloatPrec()
	return major.FloatString(digits)
}

func each[T any](items []T, record func(T) collection.Record) []collection.Record {
	rows := make([]collection.Record, len(items))
	for i, it := range items {
		rows[i] = record(it)
	}
	return rows
}

func moneyOrNull(m *money.Money) any {
	if m == nil {
		return nil
	}
	return *m
}
