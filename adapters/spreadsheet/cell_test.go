package spreadsheet_test

import (
	"encoding/csv"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/ports"
)

func TestFormulaInjectionIsEscaped(t *testing.T) {
	t.Parallel()
	for cell, want := range map[string]string{
		"a;=cmd": "a;'=cmd", "a; +1": "a;' +1", " =1": "' =1", "\u200b=1": "'\u200b=1", "\u00a0\u2060@x": "'\u00a0\u2060@x",
		"a\t-1": "a\t'-1", "-1": "-1", "-1.50": "-1.50", "-1+2": "'-1+2", "-": "'-", "a;b;=c;'=d": "a;b;'=c;''=d",
		"1=1": "1=1", "a b-c": "a b-c", "a; b": "a; b", "o';clock": "o';clock", "a\n=1": "a\n'=1", "\x01=1": "'\x01=1",
	} {
		written := string(write(t, ports.CSV, []string{"a", "b"}, []string{cell, "end"}))
		if rows, err := csv.NewReader(strings.NewReader(strings.TrimPrefix(written, "\uFEFF"))).ReadAll(); err != nil ||
			rows[1][0] != want {
			t.Errorf("%q was written as %q %v", cell, rows, err)
		}
		for _, format := range ports.SpreadsheetFormats {
			if format == ports.XLSX && strings.Contains(cell, "\x01") {
				continue // XML has no such character
			}
			if got, _ := read(t, string(write(t, format, []string{"a", "b"}, []string{cell, "end"}))); got[1][0] != cell {
				t.Errorf("%s: %q became %q", format, cell, got[1][0])
			}
		}
	}
}
