// Package tax computes the taxes of a sale. Everything here is a pure function of its input; rules:
// features/taxes/RULES.md, Decision 77.
//
// # Which rates apply
//
// A product has a Class. A Rate is what one authority asks for goods of some classes that go to one place: a country, a
// province of it, a range of postal codes. Rates are in layers, as most shop systems have them, by their Priority:
//
//   - Of the rates of one layer that cover the place, the most specific applies and no other: one for postal codes before
//     one for a province before one for a country. So a province can have a rate in place of its country's.
//   - Different layers add up: state (layer 1) and district (layer 2), or GST (1) and PST (2).
//   - A compound rate is due on the price and on the taxes of the layers below it.
//
// Where no rate applies nothing is due. Class Exempt has no taxes whatever the rates say; class Zero is taxed, at the rate
// that lists it, mostly 0 %, which then appears with its base.
//
// # How much is due
//
// Where prices include taxes, the tax of a rate is price × k ÷ (1 + Σk), where k is the rate, and for a compound one the rate
// times one plus what is below it. Where they do not it is price × k. Both are exact fractions, rounded once: for each line,
// or for each rate over all lines of the sale, which are then given their parts by largest remainder. Either way the taxes
// of the lines and of shipping add up to those of the sale, for each rate, in minor units.
//
// # What is given back
//
// Amounts that are given back contain their part of the taxes: of units of a line by Taxes.Portion, of a payment by
// Taxes.Share. Both are cumulative, so that what is given back of everything, in any order and any parts, is exactly what
// was taken.
package tax
