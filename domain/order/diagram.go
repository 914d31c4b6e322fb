package order

import (
	"fmt"
	"slices"
	"strings"
)

// initialStatuses are the statuses of new orders.
var initialStatuses = []Status{Pending, Authorized, Paid}

// Mermaid returns the transition table as a Mermaid state diagram.
func Mermaid() string {
	var b strings.Builder
	b.WriteString("stateDiagram-v2\n")
	for _, s := range initialStatuses {
		fmt.Fprintf(&b, "    [*] --> %s\n", s)
	}
	for _, from := range Statuses {
		for _, to := range transitions[from] {
			fmt.Fprintf(&b, "    %s --> %s\n", from, to)
		}
		if len(transitions[from]) == 0 {
			fmt.Fprintf(&b, "    %s --> [*]\n", from)
		}
	}
	return b.String()
}

// Table returns the transition table as text: one line per status, with the statuses it leads to.
func Table() string {
	var b strings.Builder
	width := len(slices.MaxFunc(Statuses, func(a, b Status) int { return len(a) - len(b) }))
	for _, from := range Statuses {
		to := strings.Join(toStrings(transitions[from]), ", ")
		if to == "" {
			to = "(the end)"
		}
		fmt.Fprintf(&b, "%-*s -> %s\n", width, from, to)
	}
	return b.String()
}
