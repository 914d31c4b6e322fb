package shopify

import (
	"bufio"
	"cmp"
	"encoding/csv"
	"errors"
	"fmt"
	"io"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/app/catalogtransfer"
)

// ErrNotShopifyExport means that a file is not a product export.
var ErrNotShopifyExport = errors.New("not a Shopify product export: the first row must name the columns Handle, Title and Variant Price")

// Read decodes a whole file. A row that cannot be read is listed as rejected, and its product is left out;
// only a file that is not a product export, or not CSV, is an error. Errors: ErrNotShopifyExport, the
// position of a broken quote.
func Read(from io.Reader, unescape func(row []string) []string) (catalogtransfer.File, error) {
	in := bufio.NewReader(from)
	if mark, err := in.Peek(3); err == nil && string(mark) == "\uFEFF" {
		_, _ = in.Discard(3) // peeked above
	}
	table := csv.NewReader(in)
	table.FieldsPerRecord = -1
	header, err := table.Read()
	if errors.Is(err, io.EOF) {
		return catalogtransfer.File{}, ErrNotShopifyExport
	}
	if err != nil {
		return catalogtransfer.File{}, fmt.Errorf("read the first row: %w", err)
	}
	header = unescape(header)
	for i := range header {
		header[i] = strings.TrimSpace(header[i])
	}
	for _, needed := range []string{colHandle, colTitle, colPrice} {
		if !slices.Contains(header, needed) {
			return catalogtransfer.File{}, ErrNotShopifyExport
		}
	}
	f := reader{header: header, byHandle: map[string]int{}}
	for number := 2; ; number++ {
		cells, err := table.Read()
		if errors.Is(err, io.EOF) {
			return f.result(), nil
		}
		if err != nil {
			return catalogtransfer.File{}, fmt.Errorf("row %d: %w", number, err)
		}
		f.addRow(row{number: number, header: header, cells: unescape(cells)})
	}
}

// row is one record of the table.
type row struct {
	number        int
	header, cells []string
}

func (r row) get(column string) string {
	i := slices.Index(r.header, column)
	if i < 0 || i >= len(r.cells) {
		return ""
	}
	return strings.TrimSpace(r.cells[i])
}

func (r row) empty() bool { return strings.TrimSpace(strings.Join(r.cells, "")) == "" }

// hasVariant reports whether the row has a variant, rather than only an image.
func (r row) hasVariant() bool {
	return r.get("Option1 Value") != "" || r.get(colPrice) != "" || r.get(colSKU) != ""
}

// extraColumns collects the cells that have no counterpart: those of the product, or those of the variant.
func (r row) extraColumns(ofVariant bool) map[string]string {
	var out map[string]string
	for i, column := range r.header {
		variantColumn := strings.HasPrefix(column, "Variant ") || column == colCost
		if mappedColumns[column] || variantColumn != ofVariant || i >= len(r.cells) || r.cells[i] == "" ||
			defaultValues[column] == strings.ToLower(r.cells[i]) {
			continue
		}
		if out == nil {
			out = map[string]string{}
		}
		out[column] = r.cells[i]
	}
	return out
}

// reader is the state between rows.
type reader struct {
	header   []string
	products []productDraft
	byHandle map[string]int // handle → index in products
	rejected []catalogtransfer.Rejection
}

// productDraft is a product with possibly more rows to come.
type productDraft struct {
	catalogtransfer.Product

	images   []positionedImage
	rejected bool
}

type positionedImage struct {
	catalogtransfer.Image

	position int
}

func (f *reader) addRow(r row) {
	if r.empty() {
		return
	}
	handle := r.get(colHandle)
	if handle == "" {
		f.reject(r, "The row has no handle, so it belongs to no product.")
		return
	}
	i, seen := f.byHandle[handle]
	if !seen {
		i = len(f.products)
		f.byHandle[handle] = i
		f.products = append(f.products, productDraft{Product: productOf(r)})
	}
	p := &f.products[i]
	if reason := p.addRow(r, !seen); reason != "" {
		f.reject(r, reason)
		p.rejected = true
	}
}

func (f *reader) reject(r row, reason string) {
	f.rejected = append(f.rejected, catalogtransfer.Rejection{Row: r.number, Handle: r.get(colHandle), Reason: reason})
}

func productOf(r row) catalogtransfer.Product {
	p := catalogtransfer.Product{
		Row: r.number, Handle: r.get(colHandle), Title: r.get(colTitle), Description: r.get(colBody),
		Brand: r.get(colVendor), Category: r.get(colType), Tags: tagsOf(r.get(colTags)), Status: statusOf(r), Extra: r.extraColumns(false),
	}
	if slices.Contains(r.header, colSEOTitle) || slices.Contains(r.header, colSEOText) {
		p.SEO = &catalogtransfer.SEO{Title: r.get(colSEOTitle), Description: r.get(colSEOText)}
	}
	for n := 1; n <= maxOptions; n++ {
		if name := r.get("Option" + strconv.Itoa(n) + " Name"); name != "" {
			p.Options = append(p.Options, name)
		}
	}
	if len(p.Options) == 1 && r.get("Option1 Value") == defaultTitle {
		p.Options = nil
	}
	return p
}

// statusOf combines both columns: Published says whether the storefront shows the product, and the newer
// Status column can override it.
func statusOf(r row) string {
	status := strings.ToLower(r.get(colStatus))
	published := !strings.EqualFold(r.get(colPublished), "false")
	switch {
	case status == "draft" || status == "archived":
		return "draft"
	case status == "active" && !published:
		return "unlisted"
	case published:
		return "published"
	}
	return "draft"
}

func tagsOf(cell string) []string {
	var tags []string
	for t := range strings.SplitSeq(cell, ",") {
		t = strings.TrimSpace(t)
		same := func(o string) bool { return strings.EqualFold(o, t) }
		if t != "" && !slices.ContainsFunc(tags, same) {
			tags = append(tags, t)
		}
	}
	return tags
}

// addRow adds one row to the product; a non-empty result is why it cannot.
func (p *productDraft) addRow(r row, first bool) string {
	for _, cell := range r.cells {
		if !utf8.ValidString(cell) {
			return "The row holds bytes that are not UTF-8. Save the file as UTF-8."
		}
	}
	if first && p.Title == "" {
		return "The first row of a product needs a title."
	}
	if url := r.get(colImage); url != "" {
		position, err := strconv.Atoi(cmp.Or(r.get(colPosition), strconv.Itoa(len(p.images)+1)))
		if err != nil {
			return fmt.Sprintf("The image position %q is not a whole number.", r.get(colPosition))
		}
		p.images = append(p.images, positionedImage{catalogtransfer.Image{URL: url, Alt: r.get(colAlt)}, position})
	} else if !r.hasVariant() {
		return "The row carries neither a variant nor an image."
	}
	if !r.hasVariant() {
		return ""
	}
	v, reason := p.variantOf(r)
	if reason == "" {
		p.Variants = append(p.Variants, v)
	}
	return reason
}

func (p *productDraft) variantOf(r row) (catalogtransfer.Variant, string) {
	v := catalogtransfer.Variant{
		Row: r.number, SKU: strings.TrimPrefix(r.get(colSKU), "'"), Barcode: strings.TrimPrefix(r.get(colBarcode), "'"),
		Price: r.get(colPrice), CompareAt: r.get(colCompareAt), Cost: r.get(colCost), Grams: r.get(colGrams), Image: r.get(colVariantImage),
		RequiresShipping: strings.EqualFold(r.get(colShips), "true"), Extra: r.extraColumns(true),
		Tracked: r.get(colTracker) != "" && !strings.EqualFold(r.get(colPolicy), policyContinue),
	}
	v.Extra = withTracking(v.Extra, r.get(colTracker), strings.ToLower(r.get(colPolicy)))
	if v.Price == "" {
		return v, "The variant has no price."
	}
	if quantity := r.get(colQuantity); quantity != "" {
		n, err := strconv.ParseInt(quantity, 10, 32)
		if err != nil {
			return v, fmt.Sprintf("The inventory quantity %q is not a whole number.", quantity)
		}
		v.Stock = n
	}
	for n := range p.Options {
		value := r.get("Option" + strconv.Itoa(n+1) + " Value")
		if value == "" {
			return v, fmt.Sprintf("The variant has no value for %s.", p.Options[n])
		}
		v.Values = append(v.Values, value)
	}
	for _, o := range p.Variants {
		if slices.Equal(o.Values, v.Values) {
			return v, fmt.Sprintf("The product already has this variant, in row %d.", o.Row)
		}
	}
	return v, ""
}

// withTracking keeps what Tracked cannot express: another system that tracks the stock, and sales beyond it.
func withTracking(extra map[string]string, tracker, policy string) map[string]string {
	beyond := policy == policyContinue
	if !beyond && (tracker == "" || tracker == trackerShopify) {
		return extra
	}
	if extra == nil {
		extra = map[string]string{}
	}
	if tracker != "" {
		extra[colTracker] = tracker
	}
	if beyond {
		extra[colPolicy] = policyContinue
	}
	return extra
}

// withTaxFree is p as tax-free if none of its variants is taxable, which then need not say so, and else as taxed.
func withTaxFree(p catalogtransfer.Product) catalogtransfer.Product {
	taxable := func(v catalogtransfer.Variant) bool { return !strings.EqualFold(v.Extra[colTaxable], "false") }
	taxFree := !slices.ContainsFunc(p.Variants, taxable)
	p.TaxFree = &taxFree
	for i := 0; taxFree && i < len(p.Variants); i++ {
		v := &p.Variants[i]
		if delete(v.Extra, colTaxable); len(v.Extra) == 0 {
			v.Extra = nil
		}
	}
	return p
}

func (f *reader) result() catalogtransfer.File {
	out := catalogtransfer.File{Rejected: f.rejected}
	for _, p := range f.products {
		if !p.rejected && len(p.Variants) == 0 {
			out.Rejected = append(out.Rejected, catalogtransfer.Rejection{
				Row: p.Row, Handle: p.Handle, Reason: "The product has no row with a price.",
			})
			continue
		}
		if p.rejected {
			continue
		}
		slices.SortStableFunc(p.images, func(a, b positionedImage) int { return cmp.Compare(a.position, b.position) })
		for _, pic := range p.images {
			if !slices.Contains(p.Images, pic.Image) {
				p.Images = append(p.Images, pic.Image)
			}
		}
		if slices.Contains(f.header, colTaxable) {
			p.Product = withTaxFree(p.Product)
		}
		out.Products = append(out.Products, p.Product)
	}
	slices.SortStableFunc(out.Rejected, func(a, b catalogtransfer.Rejection) int { return cmp.Compare(a.Row, b.Row) })
	return out
}
