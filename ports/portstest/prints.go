package portstest

import (
	"bytes"
	"context"
	"errors"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/paper"
	"github.com/cartwright-dev/cartwright/ports"
)

// PrintsFixture is a printer under test, and how its files are read.
type PrintsFixture struct {
	Prints ports.Prints
	// Pages are the texts of the pages of a file, without spaces. It fails the test where a letter is outside of its page.
	Pages func(t *testing.T, file []byte) []string
}

// Prints checks ports.Prints.
func Prints(t *testing.T, open func(t *testing.T) PrintsFixture) {
	t.Run("every text of a document is in its file", func(t *testing.T) { open(t).testTexts(t) })
	t.Run("documents are in their order, each on pages of its own", func(t *testing.T) { open(t).testOrder(t) })
	t.Run("long tables go on, and no text leaves its page", func(t *testing.T) { open(t).testLongTexts(t) })
	t.Run("the same documents are the same bytes", func(t *testing.T) { open(t).testSameBytes(t) })
	t.Run("too many pages and callers who left get nothing", func(t *testing.T) { open(t).testRefusals(t) })
}

// sampleDocument has each part that a document can have, in several scripts.
func sampleDocument(name string) paper.Document {
	return paper.Document{
		Language: paper.Korean, Title: "포장명세서", Sender: "별빛 도자기", Mark: "취소됨", Barcode: "B-" + name,
		Facts:   []paper.Fact{{Name: "주문번호", Value: name}, {Name: "Date", Value: "November 28, 2026"}},
		Parties: []paper.Block{{Title: "받는 분", Lines: []string{"(06236) 서울특별시 뷁", "Zoë Łukasiewicz"}}, {Title: "From", Lines: []string{"Ελλάδα", "Київ"}}},
		Columns: []paper.Column{{Title: "상품", Weight: 3}, {Title: "Qty", Weight: 1, Number: true}},
		Rows:    [][]paper.Cell{{{Text: "청자 머그컵", Small: []string{"각인: 똠방각하"}}, {Text: "12"}}},
		Totals:  []paper.Total{{Name: "합계", Amount: "₩12,000", Strong: true}, {Name: "Paid", Amount: "€9.90"}},
		Notes:   []paper.Block{{Title: "Note", Lines: []string{"문 앞에 놓아 주세요.", "ひらがな"}}},
	}
}

// texts are all texts of a document.
func texts(d paper.Document) (all []string) {
	all = append(all, d.Title, d.Sender, d.Mark, d.Barcode)
	for _, f := range d.Facts {
		all = append(all, f.Name, f.Value)
	}
	for _, b := range append(append([]paper.Block(nil), d.Parties...), d.Notes...) {
		all = append(append(all, b.Title), b.Lines...)
	}
	for _, c := range d.Columns {
		all = append(all, c.Title)
	}
	for _, row := range d.Rows {
		for _, cell := range row {
			all = append(append(all, cell.Text), cell.Small...)
		}
	}
	for _, total := range d.Totals {
		all = append(all, total.Name, total.Amount)
	}
	return all
}

// label is d without what labels do not have: their sender is one of the parties.
func label(d paper.Document) paper.Document {
	d.Sender, d.Columns, d.Rows, d.Totals = "", nil, nil, nil
	return d
}

func withoutSpaces(text string) string { return strings.Join(strings.Fields(text), "") }

func (f PrintsFixture) print(t *testing.T, format paper.Format, documents ...paper.Document) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := f.Prints.Print(t.Context(), &file, "Prints", format, documents); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func (f PrintsFixture) testTexts(t *testing.T) {
	sample := sampleDocument("N-1")
	sample.Notes[0].Lines = append(sample.Notes[0].Lines, "emoji 😀 here")
	for format, d := range map[paper.Format]paper.Document{paper.A4: sample, paper.Label: label(sample), paper.LabelSheet: label(sample)} {
		file := f.print(t, format, d)
		if !bytes.HasPrefix(file, []byte("%PDF-")) {
			t.Errorf("%s: %.20q", format, file)
		}
		pages := f.Pages(t, file)
		if len(pages) != 1 {
			t.Fatalf("%s: %d pages", format, len(pages))
		}
		for _, text := range texts(d) {
			want := strings.ReplaceAll(withoutSpaces(text), "😀", "□")
			if !strings.Contains(pages[0], want) {
				t.Errorf("%s: %q is not in %s", format, want, pages[0])
			}
		}
	}
}

func (f PrintsFixture) testOrder(t *testing.T) {
	names := []string{"N-1", "N-2", "N-3", "N-4", "N-5", "N-6", "N-7", "N-8", "N-9"}
	all := make([]paper.Document, len(names))
	for i, name := range names {
		all[i] = label(sampleDocument(name))
	}
	for format, perPage := range map[paper.Format]int{paper.A4: 1, paper.Label: 1, paper.LabelSheet: 8} {
		pages := f.Pages(t, f.print(t, format, all...))
		if want := (len(names) + perPage - 1) / perPage; len(pages) != want {
			t.Fatalf("%s: %d pages, want %d", format, len(pages), want)
		}
		for i, name := range names {
			if !strings.Contains(pages[i/perPage], name) {
				t.Errorf("%s: %s is not on page %d: %s", format, name, i/perPage+1, pages[i/perPage])
			}
		}
	}
}

func (f PrintsFixture) testLongTexts(t *testing.T) {
	d := sampleDocument("N-1")
	for range 100 {
		d.Rows = append(d.Rows, d.Rows[0])
	}
	d.Rows[50] = []paper.Cell{{Text: strings.Repeat("가나다 라마바사아자차카타파하", 300)}, {Text: "1"}}
	long := strings.Repeat("서울특별시강남구Donaudampfschifffahrt", 20)
	for i := range d.Parties {
		d.Parties[i].Lines = append(d.Parties[i].Lines, long, long)
	}
	d.Facts[0].Value, d.Barcode, d.Title, d.Sender, d.Mark = long, long, long, long, long
	d.Notes[0].Lines = append(d.Notes[0].Lines, long)
	pages := f.Pages(t, f.print(t, paper.A4, d))
	if whole := strings.Join(pages, ""); len(pages) < 4 || strings.Count(whole, "청자머그컵") != 100 {
		t.Errorf("%d pages with %d rows", len(pages), strings.Count(whole, "청자머그컵"))
	}
	for _, page := range pages[1:4] {
		if !strings.Contains(page, "Qty") {
			t.Errorf("the titles of the columns are not repeated: %s", page)
		}
	}
	for _, format := range []paper.Format{paper.Label, paper.LabelSheet} {
		if pages := f.Pages(t, f.print(t, format, label(d))); len(pages) != 1 {
			t.Errorf("%s: %d pages", format, len(pages))
		}
	}
}

func (f PrintsFixture) testSameBytes(t *testing.T) {
	first := f.print(t, paper.A4, sampleDocument("N-1"))
	for range 5 {
		if !bytes.Equal(first, f.print(t, paper.A4, sampleDocument("N-1"))) {
			t.Fatal("the file has other bytes the second time")
		}
	}
}

func (f PrintsFixture) testRefusals(t *testing.T) {
	var file bytes.Buffer
	left, leave := context.WithCancel(t.Context())
	leave()
	err := f.Prints.Print(left, &file, "Prints", paper.A4, []paper.Document{sampleDocument("N-1")})
	if !errors.Is(err, context.Canceled) || file.Len() > 0 {
		t.Errorf("a caller who left: %v, %d bytes", err, file.Len())
	}
	many := make([]paper.Document, 20_000)
	for _, format := range []paper.Format{paper.A4, paper.Label, paper.LabelSheet} {
		if err := f.Prints.Print(t.Context(), &file, "Prints", format, many); !errors.Is(err, ports.ErrPrintTooLarge) || file.Len() > 0 {
			t.Errorf("%s, 20,000 documents: %v, %d bytes", format, err, file.Len())
		}
	}
}
