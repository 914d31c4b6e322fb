// Package phone brings telephone numbers into the one form that all spellings of a number share: E.164.
//
// Every phone number of a person has its E.164 form stored beside it (address.CompletePhone). It is worked out whenever the record is
// written: one that was written before there was such a field has none until it is written again. The number in a shop's profile, which
// only people read, has none.
//
// What it knows of the countries is generated from the data of libphonenumber (Decision 76).
package phone

import (
	"regexp"
	"strings"
	"unicode"
)

// plan is how the telephone numbers of a country are written.
type plan struct {
	country   string
	code      string     // of the country: 82
	main      bool       // it is the main one of those that share the code
	abroad    expression // what is dialed before the code of another country
	trunk     expression // what stands before national numbers
	transform string     // what becomes of the trunk and what it holds; "": nothing
	number    expression // a national number without trunk
}

// expression matches the beginning of digits. It is compiled when it is used, or before: that takes longer than all else.
type expression struct {
	source   string
	compiled *regexp.Regexp
}

// compile is e, ready to be used many times.
func (e expression) compile() expression {
	if e.compiled == nil && e.source != "" {
		e.compiled = regexp.MustCompile("^(?:" + e.source + ")")
	}
	return e
}

// prefix is how long the beginning of digits is that matches, 0 for none.
func (e expression) prefix(digits string) int {
	if e.source == "" {
		return 0
	}
	at := e.compile().compiled.FindStringIndex(digits)
	if at == nil {
		return 0
	}
	return at[1]
}

// ready are the plans of where most shops sell.
var ready = func() map[string]plan {
	plans := map[string]plan{}
	for _, country := range []string{"KR", "US", "JP"} {
		p := find(country)
		p.abroad, p.trunk, p.number = p.abroad.compile(), p.trunk.compile(), p.number.compile()
		plans[country] = p
	}
	return plans
}()

// maxDigits is how many digits a number has at most, with the code of its country.
const maxDigits = 15

// E164 is a number that was typed in a country, such as "+821012345678" for 010-1234-5678 in Korea: "" if it is not one. country is an
// ISO 3166-1 alpha-2 code; without one, only numbers that begin with a plus sign are known. An extension is left out.
func E164(typed, country string) string {
	digits, international, ok := read(typed)
	if !ok {
		return ""
	}
	home, known := planOf(country)
	if international {
		return abroad(digits, home)
	}
	if !known {
		return ""
	}
	if at := home.abroad.prefix(digits); at > 0 {
		if number := abroad(digits[at:], home); number != "" {
			return number
		}
	}
	if number := home.national(digits); number != "" {
		return "+" + home.code + number
	}
	if rest, with := strings.CutPrefix(digits, home.code); with { // the plus sign was left out
		return home.full(rest)
	}
	return ""
}

// abroad is a number that begins with the code of a country. Of those that share one, that of the caller comes first, and then the main one.
func abroad(digits string, home plan) string {
	for n := 1; n <= min(3, len(digits)); n++ {
		found := sharing(digits[:n], home.country)
		for _, p := range found {
			if number := p.full(digits[n:]); number != "" {
				return number
			}
		}
		if len(found) > 0 {
			return "" // no code begins with another one
		}
	}
	return ""
}

func (p plan) full(digits string) string {
	if number := p.national(digits); number != "" {
		return "+" + p.code + number
	}
	return ""
}

// national is a national number without its trunk; "" if it is none. What is a number as it stands, and not without the trunk, keeps it.
func (p plan) national(digits string) string {
	number := p.withoutTrunk(digits)
	if !p.matches(number) && p.matches(digits) {
		number = digits
	}
	if !p.matches(number) || len(p.code)+len(number) > maxDigits {
		return ""
	}
	return number
}

func (p plan) matches(number string) bool { return p.number.prefix(number) > 0 }

func (p plan) withoutTrunk(digits string) string {
	if p.trunk.source == "" {
		return digits
	}
	e := p.trunk.compile().compiled
	at := e.FindStringSubmatchIndex(digits)
	if at == nil {
		return digits
	}
	if last := len(at) - 1; p.transform != "" && len(at) > 2 && at[last] >= 0 {
		return string(e.ExpandString(nil, expanded.Replace(p.transform), digits, at)) + digits[at[1]:]
	}
	return digits[at[1]:]
}

// expanded writes $1 as ${1}: what follows would be taken for a part of the name.
var expanded = strings.NewReplacer("$1", "${1}", "$2", "${2}", "$3", "${3}")

// extension begins what is dialed once somebody answers.
var extension = regexp.MustCompile(`(?i)\s*(?:;ext=|ext\.?|x|#|내선)\s*[\d ]{1,7}#?$`)

// read is the digits of a number as people type one, and whether a plus sign says that they begin with the code of a country. It is not ok
// for a text with anything else.
func read(typed string) (digits string, international, ok bool) {
	typed = strings.TrimSpace(narrow(typed))
	if at := extension.FindStringIndex(typed); at != nil {
		typed = typed[:at[0]]
	}
	if typed, international = strings.CutPrefix(strings.TrimLeft(typed, "("), "+"); typed == "" {
		return "", false, false
	}
	var b strings.Builder
	for _, r := range typed {
		switch {
		case r >= '0' && r <= '9':
			b.WriteRune(r)
		case strings.ContainsRune(" .()/~\u00a0\u2212\u3000", r), unicode.Is(unicode.Pd, r), r == 'ー':
		default:
			return "", false, false
		}
	}
	return b.String(), international, b.Len() > 0 && b.Len() <= 2*maxDigits
}

// narrow is text with its wide digits and signs, as they are typed in East Asia, as ASCII has them.
func narrow(text string) string {
	return strings.Map(func(r rune) rune {
		if r >= '！' && r <= '～' {
			return r - '！' + '!'
		}
		return r
	}, text)
}

// planOf finds the plan of a country; it is false for one that has none.
func planOf(country string) (plan, bool) {
	p, prepared := ready[country]
	if !prepared {
		p = find(country)
	}
	return p, p.country != ""
}

func find(country string) plan {
	_, rest, found := strings.Cut(data, "\n"+country+"\t")
	if !found || country == "" {
		return plan{}
	}
	line, _, _ := strings.Cut(rest, "\n")
	return parse(country + "\t" + line)
}

// sharing are the plans of a country code: that of home, the main one, then the others.
func sharing(code, home string) []plan {
	var first, second, others []plan
	for line := range strings.Lines(data) {
		if len(line) < 4 || !strings.HasPrefix(line[3:], code+"\t") {
			continue
		}
		p, prepared := ready[line[:2]]
		if !prepared {
			p = parse(strings.TrimSuffix(line, "\n"))
		}
		switch {
		case p.country == home:
			first = append(first, p)
		case p.main:
			second = append(second, p)
		default:
			others = append(others, p)
		}
	}
	return append(append(first, second...), others...)
}

func parse(line string) plan {
	cells := strings.Split(line, "\t")
	return plan{
		country: cells[0], code: cells[1], main: cells[2] != "", abroad: expression{source: cells[3]}, trunk: expression{source: cells[4]},
		transform: cells[5], number: expression{source: "(?:" + cells[6] + ")$"},
	}
}
