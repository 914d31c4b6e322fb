package paper

import (
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/money"
)

// symbols of currencies that readers of both languages know. Others are named by their code.
var symbols = map[money.Currency]string{"KRW": "₩", "USD": "$", "EUR": "€", "GBP": "£", "JPY": "¥"}

// Amount is m in figures with all fraction digits of its currency: "$1,234.50", "-₩3,000", "CHF 20.00"; won in Korean are "3,000원".
func (l Language) Amount(m money.Money) string {
	sign, minor := "", strconv.FormatInt(m.Minor, 10)
	if m.Minor < 0 {
		sign, minor = "-", minor[1:]
	}
	places := m.Currency.Exponent()
	if missing := places + 1 - len(minor); missing > 0 {
		minor = strings.Repeat("0", missing) + minor
	}
	whole, fraction := minor[:len(minor)-places], minor[len(minor)-places:]
	figures := sign + Grouped(whole)
	if places > 0 {
		figures += "." + fraction
	}
	symbol, known := symbols[m.Currency]
	switch {
	case l == Korean && m.Currency == "KRW":
		return figures + "원"
	case known:
		return sign + symbol + figures[len(sign):]
	}
	return string(m.Currency) + " " + figures
}

// Grouped is a whole number with a comma between each three digits.
func Grouped(digits string) string {
	var out strings.Builder
	for i, d := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			out.WriteByte(',')
		}
		out.WriteRune(d)
	}
	return out.String()
}

// Date is the day of at in zone; "" for the zero time.
func (l Language) Date(at time.Time, zone *time.Location) string {
	switch {
	case at.IsZero():
		return ""
	case l == Korean:
		return at.In(zone).Format("2006년 1월 2일")
	}
	return at.In(zone).Format("January 2, 2006")
}
