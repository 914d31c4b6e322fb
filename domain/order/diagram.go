package order

import (
	"fmt"
	"slices"
	"strings"
)

// begins are the states in which orders come to be.
var begins = []Status{Pending, Paid}

// Mermaid draws the transition table as a stateDiagram.
func Mermaid() string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2\n")
	for _, s := range begins {
		fmt.Fprintf(&b, "    [*] --> %s\n", s)
	}
	for _, from := range Statuses {
		for _, to := range next[from] {
			fmt.Fprintf(&b, "    %s --> %s\n", from, to)
		}
		if len(next[from]) == 0 {
			fmt.Fprintf(&b, "    %s --> [*]\n", from)
		}
	}
	return b.String()
}

// Table writes the transition table as text: a line for each state, with those it leads to.
func Table() string {
	var b strings.Builder
	width := len(slices.MaxFunc(Statuses, func(a, b Status) int { return len(a) - len(b) }))
	for _, from := range Statuses {
		to := strings.Join(names(next[from]), ", ")
		if to == "" {
			to = "(the end)"
		}
		fmt.Fprintf(&b, "%-*s -> %s\n", width, from, to)
	}
	return b.String()
}
