package features_test

import (
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
)

// rule is one numbered fact of the rule book.
type rule struct {
	text      string
	scenarios bool     // scenarios carry its id
	tests     []string // names of Go tests that prove it
}

var (
	ruleEntry = regexp.MustCompile(`(?m)^- \*\*([a-z]+)-(\d+)\*\* `)
	// proof is what stands in italics at the end of a rule.
	proof = regexp.MustCompile(`^(.*\S) \*([A-Za-z0-9_, ]+)\*$`)
)

// entries are the numbered entries of a page, "- **area-1** text", by id and in their order.
func entries(t *testing.T, path string) (ids []string, texts map[string]string) {
	t.Helper()
	page, err := os.ReadFile(path)
	if err != nil {
		t.Fatal(err)
	}
	text, texts := string(page), map[string]string{}
	starts := ruleEntry.FindAllStringSubmatchIndex(text, -1)
	for _, at := range starts {
		id, rest := text[at[2]:at[3]]+"-"+text[at[4]:at[5]], text[at[1]:]
		for _, end := range []string{"\n- ", "\n\n"} {
			rest, _, _ = strings.Cut(rest, end)
		}
		if _, twice := texts[id]; twice {
			t.Errorf("%s has %s twice", path, id)
		}
		ids, texts[id] = append(ids, id), strings.Join(strings.Fields(rest), " ")
	}
	return ids, texts
}

// ruleBook is every rule by id, from the RULES.md of each area's folder.
func ruleBook(t *testing.T) map[string]rule {
	t.Helper()
	pages, err := filepath.Glob("*/RULES.md")
	if err != nil || len(pages) == 0 {
		t.Fatal("no rules", err)
	}
	book := map[string]rule{}
	for _, page := range pages {
		ids, texts := entries(t, page)
		for i, id := range ids {
			if want := filepath.Dir(page) + "-" + strconv.Itoa(i+1); id != want {
				t.Errorf("%s: %s stands where %s should", page, id, want)
			}
			if texts[id] == "Withdrawn" {
				continue
			}
			m := proof.FindStringSubmatch(texts[id])
			if m == nil {
				t.Errorf("%s: nothing proves %s", page, id)
				continue
			}
			r := rule{text: m[1]}
			for name := range strings.SplitSeq(m[2], ", ") {
				if name == "scenarios" {
					r.scenarios = true
				} else {
					r.tests = append(r.tests, name)
				}
			}
			book[id] = r
		}
	}
	return book
}

func TestRuleBookListsEveryArea(t *testing.T) {
	index, err := os.ReadFile("RULES.md")
	if err != nil {
		t.Fatal(err)
	}
	pages, _ := filepath.Glob("*/RULES.md")
	for _, page := range pages {
		if !strings.Contains(string(index), "("+filepath.ToSlash(page)+")") {
			t.Errorf("RULES.md does not list %s", page)
		}
	}
	features, _ := filepath.Glob("*/*.feature")
	for _, feature := range features {
		if _, err := os.Stat(filepath.Join(filepath.Dir(feature), "RULES.md")); err != nil {
			t.Errorf("%s has features and no rules", filepath.Dir(feature))
		}
	}
}

// fewestShown is how many rules scenarios show at least: none is shown by being left out.
const fewestShown = 210

func TestEveryRuleIsProvenByWhatItNames(t *testing.T) {
	book, shown, tests := ruleBook(t), map[string]bool{}, testNames(t)
	for _, s := range scenarios(t) {
		for _, tag := range s.tags {
			shown[tag] = true
		}
	}
	claimed := 0
	for id, r := range book {
		if r.scenarios {
			claimed++
		}
		if r.scenarios != shown[id] {
			t.Errorf("%s: says that scenarios show it: %t; scenarios with its tag: %t", id, r.scenarios, shown[id])
		}
		for _, name := range r.tests {
			if !tests[name] {
				t.Errorf("%s names %s, which is no test", id, name)
			}
		}
	}
	if claimed < fewestShown {
		t.Errorf("scenarios show %d rules; they have shown %d", claimed, fewestShown)
	}
}

var testFunc = regexp.MustCompile(`(?m)^func ((?:Test|Fuzz)[A-Za-z0-9_]*)\(`)

// testNames are the names of all tests of the repository.
func testNames(t *testing.T) map[string]bool {
	t.Helper()
	names := map[string]bool{}
	for _, f := range tree(t) {
		if strings.HasSuffix(f.path, "_test.go") {
			for _, m := range testFunc.FindAllStringSubmatch(f.text, -1) {
				names[m[1]] = true
			}
		}
	}
	return names
}

// kinds are the tags that name no rule but say how a scenario is played: concurrency also without the
// mailbox, clock with a server whose clock moves, storage also on SQLite, since it asks for what databases do
// in different ways: finding, sorting and changing many, transactions that meet, sweeps, sequences of events,
// accounts and keys.
var kinds = []string{"concurrency", "clock", "storage"}

func TestEveryScenarioNamesItsRules(t *testing.T) {
	book := ruleBook(t)
	for _, s := range scenarios(t) {
		shows := 0
		for _, tag := range s.tags {
			if _, known := book[tag]; known {
				shows++
			} else if !slices.Contains(kinds, tag) {
				t.Errorf("%s: no rule is called %q", s.at, tag)
			}
		}
		if shows == 0 {
			t.Errorf("%s: no tag names a rule that it shows", s.at)
		}
	}
}
