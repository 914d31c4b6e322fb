package shopify

import (
	"cmp"
	"encoding/csv"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/app/catalogtransfer"
)

// Write encodes products in the layout that Read accepts. Columns that came with an import and have no
// counterpart follow after the usual ones. Escape keeps spreadsheets from running a cell as a formula.
func Write(to io.Writer, products []catalogtransfer.Product, escape func(row []string) []string) error {
	columns := columnsOf(products)
	out := csv.NewWriter(to)
	if err := out.Write(escape(columns)); err != nil {
		return fmt.Errorf("write the header: %w", err)
	}
	for _, p := range products {
		for _, cells := range rowsOf(p) {
			line := make([]string, len(columns))
			for i, c := range columns {
				line[i] = cells[c]
			}
			if err := out.Write(escape(line)); err != nil {
				return fmt.Errorf("write %s: %w", p.Handle, err)
			}
		}
	}
	out.Flush()
	if err := out.Error(); err != nil {
		return fmt.Errorf("write the file: %w", err)
	}
	return nil
}

func columnsOf(products []catalogtransfer.Product) []string {
	more := map[string]bool{}
	note := func(extra map[string]string) {
		for c := range extra {
			if !slices.Contains(exportColumns, c) {
				more[c] = true
			}
		}
	}
	for _, p := range products {
		note(p.Extra)
		if p.Status == "unlisted" {
			more[colStatus] = true
		}
		for _, v := range p.Variants {
			note(v.Extra)
		}
	}
	return append(slices.Clone(exportColumns), slices.Sorted(maps.Keys(more))...)
}

// rowsOf lays out a product: its first row has the product's own columns, the first variant and the first
// image; further variants and images share the following rows.
func rowsOf(p catalogtransfer.Product) []map[string]string {
	rows := make([]map[string]string, max(len(p.Variants), len(p.Images)))
	for i := range rows {
		rows[i] = map[string]string{colHandle: p.Handle}
		if i < len(p.Variants) {
			fillVariant(rows[i], p.Variants[i])
			if p.TaxFree != nil && *p.TaxFree {
				rows[i][colTaxable] = "false"
			}
		}
		if i < len(p.Images) {
			rows[i][colImage], rows[i][colAlt] = p.Images[i].URL, p.Images[i].Alt
			rows[i][colPosition] = strconv.Itoa(i + 1)
		}
	}
	first := rows[0]
	maps.Copy(first, p.Extra)
	first[colTitle], first[colBody] = p.Title, p.Description
	if p.SEO != nil { // what an import kept before products had it stays in Extra
		first[colSEOTitle] = cmp.Or(p.SEO.Title, p.Extra[colSEOTitle])
		first[colSEOText] = cmp.Or(p.SEO.Description, p.Extra[colSEOText])
	}
	first[colVendor], first[colType], first[colTags] = p.Brand, p.Category, strings.Join(p.Tags, ", ")
	first[colPublished] = strconv.FormatBool(p.Status == "published")
	if p.Status == "unlisted" {
		first[colStatus] = "active"
	}
	for n, name := range p.Options {
		first["Option"+strconv.Itoa(n+1)+" Name"] = name
	}
	if len(p.Options) == 0 {
		first["Option1 Name"], first["Option1 Value"] = colTitle, defaultTitle
	}
	first[colGiftCard] = cmp.Or(first[colGiftCard], defaultValues[colGiftCard])
	return rows
}

func fillVariant(cells map[string]string, v catalogtransfer.Variant) {
	cells[colFulfillment], cells[colTaxable] = defaultValues[colFulfillment], defaultValues[colTaxable]
	maps.Copy(cells, v.Extra)
	for n, value := range v.Values {
		cells["Option"+strconv.Itoa(n+1)+" Value"] = value
	}
	cells[colSKU], cells[colBarcode], cells[colGrams] = v.SKU, v.Barcode, v.Grams
	if v.Cost != "" {
		cells[colCost] = v.Cost
	}
	cells[colQuantity] = strconv.FormatInt(v.Stock, 10)
	cells[colPrice], cells[colCompareAt] = v.Price, v.CompareAt
	cells[colShips] = strconv.FormatBool(v.RequiresShipping)
	cells[colVariantImage] = v.Image
	cells[colTracker], cells[colPolicy] = trackingOf(v)
}

// trackingOf is the tracker and the policy of a variant, as an earlier import had them if they still apply.
func trackingOf(v catalogtransfer.Variant) (tracker, policy string) {
	switch {
	case v.Tracked:
		return cmp.Or(v.Extra[colTracker], trackerShopify), "deny"
	case v.Extra[colPolicy] == policyContinue:
		return v.Extra[colTracker], policyContinue
	}
	return "", "deny"
}
