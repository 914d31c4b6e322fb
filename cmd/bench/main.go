package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

// benchConfig is what to measure, and for how long.
type benchConfig struct {
	binary, trace  string
	length         time.Duration // of one measurement
	rounds         int
	carts, clients int
	rows, liteRows int
	idleCarts      int
	parcels        int
	searchedOrders int
	events         int
	buyers         []int // numbers of clients that buy, at least one
	rangeRows      int
	rangeClients   int
	only           []string
	database       string // "": both
}

func main() {
	var p benchConfig
	flag.StringVar(&p.binary, "server", "bin/cartwright", "server binary")
	flag.DurationVar(&p.length, "length", 3*time.Second, "time of each measurement")
	flag.IntVar(&p.rounds, "rounds", 3, "interleaved rounds; the median counts")
	flag.IntVar(&p.carts, "carts", 64, "clients of the hot cart, of reads of carts, and of carts on SQLite")
	p.buyers = []int{32, 128}
	flag.Func("buyers", "clients that buy, comma-separated (default 32,128)", p.setBuyers)
	flag.IntVar(&p.clients, "clients", 64, "clients of the catalogue")
	flag.IntVar(&p.rows, "rows", 1_000_000, "products on Postgres")
	flag.IntVar(&p.liteRows, "sqlite-rows", 100_000, "products on SQLite")
	flag.IntVar(&p.rangeRows, "range-rows", 100_000, "products of the shop that is asked for ranges; at most -rows")
	flag.IntVar(&p.rangeClients, "range-clients", 16, "clients that ask for ranges")
	flag.IntVar(&p.idleCarts, "idle", 100_000, "carts that are changed once and then left alone; 0: only what an unused server costs")
	flag.IntVar(&p.parcels, "parcels", 10_000, "orders in a file for carriers")
	flag.IntVar(&p.searchedOrders, "search-orders", 100_000, "orders of the shop that is searched, and whose figures are read")
	flag.IntVar(&p.events, "events", 10_000, "events for webhook endpoints")
	flag.StringVar(&p.trace, "profile", "", "file for CPU profiles of the server; the part is appended to its name")
	flag.StringVar(&p.database, "database", "", "postgres or sqlite (default: both)")
	only := flag.String("only", "", "comma-separated parts: "+
		strings.Join(slices.Concat(comparisonParts, []string{idlePart, carrierPart, webhooksPart, rangesPart, bulkPart, searchPart, summaryPart}), ", ")+
		" (default: all)")
	flag.Parse()
	if *only != "" {
		p.only = strings.Split(*only, ",")
	}
	if err := p.run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

// setBuyers reads -buyers.
func (p *benchConfig) setBuyers(text string) error {
	p.buyers = nil
	for one := range strings.SplitSeq(text, ",") {
		n, err := strconv.Atoi(one)
		if err != nil || n < 1 {
			return fmt.Errorf("%q is no number of clients", one)
		}
		p.buyers = append(p.buyers, n)
	}
	return nil
}

// The parts that need a shop with carts, and those that need a full catalog.
var (
	cartParts       = []string{"carts", "hot", "retrieve", "checkouts", "hung"}
	catalogParts    = []string{"list", "get", "create", "graphql", "walk"}
	comparisonParts = slices.Concat(cartParts, catalogParts)
)

// idlePart needs a server without any previous load.
const idlePart = "idle"

// wants reports whether any of the parts was selected.
func (p *benchConfig) wants(parts ...string) bool {
	return len(p.only) == 0 || slices.ContainsFunc(parts, func(part string) bool { return slices.Contains(p.only, part) })
}

func (p *benchConfig) run(ctx context.Context) error {
	if p.database != "sqlite" {
		if err := p.onPostgres(ctx); err != nil {
			return err
		}
	}
	if p.database == "postgres" {
		return nil
	}
	for _, part := range p.ownServerParts() {
		if err := p.onOwnSQLite(ctx, part.measure); err != nil {
			return err
		}
	}
	if p.wants(comparisonParts...) {
		return p.onSQLite(ctx)
	}
	return nil
}

// ownServerPart is a part that measures a server without any other load, on both databases.
type ownServerPart struct {
	names   []string
	measure func(ctx context.Context, s *testbed, database string) error
}

// ownServerParts are those that were selected.
func (p *benchConfig) ownServerParts() []ownServerPart {
	return slices.DeleteFunc([]ownServerPart{
		{[]string{carrierPart}, p.carrier}, {[]string{webhooksPart}, p.webhooks}, {[]string{bulkPart}, p.bulk},
		{[]string{searchPart, summaryPart}, p.measureManyOrders},
	}, func(part ownServerPart) bool { return !p.wants(part.names...) })
}

// onOwnSQLite measures a server of its own on the embedded database.
func (p *benchConfig) onOwnSQLite(ctx context.Context, measure func(ctx context.Context, s *testbed, database string) error) (err error) {
	dir, err := os.MkdirTemp("", "cartwright-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s := &testbed{}
	if err := s.startServer(ctx, p.binary, dir); err != nil {
		return err
	}
	defer s.stopServer()
	return measure(ctx, s, "SQLite")
}

func (p *benchConfig) onPostgres(ctx context.Context) error {
	if p.wants(idlePart) {
		if err := p.onSet(ctx, func(s *testbed, _ string) error { return p.idle(ctx, s) }); err != nil {
			return err
		}
	}
	for _, part := range p.ownServerParts() {
		if err := p.onSet(ctx, func(s *testbed, _ string) error { return part.measure(ctx, s, "Postgres") }); err != nil {
			return err
		}
	}
	if p.wants(rangesPart) {
		if err := p.onSet(ctx, func(s *testbed, dir string) error { return p.ranges(ctx, s, dir) }); err != nil {
			return err
		}
	}
	if !p.wants(comparisonParts...) {
		return nil
	}
	return p.onSet(ctx, func(s *testbed, dir string) error {
		if p.wants(cartParts...) {
			if err := p.cartsOnPostgres(ctx, s, dir); err != nil {
				return err
			}
		}
		if p.wants(catalogParts...) {
			return p.catalogOnPostgres(ctx, s, dir)
		}
		return nil
	})
}

// onSet measures on a new server with databases of its own; dir is its data folder.
func (p *benchConfig) onSet(ctx context.Context, measure func(s *testbed, dir string) error) error {
	return inTempDir(func(dir string) (err error) {
		s, err := startTestbed(ctx, p.binary, dir)
		if err != nil {
			return err
		}
		defer func() { err = errors.Join(err, s.stop()) }()
		return measure(s, dir)
	})
}

// comparison is one comparison.
type comparison struct {
	title, part                    string
	minRatio                       float64   // required ratio; 0: none
	serverProcesses, peerProcesses []process // processes whose processor time counts
	// peer begins to count again when it is warm.
	peer   func(time.Duration, *cpuMeter) (result, error)
	server func(time.Duration) result
}

// compareAll runs the selected comparisons.
func (p *benchConfig) compareAll(ctx context.Context, s *testbed, comparisons []comparison) error {
	for _, c := range comparisons {
		if !p.wants(c.part) {
			continue
		}
		if err := p.compare(ctx, s, c); err != nil {
			return err
		}
	}
	return nil
}

// compare measures both sides in turn and prints the medians of their ratios.
func (p *benchConfig) compare(ctx context.Context, s *testbed, c comparison) error {
	var ratios, cheaper, worst, usual []float64
	cpu, peers := &cpuMeter{of: c.serverProcesses}, &cpuMeter{of: c.peerProcesses}
	for range p.rounds {
		peers.begin()
		peer, err := c.peer(p.length, peers)
		if err != nil {
			return err
		}
		peers.end(&peer)
		traced := profile(ctx, s.debug, p.profilePath(c.part), p.length)
		cpu.begin()
		began := allocationCount(ctx, s.debug)
		server := c.server(p.length)
		server.allocs = (allocationCount(ctx, s.debug) - began) / max(server.count, 1)
		cpu.end(&server)
		if err := traced(); err != nil {
			return err
		}
		fmt.Println(peer)
		fmt.Println(server)
		if server.errors > 0 {
			return fmt.Errorf("%d requests failed: %w", server.errors, server.first)
		}
		ratios = append(ratios, server.perSec/peer.perSec)
		worst, usual = append(worst, millis(server.p99)), append(usual, millis(peer.p50))
		cheaper = append(cheaper, float64(peer.each)/float64(max(server.each, 1)))
	}
	goal := ""
	if c.minRatio > 0 {
		goal = fmt.Sprintf("; goal %.1f", c.minRatio)
	}
	fmt.Printf("%s: %.2f× (median of %.2f%s)\n", c.title, median(ratios), ratios, goal)
	fmt.Printf("in processor time, without the clients: %.2f× (median of %.2f); p99 %.1f ms, the peer's p50 %.1f ms\n\n", median(cheaper),
		cheaper, median(worst), median(usual))
	return nil
}

func (p *benchConfig) profilePath(part string) string {
	if p.trace == "" {
		return ""
	}
	return p.trace + "." + part
}

// median is the median; it sorts.
func median[T cmp.Ordered](values []T) T {
	slices.Sort(values)
	return values[len(values)/2]
}

// testbed is a running server with its databases.
type testbed struct {
	postgres, redis *testservers.Server
	server          *testservers.Process
	bank            *testservers.Process // the sandbox provider, whose processor time is not the shop's
	database, debug string               // URL, and address of the server's profiler
	credentials     credentials
}

type credentials struct {
	SecretKey     string `json:"secretKey"`
	TestSecretKey string `json:"testSecretKey"`
}

func startTestbed(ctx context.Context, binary, dir string) (*testbed, error) {
	limited, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	s := &testbed{}
	var err error
	if s.postgres, err = testservers.StartPostgres(limited); err != nil {
		return nil, err
	}
	if s.redis, err = testservers.StartRedis(limited); err != nil {
		return nil, err
	}
	if s.database, _, err = testservers.Database(limited, s.postgres.URL); err != nil {
		return nil, err
	}
	return s, s.startServer(limited, binary, dir, "CARTWRIGHT_DATABASE_URL="+s.database, "CARTWRIGHT_REDIS_URL="+s.redis.URL)
}

// startServer starts a server with its data in dir.
func (s *testbed) startServer(ctx context.Context, binary, dir string, env ...string) error {
	addr, err := testservers.FreeAddr()
	if err != nil {
		return err
	}
	if s.debug, err = testservers.FreeAddr(); err != nil {
		return err
	}
	if s.bank, err = startBank(ctx, binary, dir); err != nil {
		return err
	}
	s.server = &testservers.Process{
		Path: binary, Args: []string{"serve"}, URL: "http://" + addr,
		// Without an opening circuit a hanging provider affects others the most.
		Env: append(env, "CARTWRIGHT_BREAKER_FAILURES=1000000000", "CARTWRIGHT_ADDR="+addr, "CARTWRIGHT_DATA="+dir,
			"CARTWRIGHT_DEBUG_ADDR="+s.debug, "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS=true", "CARTWRIGHT_BURST_PER_MINUTE=0",
			"CARTWRIGHT_SANDBOX_URL="+s.bank.URL),
	}
	if err := s.server.Start(ctx); err != nil {
		return err
	}
	text, err := os.ReadFile(filepath.Join(dir, "credentials.json"))
	if err != nil {
		return err
	}
	return json.Unmarshal(text, &s.credentials)
}

// startBank starts the sandbox provider, with the secrets in dir.
func startBank(ctx context.Context, binary, dir string) (*testservers.Process, error) {
	addr, err := testservers.FreeAddr()
	if err != nil {
		return nil, err
	}
	bank := &testservers.Process{
		Path: binary, Args: []string{"sandbox", "--addr", addr}, URL: "http://" + addr, Probe: "/healthz",
		Env: []string{"CARTWRIGHT_DATA=" + dir},
	}
	return bank, bank.Start(ctx)
}

func (s *testbed) stopServer() {
	s.server.Stop()
	s.bank.Stop()
}

func (s *testbed) stop() error {
	s.stopServer()
	return errors.Join(s.postgres.Stop(), s.redis.Stop())
}
