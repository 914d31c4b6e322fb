package domain_test

import (
	"errors"
	"go/ast"
	"go/parser"
	"go/token"
	"io/fs"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"
	"unicode"
)

// term is a row of the glossary.
type term struct {
	name, meaning string
	places        []string // folders it is at home in
	retired       []string // words that names do not use for it
}

var quoted = regexp.MustCompile("`([^`]+)`")

func glossary(t *testing.T) (terms []term) {
	t.Helper()
	text, err := os.ReadFile("GLOSSARY.md")
	if err != nil {
		t.Fatal(err)
	}
	inCode := func(cell string) (words []string) {
		for _, m := range quoted.FindAllStringSubmatch(cell, -1) {
			words = append(words, m[1])
		}
		return words
	}
	for line := range strings.Lines(string(text)) {
		cells := strings.Split(strings.Trim(strings.TrimSpace(line), "|"), "|")
		if !strings.HasPrefix(line, "|") || len(cells) != 4 || strings.Trim(cells[0], "- ") == "" || strings.TrimSpace(cells[0]) == "term" {
			continue
		}
		terms = append(terms, term{strings.TrimSpace(cells[0]), strings.TrimSpace(cells[1]), inCode(cells[2]), inCode(cells[3])})
	}
	return terms
}

func TestGlossaryTermsHaveAMeaningAndAPlace(t *testing.T) {
	terms := glossary(t)
	if len(terms) < 50 {
		t.Errorf("the glossary has %d terms", len(terms))
	}
	for _, g := range terms {
		if g.meaning == "" || len(g.places) == 0 {
			t.Errorf("%q has no meaning or no place", g.name)
		}
		for _, place := range g.places {
			if _, err := os.Stat("../" + place); err != nil {
				t.Errorf("%q is said to be in %s, which does not exist", g.name, place)
			}
		}
	}
}

// kept are names that have a retired word for good: one that is gone fails.
var kept = []string{
	"JournalMode", "pragma_journal_mode", // SQLite's own word
}

// Exported names, tables and help use no word that the glossary retired.
func TestRetiredWordsAreNotUsed(t *testing.T) {
	instead, met := map[string]string{}, map[string]bool{}
	for _, g := range glossary(t) {
		for _, word := range g.retired {
			instead[word], instead[word+"s"] = g.name, g.name
		}
	}
	check := func(at, name string) {
		for _, word := range words(name) {
			better, retired := instead[word]
			switch {
			case !retired:
			case slices.Contains(kept, name):
				met[name] = true
			default:
				t.Errorf("%s: %.80s says %q; the glossary has %q", at, name, word, better)
			}
		}
	}
	eachGoFile(t, func(path string, f *ast.File) {
		check(path, f.Name.Name)
		for _, name := range exported(f) {
			check(path, name)
		}
		for _, table := range tables(f) {
			check(path, table)
		}
	})
	help, err := os.ReadFile("../cmd/cartwright/program/testdata/help.golden")
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(help)) {
		check("help.golden", strings.TrimSpace(line))
	}
	for _, name := range kept {
		if !met[name] {
			t.Errorf("%s is excepted and does not occur any more", name)
		}
	}
}

// words splits a name or a text into words in lower case: at case, digits, underscores and whatever is no letter.
func words(text string) (all []string) {
	var word strings.Builder
	end := func() {
		if word.Len() > 0 {
			all = append(all, strings.ToLower(word.String()))
			word.Reset()
		}
	}
	letters := []rune(text)
	for i, r := range letters {
		starts := unicode.IsUpper(r) && (i > 0 && unicode.IsLower(letters[i-1]) || i+1 < len(letters) && unicode.IsLower(letters[i+1]))
		if !unicode.IsLetter(r) || starts {
			end()
		}
		if unicode.IsLetter(r) {
			word.WriteRune(r)
		}
	}
	end()
	return all
}

func eachGoFile(t *testing.T, fn func(path string, f *ast.File)) {
	t.Helper()
	for _, top := range []string{"domain", "ports", "app", "adapters", "cmd", "features"} {
		err := filepath.WalkDir("../"+top, func(path string, d fs.DirEntry, err error) error {
			switch {
			case errors.Is(err, fs.ErrNotExist):
				return nil
			case err != nil || d.IsDir() && d.Name() == "node_modules":
				return skipDirOnError(err)
			case !strings.HasSuffix(path, ".go") || strings.HasSuffix(path, "_gen.go"):
				return nil
			}
			f, err := parser.ParseFile(token.NewFileSet(), path, nil, parser.SkipObjectResolution)
			if err == nil {
				fn(strings.TrimPrefix(filepath.ToSlash(path), "../"), f)
			}
			return err
		})
		if err != nil {
			t.Fatal(err)
		}
	}
}

// exported are the exported names that f declares: types, functions, methods, fields, constants and variables.
func exported(f *ast.File) (names []string) {
	add := func(ids ...*ast.Ident) {
		for _, id := range ids {
			if id.IsExported() {
				names = append(names, id.Name)
			}
		}
	}
	ast.Inspect(f, func(n ast.Node) bool {
		switch n := n.(type) {
		case *ast.FuncDecl:
			add(n.Name)
			return false
		case *ast.TypeSpec:
			add(n.Name)
		case *ast.ValueSpec:
			add(n.Names...)
		case *ast.Field:
			add(n.Names...)
		}
		return true
	})
	return names
}

var tableName = regexp.MustCompile(`\b(?:CREATE TABLE(?: IF NOT EXISTS)?|INSERT INTO|DELETE FROM|FROM|UPDATE|JOIN) ([a-z][a-z_]+)\b`)

// tables are the tables that statements of f name.
func tables(f *ast.File) (names []string) {
	ast.Inspect(f, func(n ast.Node) bool {
		if text, ok := n.(*ast.BasicLit); ok && text.Kind == token.STRING {
			for _, m := range tableName.FindAllStringSubmatch(text.Value, -1) {
				names = append(names, m[1])
			}
		}
		return true
	})
	slices.Sort(names)
	return slices.Compact(names)
}
