package pdf_test

import (
	"bytes"
	"flag"
	"fmt"
	"image"
	"image/color"
	"image/jpeg"
	"image/png"
	"io"
	"math"
	"os"
	"slices"
	"strings"
	"sync"
	"testing"

	reader "github.com/ledongthuc/pdf"
	"golang.org/x/text/encoding/korean"

	"github.com/cartwright-dev/cartwright/adapters/pdf"
	"github.com/cartwright-dev/cartwright/domain/paper"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

// pages are the texts of the pages of a file, without spaces.
func pages(t *testing.T, file []byte) (texts []string) {
	t.Helper()
	for _, page := range lines(t, file) {
		texts = append(texts, strings.Join(strings.Fields(page), ""))
	}
	return texts
}

// lines are the texts of the pages of a file, in their lines. A test fails where a letter is outside of its page.
func lines(t *testing.T, file []byte) (texts []string) {
	t.Helper()
	r, err := reader.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	for n := range r.NumPage() {
		p := r.Page(n + 1)
		box := p.V.Key("MediaBox")
		width, height := box.Index(2).Float64(), box.Index(3).Float64()
		var text strings.Builder
		var last reader.Text
		var end float64 // of the last letter
		for _, letter := range p.Content().Text {
			if letter.S == "\uFFFD" { // the reader's end of a piece of text
				continue
			}
			start := letter.X // of its piece of text, as the reader knows no widths
			if letter.X == last.X && letter.Y == last.Y {
				start = end
			}
			switch {
			case last.S == "":
			case math.Abs(letter.Y-last.Y) > 0.1:
				text.WriteByte('\n')
			case math.Abs(start-end) > 0.1:
				text.WriteByte('\t')
			}
			text.WriteString(letter.S)
			end, last = start+pdf.LetterWidth(letter.Font, letter.S)*letter.FontSize, letter
			if letter.X < 0 || letter.Y < 0 || end > width || letter.Y+letter.FontSize > height || math.IsNaN(letter.X) {
				t.Errorf("page %d: %q ends at %g, %g, outside of %g × %g", n+1, letter.S, end, letter.Y, width, height)
			}
		}
		texts = append(texts, text.String())
	}
	return texts
}

func TestPrinter(t *testing.T) {
	t.Parallel()
	portstest.Prints(t, func(*testing.T) portstest.PrintsFixture {
		return portstest.PrintsFixture{Prints: pdf.New(), Pages: pages}
	})
}

func printed(t testing.TB, format paper.Format, documents ...paper.Document) []byte {
	t.Helper()
	var file bytes.Buffer
	if err := pdf.New().Print(t.Context(), &file, "Test", format, documents); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// Many files at once are made from the fonts that were parsed once.
func TestFilesAreMadeAtTheSameTime(t *testing.T) {
	t.Parallel()
	want := printed(t, paper.A4, paper.Invoice(paper.Korean, koreanShop(), koreanOrder()))
	printer := pdf.New()
	var all sync.WaitGroup
	for range 16 {
		all.Go(func() {
			var file bytes.Buffer
			err := printer.Print(t.Context(), &file, "Test", paper.A4, []paper.Document{paper.Invoice(paper.Korean, koreanShop(), koreanOrder())})
			if err != nil || !bytes.Equal(file.Bytes(), want) {
				t.Errorf("another file than alone: %v", err)
			}
		})
	}
	all.Wait()
}

// hangulOfTheStandard are the 2,350 Hangul syllables of KS X 1001, a row of it after the other.
func hangulOfTheStandard(t *testing.T) string {
	t.Helper()
	var rows []byte
	for row := 0xB0; row <= 0xC8; row++ {
		for cell := 0xA1; cell <= 0xFE; cell++ {
			rows = append(rows, byte(row), byte(cell))
		}
	}
	syllables, err := korean.EUCKR.NewDecoder().Bytes(rows)
	if err != nil {
		t.Fatal(err)
	}
	return string(syllables)
}

// The Hangul syllables of Korea's standard KS X 1001 are printed, and so are the letters of European languages, kana and the signs of
// currencies.
func TestLettersOfBothLanguagesAreThere(t *testing.T) {
	t.Parallel()
	want := hangulOfTheStandard(t) + "ÀÉÎÕÜßçñøåæœŁżčřšžğıșțΑλКиЮ₩€£¥$“”‘’–—…·×№ㄱㅏひらカナ"
	got := strings.Join(pages(t, printed(t, paper.A4, paper.Document{Notes: []paper.Block{{Lines: []string{want}}}})), "")
	for _, r := range want {
		if !strings.ContainsRune(got, r) {
			t.Errorf("%c (%U) is not printed", r, r)
		}
	}
	for text, want := range map[string]string{
		"각": "각", "😀": "□", "שלום": "□□□□", "a\u200Bb\x00c\u202E": "abc", "\xff": "□", "\U00020000": "□",
		"\u7530\uD7A3": "□□", // which the font names and draws nothing for
	} {
		got := strings.Join(pages(t, printed(t, paper.A4, paper.Document{Notes: []paper.Block{{Lines: []string{"|" + text + "|"}}}})), "")
		if !strings.Contains(got, "|"+want+"|") {
			t.Errorf("%q: %s", text, got)
		}
	}
}

func FuzzAnyTextIsPrinted(f *testing.F) {
	f.Add("별빛 도자기 Zoë 😀", "line\nline", uint8(1))
	f.Add(strings.Repeat("가", 3000), "\x00\xff\u202E", uint8(2))
	f.Fuzz(func(t *testing.T, a, b string, n uint8) {
		if len(a)+len(b) > 20_000 {
			return
		}
		d := paper.Document{
			Title: a, Sender: b, Mark: a, Barcode: b, Facts: []paper.Fact{{Name: a, Value: b}},
			Parties: []paper.Block{{Title: b, Lines: []string{a}}, {Title: a, Lines: []string{b}}}, Notes: []paper.Block{{Title: a, Lines: []string{b}}},
			Columns: []paper.Column{{Title: a, Weight: 1}, {Title: b, Weight: 1, Number: true}},
			Rows:    [][]paper.Cell{{{Text: a, Small: []string{b}}, {Text: b}}},
			Totals:  []paper.Total{{Name: a, Amount: b, Strong: true}},
		}
		format := []paper.Format{paper.A4, paper.Label, paper.LabelSheet}[n%3]
		pages(t, printed(t, format, d))
	})
}

var update = flag.Bool("update", false, "write testdata/documents.golden anew")

// What is printed in both languages, for review.
func TestDocumentsReadAsReviewed(t *testing.T) {
	t.Parallel()
	var got strings.Builder
	for _, l := range []paper.Language{paper.English, paper.Korean} {
		for _, file := range []struct {
			paper.Document

			name   string
			format paper.Format
		}{
			{paper.PackingSlip(l, koreanShop(), koreanOrder(), koreanParcel()), "packing slip", paper.A4},
			{paper.Invoice(l, koreanShop(), koreanOrder()), "invoice", paper.A4},
			{paper.Invoice(l, koreanShop(), westernOrder()), "invoice with a refund", paper.A4},
			{paper.ParcelLabel(l, koreanShop(), koreanOrder(), koreanParcel()), "label", paper.Label},
			{paper.ParcelLabel(l, koreanShop(), westernOrder(), westernParcel()), "label to Munich", paper.LabelSheet},
			{paper.PackingSlip(l, koreanShop(), tested(), unpacked()), "packing slip of what is to be packed, in a test", paper.A4},
			{paper.AddressLabel(l, koreanShop(), koreanOrder(), unpacked()), "label without a tracking number", paper.Label},
			{paper.ParcelLabel(l, koreanShop(), tested(), canceled()), "label of a canceled parcel in a test", paper.LabelSheet},
		} {
			for _, page := range lines(t, printed(t, file.format, file.Document)) {
				fmt.Fprintf(&got, "%s, %s:\n%s\n\n", file.name, l, page)
			}
		}
	}
	const golden = "testdata/documents.golden"
	if *update {
		if err := os.WriteFile(golden, []byte(got.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile(golden)
	if err != nil || got.String() != string(want) {
		t.Errorf("%v; run with -update and review the difference to %s:\n%s", err, golden, got.String())
	}
}

func TestLongAddressesFitOnLabels(t *testing.T) {
	t.Parallel()
	o, f := endless()
	for _, format := range []paper.Format{paper.Label, paper.LabelSheet} {
		text := strings.Join(pages(t, printed(t, format, paper.ParcelLabel(paper.Korean, koreanShop(), o, f))), "")
		for _, want := range []string{f.Tracking.Number, o.Number, "김수한무", "Donaudampf", "010-1234", "문앞에"} {
			if !strings.Contains(text, want) {
				t.Errorf("%s: %s is missing: %s", format, want, text)
			}
		}
	}
}

func BenchmarkPrint(b *testing.B) {
	one := paper.Invoice(paper.Korean, koreanShop(), koreanOrder())
	label := paper.ParcelLabel(paper.Korean, koreanShop(), koreanOrder(), koreanParcel())
	slip := paper.PackingSlip(paper.Korean, koreanShop(), koreanOrder(), unpacked())
	for name, c := range map[string]struct {
		format paper.Format
		all    []paper.Document
	}{
		"an invoice": {paper.A4, []paper.Document{one}}, "a label": {paper.Label, []paper.Document{label}},
		"100 labels":         {paper.Label, slices.Repeat([]paper.Document{label}, 100)},
		"1000 packing slips": {paper.A4, slices.Repeat([]paper.Document{slip}, 1000)},
	} {
		b.Run(name, func(b *testing.B) {
			b.ReportAllocs()
			for b.Loop() {
				printed(b, c.format, c.all...)
			}
		})
	}
}

// drawing is a picture with a transparent background, in the format of encode.
func drawing(t *testing.T, width, height int, encode func(io.Writer, image.Image) error) []byte {
	t.Helper()
	picture := image.NewNRGBA(image.Rect(0, 0, width, height))
	for x := range width {
		picture.Set(x, x*height/width, color.NRGBA{R: 200, A: 255})
	}
	var file bytes.Buffer
	if err := encode(&file, picture); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

func TestLogosArePrintedInPlaceOfTheName(t *testing.T) {
	t.Parallel()
	asJPEG := func(w io.Writer, i image.Image) error { return jpeg.Encode(w, i, nil) }
	d := paper.Document{Title: "Invoice", Sender: "Starlight"}
	name := strings.Count(pages(t, printed(t, paper.A4, d))[0], "Starlight")
	for what, c := range map[string]struct {
		logo []byte
		want bool
	}{
		"a PNG": {drawing(t, 300, 100, png.Encode), true}, "a JPEG": {drawing(t, 3000, 1000, asJPEG), true}, "a dot": {drawing(t, 1, 1, png.Encode), true},
		"a tall one": {drawing(t, 10, 3000, png.Encode), true}, "a damaged one": {drawing(t, 300, 100, png.Encode)[:60], false},
		"no picture": {[]byte("%PDF-1.4"), false}, "a huge one": {drawing(t, 4001, 1000, png.Encode), false},
	} {
		d.Logo = c.logo
		file := printed(t, paper.A4, d, d)
		if got := bytes.Contains(file, []byte("/Subtype /Image")); got != c.want {
			t.Errorf("%s is printed: %t", what, got)
		}
		if text := pages(t, file)[0]; strings.Count(text, "Starlight") == name == c.want {
			t.Errorf("%s: %s", what, text)
		}
		if count := bytes.Count(file, []byte("/Subtype /Image")); count > 1 {
			t.Errorf("%s is %d times in a file of two documents", what, count)
		}
	}
}
