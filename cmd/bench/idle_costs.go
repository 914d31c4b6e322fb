package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"maps"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/jackc/pgx/v5"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// What a server may cost that nobody uses. The figures are printed beside these goals.
const (
	goalStatements = 3.0 // a second, on Postgres
	goalFirstStart = 120 * time.Millisecond
	goalStart      = 30 * time.Millisecond
	goalResident   = 45.0 // MB
	goalBinary     = 45.0 // MB

	quietTime  = 20 * time.Second // before and while statements are counted; the pauses of all loops have grown by then
	startCount = 9                // measured starts; the median counts
)

// idleCosts prints what the server asks of Postgres and how much memory it holds while nobody calls it, how long a
// start takes, and the size of the binary.
func (p *benchConfig) idleCosts(ctx context.Context, s *testbed) error {
	before, err := residentMB(s.server)
	if err != nil {
		return err
	}
	select {
	case <-time.After(quietTime):
	case <-ctx.Done():
		return ctx.Err()
	}
	texts, err := s.countStatements(ctx, quietTime)
	if err != nil {
		return err
	}
	total := 0
	for _, n := range texts {
		total += n
	}
	fmt.Printf("statements of an idle server: %.1f/s (goal ≤ %.0f)\n", float64(total)/quietTime.Seconds(), goalStatements)
	byCount := func(a, b string) int { return cmp.Compare(texts[b], texts[a]) }
	for _, text := range slices.SortedFunc(maps.Keys(texts), byCount)[:min(len(texts), 12)] {
		fmt.Printf("  %5.2f/s %.110s\n", float64(texts[text])/quietTime.Seconds(), text)
	}
	after, err := residentMB(s.server)
	if err != nil {
		return err
	}
	fmt.Printf("resident memory of an idle server on Postgres: %.1f MB when it is ready, %.1f MB %.0f s later (goal ≤ %.0f MB)\n", before, after,
		2*quietTime.Seconds(), goalResident)
	if err := p.startCosts(ctx); err != nil {
		return err
	}
	file, err := os.Stat(p.binary)
	if err == nil {
		fmt.Printf("binary: %.1f MB (goal ≤ %.0f MB)\n\n", float64(file.Size())/1e6, goalBinary)
	}
	return err
}

// loggedStatement finds the text of a statement in a line of Postgres' log.
var loggedStatement = regexp.MustCompile(`LOG: +(?:statement|execute [^:]*): (.*)`)

// countStatements has Postgres log all statements for a while, and counts them by the first line of their text.
func (s *testbed) countStatements(ctx context.Context, during time.Duration) (texts map[string]int, err error) {
	conn, err := pgx.Connect(ctx, s.postgres.URL)
	if err != nil {
		return nil, err
	}
	defer func() { err = errors.Join(err, conn.Close(ctx)) }()
	set := func(level string) error {
		_, err := conn.Exec(ctx, "ALTER SYSTEM SET log_statement = "+level)
		if err == nil {
			_, err = conn.Exec(ctx, "SELECT pg_reload_conf()")
		}
		return err
	}
	began := len(s.postgres.Output())
	if err := set("'all'"); err != nil {
		return nil, err
	}
	select {
	case <-time.After(during):
	case <-ctx.Done():
		return nil, ctx.Err()
	}
	log := s.postgres.Output()[began:]
	texts = map[string]int{}
	for _, line := range loggedStatement.FindAllStringSubmatch(log, -1) {
		texts[line[1]]++
	}
	return texts, set("'none'")
}

// startCosts prints how long starts on SQLite take: the first one in an empty folder, which makes the demo shop, and later
// ones. From exec to the first answer of /readyz.
func (p *benchConfig) startCosts(ctx context.Context) error {
	var first, later []time.Duration
	var resident []float64
	for range startCount {
		err := inTempDir(func(dir string) error {
			took, _, err := p.timeStart(ctx, dir)
			if err != nil {
				return err
			}
			first = append(first, took)
			took, mb, err := p.timeStart(ctx, dir)
			later, resident = append(later, took), append(resident, mb)
			return err
		})
		if err != nil {
			return err
		}
	}
	fmt.Printf("from exec to ready on SQLite: %d ms with the demo (goal ≤ %d), %d ms later (goal ≤ %d), medians of %d\n",
		median(first).Milliseconds(), goalFirstStart.Milliseconds(), median(later).Milliseconds(), goalStart.Milliseconds(), startCount)
	fmt.Printf("resident memory of an idle server on SQLite: %.1f MB when it is ready (goal ≤ %.0f MB)\n", median(resident), goalResident)
	return nil
}

// timeStart starts and stops a server with its data in dir.
func (p *benchConfig) timeStart(ctx context.Context, dir string) (took time.Duration, residentMegabytes float64, err error) {
	addr, err := testservers.FreeAddr()
	if err != nil {
		return 0, 0, err
	}
	server := &testservers.Process{
		Path: p.binary, Args: []string{"serve"}, URL: "http://" + addr, ProbeInterval: time.Millisecond,
		Env: []string{"CARTWRIGHT_ADDR=" + addr, "CARTWRIGHT_DATA=" + filepath.Join(dir, "data")},
	}
	began := time.Now()
	if err := server.Start(ctx); err != nil {
		return 0, 0, err
	}
	took = time.Since(began)
	defer server.Stop()
	residentMegabytes, err = residentMB(server)
	return took, residentMegabytes, err
}

func inTempDir(do func(dir string) error) (err error) {
	dir, err := os.MkdirTemp("", "cartwright-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	return do(dir)
}

// residentMB is the memory of a process that is in RAM now, in MB.
func residentMB(server *testservers.Process) (float64, error) {
	text, err := os.ReadFile(fmt.Sprintf("/proc/%d/status", server.PID()))
	if err != nil {
		return 0, err
	}
	_, rest, _ := strings.Cut(string(text), "VmRSS:")
	fields := strings.Fields(rest)
	if len(fields) == 0 {
		return 0, errors.New("the process has no VmRSS")
	}
	kB, err := strconv.ParseFloat(fields[0], 64)
	return kB * 1024 / 1e6, err
}
