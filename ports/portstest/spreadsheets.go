package portstest

import (
	"bytes"
	"errors"
	"io"
	"slices"
	"strings"
	"testing"
	"testing/iotest"

	"github.com/cartwright-dev/cartwright/ports"
)

// Spreadsheets checks ports.Spreadsheets, ports.SpreadsheetReader and ports.SpreadsheetWriter.
func Spreadsheets(t *testing.T, open func(t *testing.T) ports.Spreadsheets) {
	for _, format := range ports.SpreadsheetFormats {
		s := spreadsheets{open(t), format}
		t.Run(string(format), func(t *testing.T) {
			t.Run("rows are read as they were written", s.testRoundTrip)
			t.Run("rows are numbered as spreadsheets number them", s.testRowNumbers)
			t.Run("the checksum is that of the bytes", s.testChecksum)
			t.Run("many rows", s.testManyRows)
			t.Run("rewinding", s.testRewind)
		})
	}
	t.Run("files that are not tables", spreadsheets{Spreadsheets: open(t)}.testUnreadable)
}

// spreadsheets is an implementation under test.
type spreadsheets struct {
	ports.Spreadsheets

	format ports.SpreadsheetFormat
}

// write returns a file of these rows.
func (s spreadsheets) write(t *testing.T, rows ...[]string) []byte {
	t.Helper()
	var out bytes.Buffer
	w, err := s.Create(&out, s.format)
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

// read returns the rows of a file.
func (s spreadsheets) read(t *testing.T, file []byte) (rows []ports.SpreadsheetRow) {
	t.Helper()
	r, err := s.Open(bytes.NewReader(file))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
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

func (s spreadsheets) testRoundTrip(t *testing.T) {
	table := [][]string{
		{"name", "value"},
		{"leading zeros", "00123"}, {"twelve digits", "123456789012"}, {"twenty digits", "12345678901234567890"}, {"no number", "1.23E+11"},
		{"a decimal", "1.50"}, {"a date", "2026-01-31"}, {"truth", "TRUE"}, {"Korean", "서울특별시 강남구"}, {"emoji", "🎁 선물"},
		{"quotes", `5" pipe, "thick"`}, {"separators", "a,b;c\td"}, {"lines", "first\nsecond\n\nfourth"}, {"marks", "'quoted'"},
		{"a marked formula", "'=1"}, {"twice marked", "''=1"}, {"equals", `=HYPERLINK("http://example.com")`}, {"plus", "+82 10-1234-5678"},
		{"minus", "-1+1"}, {"at", "@SUM(1)"}, {"a tab", "\t=1"}, {"a line break", "\n=1"}, {"wide", "＝1+1"}, {"spaces", " around "},
		{"markup", "<b>&amp;</b>"}, {"escape", "_x0041_"}, {"", "an empty cell before"}, {"a", "", "one between"},
	}
	got := s.read(t, s.write(t, table...))
	if len(got) != len(table) {
		t.Fatalf("%d rows instead of %d: %+v", len(got), len(table), got)
	}
	for i, row := range got {
		if !slices.Equal(row.Cells, table[i]) || row.Number != i+1 || row.Problem != "" {
			t.Errorf("row %d is %q, not %q; %s", row.Number, row.Cells, table[i], row.Problem)
		}
	}
	if got := s.read(t, s.write(t, []string{"a\r\nb\rc"})); got[0].Cells[0] != "a\nb\nc" {
		t.Errorf("line breaks: %q", got[0].Cells)
	}
}

func (s spreadsheets) testRowNumbers(t *testing.T) {
	got := s.read(t, s.write(t, []string{"1", "x"}, []string{"", ""}, []string{"3", "a\nb"}, []string{" "}, []string{"5"}))
	var at []int
	for _, row := range got {
		at = append(at, row.Number)
		if want := string(rune('0' + row.Number)); row.Cells[0] != want {
			t.Errorf("row %d begins with %q", row.Number, row.Cells[0])
		}
	}
	if !slices.Equal(at, []int{1, 3, 5}) {
		t.Error(at)
	}
}

func (s spreadsheets) testChecksum(t *testing.T) {
	sum := func(file []byte) string {
		r, err := s.Open(bytes.NewReader(file))
		if err != nil {
			t.Fatal(err)
		}
		if err := r.Close(); err != nil {
			t.Error(err)
		}
		return r.Checksum()
	}
	file := s.write(t, []string{"a"})
	one, same, other := sum(file), sum(bytes.Clone(file)), sum(s.write(t, []string{"b"}))
	if one != same || one == other || len(one) != 64 {
		t.Error(one, same, other)
	}
}

func (s spreadsheets) testRewind(t *testing.T) {
	r, err := s.Open(bytes.NewReader(s.write(t, []string{"a", "b"}, []string{"", ""}, []string{"1", "2"})))
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	for rows := range 3 { // number of rows read before
		for range rows {
			if _, err := r.Next(); err != nil {
				t.Fatal(err)
			}
		}
		if err := r.Rewind(); err != nil {
			t.Fatal(err)
		}
		if row, err := r.Next(); err != nil || row.Number != 1 || !slices.Equal(row.Cells, []string{"a", "b"}) {
			t.Fatalf("after %d rows: %+v %v", rows, row, err)
		}
		if row, err := r.Next(); err != nil || row.Number != 3 || !slices.Equal(row.Cells, []string{"1", "2"}) {
			t.Fatalf("after %d rows: %+v %v", rows, row, err)
		}
		if _, err := r.Next(); !errors.Is(err, io.EOF) {
			t.Fatal(err)
		}
		if err := r.Rewind(); err != nil {
			t.Fatal(err)
		}
	}
}

func (s spreadsheets) testManyRows(t *testing.T) {
	const rows = 20_000
	var out bytes.Buffer
	w, err := s.Create(&out, s.format)
	if err != nil {
		t.Fatal(err)
	}
	for range rows {
		if err := w.WriteRow([]string{"260131000007", "홍길동", "서울특별시 강남구 테헤란로 1", "파란 머그컵 x2"}); err != nil {
			t.Fatal(err)
		}
	}
	if err := w.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := s.Open(&out)
	if err != nil {
		t.Fatal(err)
	}
	defer func() {
		if err := r.Close(); err != nil {
			t.Error(err)
		}
	}()
	n := 0
	for ; ; n++ {
		row, err := r.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil || row.Cells[1] != "홍길동" || row.Number != n+1 {
			t.Fatalf("row %d: %q %v", n, row.Cells, err)
		}
	}
	if n != rows {
		t.Error(n)
	}
}

func (s spreadsheets) testUnreadable(t *testing.T) {
	if _, err := s.Create(io.Discard, "ods"); err == nil {
		t.Error("an unknown format was accepted")
	}
	for name, file := range map[string]string{
		"nothing": "", "a picture": "\x89PNG\r\n\x1a\n\x00\x00\x00\rIHDR", "old Excel": "\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1 and so on",
		"UTF-16": "\xff\xfea\x00,\x00b\x00", "half an archive": "PK\x03\x04 and no more", "another encoding": "caf\xe9,\xff\xff\n",
	} {
		if r, err := s.Open(strings.NewReader(file)); !errors.Is(err, ports.ErrSpreadsheetUnreadable) {
			t.Errorf("%s: %v %v", name, r, err)
		}
	}
	if _, err := s.Open(io.LimitReader(endless{}, 200<<20)); !errors.Is(err, ports.ErrSpreadsheetTooLarge) {
		t.Error("a huge file", err)
	}
	broken := errors.New("the client hung up")
	if _, err := s.Open(io.MultiReader(strings.NewReader("a,b\n"), iotest.ErrReader(broken))); !errors.Is(err, broken) {
		t.Error(err)
	}
}

// endless is a text of unlimited length.
type endless struct{}

// Read implements io.Reader.
func (endless) Read(p []byte) (int, error) {
	for i := range p {
		p[i] = "a,b\n"[i%4]
	}
	return len(p), nil
}
