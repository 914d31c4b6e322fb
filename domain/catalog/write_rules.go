package catalog

import (
	"cmp"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

// Rules for writing to the catalog, for the use case that stores the records. All functions are pure and
// return new records. Their order for a product: SplitVariants, Accept, Complete, then for each variant
// Accept, CompleteVariant, CheckVariant. A product without variants gets NewDefaultVariant.

// ErrStockOnVariants says that a product with explicit variants has its stock on them.
var ErrStockOnVariants = fault.Invalidf("stock", "This product has variants; set the stock on them.")

// SplitVariants removes the inline list `variants` from the input of a product; given is false when there is
// none. Errors: fault.ErrValidation when it is not a list of objects.
func SplitVariants(input map[string]any) (product map[string]any, variants []map[string]any, given bool, err error) {
	raw, given := input["variants"]
	if !given {
		return input, nil, false, nil
	}
	product = make(map[string]any, len(input))
	for k, v := range input {
		if k != "variants" {
			product[k] = v
		}
	}
	if raw == nil {
		return product, nil, false, nil
	}
	items, ok := raw.([]any)
	if !ok {
		return nil, nil, true, fault.Invalidf("variants", "This field takes a list.")
	}
	for i, it := range items {
		m, ok := it.(map[string]any)
		if !ok {
			return nil, nil, true, fault.Invalidf("variants."+strconv.Itoa(i), "This item takes an object.")
		}
		variants = append(variants, m)
	}
	return product, variants, true, nil
}

// Complete fills a missing slug of a product, brand, category or tag from its name, and missing slugs of
// option values from their labels. taken reports whether another record of the collection has a slug.
func Complete(s *collection.Schema, next collection.Record, taken func(slug string) bool) collection.Record {
	next = next.Clone()
	if s == Options {
		next["values"] = completeValues(next.Rows("values"))
		return next
	}
	if _, has := s.Field("slug"); has && next.Text("slug") == "" {
		next["slug"] = UniqueSlug(Slugify(next.Text(nameField(s))), taken)
	}
	return next
}

// nameField is the field with the name of a record.
func nameField(s *collection.Schema) string {
	if _, has := s.Field("name"); has {
		return "name"
	}
	return "title"
}

func completeValues(rows []collection.Record) []collection.Record {
	out := make([]collection.Record, len(rows))
	used := map[string]bool{}
	for _, row := range rows {
		used[row.Text("slug")] = true
	}
	for i, row := range rows {
		out[i] = row
		if row.Text("slug") != "" {
			continue
		}
		out[i] = row.Clone()
		slug := UniqueSlug(Slugify(row.Text("label")), func(s string) bool { return used[s] })
		out[i]["slug"], used[slug] = slug, true
	}
	return out
}

// CheckSlug refuses a slug that is not valid in a URL, in every language. Errors: fault.ErrValidation.
func CheckSlug(next collection.Record) error {
	var bad []fault.Field
	check := func(path, slug string) {
		if strings.ContainsFunc(slug, func(r rune) bool { return r <= ' ' || r == 0x7f || strings.ContainsRune(`/?#%\`, r) }) {
			bad = append(bad, fault.Field{Field: path, Message: `A slug must not contain spaces or any of / ? # % \.`})
		}
	}
	check(collection.SlugName, next.Text(collection.SlugName))
	languages, _ := next[collection.TranslationsName].(map[string]any)
	for _, locale := range slices.Sorted(maps.Keys(languages)) {
		texts, _ := languages[locale].(map[string]any)
		slug, _ := texts[collection.SlugName].(string)
		check(collection.TranslationsName+"."+locale+"."+collection.SlugName, slug)
	}
	if len(bad) > 0 {
		return fault.ErrValidation.WithFields(bad...)
	}
	return nil
}

// NewDefaultVariant returns the variant of a product that has no other: at its price, physical, with stock
// tracked.
func NewDefaultVariant(product collection.Record, id string) collection.Record {
	return collection.Record{
		"id": id, "tenant": product.Text("tenant"), "product": product.ID(), "kind": Physical,
		"requiresShipping": true, "trackInventory": true, "position": int64(0), "isDefault": true,
	}
}

// ReplaceableDefault returns the default variant that the first explicit variant replaces: created by the
// system, never edited, no stock on hand or reserved. Nil when there is none. Rule catalog-13.
func ReplaceableDefault(siblings []collection.Record) collection.Record {
	for _, v := range siblings {
		if v.Bool("isDefault") && v.Sequence() == 1 && v.Int("stock") == 0 && v.Int("reserved") == 0 {
			return v
		}
	}
	return nil
}

// StockTarget is the variant that gets the stock written to its product: the only variant, which is the
// default one. Errors: ErrStockOnVariants.
func StockTarget(variants []collection.Record) (collection.Record, error) {
	if len(variants) == 1 && variants[0].Bool("isDefault") {
		return variants[0], nil
	}
	return nil, ErrStockOnVariants
}

// CompleteVariant fills missing values of a variant: the title from its option values, shipping from its
// kind. A value that was filled in earlier is updated when option values or kind change, unless the input
// sets it. before is nil on create.
func CompleteVariant(before, next collection.Record, input map[string]any, options []collection.Record) collection.Record {
	next = next.Clone()
	_, titled := input["title"]
	if followed := before != nil && !titled && before.Text("title") == titleOf(before, options); followed || next.Text("title") == "" {
		delete(next, "title")
		if t := titleOf(next, options); t != "" {
			next["title"] = t
		}
	}
	_, shipped := input["requiresShipping"]
	if followed := before != nil && !shipped && RequiresShipping(before) == (KindOf(before) == Physical); followed ||
		next["requiresShipping"] == nil {
		next["requiresShipping"] = KindOf(next) == Physical
	}
	return next
}

// titleOf joins the labels of a variant's values in the order of the options: "Red / Large".
func titleOf(variant collection.Record, options []collection.Record) string {
	title := ""
	for _, o := range SortByPosition(options) {
		for _, v := range o.Rows("values") {
			if !slices.Contains(variant.Texts("optionValues"), v.ID()) {
				continue
			}
			if title != "" {
				title += " / "
			}
			title += v.Text("label")
		}
	}
	return title
}

// SortByPosition sorts records by position, then id.
func SortByPosition(records []collection.Record) []collection.Record {
	out := slices.Clone(records)
	slices.SortFunc(out, func(a, b collection.Record) int {
		return cmp.Or(cmp.Compare(a.Int("position"), b.Int("position")), cmp.Compare(a.ID(), b.ID()))
	})
	return out
}

// CheckVariant refuses values that are not of the product's options, two values of one option, and a
// combination that a sibling has already. siblings may include next itself. Errors: fault.ErrValidation.
func CheckVariant(next collection.Record, options, siblings []collection.Record) error {
	var problems []fault.Field
	chosen := map[string]bool{}
	for i, id := range next.Texts("optionValues") {
		option := optionOf(options, id)
		path := "optionValues." + strconv.Itoa(i)
		switch {
		case option == "":
			problems = append(problems, fault.Field{Field: path, Message: "The product has no such option value."})
		case chosen[option]:
			problems = append(problems, fault.Field{Field: path, Message: "A variant has one value per option."})
		}
		chosen[option] = true
	}
	values := next.Texts("optionValues")
	for _, s := range siblings {
		// Variants without any value never conflict.
		if len(values) > 0 && s.ID() != next.ID() && SameValues(s.Texts("optionValues"), values) {
			problems = append(problems, fault.Field{Field: "optionValues", Message: "Another variant of the product has these values."})
			break
		}
	}
	if len(problems) > 0 {
		return fault.ErrValidation.WithFields(problems...)
	}
	return nil
}

func optionOf(options []collection.Record, value string) string {
	for _, o := range options {
		if slices.ContainsFunc(o.Rows("values"), func(v collection.Record) bool { return v.ID() == value }) {
			return o.ID()
		}
	}
	return ""
}

// SameValues reports whether two variants have the same option values, by their ids in any order; no variant has one twice.
func SameValues(a, b []string) bool {
	return len(a) == len(b) && !slices.ContainsFunc(a, func(id string) bool { return !slices.Contains(b, id) })
}

// CheckMarket refuses an invalid currency, a missing rate for a foreign currency, an increment that the currency
// cannot represent, and taxes without a country. Errors: fault.ErrValidation.
func CheckMarket(next collection.Record, tenant money.Currency) error {
	c := money.Currency(next.Text("currency"))
	if !c.Valid() {
		return fault.Invalidf("currency", "Enter a valid ISO 4217 currency code.")
	}
	if rate, ok := next.Decimal("exchangeRate"); c != tenant && (!ok || rate.IsZero()) {
		return fault.Invalidf("exchangeRate", "A market in another currency needs a rate.")
	}
	if step, ok := next.Decimal("roundingIncrement"); ok && !step.IsZero() {
		if _, err := money.Parse(step.String(), c); err != nil {
			return fault.Invalidf("roundingIncrement", "%s has %d fraction digits.", c, c.Exponent())
		}
	}
	if tax.RulesFrom(next) != nil && len(next.Texts("countries")) == 0 {
		return fault.Invalidf("countries", "A market with taxes needs the countries it sells in: until an address is known, the first of them counts.")
	}
	return nil
}

// CompleteMarketPrice sets the currency of a fixed price to its market's; the amounts must have been parsed
// in it. Errors: fault.ErrValidation when the record has another currency.
func CompleteMarketPrice(next collection.Record, market Market) (collection.Record, error) {
	if c := next.Text("currency"); c != "" && money.Currency(c) != market.Currency {
		return nil, fault.Invalidf("currency", "The market's currency is %s.", market.Currency)
	}
	next = next.Clone()
	next["currency"] = string(market.Currency)
	return next, nil
}
