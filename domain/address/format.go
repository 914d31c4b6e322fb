package address

import (
	"slices"
	"strings"
	"unicode"
)

// letters are the parts of an address by the letters of the formats; "address1" stands for both of its lines.
var letters = map[byte]string{
	'N': "recipientName", 'O': "company", 'A': "address1", 'D': "district", 'C': "city", 'S': "province", 'Z': "postalCode",
}

func (c country) requiredParts() (names []string) {
	for i := range len(c.required) {
		names = append(names, letters[c.required[i]])
	}
	return names
}

// Part is a field of a form for an address.
type Part struct {
	Name     string // of the field
	Kind     string // what it is called there: "state", "zip"; "" where it is called by its name
	Required bool
	Pattern  string // expression that what is entered has to match as a whole; "" for none
	Example  string // "" for none
	Options  []Province
}

// Form are the fields of a form for an address in a country, in their order: who, the place as it is written there, and what else a carrier
// wants to know. latin is whether it is filled in in Latin letters. It is false for no country.
func Form(code string, latin bool) ([]Part, bool) {
	c, known := lookup(code)
	if !known {
		return nil, false
	}
	parts := []Part{{Name: "recipientName", Required: true}, {Name: "company"}, {Name: "phone"}}
	required := c.requiredParts()
	for _, name := range c.order(latin) {
		p := Part{Name: name, Kind: c.names[name], Required: slices.Contains(required, name)}
		switch name {
		case "postalCode":
			p.Pattern, p.Example = c.postal, c.example
		case "province":
			p.Options = c.provinceList()
		}
		if parts = append(parts, p); name == "address1" {
			parts = append(parts, Part{Name: "address2"})
		}
	}
	return append(parts, Part{Name: "deliveryNote"}), true
}

// order are the parts of a place in the order of its format. In Korea, province and city are a part of the line: nobody is asked for them.
func (c country) order(latin bool) (names []string) {
	format := c.format(latin)
	for i := range len(format) - 1 {
		name := letters[format[i+1]]
		asked := name != "" && name != "recipientName" && name != "company"
		if format[i] != '%' || !asked || c.code == "KR" && strings.IndexByte("SCD", format[i+1]) >= 0 {
			continue
		}
		names = append(names, name)
	}
	return names
}

func (c country) format(latin bool) string {
	if latin && c.latin != "" {
		return c.latin
	}
	return c.local
}

// Lines are the lines of a as they are written in its country, with the recipient and the company where they stand there, and without phone,
// note and the name of the country. home is the shop's country; "" if it is unknown. Rule addresses-7.
func (a Address) Lines(home string) []string {
	code := a.Country
	if code == "" {
		code = home
	}
	c, known := lookup(code)
	if !known {
		c = country{local: "%N%n%O%n%A%n%Z %C%n%D%n%S"}
	}
	latin := !strings.ContainsFunc(a.Address1+a.City+a.Address2, isEastern)
	var lines []string
	for line := range strings.SplitSeq(c.withAllParts(a, c.format(latin)), "%n") {
		lines = append(lines, c.line(a, line, latin)...)
	}
	return lines
}

// isEastern reports whether r is written the way of East Asia, whose addresses begin with the largest part.
func isEastern(r rune) bool {
	return unicode.In(r, unicode.Han, unicode.Hangul, unicode.Hiragana, unicode.Katakana)
}

// withAllParts is format with a line for the parts of a that it has no place for, after the street.
func (c country) withAllParts(a Address, format string) string {
	for _, letter := range []string{"%D", "%C", "%S", "%Z"} {
		if part := a.part(letters[letter[1]]); *part != "" && !strings.Contains(format, letter) {
			format = strings.Replace(format, "%A", "%A%n"+letter, 1)
		}
	}
	return format
}

// line is a line of a format with the parts of a; none if it has no part. What stands before a part goes with it, and what separates parts
// is left out at the beginning of a line.
func (c country) line(a Address, format string, latin bool) []string {
	var out strings.Builder
	before, first := "", true
	for len(format) > 0 {
		literal, rest, more := strings.Cut(format, "%")
		before = literal
		if !more || rest == "" {
			break
		}
		if text := c.text(a, rest[0], latin); text != "" {
			if first || out.Len() > 0 {
				out.WriteString(before)
			}
			out.WriteString(text)
		}
		before, first, format = "", false, rest[1:]
	}
	if first {
		out.WriteString(before) // a line that is always the same
	}
	return slices.DeleteFunc(strings.Split(out.String(), "\n"), func(line string) bool { return line == "" })
}

// text is a part of a as it is written in c, "" for none. The two lines of a street are two lines.
func (c country) text(a Address, letter byte, latin bool) string {
	name, known := letters[letter]
	if !known {
		return ""
	}
	text := *a.part(name)
	switch {
	case name == "address1":
		text = strings.Trim(text+"\n"+a.Address2, "\n")
	case name == "province":
		if p, found := c.province(text); found && latin && c.latin != "" {
			text = p.Latin
		} else if found {
			text = p.Local
		}
	case name == "postalCode" && text != "" && c.code == "KR":
		text = "(" + text + ")"
	}
	if strings.IndexByte(c.upper, letter) >= 0 {
		text = strings.ToUpper(text)
	}
	return text
}
