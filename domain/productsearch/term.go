package productsearch

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// What the terms of a product begin with: the first letter says what the rest is.
const (
	listedTerm    = "L" // it is listed: nothing follows
	nameWord      = "n" // a word of a name, whole, or two neighbors joined
	nameBeginning = "p" // the first 1 to 4 characters of a word of a name
	nameGram      = "g" // one or two neighboring characters of a name without spaces
	nameInitials  = "c" // two or three neighboring initial consonants of a name, or the one of a word
	textWord      = "d" // a word of a description, whole, or two neighboring characters of a text without spaces
	brandTerm     = "B" // id of the brand
	categoryTerm  = "C" // id of a category
	tagTerm       = "T" // id of a tag
	optionTerm    = "O" // name and value of an option
	stockTerm     = "S" // environment in which units are on hand
	ownPriceTerm  = "F" // id of a market in which it has fixed prices
	priceTerm     = "P" // market, and lowest price there; see PriceTerm
	roundTerm     = "Q" // market, and lowest price there, rounded down to two digits
)

// Bounds of what a product is found by.
const (
	maxBeginning = 4   // characters
	maxNameWords = 100 // over all languages
	maxTextTerms = 400
	gramLength   = 2
	maxInitials  = 3
)

// separator stands between the parts of a term, and in no text.
const separator = "\x1f"

// Product is what a product is found by, whatever finds it.
type Product struct {
	ID           string
	Listed       bool     // shoppers see it in lists; the others are not found
	Names        []string // in all languages
	Descriptions []string // in all languages, with tags of HTML or without
	Brand        string   // id; "": none
	Categories   []string // ids, without their parents
	Tags         []string // ids
	Options      []Option // each pair once
	InStock      []tenant.Environment
	// Price is the lowest price of its variants in the shop's currency, as PriceKey; negative: it has none.
	Price int64
	// Fixed are its lowest prices in markets where it has fixed ones, in minor units of these markets' currencies, by market.
	Fixed map[string]int64
}

// Option is a choice and one of its values, as they read in the default language of the shop.
type Option struct{ Name, Value string }

// Key is what an option is called in filters and terms.
func (o Option) Key() string { return o.Name + separator + o.Value }

// OptionOf is the option of a key.
func OptionOf(key string) Option {
	name, value, _ := strings.Cut(key, separator)
	return Option{name, value}
}

// Entry is a product with its terms.
type Entry struct {
	Product string   // id
	Terms   []string // sorted, each once; none: the product is not found
	Words   []string // whole words of its names, for what is spelled almost like them
}

// Gone is the entry of a product that is not found.
func Gone(id string) Entry { return Entry{Product: id} }

// EntryOf makes the terms of a product.
func EntryOf(p Product, fold collection.Fold) Entry {
	if !p.Listed {
		return Gone(p.ID)
	}
	t := terms{fold: fold}
	t.add(listedTerm, "")
	for _, name := range p.Names {
		t.name(name)
	}
	t.texts(p.Descriptions)
	for _, one := range []struct {
		kind string
		ids  []string
	}{{brandTerm, []string{p.Brand}}, {categoryTerm, p.Categories}, {tagTerm, p.Tags}} {
		for _, id := range one.ids {
			if id != "" {
				t.add(one.kind, id)
			}
		}
	}
	for _, o := range p.Options {
		t.add(optionTerm, o.Key())
	}
	for _, env := range p.InStock {
		t.add(stockTerm, string(env))
	}
	t.prices(p)
	slices.Sort(t.all)
	slices.Sort(t.words)
	return Entry{p.ID, slices.Compact(t.all), slices.Compact(t.words)}
}

// terms collects the terms of a product.
type terms struct {
	fold  collection.Fold
	all   []string
	words []string
	names int // words of names so far
}

func (t *terms) add(kind, text string) { t.all = append(t.all, kind+text) }

// name adds a name: its words, their beginnings, and what of it is written without spaces.
func (t *terms) name(text string) {
	var run, last string // the characters without spaces so far, and the word before
	for _, p := range piecesOf(t.fold(text)) {
		if t.names++; t.names > maxNameWords {
			break
		}
		t.add(nameWord, p.text)
		t.words = append(t.words, p.text)
		if !p.unspaced || !p.joins {
			t.run(run)
			run = ""
		}
		switch {
		case p.unspaced:
			run += p.text
			if initials := initialsOf(p.text); initials != "" {
				t.add(nameInitials, beginnings(initials, 1)[0])
			}
			last = ""
			continue
		case p.joins && last != "":
			t.add(nameWord, cutTo(last+p.text, maxWord))
		}
		last = p.text
		for _, beginning := range beginnings(p.text, maxBeginning) {
			t.add(nameBeginning, beginning)
		}
	}
	t.run(run)
}

// run adds characters of a name that are written without spaces, or with some that vary.
func (t *terms) run(text string) {
	if text != "" {
		t.words = append(t.words, cutTo(text, maxWord))
	}
	for n := 1; n <= gramLength; n++ {
		for _, one := range grams(text, n) {
			t.add(nameGram, one)
		}
	}
	for syllables := range strings.FieldsFuncSeq(text, func(r rune) bool { return !isSyllable(r) }) {
		initials := initialsOf(syllables)
		for n := 2; n <= maxInitials; n++ {
			for _, one := range grams(initials, n) {
				t.add(nameInitials, one)
			}
		}
	}
}

// texts adds the words of descriptions.
func (t *terms) texts(all []string) {
	seen := map[string]bool{}
	for _, text := range all {
		for _, p := range piecesOf(t.fold(withoutTags(text))) {
			for _, one := range textTerms(p) {
				if len(seen) < maxTextTerms && !seen[one] {
					seen[one] = true
					t.add(textWord, one)
				}
			}
		}
	}
}

// textTerms are what a word of a description is found by.
func textTerms(p piece) []string {
	if p.unspaced && length(p.text) >= gramLength {
		return grams(p.text, gramLength)
	}
	return []string{p.text}
}

// prices adds the prices of a product.
func (t *terms) prices(p Product) {
	if p.Price >= 0 {
		t.all = append(t.all, PriceTerm("", p.Price), roundTermOf("", p.Price))
	}
	for market, amount := range p.Fixed {
		t.add(ownPriceTerm, market)
		t.all = append(t.all, PriceTerm(market, amount), roundTermOf(market, amount))
	}
}

// PriceTerm is the term of a price in a market, "" being the shop's own: terms of one market are in the order of their prices.
func PriceTerm(market string, price int64) string {
	return pricePrefix(priceTerm, market) + priceText(price)
}

// roundTermOf is the term of a price rounded down to two digits.
func roundTermOf(market string, price int64) string {
	return pricePrefix(roundTerm, market) + priceText(RoundedDown(price))
}

func pricePrefix(kind, market string) string { return kind + market + separator }

func priceText(price int64) string { return fmt.Sprintf("%019d", price) }

// RoundedDown is a price of which only the first two digits are left.
func RoundedDown(price int64) int64 {
	unit := unitOf(price)
	return price / unit * unit
}

// unitOf is what the second digit of a price counts.
func unitOf(price int64) int64 {
	unit := int64(1)
	for price/unit >= 100 { //nolint:mnd // two digits
		unit *= 10
	}
	return unit
}

// RoundedUpTo is the smallest price above those that are rounded down to price.
func RoundedUpTo(price int64) int64 {
	return price + unitOf(price)
}

// PriceOf is the price of a term of PriceTerm, or the rounded one.
func PriceOf(term string) int64 {
	n, _ := strconv.ParseInt(term[strings.LastIndex(term, separator)+len(separator):], 10, 64)
	return n
}

// RoundPrefix is what the terms of rounded prices in a market begin with.
func RoundPrefix(market string) string { return pricePrefix(roundTerm, market) }

// FixedTerm is the term of products that have fixed prices in a market.
func FixedTerm(market string) string { return ownPriceTerm + market }

// StockTerm is the term of products of which units are on hand.
func StockTerm(env tenant.Environment) string { return stockTerm + string(env) }

// ListedTerm is the term of all products that are found.
func ListedTerm() string { return listedTerm }
