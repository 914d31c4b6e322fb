package main

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"time"
)

// racedTrees are the folders whose packages, with those below, run under the race detector.
var racedTrees = []string{"domain", "ports", "app", "adapters/memory", "adapters/redis", "adapters/sqlstore"}

// aloneAt are the packages that run alone, in this order: they start whole servers, with databases and browsers.
var aloneAt = []string{"cmd/torture", "cmd/cartwright/program"}

// longest are the packages to start first: a long package that starts late keeps one processor busy while the
// others are idle. The report at the end of a run shows when this list is out of date.
var longest = []string{
	"adapters/payment", "adapters/rest", "adapters/payment/stripe", "adapters/graphql/stored",
	"adapters/sqlstore", "app/payments", "app/carts", "app/deliveries",
}

// group is packages tested by one go test.
type group struct {
	name  string
	alone bool
	env   []string
	flags []string
	list  []string          // import paths
	paths map[string]string // import paths by folder
}

// goPackage is a package in the output of go list.
type goPackage struct {
	ImportPath, Dir string
	Module          struct{ Path, Dir string }
	TestGoFiles     []string
	XTestGoFiles    []string
}

// path is the package's folder inside its module.
func (p goPackage) path() string {
	return strings.TrimPrefix(strings.TrimPrefix(p.ImportPath, p.Module.Path), "/")
}

func (p goPackage) raced() bool {
	return slices.ContainsFunc(racedTrees, func(tree string) bool { return p.path() == tree || strings.HasPrefix(p.path(), tree+"/") })
}

// gcPercent has garbage collected when the heap is five times what was alive: the target that the product serves with.
const gcPercent = "GOGC=400"

// packageGroups lists the packages that have tests, those that run alone before the others, which are by kind.
//
// SQLite, translated from C, is 45 times slower under the race detector, and its races would not be in our code, so
// it alone is compiled without it. A raced program waits a second before it exits, for late reports; a tenth
// is enough.
func packageGroups(ctx context.Context, o options) ([]group, error) {
	list := interruptible(ctx, "go", append([]string{"list", "-json=ImportPath,Dir,Module,TestGoFiles,XTestGoFiles"}, o.patterns...)...)
	list.Stderr = os.Stderr
	out, err := list.Output()
	if err != nil {
		return nil, fmt.Errorf("go list: %w", err)
	}
	plain := group{name: "plain", paths: map[string]string{}, env: []string{"CGO_ENABLED=0", gcPercent}}
	raced := group{
		name: "raced", paths: map[string]string{}, env: []string{"CGO_ENABLED=1", gcPercent, "GORACE=atexit_sleep_ms=100"},
		flags: []string{"-race", "-gcflags=modernc.org/...=-race=false -d=checkptr=0"},
	}
	packages, err := decodePackages(out)
	if err != nil {
		return nil, err
	}
	slices.SortStableFunc(packages, func(a, b goPackage) int { return rank(a) - rank(b) })
	alone := make([]group, len(aloneAt))
	for _, p := range packages {
		to := &plain
		if at := slices.Index(aloneAt, p.path()); at >= 0 {
			alone[at] = group{name: plain.name, alone: true, paths: map[string]string{}, env: plain.env}
			to = &alone[at]
		} else if p.raced() {
			to = &raced
		}
		if len(p.TestGoFiles)+len(p.XTestGoFiles) > 0 {
			to.list, to.paths[p.Dir] = append(to.list, p.ImportPath), p.ImportPath
		}
	}
	return slices.DeleteFunc(slices.Concat(alone, []group{plain, raced}), func(g group) bool {
		return len(g.list) == 0 || o.only != "" && o.only != g.name
	}), nil
}

// rank is the index of a package in longest; the others follow in alphabetical order.
func rank(p goPackage) int {
	if at := slices.Index(longest, p.path()); at >= 0 {
		return at
	}
	return len(longest)
}

func decodePackages(out []byte) (packages []goPackage, err error) {
	for d := json.NewDecoder(bytes.NewReader(out)); ; {
		var p goPackage
		if err := d.Decode(&p); errors.Is(err, io.EOF) { //nolint:musttag // go list names the fields so
			return packages, nil
		} else if err != nil {
			return nil, fmt.Errorf("go list: %w", err)
		}
		packages = append(packages, p)
	}
}

// parallelTests is how many tests of a package run at the same time. Most of them wait for databases, servers and browsers:
// alone, two per processor; otherwise one, since as many packages as processors run in each group. More would only make
// each test slower, up to deadlines of what it tests.
func (g group) parallelTests() int {
	if g.alone {
		return 2 * runtime.GOMAXPROCS(0)
	}
	return max(2, runtime.GOMAXPROCS(0))
}

// packageTimeout ends a package that hangs. It is long enough for the longest one on a machine at a third of the usual speed.
const packageTimeout = 40 * time.Minute

// test runs the group and passes its events to r. The linters vet, and test binaries need no debugging
// symbols, without which linking takes a third of the time.
func (g group) test(ctx context.Context, r *results) {
	flags := []string{"test", "-json", "-vet=off", "-ldflags=-s -w", "-timeout=" + packageTimeout.String(), "-parallel=" + strconv.Itoa(g.parallelTests())}
	args := slices.Concat(flags, g.flags, g.list)
	cmd := interruptible(ctx, "go", args...)
	cmd.Env = append(os.Environ(), g.env...)
	var stderr bytes.Buffer
	cmd.Stderr = &stderr
	events, err := cmd.StdoutPipe()
	if err == nil {
		err = cmd.Start()
	}
	if err != nil {
		r.failed(g.name, err.Error())
		return
	}
	r.read(events)
	if err := cmd.Wait(); err != nil && !r.anyFailed() {
		r.failed(g.name, fmt.Sprintf("go test: %v\n%s", err, stderr.String()))
	}
}
