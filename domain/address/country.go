package address

import (
	"slices"
	"strings"
	"unicode"
)

// country is what is known of the addresses of one; see data_gen.go and Decision 76.
type country struct {
	code            string
	local, latin    string // the lines of an address as it is written there, and in Latin letters; latin is "" where that is the same
	required        string // which of the letters of local an address needs
	upper           string // which of them are written in capitals
	postal, example string // expression of a postal code, and one; "" where there are none
	language        string // in which local is written; "" where it is in Latin letters anyway
	names           map[string]string
	provinces       string
	name            string // in English and in capitals, such as UNITED STATES
}

// columns of data, after the code.
const (
	columnLocal = iota
	columnLatin
	columnRequired
	columnUpper
	columnPostal
	columnExample
	columnPostalName
	columnProvinceName
	columnCityName
	columnDistrictName
	columnLanguage
	columnProvinces
	columnName
)

// lookup finds a country by its code in upper case.
func lookup(code string) (country, bool) {
	_, rest, found := strings.Cut(data, "\n"+code+"\t")
	if !found || len(code) != 2 {
		return country{}, false
	}
	line, _, _ := strings.Cut(rest, "\n")
	cells := strings.Split(line, "\t")
	return country{
		code: code, local: cells[columnLocal], latin: cells[columnLatin], required: cells[columnRequired], upper: cells[columnUpper],
		postal: cells[columnPostal], example: cells[columnExample], provinces: cells[columnProvinces], name: cells[columnName],
		language: cells[columnLanguage], names: map[string]string{
			"postalCode": cells[columnPostalName], "province": cells[columnProvinceName], "city": cells[columnCityName],
			"district": cells[columnDistrictName],
		},
	}, true
}

// Known reports whether code is that of a country, in upper case: ISO 3166-1 alpha-2.
func Known(code string) bool {
	_, found := lookup(code)
	return found
}

// Name is what a country is called on letters from abroad: in English and in capitals, such as UNITED STATES. It is the code for one that is
// not known.
func Name(code string) string {
	c, known := lookup(code)
	if !known {
		return code
	}
	return c.name
}

// Speaks reports whether what is written on letters in a country is in a language, such as ja in Japan.
func Speaks(code, language string) bool {
	c, known := lookup(code)
	written, _, _ := strings.Cut(c.language, "-")
	return known && written == language
}

// Countries are the codes of all countries, sorted.
func Countries() (codes []string) {
	for line := range strings.Lines(data) {
		if len(line) > 2 {
			codes = append(codes, line[:2])
		}
	}
	return codes
}

// Province is a first part of a country.
type Province struct {
	Code  string // what addresses store
	Local string // as it is written on a letter there
	Name  string // as people there read it in a list
	Latin string // the name in Latin letters
}

// provinceList are the provinces of c in their own order; nil for a country without a list.
func (c country) provinceList() (all []Province) {
	if c.provinces == "" {
		return nil
	}
	for entry := range strings.SplitSeq(c.provinces, "~") {
		cells := append(strings.Split(entry, "|"), "", "", "")
		p := Province{Code: cells[0], Local: cells[1], Name: cells[2], Latin: cells[3]}
		if p.Local == "" {
			p.Local = p.Code
		}
		if p.Name == "" {
			p.Name = p.Local
		}
		if p.Latin == "" {
			p.Latin = p.Name
		}
		all = append(all, p)
	}
	return all
}

// province finds a province by its code, or by a name in any spelling.
func (c country) province(text string) (Province, bool) {
	all := c.provinceList()
	if i := slices.IndexFunc(all, func(p Province) bool { return p.Code == text }); i >= 0 {
		return all[i], true
	}
	folded := fold(text)
	i := slices.IndexFunc(all, func(p Province) bool {
		return folded == fold(p.Code) || folded == fold(c.code+p.Code) || folded == fold(p.Local) || folded == fold(p.Name) || folded == fold(p.Latin)
	})
	if i < 0 {
		return Province{}, false
	}
	return all[i], true
}

// fold is text without what spellings differ in.
func fold(text string) string {
	return strings.Map(func(r rune) rune {
		if unicode.IsLetter(r) || unicode.IsDigit(r) || unicode.IsMark(r) {
			return unicode.ToLower(r)
		}
		return -1
	}, text)
}
