package spreadsheet_test

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"os"
	"path/filepath"
	"runtime"
	"slices"
	"strings"
	"testing"
	"time"

	"golang.org/x/text/encoding/korean"

	"github.com/cartwright-dev/cartwright/adapters/spreadsheet"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestSheets(t *testing.T) {
	t.Parallel()
	portstest.Spreadsheets(t, func(t *testing.T) ports.Spreadsheets { return spreadsheet.Codec{TempDir: t.TempDir()} })
}

// all is the rows of a file, unchanged.
func all(t *testing.T, file string) (rows []ports.SpreadsheetRow) {
	t.Helper()
	r, err := spreadsheet.Codec{TempDir: t.TempDir()}.Open(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			return rows
		}
		if err != nil {
			t.Fatal(err)
		}
		rows = append(rows, row)
	}
}

// read is the rows of a file; unreadable ones have nil cells.
func read(t *testing.T, file string) (cells [][]string, numbers []int) {
	t.Helper()
	dir := t.TempDir()
	r, err := spreadsheet.Codec{TempDir: dir}.Open(strings.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 && runtime.GOOS != "windows" {
		t.Error("a process that dies would leave", left, err)
	}
	for {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			t.Fatal(err)
		}
		if (row.Problem == "") != (row.Cells != nil) {
			t.Errorf("%+v", row)
		}
		cells, numbers = append(cells, row.Cells), append(numbers, row.Number)
	}
	if err := r.Close(); err != nil {
		t.Error(err)
	}
	if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
		t.Error("files are left behind", left, err)
	}
	return cells, numbers
}

func cp949(t *testing.T, text string) string {
	t.Helper()
	out, err := korean.EUCKR.NewEncoder().String(text)
	if err != nil {
		t.Fatal(err)
	}
	return out
}

func TestCSVDialectsAreRead(t *testing.T) {
	t.Parallel()
	const plain = "주문번호,운송장번호\r\n260131000007,123456789012\r\n"
	want := [][]string{{"주문번호", "운송장번호"}, {"260131000007", "123456789012"}}
	for name, file := range map[string]string{
		"UTF-8": plain, "with a mark": "\uFEFF" + plain, "CP949": cp949(t, plain), "line feeds": strings.ReplaceAll(plain, "\r", ""),
		"no end of line": strings.TrimSpace(plain), "semicolons": strings.ReplaceAll(plain, ",", ";"),
		"tabs": strings.ReplaceAll(plain, ",", "\t"), "quoted": "\"주문번호\",\"운송장번호\"\n\"260131000007\",\"123456789012\"\n",
		"quoted after spaces": "\"주문번호\", \"운송장번호\"\n260131000007, 123456789012\n",
	} {
		if got, at := read(t, file); !slices.EqualFunc(got, want, slices.Equal) || !slices.Equal(at, []int{1, 2}) {
			t.Errorf("%s: %q %v", name, got, at)
		}
	}
	// letters of CP949 that EUC-KR lacks
	if got, _ := read(t, cp949(t, "똠방각하,펲시,뷁\n")); !slices.Equal(got[0], []string{"똠방각하", "펲시", "뷁"}) {
		t.Errorf("%q", got)
	}
	if got, _ := read(t, "a\t\tc\n"); !slices.Equal(got[0], []string{"a", "", "c"}) {
		t.Errorf("an empty cell between tabs: %q", got)
	}
	if got, _ := read(t, "a;\"x,y,z\"\n1;2,5\n"); !slices.Equal(got[1], []string{"1", "2,5"}) {
		t.Errorf("commas in quotes and cells: %q", got)
	}
}

func TestRowNumbersMatchSpreadsheets(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string
		want []int
	}{
		"empty lines":          {"a,b\n\n\n1,2\n\n3,4\n", []int{1, 4, 6}},
		"before the header":    {"\r\n\r\na,b\r\n1,2\r\n", []int{3, 4}},
		"rows of empty cells":  {"a,b\n,\n  , \n1,2\n", []int{1, 4}},
		"line breaks in cells": {"a,b\n\"x\ny\n\nz\",2\n3,4\n\n5,6", []int{1, 2, 3, 5}},
		"with carriage return": {"a,b\r\n\"x\r\ny\",2\r\n3,4\r\n", []int{1, 2, 3}},
	} {
		if got, at := read(t, c.file); !slices.Equal(at, c.want) {
			t.Errorf("%s: %v %q", name, at, got)
		}
	}
}

func TestBadQuoteSpoilsOnlyItsRow(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		file string
		good []string // first cells; "" for an invalid row
		at   []int
	}{
		"in the middle":  {"a,b\n1,5\" pipe\n2,ok\n", []string{"a", "", "2"}, []int{1, 2, 3}},
		"after a cell":   {"a,b\n\"1\"x,2\n3,ok\n", []string{"a", "", "3"}, []int{1, 2, 3}},
		"over two lines": {"a,b\n\"1\n1\"x,2\n3,ok\n", []string{"a", "", "3"}, []int{1, 2, 3}},
		"never closed":   {"a,b\n1,ok\n\"2,x\n3,x\n", []string{"a", "1", ""}, []int{1, 2, 3}},
	} {
		got, at := read(t, c.file)
		first := make([]string, len(got))
		for i, cells := range got {
			if cells != nil {
				first[i] = cells[0]
			}
		}
		if !slices.Equal(first, c.good) || !slices.Equal(at, c.at) {
			t.Errorf("%s: %q %v", name, first, at)
		}
	}
}

func write(t *testing.T, format ports.SpreadsheetFormat, rows ...[]string) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := spreadsheet.Codec{TempDir: t.TempDir()}.Create(&out, format)
	if err != nil {
		t.Fatal(err)
	}
	for _, row := range rows {
		if err := w.WriteRow(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	return out.Bytes()
}

func TestCSVIsWrittenAsExcelReadsIt(t *testing.T) {
	t.Parallel()
	got := string(write(t, ports.CSV, []string{"이름", "06000", "260131000007"}, []string{"=1+1", "+82", "-1+1", "@x", "\ty", "a\nb", "o'clock"}))
	if want := "\uFEFF이름,06000,260131000007\r\n'=1+1,'+82,'-1+1,'@x,'\ty,\"a\r\nb\",o'clock\r\n"; got != want {
		t.Errorf("got  %q\nwant %q", got, want)
	}
	rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(got, "\uFEFF"))).Read()
	if err != nil || rows[1] != "06000" {
		t.Error(rows, err)
	}
}

func TestBOMRequiresValidUTF8(t *testing.T) {
	t.Parallel()
	_, err := spreadsheet.Codec{TempDir: t.TempDir()}.Open(strings.NewReader("\uFEFF주문번호,운송장번호\n\xc1\xd6,1\n"))
	if !errors.Is(err, ports.ErrSpreadsheetUnreadable) || !strings.Contains(err.Error(), "damaged") {
		t.Error(err)
	}
}

func TestSweepRemovesLeftoverFiles(t *testing.T) {
	t.Parallel()
	dir := t.TempDir()
	now := time.Now()
	for name, at := range map[string]time.Time{
		"cartwright-sheet-1": now.Add(-48 * time.Hour), "cartwright-sheet-2": now, "somebody-else": now.Add(-48 * time.Hour),
	} {
		if err := errors.Join(os.Mkdir(filepath.Join(dir, name), 0o700), os.Chtimes(filepath.Join(dir, name), at, at)); err != nil {
			t.Fatal(err)
		}
	}
	if err := (spreadsheet.Codec{TempDir: dir}).Sweep(now.Add(-24 * time.Hour)); err != nil {
		t.Fatal(err)
	}
	left, err := filepath.Glob(filepath.Join(dir, "*"))
	if want := []string{filepath.Join(dir, "cartwright-sheet-2"), filepath.Join(dir, "somebody-else")}; err != nil ||
		!slices.Equal(left, want) {
		t.Error(left, err)
	}
}

// failing is a writer that fails after so many bytes.
type failing struct{ room int }

var errFull = errors.New("the disk is full")

func (f *failing) Write(p []byte) (int, error) {
	if f.room -= len(p); f.room < 0 {
		return 0, errFull
	}
	return len(p), nil
}

func TestWriteErrorIsReturned(t *testing.T) {
	t.Parallel()
	for _, format := range ports.SpreadsheetFormats {
		for _, room := range []int{0, 100} {
			dir := t.TempDir()
			w, err := spreadsheet.Codec{TempDir: dir}.Create(&failing{room}, format)
			if err == nil {
				_ = w.WriteRow([]string{strings.Repeat("x", 1000)}) // the error may be returned later
				err = w.Close()
			}
			if !errors.Is(err, errFull) {
				t.Errorf("%s with %d bytes: %v", format, room, err)
			}
			if left, err := os.ReadDir(dir); err != nil || len(left) > 0 {
				t.Error("files are left behind", left, err)
			}
		}
	}
}
