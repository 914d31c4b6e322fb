package spreadsheet_test

import (
	"errors"
	"fmt"
	"io"
	"runtime"
	"slices"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/ports"
)

// cost reads a file to its end or its first error, and returns the allocated bytes.
func cost(t *testing.T, file string) (rows int, taken uint64, err error) {
	t.Helper()
	var before, after runtime.MemStats
	files := spreadsheet.Codec{TempDir: t.TempDir()}
	runtime.ReadMemStats(&before)
	defer func() {
		runtime.ReadMemStats(&after)
		taken = after.TotalAlloc - before.TotalAlloc
	}()
	r, err := files.Open(strings.NewReader(file))
	if err != nil {
		return 0, 0, err
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	for {
		_, err := r.Next()
		if errors.Is(err, io.EOF) {
			return rows, 0, nil
		}
		if err != nil {
			return rows, 0, err
		}
		rows++
	}
}

// shared is a workbook with these rows and these shared strings.
func shared(t *testing.T, rows string, texts ...string) string {
	t.Helper()
	var table strings.Builder
	for _, text := range texts {
		table.WriteString("<si><t>" + text + "</t></si>")
	}
	return smallest(t, rows, "xl/sharedStrings.xml", head+`<sst `+main+`>`+table.String()+`</sst>`)
}

// Not parallel: it measures the memory of the process.
func TestSmallFileUsesBoundedMemory(t *testing.T) {
	const most = 24 << 20
	zeros := strings.Repeat("0", 10<<20)
	pointing := `<row r="1">` + strings.Repeat(`<c t="s"><v>0</v></c>`, 100) + `</row>`
	var far strings.Builder
	for i := range 3000 {
		fmt.Fprintf(&far, `<row r="%d"><c r="XFD%d"><v>1</v></c></row>`, i+1, i+1)
	}
	quoted := "a,b\n\n\"" + strings.Repeat("x\n", 8<<20)
	for name, c := range map[string]struct{ file, says string }{
		"a text of 10 MiB":              {shared(t, pointing, zeros), "32767 characters"},
		"a text of 10 MiB in many runs": {shared(t, pointing, strings.Repeat("x</t><t>", 1<<20)), "32767 characters"},
		"a text within a cell": {
			smallest(t, `<row r="1"><c t="inlineStr"><is><t>`+zeros+`</t></is></c></row>`), "32767 characters",
		},
		"a number of many parts": {
			smallest(t, `<row r="1"><c>`+strings.Repeat("<v>123456789012345</v>", 1<<16)+`</c></row>`), "Row 1 is longer",
		},
		"a row of texts":                      {shared(t, pointing, zeros[:32_000]), "Row 1 is longer"},
		"a text of escapes":                   {shared(t, pointing, strings.Repeat("_x0041_", 4000)), "Row 1 is longer"},
		"an empty text in many runs":          {shared(t, pointing, strings.Repeat("</t><t>", 30_000)), "Row 1 is longer"},
		"a text one character too long":       {shared(t, pointing, strings.Repeat("가", 32_768)), "32767 characters"},
		"a tag of 10 MiB":                     {smallest(t, `<row r="1" x="`+zeros+`"></row>`), "characters"},
		"cells in the last column":            {smallest(t, far.String()), "Row 1 has more than 256 cells"},
		"a row of empty cells without end":    {smallest(t, `<row>`+strings.Repeat(`<c/>`, 100_000)+`</row>`), "Row 1 is longer"},
		"elements in elements":                {smallest(t, strings.Repeat("<x>", 1<<20)), "nested"},
		"a row beyond the last":               {smallest(t, `<row r="1048577"><c><v>1</v></c></row>`), "1048576 rows"},
		"24 million commas":                   {"a,b\n" + strings.Repeat(",", 24<<20) + "x\n", "Row 2 is longer"},
		"a quote that is never closed":        {quoted, "Row 3 is longer"},
		"a thousand cells":                    {"a,b\n1,2\n" + strings.Repeat("x,", 1000) + "\n", "Row 3 has more than 256 cells"},
		"a million rows of empty cells":       {"a,b\n" + strings.Repeat(",\n", 1<<20), "1048576 rows"},
		"a line that is longer than a record": {strings.Repeat("x", 300<<10), "Row 1 is longer"},
	} {
		_, taken, err := cost(t, c.file)
		wrong := errors.Is(err, ports.ErrSpreadsheetTooLarge) || c.says == "nested" && errors.Is(err, ports.ErrSpreadsheetUnreadable)
		if !wrong || !strings.Contains(err.Error(), c.says) {
			t.Errorf("%s: %v", name, err)
		}
		// memory of earlier rows is freed
		if limit := uint64(most + 5*len(c.file)); taken > limit && !strings.HasPrefix(name, "a million rows") {
			t.Errorf("%s: %d bytes of memory for a file of %d", name, taken, len(c.file))
		}
	}
}

func TestEmptyCellsAndRichTextAreRead(t *testing.T) {
	for name, file := range map[string]string{
		"styled cells to the last column": smallest(t, `<row r="1"><c r="A1"><v>1</v></c><c r="XFD1" s="3"/></row>`),
		"commas to the last column":       "1" + strings.Repeat(",", 16_383) + "\n",
		"many empty lines":                strings.Repeat("\n", 300<<10) + "1\n" + strings.Repeat("\r\n", 300<<10),
	} {
		if got, _ := read(t, file); len(got) != 1 || !slices.Equal(got[0], []string{"1"}) {
			t.Errorf("%s: %d rows, %.100q", name, len(got), got)
		}
	}
	rich := smallest(t,
		`<row><c t="s"><v>0</v></c><c t="inlineStr"><is><r><t>a</t></r><r><t xml:space="preserve"> b</t></r></is></c></row>`,
		"xl/sharedStrings.xml", head+`<sst `+main+`><si><r><t>서울</t></r><r><t>_x0041_</t></r><rPh sb="0" eb="2"><t>서울</t></rPh></si></sst>`)
	if got, _ := read(t, rich); !slices.Equal(got[0], []string{"서울A", "a b"}) {
		t.Errorf("%q", got)
	}
	for _, rows := range []string{`<row><c><v>1</v></c>`, `<row><c><v>1</v></c></row></sheetData>`[:24], `</x></x></x></x>`,
		// Rows that the library would skip or misplace.
		`<row><c r="B1"><v>1</v></c><c r="A1"><v>2</v></c></row>`, `<row r="2"/><row r="1"/>`, `<row r="x"/>`, `<c><v>1</v></c>`,
		`<row><c r="1"><v>1</v></c></row>`, `<row><c s="x"><v>1</v></c></row>`, `<row><c t="s"><v>x</v></c></row>`,
		`<row><c><v>1<v>2</v></v></c></row>`, `<row><c><c><v>1</v></c></c></row>`,
	} {
		if n, _, err := cost(t, smallest(t, rows)); !errors.Is(err, ports.ErrSpreadsheetUnreadable) {
			t.Errorf("%s: %d rows %v", rows, n, err)
		}
	}
	if _, _, err := cost(t, shared(t, `<row><c t="s"><v>7</v></c></row>`, "x")); !errors.Is(err, ports.ErrSpreadsheetUnreadable) {
		t.Errorf("a missing shared string: %v", err)
	}
}

// What no cell of a workbook holds is refused before there is a file that nobody can open.
func TestTextThatNoCellHoldsIsNotWritten(t *testing.T) {
	t.Parallel()
	for text, fits := range map[string]bool{
		strings.Repeat("가", 32_767): true, strings.Repeat("가", 32_768): false, strings.Repeat("😀", 16_384): false, "=" + strings.Repeat("a", 32_766): false,
	} {
		for format, want := range map[ports.SpreadsheetFormat]bool{ports.XLSX: fits, ports.CSV: true} {
			w, err := spreadsheet.Codec{TempDir: t.TempDir()}.Create(io.Discard, format)
			if err != nil {
				t.Fatal(err)
			}
			err = w.WriteRow([]string{text})
			if refused := errors.Is(err, ports.ErrSpreadsheetTooLarge); refused == want || err != nil && !refused {
				t.Errorf("%d bytes as %s: %v", len(text), format, err)
			}
			if err := w.Close(); err != nil {
				t.Error(err)
			}
		}
	}
}
