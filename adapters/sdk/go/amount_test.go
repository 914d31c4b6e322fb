package cartwright

import (
	"encoding/json"
	"go/ast"
	"go/parser"
	"go/token"
	"path/filepath"
	"strings"
	"testing"
)

func TestAmountsAreReadAndWrittenDigitByDigit(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]Amount{
		"15000": "15000", "19.99": "19.99", "-0.10": "-0.10", "0": "0", "null": "", "90071992547409931234.05": "90071992547409931234.05",
		"1e3": "1000", "1.5E2": "150", "25e-1": "2.5", "-1.20e+1": "-12.0",
	} {
		var got Amount
		if err := json.Unmarshal([]byte(text), &got); err != nil || got != want {
			t.Errorf("%s reads as %q, %v; want %q", text, got, err, want)
		}
		if back, err := json.Marshal(want); err != nil || want != "" && string(back) != string(want) ||
			want == "" && string(back) != "null" {
			t.Errorf("%q is written as %s, %v", want, back, err)
		}
	}
	for _, text := range []string{`"12"`, `true`, `1e1001`, `{}`, `[1]`} {
		var got Amount
		if err := json.Unmarshal([]byte(text), &got); err == nil {
			t.Errorf("%s reads as %q", text, got)
		}
	}
	for _, text := range []string{"", "1.", ".5", "01", "1,5", "+1", "--1", "NaN", "1e3", " 1"} {
		if got, err := ParseAmount(text); err == nil {
			t.Errorf("%q parses as %q", text, got)
		}
	}
	if _, err := json.Marshal(Amount("12 won")); err == nil {
		t.Error("what is no number is written")
	}
}

func TestAmountsAreCountedExactly(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct{ got, want Amount }{
		"sum":          {Amount("0.1").Add("0.2"), "0.3"},
		"sum of none":  {Amount("").Add("19.99"), "19.99"},
		"difference":   {Amount("20").Sub("0.01"), "19.99"},
		"below zero":   {Amount("1").Sub("1.50"), "-0.50"},
		"product":      {Amount("19.99").Times(3), "59.97"},
		"large":        {Amount("9007199254740993").Add("0.01"), "9007199254740993.01"},
		"product of 0": {Amount("5").Times(0), "0"},
	} {
		if c.got != c.want {
			t.Errorf("%s: %s, want %s", name, c.got, c.want)
		}
	}
	if Amount("20").Cmp("20.00") != 0 || Amount("9").Cmp("10") != -1 || Amount("0.1").Cmp("0.09") != 1 {
		t.Error("amounts are compared as texts")
	}
}

// Not one float in the whole package: whoever adds one has to argue with this test.
func TestNothingIsAFloat(t *testing.T) {
	t.Parallel()
	files, err := filepath.Glob("*.go")
	if err != nil || len(files) < 10 {
		t.Fatal(files, err)
	}
	for _, file := range files {
		if strings.HasSuffix(file, "_test.go") {
			continue
		}
		parsed, err := parser.ParseFile(token.NewFileSet(), file, nil, parser.SkipObjectResolution)
		if err != nil {
			t.Fatal(err)
		}
		ast.Inspect(parsed, func(n ast.Node) bool {
			if id, ok := n.(*ast.Ident); ok && (id.Name == "float64" || id.Name == "float32") {
				t.Errorf("%s uses %s", file, id.Name)
			}
			return true
		})
	}
}
