package main

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"regexp"
	"strings"
	"sync"
	"time"
)

// event is a line of go test -json.
type event struct {
	Action      string
	Package     string
	ImportPath  string // package that did not build; Package is empty then
	Test        string
	Output      string
	Elapsed     float64 // seconds
	FailedBuild string
}

// took is the time that something took.
type took struct {
	name   string
	wall   time.Duration
	cpu    time.Duration
	cached bool
}

// results collects the results of all groups, and prints what should be seen at once.
type results struct {
	mu       sync.Mutex
	out      io.Writer
	output   map[string]*bytes.Buffer // by package and test, until they end
	packages map[string]*took
	tests    []took
	commands []took
	passed   int
	skipped  int
	failures []string
}

func newResults(out io.Writer) *results {
	return &results{out: out, output: map[string]*bytes.Buffer{}, packages: map[string]*took{}}
}

// printf prints at once; there is nothing to do about a failed write.
func (r *results) printf(format string, args ...any) { _, _ = fmt.Fprintf(r.out, format, args...) }

// read reads the events of a go test to the end.
func (r *results) read(events io.Reader) {
	lines := bufio.NewReader(events)
	for {
		line, err := lines.ReadBytes('\n')
		if len(line) > 0 {
			r.line(line)
		}
		if err != nil {
			return // the end, or an error, which go test's exit code shows
		}
	}
}

func (r *results) line(line []byte) {
	var e event
	r.mu.Lock()
	defer r.mu.Unlock()
	if json.Unmarshal(line, &e) != nil { //nolint:musttag // go test names the fields so
		r.printf("%s", line) // not an event: a message of go test itself
		return
	}
	switch e.Action {
	case "output":
		r.keep(e.Package+" "+e.Test, e.Output)
		r.notice(e)
	case "build-output":
		r.keep(e.ImportPath, e.Output)
	case "pass", "skip", "fail":
		r.ended(e)
	}
}

func (r *results) keep(key, text string) {
	if r.output[key] == nil {
		r.output[key] = &bytes.Buffer{}
	}
	r.output[key].WriteString(text)
}

// notice prints go test's line about a passed package.
func (r *results) notice(e event) {
	if e.Test != "" || !strings.HasPrefix(e.Output, "ok  \t") {
		return
	}
	r.pkg(e.Package).cached = strings.Contains(e.Output, "(cached)")
	r.printf("%s", e.Output)
}

func (r *results) pkg(path string) *took {
	if r.packages[path] == nil {
		r.packages[path] = &took{name: path}
	}
	return r.packages[path]
}

func (r *results) ended(e event) {
	key, wall := e.Package+" "+e.Test, time.Duration(e.Elapsed*float64(time.Second))
	output := r.output[key]
	delete(r.output, key)
	switch {
	case e.Action == "fail":
		r.fail(e, output)
	case e.Test != "" && e.Action == "skip":
		r.skipped++
	case e.Test != "":
		r.passed++
	}
	switch {
	case e.Test == "":
		r.pkg(e.Package).wall = wall
	case !strings.Contains(e.Test, "/"):
		r.tests = append(r.tests, took{name: e.Package + " " + e.Test, wall: wall})
	}
}

// fail prints the output of a failed test or package. When no test of a failed package failed, the cause,
// such as a panic, may be in the output of a test that did not end, so all remaining output is printed as
// well. What a test said first is repeated at the end, since what its servers printed comes after it.
func (r *results) fail(e event, output *bytes.Buffer) {
	if e.FailedBuild != "" {
		output = r.output[e.FailedBuild]
	}
	r.failures = append(r.failures, strings.TrimSpace(e.Package+" "+e.Test)+firstSaid(output))
	if e.Test == "" {
		for key, left := range r.output {
			if strings.HasPrefix(key, e.Package+" ") {
				r.printf("%s", left)
				delete(r.output, key)
			}
		}
	}
	if output != nil {
		r.printf("%s", output)
	}
}

// firstSaid is the first message of a test in its output, as an indented line of its own; "": it has none.
func firstSaid(output *bytes.Buffer) string {
	if output == nil {
		return ""
	}
	for line := range strings.Lines(output.String()) {
		if message.MatchString(line) {
			return "\n      " + strings.TrimSpace(line)
		}
	}
	return ""
}

// message is the first line of what a test says, which begins with its place.
var message = regexp.MustCompile(`^ +\w+\.go:\d+: `)

// failed records a failure outside of any test.
func (r *results) failed(what, why string) {
	r.mu.Lock()
	defer r.mu.Unlock()
	r.failures = append(r.failures, what)
	r.printf("FAIL\t%s\n%s\n", what, strings.TrimSpace(why))
}

// command runs a command and shows its output if it failed.
func (r *results) command(ctx context.Context, command string) {
	began := time.Now()
	cmd := interruptible(ctx, "sh", "-c", command)
	output, err := cmd.CombinedOutput()
	if err != nil {
		r.failed(command, string(output)+"\n"+err.Error())
	}
	r.mu.Lock()
	defer r.mu.Unlock()
	t := took{name: command, wall: time.Since(began)}
	if cmd.ProcessState != nil {
		t.cpu = cmd.ProcessState.UserTime() + cmd.ProcessState.SystemTime()
	}
	r.commands = append(r.commands, t)
	if err == nil {
		r.printf("ok  \t%s\t%.3fs\n", command, t.wall.Seconds())
	}
}

func (r *results) anyFailed() bool {
	r.mu.Lock()
	defer r.mu.Unlock()
	return len(r.failures) > 0
}

func (r *results) ok() bool { return !r.anyFailed() }

// addCPU records the processor time of packages of groups, which is given by folder.
func (r *results) addCPU(byFolder map[string]time.Duration, groups []group) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, g := range groups {
		for folder, path := range g.paths {
			if cpu := byFolder[folder]; cpu > 0 {
				r.pkg(path).cpu += cpu
			}
		}
	}
}
