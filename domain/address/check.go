package address

import (
	"cmp"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/phone"
)

// unsaid is the country whose rules hold where neither an address nor its shop says one: those of all shops before countries were known.
const unsaid = "KR"

// NoCountry says that a code is that of no country.
const NoCountry = "This is no country: it takes an ISO 3166-1 alpha-2 code such as KR."

// Complete is a in the form in which it is stored: without blanks around its parts, the country and the postal code in capitals, the
// province as its code, and the phone number as E.164 beside what was typed. home is the shop's country; "" if it is unknown. What makes no
// sense stays as it is, for Check to refuse.
func (a Address) Complete(home string) Address {
	for _, f := range Fields {
		part := a.part(f.Name)
		*part = strings.TrimSpace(*part)
	}
	a.Country = strings.ToUpper(a.Country)
	a.PostalCode = strings.ToUpper(strings.Join(strings.Fields(narrow(a.PostalCode)), " "))
	if c, known := lookup(cmp.Or(a.Country, home, unsaid)); known && a.Province != "" {
		if p, found := c.province(a.Province); found {
			a.Province = p.Code
		}
	}
	a.PhoneE164 = phone.E164(a.Phone, cmp.Or(a.Country, home))
	return a
}

// narrow is text with wide digits and letters, as they are typed in East Asia, as ASCII has them.
func narrow(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case r >= '！' && r <= '～':
			return r - '！' + '!'
		case unicode.Is(unicode.Pd, r), r == '\u2212', r == 'ー':
			return '-'
		}
		return r
	}, text)
}

// Check lists what a lacks and what is wrong in it, by its fields, for something to be sent there. home is the shop's country; "" if it is
// unknown. Rule addresses-2.
func (a Address) Check(home string) (problems []fault.Field) {
	c, known := lookup(cmp.Or(a.Country, home, unsaid))
	required := append([]string{"recipientName"}, c.requiredParts()...)
	if !known {
		required = []string{"recipientName", "address1"}
	}
	for _, f := range Fields {
		if slices.Contains(required, f.Name) && *a.part(f.Name) == "" {
			problems = append(problems, fault.Field{Field: f.Name, Message: "This field is required."})
		}
	}
	return append(problems, a.CheckParts(home)...)
}

// CheckParts lists what is wrong in a, by its fields; what it lacks is not. Rule addresses-3.
func (a Address) CheckParts(home string) (problems []fault.Field) {
	c, known := lookup(cmp.Or(a.Country, home, unsaid))
	if !known {
		return []fault.Field{{Field: "country", Message: NoCountry}}
	}
	if a.PostalCode != "" && !c.validPostalCode(a.PostalCode) {
		message := "A postal code must have five digits."
		if c.code != unsaid {
			message = "A postal code of " + c.code + " looks like " + c.example + "."
		}
		problems = append(problems, fault.Field{Field: "postalCode", Message: message})
	}
	if a.Province != "" && c.provinces != "" {
		if _, found := c.province(a.Province); !found {
			problems = append(problems, fault.Field{Field: "province", Message: "This is no province of " + c.code + "."})
		}
	}
	return problems
}

// validPostalCode reports whether code is one of c. Where the data knows none, people may have some.
func (c country) validPostalCode(code string) bool {
	if c.code == unsaid { // the code of most addresses needs no expression
		return len(code) == 5 && strings.Trim(code, "0123456789") == ""
	}
	return c.postal == "" || regexp.MustCompile("^(?:"+c.postal+")$").MatchString(code)
}

// NeedsPostalCode reports whether addresses in a country, or in an unknown one, need a postal code.
func NeedsPostalCode(code string) bool {
	c, known := lookup(cmp.Or(code, unsaid))
	return known && strings.Contains(c.required, "Z")
}

// ProvinceCode is the code by which addresses store a province of a country that is called by its code or a name. Where no list of them
// is known, it is the name. It is false for what is no province there.
func ProvinceCode(country, named string) (string, bool) {
	c, known := lookup(country)
	if known && c.provinces == "" {
		return named, true
	}
	p, found := c.province(named)
	return p.Code, known && found
}
