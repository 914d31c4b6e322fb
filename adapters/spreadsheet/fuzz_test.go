package spreadsheet_test

import (
	"bytes"
	"errors"
	"io"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// FuzzOpen reads any input: it ends with rows in ascending order or with a fault, and rows that were read
// survive a round trip.
func FuzzOpen(f *testing.F) {
	for _, seed := range []string{
		"a,b\n1,2\n", "\uFEFF주문번호;운송장번호\r\n1;'=2\r\n", "\xc1\xd6\xb9\xae,\xb9\xf8\xc8\xa3\n", "a\t\"b\nc\"\td\n\n\n\"", "PK\x03\x04",
		"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1", "\x00", "\"", "'\n''=\n\r\r\n",
	} {
		f.Add([]byte(seed))
	}
	for _, format := range ports.SpreadsheetFormats {
		var out bytes.Buffer
		w, err := spreadsheet.Codec{}.Create(&out, format)
		if err != nil {
			f.Fatal(err)
		}
		if err := errors.Join(w.WriteRow([]string{"주문번호", "운송장번호"}), w.WriteRow([]string{"=1", "012"}), w.Close()); err != nil {
			f.Fatal(err)
		}
		f.Add(out.Bytes())
	}
	f.Fuzz(func(t *testing.T, file []byte) {
		rows := rowsOf(t, file)
		var out bytes.Buffer
		w, err := spreadsheet.Codec{}.Create(&out, ports.CSV)
		if err != nil {
			t.Fatal(err)
		}
		for _, cells := range append([][]string{{"a", "b"}}, rows...) { // a first row determines the separator
			if err := w.WriteRow(cells); err != nil {
				t.Fatal(err)
			}
		}
		if err := w.Close(); err != nil {
			t.Fatal(err)
		}
		again := rowsOf(t, out.Bytes())[1:]
		if len(again) != len(rows) {
			t.Fatalf("%q became %q", rows, again)
		}
		for i, cells := range rows {
			if got, want := strings.Join(again[i], "|"), strings.Join(cells, "|"); got != want {
				t.Fatalf("%q became %q", want, got)
			}
		}
	})
}

// rowsOf is the readable rows of a file.
func rowsOf(t *testing.T, file []byte) (rows [][]string) {
	t.Helper()
	r, err := spreadsheet.Codec{}.Open(bytes.NewReader(file))
	if err != nil {
		refused(t, err)
		return nil
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Fatal(err)
		}
	}()
	for last := 0; ; {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil {
			refused(t, err)
			return rows
		}
		if row.Number <= last {
			t.Fatalf("row %d after row %d", row.Number, last)
		}
		if last = row.Number; row.Problem == "" {
			rows = append(rows, row.Cells)
		}
	}
}

func refused(t *testing.T, err error) {
	t.Helper()
	if fault.From(err).Kind == fault.Internal {
		t.Fatal(err)
	}
}
