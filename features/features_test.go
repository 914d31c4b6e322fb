// Package features_test reads the features as text: they must be what a product owner can read, say which part of the
// specification they show, and consist of sentences that mean something.
package features_test

import (
	"bufio"
	"bytes"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	gherkin "github.com/cucumber/gherkin/go/v26"
	messages "github.com/cucumber/messages/go/v21"

	"github.com/cartwright-dev/cartwright/features/steps"
)

// scenario is one example of a feature, with the tags it inherits and the steps of its background.
type scenario struct {
	at, name string
	tags     []string
	steps    []string
	own      int // steps without the background's
}

func scenarios(t *testing.T) (all []scenario) {
	t.Helper()
	files, err := filepath.Glob("*/*.feature")
	if err != nil || len(files) == 0 {
		t.Fatal("no features", err)
	}
	for _, file := range files {
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		id := &messages.Incrementing{}
		document, err := gherkin.ParseGherkinDocument(bytes.NewReader(text), id.NewId)
		if err != nil {
			t.Fatalf("%s: %v", file, err)
		}
		background := backgroundSteps(document.Feature)
		for _, pickle := range gherkin.Pickles(*document, file, id.NewId) {
			s := scenario{at: file + ": " + pickle.Name, name: pickle.Name, own: len(pickle.Steps) - background}
			for _, tag := range pickle.Tags {
				s.tags = append(s.tags, strings.TrimPrefix(tag.Name, "@"))
			}
			for _, step := range pickle.Steps {
				s.steps = append(s.steps, step.Text)
			}
			all = append(all, s)
		}
	}
	return all
}

func backgroundSteps(f *messages.Feature) int {
	for _, child := range f.Children {
		if child.Background != nil {
			return len(child.Background.Steps)
		}
	}
	return 0
}

// rules reads rules.txt: tag to sentence.
func rules(t *testing.T) (numbered, parts map[string]string, order []string) {
	t.Helper()
	file, err := os.Open("rules.txt")
	if err != nil {
		t.Fatal(err)
	}
	defer func() { _ = file.Close() }() // it was only read
	numbered, parts = map[string]string{}, map[string]string{}
	for lines := bufio.NewScanner(file); lines.Scan(); {
		fields := strings.Fields(lines.Text())
		if len(fields) == 0 || fields[0] == "#" {
			continue
		}
		sentence := strings.Join(fields[2:], " ")
		switch fields[0] {
		case "rule":
			numbered[fields[1]] = sentence
			order = append(order, fields[1])
		case "part":
			parts[fields[1]] = sentence
		default:
			t.Errorf("rules.txt: %q is neither rule nor part", lines.Text())
		}
	}
	return numbered, parts, order
}

// kinds of scenario that need a special server.
var kinds = []string{"concurrency", "clock"}

func TestEveryScenarioNamesWhatItShows(t *testing.T) {
	numbered, parts, _ := rules(t)
	for _, s := range scenarios(t) {
		shows := 0
		for _, tag := range s.tags {
			known := numbered[tag] != "" || parts[tag] != ""
			if known {
				shows++
			} else if !slices.Contains(kinds, tag) {
				t.Errorf("%s: nothing in rules.txt is called %q", s.at, tag)
			}
		}
		if shows == 0 {
			t.Errorf("%s: no tag says which part of the specification it shows", s.at)
		}
	}
}

func TestEveryStepHasOneMeaning(t *testing.T) {
	sentences := steps.Sentences()
	used := make([]bool, len(sentences))
	for _, s := range scenarios(t) {
		for _, step := range s.steps {
			meanings := 0
			for i, sentence := range sentences {
				if sentence.MatchString(step) {
					meanings++
					used[i] = true
				}
			}
			if meanings != 1 {
				t.Errorf("%s: %q has %d meanings", s.at, step, meanings)
			}
		}
	}
	for i, sentence := range sentences {
		if !used[i] {
			t.Errorf("no feature says %q", sentence)
		}
	}
}

var technical = regexp.MustCompile(`(?i)https?:|/api|\bjson\b|\bhttp\b|\b[45]\d\d\b error|status code|[{}]`)

func TestFeaturesAreForProductOwners(t *testing.T) {
	seen := map[string]bool{}
	for _, s := range scenarios(t) {
		if s.own > 6 {
			t.Errorf("%s: %d steps", s.at, s.own)
		}
		if seen[s.at] {
			t.Errorf("%s stands there twice", s.at)
		}
		seen[s.at] = true
		for _, words := range append(s.steps, s.name) {
			if technical.MatchString(words) {
				t.Errorf("%s: %q is not business language", s.at, words)
			}
		}
	}
}

func TestEveryRuleHasAScenario(t *testing.T) {
	numbered, parts, order := rules(t)
	shown := map[string]bool{}
	for _, s := range scenarios(t) {
		for _, tag := range s.tags {
			shown[tag] = true
		}
	}
	for _, tag := range order {
		if !shown[tag] {
			t.Errorf("no scenario shows %s: %s", tag, numbered[tag])
		}
	}
	for tag, sentence := range parts {
		if !shown[tag] {
			t.Errorf("no scenario shows %s: %s", tag, sentence)
		}
	}
	if len(order) < fewest {
		t.Errorf("rules.txt has %d rules; the specification has %d", len(order), fewest)
	}
}

// fewest is how many numbered rules the specification has: none is shown by being left out.
const fewest = 50
