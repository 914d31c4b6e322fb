package intake_test

import (
	"reflect"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/intake"
	"github.com/cartwright-dev/cartwright/domain/transfer"
)

func TestFilesOfProductsHaveEveryLanguage(t *testing.T) {
	t.Parallel()
	product := collection.Record{"id": "p", "slug": "mug", "name": "Mug", "translations": map[string]any{"ko": map[string]any{"name": "잔"}}}
	columns, err := transfer.Products.Pick([]string{"handle", "title", "title:ko", "description:ko", "title:zh-Hant"},
		transfer.LocaleColumns([]string{"ko", "zh-Hant"})...)
	if err != nil {
		t.Fatal(err)
	}
	for _, in := range []transfer.Locale{transfer.English, transfer.Korean} {
		var headings, cells []string
		row := transfer.ProductParts{Product: product, Handle: func(string) string { return "" }}.Rows()[0]
		for _, c := range columns {
			headings, cells = append(headings, c.Header(in)), append(cells, c.Cell(row))
		}
		header, err := intake.ReadHeader(intake.Products, headings)
		if err != nil {
			t.Fatal(headings, err)
		}
		read, problems := intake.ProductOf([]intake.Row{header.ReadRow(2, cells, nil, "")})
		want := map[string]any{"ko": map[string]any{"name": "잔", "description": nil}, "zh-Hant": map[string]any{"name": nil}}
		if got := read.Fields["translations"]; !reflect.DeepEqual(got, want) || len(problems) > 0 || read.Fields["name"] != "Mug" {
			t.Errorf("%v: %v %v", in, read.Fields, problems)
		}
	}
	if _, err := intake.ReadHeader(intake.Products, []string{"handle", "title:klingon"}); err == nil {
		t.Error("that is no language")
	}
}
