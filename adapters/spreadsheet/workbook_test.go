package spreadsheet_test

import (
	"archive/zip"
	"bytes"
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/xuri/excelize/v2"
	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/ports"
)

// workbook is a file that fill made.
func workbook(t *testing.T, fill func(f *excelize.File) error, o ...excelize.Options) string {
	t.Helper()
	f := excelize.NewFile()
	defer f.Close()
	if err := fill(f); err != nil {
		t.Fatal(err)
	}
	var out bytes.Buffer
	if err := f.Write(&out, o...); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

func TestExcelNumbersReadAsStored(t *testing.T) {
	t.Parallel()
	file := workbook(t, func(f *excelize.File) error {
		zeros, err := f.NewStyle(&excelize.Style{NumFmt: 11}) // 0.00E+00: what people see of long numbers
		if err != nil {
			return err
		}
		return errors.Join(
			f.SetSheetRow("Sheet1", "A1", &[]any{"주문번호", "운송장번호"}),
			f.SetSheetRow("Sheet1", "A3", &[]any{260131000007, 123456789012}), f.SetCellStyle("Sheet1", "B3", "B3", zeros),
			f.SetSheetRow("Sheet1", "A4", &[]any{"260131000008", "012345678901"}),
			f.SetCellFormula("Sheet1", "A5", `HYPERLINK("http://example.com")`), f.SetCellValue("Sheet1", "B5", "=1+1"),
			f.SetSheetRow("Sheet1", "A6", &[]any{true, 1.5}),
			func() error { _, err := f.NewSheet("Other"); return err }(), f.SetCellValue("Other", "A1", "elsewhere"),
		)
	})
	got, at := read(t, file)
	want := [][]string{{"주문번호", "운송장번호"}, {"260131000007", "123456789012"}, {"260131000008", "012345678901"}, {"", "=1+1"}, {"1", "1.5"}}
	if !slices.EqualFunc(got, want, slices.Equal) || !slices.Equal(at, []int{1, 3, 4, 5, 6}) {
		t.Errorf("%q %v", got, at)
	}
}

// parts is an archive of texts by name, in order.
func parts(t *testing.T, named ...string) string {
	t.Helper()
	var out bytes.Buffer
	z := zip.NewWriter(&out)
	for i := 0; i < len(named); i += 2 {
		w, err := z.Create(named[i])
		if err != nil {
			t.Fatal(err)
		}
		if _, err := io.WriteString(w, named[i+1]); err != nil {
			t.Fatal(err)
		}
	}
	if err := z.Close(); err != nil {
		t.Fatal(err)
	}
	return out.String()
}

const (
	head = `<?xml version="1.0" encoding="UTF-8" standalone="yes"?>`
	main = `xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"`
	rel  = `http://schemas.openxmlformats.org/officeDocument/2006/relationships`
)

// smallest is a workbook with these rows and nothing that it could do without.
func smallest(t *testing.T, rows string, more ...string) string {
	t.Helper()
	return parts(t, append([]string{
		"[Content_Types].xml", head + `<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/><Default Extension="xml" ContentType="application/xml"/><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>`,
		"_rels/.rels",
		head + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="` + rel +
			`/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
		"xl/workbook.xml",
		head + `<workbook ` + main + ` xmlns:r="` + rel + `"><sheets><sheet name="Sheet1" sheetId="1" r:id="rId1"/></sheets></workbook>`,
		"xl/_rels/workbook.xml.rels",
		head + `<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="` + rel +
			`/worksheet" Target="worksheets/sheet1.xml"/></Relationships>`,
		"xl/worksheets/sheet1.xml", head + `<worksheet ` + main + `><sheetData>` + rows + `</sheetData></worksheet>`,
	}, more...)...)
}

func TestFormulaCellsAreReported(t *testing.T) {
	t.Parallel()
	rows := all(t, smallest(t, `<row r="1"><c r="A1" t="str"><f>A2&amp;"x"</f><v>123456789012</v></c><c r="B1"><f>1+1</f></c><c r="C1" t="e"><f>1/0</f><v>#DIV/0!</v></c><c r="D1"><v>1.23456789012E11</v></c></row><row r="2"><c r="B2"><f t="shared" si="0"/></c></row>`))
	if want := []string{"123456789012", "", "#DIV/0!", "1.23456789012E11"}; !slices.Equal(rows[0].Cells, want) ||
		!slices.Equal(rows[0].Formulas, []int{0, 1, 2}) {
		t.Errorf("%+v", rows[0])
	}
	if len(rows) != 2 || !slices.Equal(rows[1].Formulas, []int{1}) {
		t.Errorf("a row of nothing else: %+v", rows)
	}
	text := all(t, "a,b\n\"=\"\"00123\"\"\",=A1\n'=1,x=1\n")
	if !slices.Equal(text[1].Formulas, []int{0, 1}) || text[2].Formulas != nil || text[2].Cells[0] != "=1" {
		t.Errorf("%+v", text)
	}
}

func TestUnpackingIsBounded(t *testing.T) {
	t.Parallel()
	zeros := strings.Repeat("0", 1<<20)
	var many []string
	for i := range 1100 {
		many = append(many, fmt.Sprint("xl/other", i, ".xml"), "x")
	}
	for name, file := range map[string]string{
		"one huge sheet": smallest(t, "", "xl/worksheets/sheet2.xml", strings.Repeat(zeros, 129)),
		"many parts":     smallest(t, "", many...),
	} {
		if len(file) > spreadsheet.MaxSize {
			t.Fatal(name, len(file))
		}
		if r, err := (spreadsheet.Codec{TempDir: t.TempDir()}).Open(strings.NewReader(file)); !errors.Is(err, ports.ErrSpreadsheetTooLarge) {
			t.Errorf("%s: %v %v", name, r, err)
		}
	}
	if got, _ := read(t, smallest(t, `<row><c><v>7</v></c></row>`, "xl/media/image1.png", strings.Repeat(zeros, 25))); got[0][0] != "7" {
		t.Errorf("beside a picture: %q", got)
	}
}

func TestInvalidWorkbooks(t *testing.T) {
	t.Parallel()
	locked := workbook(t, func(f *excelize.File) error { return f.SetCellValue("Sheet1", "A1", "x") }, excelize.Options{Password: "secret"})
	good := smallest(t, `<row r="1"><c r="A1"><v>1</v></c></row>`)
	for name, file := range map[string]string{
		"with a password": locked, "an archive of something else": parts(t, "readme.txt", "hello"), "cut short": good[:len(good)/2],
		"damaged": strings.Replace(good, "PK\x01\x02", "PK\x01\x03", 1),
	} {
		if r, err := (spreadsheet.Codec{TempDir: t.TempDir()}).Open(strings.NewReader(file)); !errors.Is(err, ports.ErrSpreadsheetUnreadable) {
			t.Errorf("%s: %v %v", name, r, err)
		}
	}
}

// texts writes what Excel writes: a table of texts to which cells point.
func texts(t *testing.T, rows int) string {
	t.Helper()
	var table, cells strings.Builder
	for i := range rows {
		fmt.Fprintf(&table, `<si><t>서울특별시 강남구 테헤란로 %d, 지하 1층 우편함 옆 무인택배함</t></si>`, i)
		fmt.Fprintf(&cells, `<row r="%d"><c r="A%d" t="s"><v>%d</v></c></row>`, i+1, i+1, i)
	}
	return smallest(t, cells.String(), "xl/sharedStrings.xml", head+`<sst `+main+`>`+table.String()+`</sst>`)
}

// It has the process to itself, whose memory it weighs.
func TestLargeWorkbookMemory(t *testing.T) {
	const rows = 60_000
	file := texts(t, rows)
	r, err := spreadsheet.Codec{TempDir: t.TempDir()}.Open(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	var before, after runtime.MemStats
	n := 0
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if want := fmt.Sprintf("테헤란로 %d,", n); err != nil || !strings.Contains(row.Cells[0], want) {
			t.Fatalf("%q %v", row.Cells, err)
		}
		if n++; n == 100 {
			runtime.GC()
			runtime.ReadMemStats(&before)
		}
		if n == rows-100 {
			runtime.GC()
			runtime.ReadMemStats(&after)
		}
	}
	if grew := int64(after.HeapAlloc) - int64(before.HeapAlloc); n != rows || grew > 8<<20 {
		t.Errorf("%d rows, and %d bytes more are held at the end", n, grew)
	}
}

// asExcelize is the first sheet of a workbook as excelize reads it.
func asExcelize(t *testing.T, file string) (rows [][]string) {
	t.Helper()
	f, err := excelize.OpenReader(strings.NewReader(file), excelize.Options{RawCellValue: true})
	if err != nil {
		t.Fatal(err)
	}
	defer f.Close()
	rows, err = f.GetRows(f.GetSheetName(0))
	if err != nil {
		t.Fatal(err)
	}
	return rows
}

// cellTexts are what may be in a cell: what XML has to escape, what looks like an escape, other scripts.
var cellTexts = rapid.OneOf(
	rapid.StringMatching(`[a-z]{1,5}`), rapid.SampledFrom([]string{
		" 앞뒤 ", "<b>&amp;\"'", "_x000D_", "_x005F_x000D_", "_x005F_", "x000D_", "_x00zz_", "_x0041", "tab\there", "line\nbreak", "😀", "0123",
		"1.50",
	}),
	rapid.StringOfN(rapid.RuneFrom([]rune("_x0DAa5F<&>' 가")), 1, 12, -1),
)

// Another program reads what we write as it was, and we read what it writes.
func TestWorkbooksAreThoseOfOtherPrograms(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		want := rapid.SliceOfN(rapid.SliceOfN(cellTexts, 1, 30), 1, 4).Draw(r, "rows")
		for i := range want {
			want[i][0] = "row" // blank rows are left out
		}
		var ours bytes.Buffer
		w, err := spreadsheet.Codec{}.Create(&ours, ports.XLSX)
		if err != nil {
			r.Fatal(err)
		}
		for _, cells := range want {
			if err := w.WriteRow(cells); err != nil {
				r.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			r.Fatal(err)
		}
		theirs := workbook(t, func(f *excelize.File) error {
			to, err := f.NewStreamWriter("Sheet1")
			for i, cells := range want {
				var row []any
				for _, cell := range spreadsheet.EscapeRow(cells) {
					row = append(row, cell)
				}
				err = errors.Join(err, to.SetRow(fmt.Sprint("A", i+1), row))
			}
			return errors.Join(err, to.Flush())
		})
		unescaped := asExcelize(t, ours.String())
		for _, cells := range unescaped {
			spreadsheet.UnescapeRow(cells)
		}
		for name, got := range map[string][][]string{
			"written, read by excelize": unescaped, "written by excelize": cellsOf(t, theirs), "our own": cellsOf(t, ours.String()),
		} {
			if !slices.EqualFunc(got, want, slices.Equal) {
				r.Errorf("%s: %q, want %q", name, got, want)
			}
		}
	})
}

func cellsOf(t *testing.T, file string) (cells [][]string) {
	t.Helper()
	for _, row := range all(t, file) {
		cells = append(cells, row.Cells)
	}
	return cells
}

// Characters that XML has no form for are escaped; excelize reads them so, though it does not write them.
func TestControlCharactersSurvive(t *testing.T) {
	t.Parallel()
	var out bytes.Buffer
	w, err := spreadsheet.Codec{}.Create(&out, ports.XLSX)
	if err == nil {
		err = errors.Join(w.WriteRow([]string{"a\x01b\x1f", "c"}), w.Close())
	}
	if err != nil {
		t.Fatal(err)
	}
	want := [][]string{{"a\x01b\x1f", "c"}}
	for name, got := range map[string][][]string{"excelize": asExcelize(t, out.String()), "we": cellsOf(t, out.String())} {
		if !slices.EqualFunc(got, want, slices.Equal) {
			t.Errorf("%s: %q", name, got)
		}
	}
}

// Texts have runs of different fonts and, in East Asian workbooks, readings beside them; the part with the texts is the one
// that the workbook names; prefixes of elements are the writer's own.
func TestRichTextsReadAsText(t *testing.T) {
	t.Parallel()
	texts := `<si><r><rPr><b/></rPr><t>서울</t></r><r><t xml:space="preserve"> 강남</t></r><rPh sb="0" eb="1"><t>ソウル</t></rPh></si><si><t>둘</t><phoneticPr fontId="1"/></si>`
	rows := `<row r="2"><c r="B2" t="s"><v>0</v></c><c t="s"><v>1</v></c><c r="E2" t="inlineStr"><is><r><t>한</t></r><r><t>줄</t></r></is></c><c r="F2" t="b"><v>1</v></c></row>`
	want := [][]string{{"", "서울 강남", "둘", "", "한줄", "1"}}
	file := smallest(t, rows, "xl/sharedStrings.xml", head+`<sst `+main+`>`+texts+`</sst>`)
	if got := cellsOf(t, file); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("%q", got)
	}
	prefixed := strings.NewReplacer("<row", "<x:row", "</row", "</x:row", "<c ", "<x:c ", "</c>", "</x:c>", "<v>", "<x:v>", "</v>", "</x:v>", "<is>", "<x:is>",
		"</is>", "</x:is>", "<r>", "<x:r>", "</r>", "</x:r>", "<t>", "<x:t>", "</t>", "</x:t>").Replace(rows)
	other := parts(t, "[Content_Types].xml", head+"<Types/>", "_rels/.rels",
		head+`<Relationships><Relationship Id="a" Type="http://purl.oclc.org/ooxml/officeDocument/relationships/officeDocument" Target="/book/b.xml"/></Relationships>`,
		"book/b.xml", head+`<x:workbook xmlns:x="x" xmlns:r="`+rel+`"><x:sheets><x:sheet name="S" sheetId="1" r:id="s"/></x:sheets></x:workbook>`,
		"book/_rels/b.xml.rels", head+`<Relationships><Relationship Id="s" Type="x/worksheet" Target="s.xml"/><Relationship Id="t" Type="x/sharedStrings" Target="../texts.xml"/></Relationships>`,
		"book/s.xml", head+`<x:worksheet xmlns:x="x"><x:sheetData>`+prefixed+`</x:sheetData></x:worksheet>`, "texts.xml", head+`<sst>`+texts+`</sst>`)
	if got := cellsOf(t, other); !slices.EqualFunc(got, want, slices.Equal) {
		t.Errorf("with other names: %q", got)
	}
}
