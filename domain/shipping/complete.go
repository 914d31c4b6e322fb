package shipping

import (
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Complete fills in what a policy leaves out: the shop's currency and, on create (before is nil), the
// default zones. It refuses countries, provinces and ranges of postal codes that are none. It does not change next.
// Errors: fault.ErrValidation.
func Complete(before, next collection.Record, shop tenant.Settings) (collection.Record, error) {
	next, home := next.Clone(), shop.Country
	if next.Text("currency") == "" {
		next["currency"] = string(shop.Currency)
	}
	c := money.Currency(next.Text("currency"))
	if !c.Valid() {
		return nil, fault.Invalidf("currency", "Enter a valid ISO 4217 currency code.")
	}
	if before == nil && next["zones"] == nil {
		next["zones"] = defaultZones(shop, c)
	}
	bad := checkCountries("countries", next.Texts("countries"))
	zones := slices.Clone(next.Rows("zones"))
	for i, z := range zones {
		at := "zones." + strconv.Itoa(i) + "."
		bad = append(bad, checkCountries(at+"countries", z.Texts("countries"))...)
		var wrong []fault.Field
		zones[i], wrong = completeProvinces(at, z, home)
		for j, r := range z.Rows("ranges") {
			wrong = append(wrong, checkRange(at+"ranges."+strconv.Itoa(j)+".", r, isKorean(z, home))...)
		}
		bad = append(bad, wrong...)
	}
	if len(bad) > 0 {
		return nil, fault.ErrValidation.WithFields(bad...)
	}
	if len(zones) > 0 {
		next["zones"] = zones
	}
	return next, nil
}

func checkCountries(at string, codes []string) (bad []fault.Field) {
	for i, code := range codes {
		if !address.Known(code) {
			bad = append(bad, fault.Field{Field: at + "." + strconv.Itoa(i), Message: address.NoCountry})
		}
	}
	return bad
}

// isKorean reports whether all of a zone is in Korea.
func isKorean(z collection.Record, home string) bool {
	countries := z.Texts("countries")
	if len(countries) == 0 {
		return home == "" || home == "KR"
	}
	return len(countries) == 1 && countries[0] == "KR"
}

// completeProvinces is a zone with its provinces by their codes.
func completeProvinces(at string, z collection.Record, home string) (collection.Record, []fault.Field) {
	if len(z.Texts("provinces")) == 0 {
		return z, nil
	}
	countries := z.Texts("countries")
	if len(countries) == 0 {
		countries = []string{home}
	}
	codes, bad := slices.Clone(z.Texts("provinces")), []fault.Field(nil)
	for i, named := range codes {
		code, found := "", false
		for _, country := range countries {
			if code, found = address.ProvinceCode(country, named); found {
				break
			}
		}
		if codes[i] = code; !found {
			message := "This is no province of " + strings.Join(countries, ", ") + "."
			bad = append(bad, fault.Field{Field: at + "provinces." + strconv.Itoa(i), Message: message})
		}
	}
	z = z.Clone()
	z["provinces"] = codes
	return z, bad
}

// checkRange checks a range of postal codes: of whole ones in Korea, elsewhere also of their beginnings.
func checkRange(at string, r collection.Record, korean bool) (bad []fault.Field) {
	first, last := r.Text("from"), r.Text("to")
	valid, problem := isBeginning, "A range has the letters and digits of postal codes, or of their beginnings."
	order := "The last code has letters and digits alone, and is not before the first."
	if korean {
		valid, problem, order = ValidPostalCode, ErrPostalCode.Message, "The last code has five digits and is not before the first."
	}
	if !valid(first) {
		bad = append(bad, fault.Field{Field: at + "from", Message: problem})
	}
	if !valid(last) || valid(first) && last < beginning(first, last) {
		bad = append(bad, fault.Field{Field: at + "to", Message: order})
	}
	return bad
}

// isBeginning reports whether text is the beginning of postal codes, without what separates their parts.
func isBeginning(text string) bool {
	return text != "" && strings.Trim(text, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
