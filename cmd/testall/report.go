package main

import (
	"cmp"
	"maps"
	"slices"
	"strings"
	"time"
)

// How many slow packages and tests the report has.
const (
	slowPackages = 12
	slowTests    = 12
)

// report prints what was tested, where the time went, and finally what failed. Idle is the time of all
// processors together.
func (r *results) report(wall, idle time.Duration) {
	packages := slices.SortedFunc(maps.Values(r.packages), longer)
	var cpu time.Duration
	ran := 0
	for _, p := range packages {
		cpu += p.cpu
		if !p.cached {
			ran++
		}
	}
	r.printf("\nWhere the time went, in seconds of wall time and of processor time:\n")
	for _, t := range r.commands {
		r.printf("%8.1f %8.1f  %s\n", t.wall.Seconds(), t.cpu.Seconds(), t.name)
	}
	for _, p := range packages[:min(slowPackages, len(packages))] {
		if p.cached {
			continue
		}
		r.printf("%8.1f %8.1f  %s\n", p.wall.Seconds(), p.cpu.Seconds(), short(p.name))
	}
	r.printf("%8.1f %8.1f  all, of which %d packages ran and %d were cached\n", wall.Seconds(), cpu.Seconds(), ran, len(packages)-ran)
	if idle > 0 {
		r.printf("%8s %8.1f  idle\n", "", idle.Seconds())
	}
	slices.SortFunc(r.tests, func(a, b took) int { return longer(&a, &b) })
	if ran > 0 {
		r.printf("The longest tests:\n")
	}
	for _, t := range r.tests[:min(slowTests, len(r.tests))] {
		if path, _, _ := strings.Cut(t.name, " "); !r.pkg(path).cached {
			r.printf("%8.1f  %s\n", t.wall.Seconds(), short(t.name))
		}
	}
	if len(r.failures) > 0 {
		r.printf("Failed:\n  %s\n", strings.Join(r.failures, "\n  "))
	}
	r.printf("%d passed, %d failed, %d skipped\n", r.passed, len(r.failures), r.skipped)
}

func longer(a, b *took) int {
	return cmp.Or(cmp.Compare(b.wall, a.wall), cmp.Compare(a.name, b.name))
}

// short is a package's path without the module's.
func short(path string) string {
	_, rest, found := strings.Cut(path, "/cartwright/")
	if !found {
		return path
	}
	return rest
}
