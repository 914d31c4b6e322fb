package mail

import (
	"cmp"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/domain/address"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/paper"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// block is what stands on lines of its own.
type block struct {
	goods []item
	facts []fact
	lines []string
}

type item struct{ title, options, quantity, amount string }

type fact struct {
	name, value string
	strong      bool
}

// speech is how a mail writes amounts, days and names.
type speech struct {
	language string // "en", "ko", "ja", or another one
	shop     Shop
	words    *words
}

func speak(locale string, s Shop) speech {
	language := tenant.Language(locale)
	w := inLanguage[language]
	if w == nil {
		w = inLanguage["en"]
	}
	if s.Zone == nil {
		s.Zone = time.UTC
	}
	return speech{language: language, shop: s, words: w}
}

// paper is the language of documents that comes closest.
func (s speech) paper() paper.Language { return paper.LanguageOf(s.language) }

func (s speech) amount(m money.Money) string {
	text := s.paper().Amount(m)
	if s.language == "ja" && m.Currency == "JPY" {
		return strings.Replace(text, "¥", "", 1) + "円"
	}
	return text
}

// date is the day of at in the shop's zone: in figures for languages whose words for months are not known.
func (s speech) date(at time.Time) string {
	switch {
	case at.IsZero():
		return ""
	case s.language == "ja":
		return at.In(s.shop.Zone).Format("2006年1月2日")
	case s.language == "ko" || s.language == "en":
		return s.paper().Date(at, s.shop.Zone)
	}
	return at.In(s.shop.Zone).Format(time.DateOnly)
}

// moment is the day and the hour of at in the shop's zone, which is named; nothing for the zero time.
func (s speech) moment(at time.Time) string {
	if at.IsZero() {
		return ""
	}
	return s.date(at) + at.In(s.shop.Zone).Format(" 15:04 (MST)")
}

// named is a text fact as people call it: carriers have names, others are called what they are.
func (s speech) named(variable, text string) string {
	if variable != "carrier" {
		return text
	}
	return cmp.Or(s.words.carriers[order.Carrier(text)], s.paper().Carrier(order.Carrier(text)), text)
}

// block is what a variable says on lines of its own; nil for nothing.
func (s speech) block(v *Variable, all []Facts) *block {
	b := &block{}
	switch v.Name {
	case "lines":
		b.goods = s.items(all)
	case "taxes":
		b.facts = append(s.taxes(all, false), s.taxes(all, true)...)
	case "totals":
		b.facts = s.totals(all)
	case "tracking":
		b.facts = s.facts(all, fact{s.words.carrier, "carrier", false}, fact{s.words.trackingNumber, "trackingNumber", true})
	case "instructions":
		b.facts = s.facts(all, fact{s.words.bank, "bank", false}, fact{s.words.accountNumber, "accountNumber", true},
			fact{s.words.accountHolder, "accountHolder", false}, fact{s.words.amountDue, "amountDue", true}, fact{s.words.dueAt, "dueAt", false})
	default: // addresses
		a, _ := lookup(all, v.Name).(collection.Record)
		for _, line := range s.shop.Recipient(address.From(a)) {
			b.lines = append(b.lines, strings.ReplaceAll(clean(line), "\n", " "))
		}
	}
	if len(b.goods)+len(b.facts)+len(b.lines) == 0 {
		return nil
	}
	return b
}

func (s speech) items(all []Facts) []item {
	rows, _ := lookup(all, "lines").([]collection.Record)
	var out []item
	for _, r := range rows {
		said := map[string]string{}
		for i := range itemVariables {
			said[itemVariables[i].Name] = s.value(&itemVariables[i], []Facts{r}).text
		}
		out = append(out, item{said["title"], said["options"], said["quantity"], said["amount"]})
	}
	return out
}

// facts are those of named that are there; the value of each is the name of its variable.
func (s speech) facts(all []Facts, named ...fact) []fact {
	var out []fact
	for _, f := range named {
		switch v := lookup(all, f.value).(type) {
		case string:
			f.value = clean(s.named(f.value, v))
		case money.Money:
			f.value = s.amount(v)
		case time.Time:
			f.value = s.moment(v)
		default:
			continue
		}
		if f.value != "" {
			out = append(out, f)
		}
	}
	return out
}

func (s speech) totals(all []Facts) []fact {
	out := s.facts(all, fact{s.words.subtotal, "subtotal", false})
	if off, ok := lookup(all, "discount").(money.Money); ok && !off.IsZero() {
		out = append(out, fact{s.words.discount, s.amount(money.Of(-off.Minor, off.Currency)), false})
	}
	out = append(append(out, s.facts(all, fact{s.words.shipping, "shipping", false})...), s.taxes(all, false)...)
	return append(append(out, s.facts(all, fact{s.words.total, "total", true})...), s.taxes(all, true)...)
}

// taxes are the taxes that the prices contain, or those that are added to them.
func (s speech) taxes(all []Facts, included bool) (out []fact) {
	rows, _ := lookup(all, "taxes").([]collection.Record)
	for _, r := range rows {
		amount, ok := r.Money("amount")
		if !ok || r.Bool("included") != included {
			continue
		}
		name := strings.Join(strings.Fields(clean(r.Text("tax")+" "+r.Text("percent")+"%")), " ")
		if included {
			name = s.words.ofWhich + name
		}
		out = append(out, fact{name, s.amount(amount), false})
	}
	return out
}

func (i item) count() string {
	if n, err := strconv.ParseInt(i.quantity, 10, 64); err != nil || n < 1 {
		return ""
	}
	return "× " + i.quantity
}
