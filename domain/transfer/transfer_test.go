package transfer_test

import (
	"errors"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/job"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/transfer"
)

// A header names one column, in whatever language it is.
func TestHeadersOfATableAreUnambiguous(t *testing.T) {
	t.Parallel()
	for _, sheet := range transfer.Sheets {
		columns := slices.Concat(sheet.Columns, transfer.MarketColumns([]collection.Record{{"code": "eu"}}))
		for i, c := range columns {
			for _, header := range []string{c.Name, " " + strings.ToUpper(c.Header(transfer.English)), c.Header(transfer.Korean)} {
				at := slices.IndexFunc(columns, func(c transfer.Column) bool { return c.IsCalled(header) })
				if at != i || strings.TrimSpace(header) == "" {
					t.Errorf("%s: %q is the column %s, want %s", sheet.Kind, header, columns[at].Name, c.Name)
				}
			}
		}
		if !slices.Contains(sheet.Reads, sheet.Lists) {
			t.Errorf("%s: its own collection is not among those it reads", sheet.Kind)
		}
	}
}

// What staff alone sees may stand in files, which are for staff; nothing else that is hidden may.
func TestTablesShowNothingThatNeverLeavesTheServer(t *testing.T) {
	t.Parallel()
	for _, sheet := range transfer.Sheets {
		for _, c := range sheet.Columns {
			for _, f := range c.Path {
				if f.VisibleTo == collection.ServerOnly {
					t.Errorf("%s shows %s", sheet.Kind, f.Name)
				}
			}
		}
	}
}

func TestCellsAreReadAsTheyWereWritten(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		value any
		kind  collection.Kind
		cell  string
		input collection.JSONValue
	}{
		"nothing":  {nil, collection.Text, "", nil},
		"text":     {"a|b", collection.Text, "a|b", "a|b"},
		"integer":  {int64(-3), collection.Integer, "-3", collection.JSONNumber("-3")},
		"yes":      {true, collection.Boolean, "true", true},
		"no":       {false, collection.Boolean, "false", false},
		"money":    {money.Of(1250, "USD"), collection.Money, "12.50", collection.JSONNumber("12.50")},
		"cents":    {money.Of(-200, "USD"), collection.Money, "-2.00", collection.JSONNumber("-2.00")},
		"won":      {money.Of(1250, "KRW"), collection.Money, "1250", collection.JSONNumber("1250")},
		"dinar":    {money.Of(1250, "KWD"), collection.Money, "1.250", collection.JSONNumber("1.250")},
		"decimal":  {money.DecimalOf(5), collection.Number, "5", collection.JSONNumber("5")},
		"time":     {time.Date(2026, 1, 31, 9, 0, 0, 5e6, time.UTC), collection.Date, "2026-01-31T09:00:00.005Z", "2026-01-31T09:00:00.005Z"},
		"no time":  {time.Time{}, collection.Date, "", nil},
		"list":     {[]string{"a", `b|\c`}, collection.Texts, `a|b\|\\c`, []any{"a", `b|\c`}},
		"no list":  {[]string(nil), collection.Texts, "", nil},
		"no words": {"many", collection.Integer, "many", "many"},
	} {
		if got := transfer.Text(c.value); got != c.cell {
			t.Errorf("%s: the cell is %q, want %q", name, got, c.cell)
		}
		if got := transfer.Input(c.kind, c.cell); !collection.Equal(got, c.input) {
			t.Errorf("%s: read as %v, want %v", name, got, c.input)
		}
	}
	for _, spelling := range []string{"TRUE", "예", " yes "} {
		if transfer.Input(collection.Boolean, spelling) != true {
			t.Errorf("%q is not yes", spelling)
		}
	}
	name, value, ok := transfer.SplitOption(transfer.JoinOption(`a=b\c`, "d=e"))
	if name != `a=b\c` || value != "d=e" || !ok {
		t.Errorf("an option is read as %q %q", name, value)
	}
	if _, _, ok := transfer.SplitOption("red"); ok {
		t.Error("a value without an option was read")
	}
}

func TestColumnsArePickedByName(t *testing.T) {
	t.Parallel()
	more := transfer.MarketColumns([]collection.Record{{"code": "eu"}})
	picked, err := transfer.Products.Pick([]string{"price:eu", "sku"}, more...)
	if err != nil || len(picked) != 2 || picked[0].Name != "price:eu" || picked[1].Name != "sku" {
		t.Errorf("picked %v, %v", picked, err)
	}
	if all, err := transfer.Stock.Pick(nil); err != nil || len(all) != len(transfer.Stock.Columns) {
		t.Errorf("picked %d of all, %v", len(all), err)
	}
	for _, wrong := range [][]string{{}, {"sku", "sku"}, {"price:us"}} {
		if _, err := transfer.Products.Pick(wrong, more...); !errors.Is(err, fault.ErrValidation) {
			t.Errorf("%q: %v", wrong, err)
		}
	}
}

func TestRowsOfProductsFollowTheirVariants(t *testing.T) {
	t.Parallel()
	handle := map[string]string{"b": "acme", "t1": "new", "m": "/api/media/file/mug.png"}
	euro := collection.Record{"id": "e", "code": "eu", "currency": "EUR"}
	parts := transfer.ProductParts{
		Product: collection.Record{"id": "p", "slug": "mug", "name": "Mug", "brand": "b", "tags": []string{"t1", "gone"}, "images": []string{"m"}},
		Variants: []collection.Record{
			{"id": "v2", "position": int64(2), "sku": "M-2", "optionValues": []string{"blue"}},
			{"id": "v1", "position": int64(1), "sku": "M-1", "optionValues": []string{"red"}},
		},
		Options: []collection.Record{{"name": "Color", "values": []collection.Record{{"id": "red", "label": "Red"}, {"id": "blue", "label": "Blue"}}}},
		Prices:  map[string][]collection.Record{"v2": {{"market": "e", "amount": money.Of(990, "EUR")}, {"market": "closed"}}},
		Markets: map[string]collection.Record{"e": euro}, Handle: func(id string) string { return handle[id] },
	}
	columns, err := transfer.Products.Pick(
		[]string{"handle", "sku", "optionValues", "brand", "category", "tags", "images", "price:eu"}, transfer.MarketColumns([]collection.Record{euro})...)
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, row := range parts.Rows() {
		var cells []string
		for _, c := range columns {
			cells = append(cells, c.Cell(row))
		}
		got = append(got, strings.Join(cells, ";"))
	}
	want := []string{
		"mug;M-1;Color=Red;acme;;new|gone;/api/media/file/mug.png;", "mug;M-2;Color=Blue;acme;;new|gone;/api/media/file/mug.png;9.90",
	}
	if !slices.Equal(got, want) {
		t.Errorf("rows %q\nwant %q", got, want)
	}
	parts.Variants = nil
	if rows := parts.Rows(); len(rows) != 1 {
		t.Errorf("a product without variants has %d rows", len(rows))
	}
}

func TestFileOfAnExportIsThereOnceItIsDone(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)
	request := transfer.Request{Kind: "stock", Format: "xlsx", Locale: transfer.Korean, Query: "mug", Columns: []string{"sku"}}
	r, waiting := collection.Record{}, job.New("j", "shop", "live", tenant.Server, now)
	waiting.Put(r)
	request.Put(r, transfer.Stock)
	got := transfer.RequestFrom(r)
	if got.Kind != "stock" || got.Locale != transfer.Korean || got.Query != "mug" || r.Text("collection") != "product-variants" {
		t.Errorf("read %+v", got)
	}
	if _, err := transfer.FileOf(r); !errors.Is(err, transfer.ErrNotDone) {
		t.Errorf("while it waits: %v", err)
	}
	waiting.Fail("no", now).Put(r)
	if _, err := transfer.FileOf(r); !errors.Is(err, transfer.ErrNoFile) {
		t.Errorf("after it failed: %v", err)
	}
	transfer.File{Name: request.FileName(now), Size: 5, Blob: "key"}.Put(r)
	f, err := transfer.FileOf(r)
	if want := (transfer.File{Name: "stock-20260131-090000.xlsx", Format: "xlsx", Size: 5, Blob: "key"}); err != nil || f != want {
		t.Errorf("it is %+v, %v", f, err)
	}
}
