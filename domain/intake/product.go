package intake

import (
	"cmp"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// MaxRecordRows is how many rows one record has at most: the variants of a product, the lines of an order.
const MaxRecordRows = 250

// Product is what the rows of one handle say.
type Product struct {
	Slug     string
	Fields   map[string]any // of the product; nil clears. Categories, tags and the brand are named by slugs, images by addresses
	Variants []Variant      // a row each
}

// Variant is what a row says of a variant.
type Variant struct {
	Row    int
	Fields map[string]any // of the variant; nil clears
	// Options are the chosen values, by the names of the options; nil: the file does not say.
	Options []Pair
	// Prices are what the file says of fixed prices, by the codes of markets.
	Prices map[string]map[string]any // fields of the price; a nil amount removes it
}

// The fields of products and variants whose columns have other names.
var (
	productFields = map[string]string{
		"handle": "slug", "title": "name", "productPrice": "price", "productCostPrice": "costPrice",
		"productLowStockThreshold": "lowStockThreshold",
	}
	// seoFields are members of the group collection.SEO.
	seoFields     = map[string]string{"seoTitle": "title", "seoDescription": "description", "noIndex": "noIndex"}
	variantFields = map[string]string{"variantTitle": "title", "variantImages": "images"}
)

// ProductOf reads the rows of one product. Rows that say something else of the product than the first row, and rows with
// problems, are told in problems.
func ProductOf(rows []Row) (p Product, problems []Problem) {
	p.Slug = rows[0].Key()
	locales := rows[0].header.locales
	p.Fields, problems = shared(rows, slices.Concat(Products.of(whole), locales))
	intoLanguages(p.Fields, locales)
	rename(p.Fields, productFields)
	gather(p.Fields, collection.SEOName, seoFields)
	for i := range rows {
		v, bad := rows[i].variant()
		p.Variants, problems = append(p.Variants, v), append(problems, bad...)
	}
	return p, problems
}

// intoLanguages moves what columns say in other languages into the translations of a product.
func intoLanguages(fields map[string]any, columns []Column) {
	languages := map[string]any{}
	for _, c := range columns {
		name, locale, _ := strings.Cut(c.Name, ":")
		text, said := fields[c.Name]
		if delete(fields, c.Name); !said {
			continue
		}
		texts, _ := languages[locale].(map[string]any)
		if texts == nil {
			texts = map[string]any{}
			languages[locale] = texts
		}
		texts[cmp.Or(productFields[name], name)] = text
	}
	if len(languages) > 0 {
		fields[collection.TranslationsName] = languages
	}
}

// shared reads the columns that all rows of a record share: what the first row says, and later rows repeat or leave empty.
func shared(rows []Row, list []Column) (fields map[string]any, problems []Problem) {
	first := rows[0]
	fields = first.values(list)
	problems = append(problems, first.Problems...)
	for _, r := range rows[1:] {
		problems = append(problems, r.Problems...)
		for _, c := range list {
			own := strings.TrimSpace(r.cell(c.Name))
			if own != "" && own != strings.TrimSpace(first.cell(c.Name)) && c.Name != list[0].Name {
				problems = append(problems, Problem{r.Number, c.Name, CodeDiffers,
					"The cell differs from that of row " + itoa(first.Number) + ", which is of the same record. Leave it empty, or repeat it."})
			}
		}
	}
	return fields, problems
}

// gather puts columns that are members of a group into it; a group of which the file has no column stays as it is.
func gather(input map[string]any, group string, members map[string]string) {
	of := map[string]any{}
	for column, member := range members {
		if v, given := input[column]; given {
			delete(input, column)
			of[member] = v
		}
	}
	if len(of) > 0 {
		input[group] = of
	}
}

func (r Row) variant() (Variant, []Problem) {
	r.Problems = nil // told with the product
	v := Variant{Row: r.Number, Fields: r.values(Products.of(portion))}
	rename(v.Fields, variantFields)
	delete(v.Fields, "optionValues")
	if r.header.Has("optionValues") {
		pairs, ok := splitPairs(r.cell("optionValues"))
		if !ok {
			r.fail("optionValues", CodeList, "The cell is not a list such as Color=Red|Size=M.")
		}
		v.Options = append([]Pair{}, pairs...)
	}
	for _, c := range r.header.markets {
		name, code, _ := strings.Cut(c.Name, ":")
		if v.Prices[code] == nil {
			if v.Prices == nil {
				v.Prices = map[string]map[string]any{}
			}
			v.Prices[code] = map[string]any{}
		}
		field := "amount"
		if name == "compareAtPrice" {
			field = "compareAtAmount"
		}
		for _, value := range r.values([]Column{c}) {
			v.Prices[code][field] = value
		}
	}
	return v, r.Problems
}
