package bank

import (
	"fmt"
	"strconv"
	"strings"
)

// minorDigits are the currencies whose minor unit is not a hundredth.
var minorDigits = map[string]int{
	"KRW": 0, "JPY": 0, "VND": 0, "CLP": 0, "ISK": 0, "PYG": 0, "UGX": 0, "XAF": 0, "XOF": 0, "XPF": 0, "BIF": 0, "DJF": 0, "GNF": 0,
	"KMF": 0, "RWF": 0, "UYI": 0, "VUV": 0, "BHD": 3, "IQD": 3, "JOD": 3, "KWD": 3, "LYD": 3, "OMR": 3, "TND": 3, "CLF": 4, "UYW": 4,
}

// majorUnits formats minor units as a decimal number: 1999 USD is "19.99".
func majorUnits(minor int64, currency string) string {
	d, known := minorDigits[currency]
	if !known {
		d = 2
	}
	if d == 0 {
		return strconv.FormatInt(minor, 10)
	}
	text := fmt.Sprintf("%0*d", d+1, minor)
	return text[:len(text)-d] + "." + text[len(text)-d:]
}

// displayAmount formats minor units for people: "USD 1,234.50".
func displayAmount(minor int64, currency string) string {
	whole, fraction, _ := strings.Cut(majorUnits(minor, currency), ".")
	for at := len(whole) - 3; at > 0; at -= 3 {
		whole = whole[:at] + "," + whole[at:]
	}
	if fraction != "" {
		whole += "." + fraction
	}
	return currency + " " + whole
}
