// Command flakes runs tests that start processes many times, to find those that fail by chance:
//
//	go run ./cmd/testenv/flakes [-count 20] [-run regexp] [-when alone,single,busy] [folder…]
//
// Each test runs by itself, count times in a row, under three conditions: alone; on a single processor, with
// all processes that it starts; and beside a program that keeps every processor busy. The tests are found in
// the sources, see find. At the end it prints the names of failed tests and how often they failed; their
// output is in the files that it names. The databases that tests share are cmd/testenv's.
package main

import (
	"errors"
	"flag"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"sync"
	"sync/atomic"
	"time"
)

// conditions are the conditions under which tests run, in order.
var conditions = []struct {
	name   string
	prefix []string // before the command
	env    []string
	busy   bool // beside a busy program
}{
	{name: "alone"},
	{name: "single", prefix: []string{"taskset", "-c", "0"}, env: []string{"GOMAXPROCS=1"}},
	{name: "busy", busy: true},
}

// patience is how long one run of a test may take.
const patience = 15 * time.Minute

func main() {
	count := flag.Int("count", 20, "how often each test runs, under each condition")
	pattern := flag.String("run", "", "only tests whose name matches")
	when := flag.String("when", "alone,single,busy", "conditions, with commas between")
	flag.Parse()
	failed, err := run(*count, *pattern, *when, flag.Args())
	switch {
	case err != nil:
		fmt.Fprintln(os.Stderr, "flakes:", err)
		os.Exit(1)
	case failed:
		os.Exit(1)
	}
}

func run(count int, pattern, when string, folders []string) (failed bool, err error) {
	match, err := regexp.Compile(pattern)
	if err != nil {
		return false, err
	}
	if len(folders) == 0 {
		folders = []string{"adapters", "app", "cmd", "features"}
	}
	found, err := find(folders...)
	if err != nil {
		return false, err
	}
	dir, err := os.MkdirTemp("", "cartwright-flakes-")
	if err != nil {
		return false, err
	}
	r := runner{dir: dir, count: count}
	for _, p := range found {
		for _, name := range p.tests {
			if match.MatchString(name) {
				if err := r.test(p.dir, name, when); err != nil {
					return false, err
				}
			}
		}
	}
	return r.conclude(), nil
}

// runner runs tests and records which of them failed.
type runner struct {
	dir   string // of binaries and output
	count int
	lines []string // one for each failure
	runs  int
}

// test runs a test of the package in a folder under all chosen conditions.
func (r *runner) test(folder, name, when string) error {
	binary, err := r.binary(folder)
	if err != nil {
		return err
	}
	for _, c := range conditions {
		if !strings.Contains(","+when+",", ","+c.name+",") {
			continue
		}
		leave := func() {}
		if c.busy {
			leave = burn()
		}
		began := time.Now()
		args := append(slices.Clone(c.prefix), binary, "-test.run", "^"+name+"$", "-test.count", strconv.Itoa(r.count), "-test.timeout",
			(time.Duration(r.count) * patience).String())
		cmd := exec.Command(args[0], args[1:]...)
		cmd.Dir, cmd.Env = folder, append(os.Environ(), c.env...)
		out, err := cmd.CombinedOutput()
		leave()
		if _, ran := errors.AsType[*exec.ExitError](err); err != nil && !ran {
			return err
		}
		if err := r.note(folder, name, c.name, out, err != nil, time.Since(began)); err != nil {
			return err
		}
	}
	return nil
}

// note prints the result of a run, and stores its output when it failed.
func (r *runner) note(folder, name, condition string, out []byte, failed bool, took time.Duration) error {
	r.runs++
	text := fmt.Sprintf("%s %s %s", folder, name, condition)
	if !failed {
		fmt.Printf("ok    %s %s\n", text, took.Round(time.Second))
		return nil
	}
	file := filepath.Join(r.dir, strings.NewReplacer("/", "-", " ", "_").Replace(text)+".log")
	times := regexp.MustCompile("(?m)^--- FAIL: "+name+" ").FindAll(out, -1) // none if the run ended in another way
	line := fmt.Sprintf("FAIL  %s: %d of %d, %s", text, max(1, len(times)), r.count, file)
	fmt.Println(line)
	r.lines = append(r.lines, line)
	return os.WriteFile(file, out, 0o600)
}

// conclude prints what failed.
func (r *runner) conclude() (failed bool) {
	fmt.Printf("\n%d runs of %d each, %d failed\n", r.runs, r.count, len(r.lines))
	for _, line := range r.lines {
		fmt.Println(line)
	}
	if len(r.lines) == 0 {
		_ = os.RemoveAll(r.dir) // temporary
	}
	return len(r.lines) > 0
}

// binary is the test binary of the package in a folder, built once.
func (r *runner) binary(folder string) (string, error) {
	path := filepath.Join(r.dir, strings.ReplaceAll(folder, "/", "-")+".test")
	if _, err := os.Stat(path); err == nil {
		return path, nil
	}
	cmd := exec.Command("go", "test", "-c", "-o", path, "./"+filepath.ToSlash(folder))
	cmd.Stdout, cmd.Stderr = os.Stdout, os.Stderr
	return path, cmd.Run()
}

// burn keeps every processor busy until leave is called.
func burn() (leave func()) {
	var all sync.WaitGroup
	var over atomic.Bool
	for range runtime.NumCPU() {
		all.Go(func() {
			for !over.Load() {
			}
		})
	}
	return func() {
		over.Store(true)
		all.Wait()
	}
}
