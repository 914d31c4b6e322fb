// Package features_test reads the features and the rule book as text. Features must be readable by a product owner,
// name the rules they show, and consist of sentences that mean something; rules must be proven, and references to
// them resolve.
package features_test

import (
	"bytes"
	"os"
	"path/filepath"
	"regexp"
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

func TestStepPatternsAreUnambiguous(t *testing.T) {
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

var technicalTerms = regexp.MustCompile(`(?i)https?:|/api|\bjson\b|\bhttp\b|\b[45]\d\d\b error|status code|[{}]`)

func TestFeaturesUseBusinessLanguage(t *testing.T) {
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
			if technicalTerms.MatchString(words) {
				t.Errorf("%s: %q is not business language", s.at, words)
			}
		}
	}
}
