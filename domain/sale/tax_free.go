package sale

import "github.com/cartwright-dev/cartwright/domain/money"

// TaxFreeAmount is the part of the total of a sale that is free of value added tax: what its tax-free lines cost after
// discounts, in currency c, and the part of shipping that t says; where t is nil, shipping is taxed. The part never exceeds the total.
// lineOf returns the Line of an L. Amounts in another currency count nothing.
func TaxFreeAmount[L any](c money.Currency, lines []L, t *Taxes, lineOf func(*L) *Line) money.Money {
	all := money.Of(0, c)
	if t != nil && t.ExemptShipping.Currency == c {
		all = t.ExemptShipping
	}
	for i := range lines {
		if l := lineOf(&lines[i]); l.TaxFree() && l.Total.Currency == c {
			all = all.Plus(l.Total)
		}
	}
	return all
}
