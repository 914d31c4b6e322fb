package table

import (
	"strings"
	"testing"
	"time"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/cart"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/checkout"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/sale"
	"github.com/cartwright-dev/cartwright/domain/tax"
)

func benchProduct() collection.Record {
	at := time.Date(2026, 5, 1, 9, 30, 0, 123e6, time.UTC)
	return collection.Record{
		"id": "01a1fa7d-6625-7175-8789-23a1c71cf272", "tenant": "01a1fa7d-664b-79f8-a44f-c9b9d5ab4b1c", "createdAt": at, "updatedAt": at,
		"name": "Bench product 86420975", "slug": "bench-product-86420975", "status": "published",
		"price":       money.Money{Minor: 12000, Currency: "KRW"},
		"description": strings.Repeat("A mug of stoneware, glazed twice. ", 6), "category": "01a1fa7d-6625-7175-8789-23a1c71cf273",
		"categories": []string{"01a1fa7d-6625-7175-8789-23a1c71cf273"}, "brand": "01a1fa7d-6625-7175-8789-23a1c71cf274",
		"metadata": map[string]any{"origin": "KR", "grams": collection.JSONNumber("412")}, "_sequence": int64(1),
	}
}

// Times are read as time.Parse reads them, whatever stands there.
func TestDocumentTimesRoundTrip(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := []byte(time.UnixMilli(rapid.Int64Range(-1<<47, 1<<48).Draw(t, "milliseconds")).UTC().Format(collection.TimeFormat))
		for range rapid.IntRange(0, 2).Draw(t, "changes") {
			text[rapid.IntRange(0, len(text)-1).Draw(t, "at")] = rapid.SampledFrom([]byte("0123456789T:-.Z x")).Draw(t, "to")
		}
		got, err := parseTime(string(text))
		want, wrong := time.Parse(collection.TimeFormat, string(text))
		if !got.Equal(want) || (err == nil) != (wrong == nil) {
			t.Errorf("%s reads %v, %v; want %v, %v", text, got, err, want, wrong)
		}
	})
}

// Products, and what was sold, of versions that knew only taxFree.
//
// Rule taxes-12.
func TestOldTaxFreeGoodsAreExempt(t *testing.T) {
	for _, s := range []*collection.Schema{catalog.Products, order.Schema, checkout.Schema, cart.Schema} {
		for was, want := range map[string]tax.Class{"true": tax.Exempt, "false": tax.Standard, "null": ""} {
			doc := `{"id":"x","taxFree":` + was + `}`
			if s != catalog.Products {
				doc = `{"id":"x","lines":[` + doc + `]}`
			}
			r, err := NewShape(s).Decode([]byte(doc))
			if err != nil {
				t.Fatal(err)
			}
			got := r.Text("taxClass")
			if s != catalog.Products {
				got = string(sale.LineFrom(r.Rows("lines")[0]).TaxClass)
			}
			if got != string(want) {
				t.Errorf("%s with taxFree %s: %q, want %q", s.Slug, was, got, want)
			}
		}
	}
}

func BenchmarkDecodeProduct(b *testing.B) {
	sh := NewShape(catalog.Products)
	doc := []byte(sh.EncodeDoc(benchProduct()))
	b.SetBytes(int64(len(doc)))
	b.ReportAllocs()
	for b.Loop() {
		if _, err := sh.Decode(doc); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkEncodeProduct(b *testing.B) {
	r := benchProduct()
	b.ReportAllocs()
	var dst []byte
	for b.Loop() {
		dst = collection.AppendJSON(dst[:0], catalog.Products, r, collection.View{Audience: collection.Staff})
	}
}
