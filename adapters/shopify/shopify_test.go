package shopify_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"os"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/shopify"
	"github.com/cartwright-dev/cartwright/app/catalogtransfer"
)

func read(t *testing.T, text string) catalogtransfer.File {
	t.Helper()
	f, err := shopify.Read(strings.NewReader(text), unmark)
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func fixture(t *testing.T) string {
	t.Helper()
	text, err := os.ReadFile("testdata/shop.csv")
	if err != nil {
		t.Fatal(err)
	}
	return string(text)
}

func TestRealExportIsRead(t *testing.T) {
	t.Parallel()
	f := read(t, fixture(t))
	if len(f.Rejected) > 0 {
		t.Fatalf("rejected %v", f.Rejected)
	}
	want := []catalogtransfer.Product{
		{
			Row: 2, Handle: "river-mug", Title: "River Mug", Description: "<p>Thrown by hand.\nHolds \"0.3 l\", they say.</p>",
			Brand: "Kiln & Co", Category: "Kitchen",
			Tags: []string{"ceramic", "blue"}, Status: "published", TaxFree: new(false), SEO: &catalogtransfer.SEO{Title: "A mug like a river"},
			Variants: []catalogtransfer.Variant{{
				Row: 2, SKU: "0042", Price: "18.50", CompareAt: "24", RequiresShipping: true, Tracked: true, Stock: 12, Grams: "380",
				Extra: map[string]string{"Variant Weight Unit": "g"},
			}},
			Images: []catalogtransfer.Image{{URL: "https://pictures.example/mug-1.jpg", Alt: "Mug, blue"}, {
				URL: "https://pictures.example/mug-2.jpg", Alt: "Mug from above",
			}},
		},
		{
			Row: 4, Handle: "field-shirt", Title: "Field Shirt", Description: "<ul><li>Linen</li><li>Washed, soft</li></ul>",
			Brand: "Kiln & Co", Category: "Clothing", Tags: []string{"linen"}, Status: "published", TaxFree: new(false),
			SEO: &catalogtransfer.SEO{}, Options: []string{"Size", "Colour"},
			Variants: []catalogtransfer.Variant{
				{
					Row: 4, Values: []string{"S", "Sand"}, SKU: "FS-S-SAND", Price: "64", RequiresShipping: true, Stock: 3,
					Cost: "21", Image: "https://pictures.example/shirt-sand.jpg",
				},
				{
					Row: 5, Values: []string{"M", "Sand"}, SKU: "FS-M-SAND", Price: "64", RequiresShipping: true, Tracked: true, Stock: -2,
					Extra: map[string]string{"Variant Inventory Tracker": "shipwire"},
				},
				{
					Row: 6, Values: []string{"M", "Moss"}, SKU: "FS-M-MOSS", Price: "66.00", RequiresShipping: true, Stock: 5,
					Extra: map[string]string{"Variant Inventory Tracker": "shopify", "Variant Inventory Policy": "continue"},
				},
			},
			Images: []catalogtransfer.Image{
				{URL: "https://pictures.example/shirt-sand.jpg"}, {URL: "https://pictures.example/shirt-moss.jpg"},
			},
		},
		{
			Row: 7, Handle: "letter-course", Title: "Letters by Hand, the Course", Category: "Lessons", Status: "draft", TaxFree: new(false),
			SEO: &catalogtransfer.SEO{}, Variants: []catalogtransfer.Variant{{Row: 7, Price: "120"}},
		},
	}
	for i := range want {
		if !reflect.DeepEqual(f.Products[i], want[i]) {
			t.Errorf("product %d\n got %+v\nwant %+v", i, f.Products[i], want[i])
		}
	}
	if len(f.Products) != len(want) {
		t.Errorf("%d products, want %d", len(f.Products), len(want))
	}
}

func TestProductWithoutTaxableVariantsIsTaxFree(t *testing.T) {
	t.Parallel()
	table := func(taxable ...string) string {
		text := "Handle,Title,Option1 Name,Option1 Value,Variant Price,Variant Taxable\n"
		for i, cell := range taxable {
			text += "book,Book,Cover," + strings.Repeat("x", i+1) + ",9," + cell + "\n"
		}
		return text
	}
	for name, c := range map[string]struct {
		text    string
		taxFree *bool
		kept    []string // of the column, with each variant
	}{
		"none is taxable":       {table("false", "FALSE"), new(true), []string{"", ""}},
		"one is":                {table("false", "true"), new(false), []string{"false", ""}},
		"one says nothing":      {table("false", ""), new(false), []string{"false", ""}},
		"all are":               {table("true", "true"), new(false), []string{"", ""}},
		"the file does not say": {"Handle,Title,Variant Price\nbook,Book,9\n", nil, []string{""}},
	} {
		p := read(t, c.text).Products[0]
		var kept []string
		for _, v := range p.Variants {
			kept = append(kept, v.Extra["Variant Taxable"])
		}
		if !reflect.DeepEqual(p.TaxFree, c.taxFree) || !slices.Equal(kept, c.kept) {
			t.Errorf("%s: %+v", name, p)
		}
		var out bytes.Buffer
		if err := shopify.Write(&out, []catalogtransfer.Product{p}, mark); err != nil {
			t.Fatal(err)
		}
		again := read(t, out.String()).Products[0]
		if want := c.taxFree != nil && *c.taxFree; *again.TaxFree != want || again.Variants[0].Extra["Variant Taxable"] != c.kept[0] {
			t.Errorf("%s, written and read: %+v", name, again)
		}
	}
}

// Rule catalog-35: what an import kept before products had it is not lost, and a file without the columns says nothing about it.
func TestWhatSearchEnginesShowComesAndGoes(t *testing.T) {
	t.Parallel()
	bare := "Handle,Title,Variant Price\nbook,Book,9\n"
	if p := read(t, bare).Products[0]; p.SEO != nil {
		t.Errorf("%+v", p.SEO)
	}
	for name, p := range map[string]catalogtransfer.Product{
		"of the product": {SEO: &catalogtransfer.SEO{Title: "T", Description: "D"}, Extra: map[string]string{"SEO Title": "old"}},
		"kept before":    {SEO: &catalogtransfer.SEO{}, Extra: map[string]string{"SEO Title": "T", "SEO Description": "D"}},
	} {
		p.Handle, p.Title, p.Variants = "book", "Book", []catalogtransfer.Variant{{Price: "9"}}
		var out bytes.Buffer
		if err := shopify.Write(&out, []catalogtransfer.Product{p}, mark); err != nil {
			t.Fatal(err)
		}
		if again := read(t, out.String()).Products[0]; *again.SEO != (catalogtransfer.SEO{Title: "T", Description: "D"}) || again.Extra != nil {
			t.Errorf("%s: %+v %v", name, again.SEO, again.Extra)
		}
	}
}

// mark and unmark stand for the escaping of formulas, which adapters/spreadsheet tests.
func mark(row []string) []string {
	out := slices.Clone(row)
	for i := range out {
		out[i] = "|" + out[i]
	}
	return out
}

func unmark(row []string) []string {
	for i := range row {
		row[i] = strings.TrimPrefix(row[i], "|")
	}
	return row
}

// Every cell is escaped in the file, and as it was after reading it.
func TestRoundTrip(t *testing.T) {
	t.Parallel()
	first := read(t, fixture(t))
	first.Products[2].Status = "unlisted"
	var out bytes.Buffer
	if err := shopify.Write(&out, first.Products, mark); err != nil {
		t.Fatal(err)
	}
	again := read(t, out.String())
	table, err := csv.NewReader(bytes.NewReader(out.Bytes())).ReadAll()
	if err != nil {
		t.Fatal(err)
	}
	for _, cell := range slices.Concat(table...) {
		if !strings.HasPrefix(cell, "|") {
			t.Errorf("%q is not escaped", cell)
		}
	}
	for i := range again.Products {
		if a, b := withoutRows(first.Products[i]), withoutRows(again.Products[i]); !reflect.DeepEqual(a, b) {
			t.Errorf("product %d\n was %+v\nnow %+v", i, a, b)
		}
	}
	if len(again.Rejected) > 0 {
		t.Errorf("rejected %v", again.Rejected)
	}
}

func withoutRows(p catalogtransfer.Product) catalogtransfer.Product {
	p.Row = 0
	for i := range p.Variants {
		p.Variants[i].Row = 0
	}
	return p
}

func TestRejectedRowsAreReported(t *testing.T) {
	t.Parallel()
	const header = "Handle,Title,Published,Option1 Name,Option1 Value,Variant Inventory Qty,Variant Price,Image Src,Image Position\n"
	for name, c := range map[string]struct {
		given string
		row   int
		then  string
	}{
		"a row without a handle":                 {",Cup,,,,,5,,\n", 2, "no handle"},
		"a product without a title":              {"cup,,,,,,5,,\n", 2, "title"},
		"a variant without a price":              {"cup,Cup,,Size,S,,5,,\ncup,,,,M,,,,\n", 3, "no price"},
		"a quantity that is not a number":        {"cup,Cup,,,,many,5,,\n", 2, "\"many\" is not a whole number"},
		"an option without a value":              {"cup,Cup,,Size,S,,5,,\ncup,,,,,,6,,\n", 3, "no value for Size"},
		"the same variant twice":                 {"cup,Cup,,Size,S,,5,,\ncup,,,,S,,6,,\n", 3, "already has this variant, in row 2"},
		"an image position that is not a number": {"cup,Cup,,,,,5,https://x.example/a.jpg,first\n", 2, "position"},
		"a row with nothing to add":              {"cup,Cup,,,,,5,,\ncup,,true,,,,,,\n", 3, "neither a variant nor an image"},
		"a product that only has images":         {"cup,Cup,,,,,,https://x.example/a.jpg,1\n", 2, "no row with a price"},
		"text in another encoding":               {"cup,Caf\xe9,,,,,5,,\n", 2, "UTF-8"},
		"rows are counted, not lines of a cell":  {"cup,\"Cup\nof\ntea\",,,,,5,,\n,x,,,,,,,\n", 3, "no handle"},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			f := read(t, header+c.given+"plate,Plate,,,,,7,,\n")
			if len(f.Rejected) != 1 || f.Rejected[0].Row != c.row || !strings.Contains(f.Rejected[0].Reason, c.then) {
				t.Errorf("rejected %+v, want row %d: …%s…", f.Rejected, c.row, c.then)
			}
			if last := f.Products[len(f.Products)-1]; last.Handle != "plate" {
				t.Errorf("the valid product is missing, last is %q", last.Handle)
			}
		})
	}
}

func TestStatusUsesBothColumns(t *testing.T) {
	t.Parallel()
	for given, want := range map[string]string{
		"true,": "published", "TRUE,active": "published", ",": "published", "false,": "draft",
		"false,active": "unlisted", "true,draft": "draft", "true,archived": "draft",
	} {
		f := read(t, "Handle,Title,Published,Status,Variant Price\ncup,Cup,"+given+",5\n")
		if got := f.Products[0].Status; got != want {
			t.Errorf("%q is %s, want %s", given, got, want)
		}
	}
}

func TestForeignFilesAreRejected(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"nothing": "", "another table": "Order,Total\n1,2\n"} {
		if _, err := shopify.Read(strings.NewReader(text), unmark); !errors.Is(err, shopify.ErrNotShopifyExport) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if _, err := shopify.Read(strings.NewReader("Handle,Title,Variant Price\na,\"b,3\n"), unmark); err == nil ||
		!strings.Contains(err.Error(), "row 2") {
		t.Errorf("a broken quote: %v", err)
	}
}
