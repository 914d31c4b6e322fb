package features_test

import (
	"bytes"
	"io/fs"
	"os"
	"path"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// textFile is a file of the repository that people write; path is relative to its root.
type textFile struct{ path, text string }

var (
	written = []string{
		".go", ".md", ".feature", ".ts", ".mjs", ".js", ".html", ".css", ".sh", ".yml", ".yaml", "Makefile", "Dockerfile", "run",
	}
	// notOurs are folders of what is built, kept at run time, or written by others.
	notOurs = []string{".git", "node_modules", "dist", "bin", "data", "adapters/rest/playground/assets", "adapters/rest/ui"}
)

// tree is every text file of the repository that people write.
func tree(t *testing.T) []textFile {
	t.Helper()
	return filesOf(t, func(file string) bool {
		return slices.Contains(written, path.Ext(file)) || slices.Contains(written, path.Base(file))
	})
}

// filesOf reads the repository's text files whose path, relative to its root, is wanted.
func filesOf(t *testing.T, wanted func(file string) bool) (files []textFile) {
	t.Helper()
	err := filepath.WalkDir("..", func(at string, d fs.DirEntry, err error) error {
		file := strings.TrimPrefix(filepath.ToSlash(at), "../")
		switch {
		case err != nil:
			return err
		case d.IsDir() && (slices.Contains(notOurs, file) || slices.Contains(notOurs, d.Name())):
			return filepath.SkipDir
		case !d.Type().IsRegular() || !wanted(file):
			return nil
		}
		text, err := os.ReadFile(at)
		if !bytes.ContainsRune(text, 0) {
			files = append(files, textFile{file, string(text)})
		}
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	return files
}

var (
	// lineBreak is the end of a line of a comment and the mark at the start of the next one.
	lineBreak = regexp.MustCompile(`[ \t]*\n[ \t]*(?://|\*|#)?[ \t]*`)
	reference = regexp.MustCompile(`\b(Rule|Fact|Decision)s? ((?:[a-z]+-)?\d+(?:(?:,| and| to|, and) (?:[a-z]+-)?\d+)*)`)
	oneID     = regexp.MustCompile(`(?:[a-z]+-)?\d+`)
	rulePage  = regexp.MustCompile(`\bfeatures/[a-z]+/RULES\.md`)
	// elsewhere is a reference to a text that is not in the repository.
	elsewhere = regexp.MustCompile(`(?i)\b(?:contract|spec|specification|engineering|pitfalls|standards|reference payments:?(?: adapter contract)?) R?\d|` +
		`(?i)contract (?:is|are) silent|(?i)beyond the contract|@spec-|[^a-z]reference/[a-z]+\.md`)
)

func TestEveryReferenceLeadsSomewhere(t *testing.T) {
	known := targets(t)
	for _, f := range tree(t) {
		text := lineBreak.ReplaceAllString(f.text, " ")
		for _, m := range reference.FindAllStringSubmatch(text, -1) {
			for _, id := range oneID.FindAllString(m[2], -1) {
				if !known[m[1]][id] {
					t.Errorf("%s: there is no %s %s", f.path, m[1], id)
				}
			}
		}
		for _, page := range rulePage.FindAllString(text, -1) {
			if _, err := os.Stat("../" + page); err != nil {
				t.Errorf("%s: there is no %s", f.path, page)
			}
		}
		if f.path == "features/references_test.go" {
			continue
		}
		if m := elsewhere.FindString(text); m != "" {
			t.Errorf("%s refers to %q, which is not in this repository: name a rule, a fact or a decision", f.path, m)
		}
	}
}

// targets are the ids that can be referred to, by the word before them.
func targets(t *testing.T) map[string]map[string]bool {
	t.Helper()
	known := map[string]map[string]bool{"Rule": {}, "Fact": {}, "Decision": {}}
	for id := range ruleBook(t) {
		known["Rule"][id] = true
	}
	_, facts := entries(t, "../adapters/payment/PROVIDERS.md")
	for id := range facts {
		known["Fact"][id] = true
	}
	for number := range decisions(t) {
		known["Decision"][strconv.Itoa(number)] = true
	}
	return known
}

const decisionFolder = "../cmd/cartwright/decisions/"

// longest is how many lines a decision record has at most.
const longest = 40

var (
	decisionTitle = regexp.MustCompile(`\A# Decision (\d+): (.+)\n\n\d{4}-\d\d-\d\d`)
	decisionParts = []string{"**Context.**", "**Decision.**", "**Consequence.**"}
)

// decisions are the titles of the decision records by number.
func decisions(t *testing.T) map[int]string {
	t.Helper()
	files, err := filepath.Glob(decisionFolder + "[0-9]*.md")
	if err != nil || len(files) == 0 {
		t.Fatal("no decisions", err)
	}
	titles := map[int]string{}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		m := decisionTitle.FindStringSubmatch(string(text))
		if m == nil {
			t.Errorf("%s does not begin with its number, title and date", file)
			continue
		}
		number, _ := strconv.Atoi(m[1])
		if named, _ := strconv.Atoi(filepath.Base(file)[:4]); named != number || titles[number] != "" {
			t.Errorf("%s is called Decision %d", file, number)
		}
		titles[number] = m[2]
		for _, part := range decisionParts {
			if !strings.Contains(string(text), part) {
				t.Errorf("%s has no %s", file, part)
			}
		}
		if n := strings.Count(string(text), "\n"); n > longest {
			t.Errorf("%s has %d lines", file, n)
		}
	}
	return titles
}

func TestDecisionIndexListsEveryDecision(t *testing.T) {
	index, err := os.ReadFile(decisionFolder + "README.md")
	if err != nil {
		t.Fatal(err)
	}
	for number, title := range decisions(t) {
		if !strings.Contains(string(index), "| "+strconv.Itoa(number)+" | ["+title+"](") {
			t.Errorf("decisions/README.md does not list Decision %d: %s", number, title)
		}
	}
}
