package order_test

import (
	"strings"
	"testing"

	. "github.com/cartwright-dev/cartwright/domain/order"
)

func TestDiagramMatchesTransitions(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSuffix(Mermaid(), "\n"), "\n")
	drawn := map[string]bool{}
	for _, l := range lines[1:] {
		drawn[strings.TrimSpace(l)] = true
	}
	if lines[0] != "stateDiagram-v2" || len(drawn) != len(lines)-1 {
		t.Errorf("%q", lines)
	}
	want := 3 // orders begin pending, authorized or paid
	for _, from := range Statuses {
		ends := true
		for _, to := range Statuses {
			legal := CheckTransition(from, to) == nil
			if drawn[string(from)+" --> "+string(to)] != legal {
				t.Errorf("%s to %s: drawn %v", from, to, !legal)
			}
			if legal {
				ends = false
				want++
			}
		}
		if drawn[string(from)+" --> [*]"] != ends {
			t.Errorf("%s ends: %v", from, ends)
		}
		if ends {
			want++
		}
	}
	if len(drawn) != want || !drawn["[*] --> pending"] || !drawn["[*] --> authorized"] || !drawn["[*] --> paid"] {
		t.Errorf("%d lines, want %d", len(drawn), want)
	}
}

func TestTableMatchesTransitions(t *testing.T) {
	t.Parallel()
	lines := strings.Split(strings.TrimSuffix(Table(), "\n"), "\n")
	for i, from := range Statuses {
		name, to, _ := strings.Cut(lines[i], " -> ")
		if strings.TrimSpace(name) != string(from) {
			t.Errorf("%q", lines[i])
		}
		listed := map[string]bool{}
		for s := range strings.SplitSeq(to, ", ") {
			listed[s] = true
		}
		for _, s := range Statuses {
			if listed[string(s)] != (CheckTransition(from, s) == nil) {
				t.Errorf("%q: %s", lines[i], s)
			}
		}
	}
}
