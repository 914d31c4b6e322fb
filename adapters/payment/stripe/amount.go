package stripe

import (
	"fmt"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/ports"
)

// stripeDigits is the number of fraction digits in which Stripe counts, where it differs from ISO 4217. Fact
// stripe-9.
var stripeDigits = map[money.Currency]int{"ISK": 2, "UGX": 2, "MGA": 0}

// Currencies of three digits that Stripe supports, with a last digit of zero. It supports none of four.
var threeDigits = map[money.Currency]bool{"BHD": true, "JOD": true, "KWD": true, "OMR": true, "TND": true}

var powersOfTen = [...]int64{1, 10, 100}

// toStripeUnits is m in Stripe's units. Errors: ports.ErrProviderRejected for amounts that Stripe cannot
// represent.
func toStripeUnits(m money.Money) (int64, error) {
	unit := m.Currency.Exponent()
	theirs, differs := stripeDigits[m.Currency]
	if !differs {
		theirs = unit
	}
	exact := m.Minor > 0 && m.Currency.Valid()
	switch {
	case unit > 3, unit == 3 && (!threeDigits[m.Currency] || m.Minor%10 != 0):
		exact = false
	case theirs > unit:
		return m.Minor * powersOfTen[theirs-unit], requireExact(exact, m)
	case theirs < unit:
		exact = exact && m.Minor%powersOfTen[unit-theirs] == 0
		return m.Minor / powersOfTen[unit-theirs], requireExact(exact, m)
	}
	return m.Minor, requireExact(exact, m)
}

func requireExact(exact bool, m money.Money) error {
	if exact {
		return nil
	}
	return ports.ErrProviderRejected.WithData("providerCode", "invalid_charge_amount").
		WithCause(fmt.Errorf("stripe: %s %s cannot be charged exactly", m.Major(), m.Currency))
}

// fromStripeUnits is an amount of Stripe in ours; false when we cannot have requested it.
func fromStripeUnits(units int64, currency string) (money.Money, bool) {
	c := money.Currency(strings.ToUpper(currency))
	unit := c.Exponent()
	theirs, differs := stripeDigits[c]
	known := c.Valid() && units >= 0 && units <= money.Max && unit <= 3 && (unit < 3 || threeDigits[c])
	switch {
	case !known || !differs:
		return money.Of(units, c), known
	case theirs > unit:
		step := powersOfTen[theirs-unit]
		return money.Of(units/step, c), units%step == 0
	}
	return money.Of(units*powersOfTen[unit-theirs], c), units <= money.Max/powersOfTen[unit-theirs]
}
