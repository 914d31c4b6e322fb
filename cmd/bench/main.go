// Command bench measures Cartwright beside a peer, in one run on one machine, and prints ratios: absolute figures of a
// noisy machine mean little. Every answer on both sides is durable (fsync and synchronous_commit on), and the load
// generator shares the cores with what it measures.
//
// On Postgres and Redis, each over HTTP ÷ pgbench doing the same work without HTTP, on the same rows, indexes and bytes:
//
//   - carts: addItem by 64 and by 256 clients with a cart each ÷ one plain transaction per mutation (see naive);
//   - hot: addItem to one cart by 64 clients ÷ the same;
//   - retrieve: a cart as the database has it ÷ addItem, both ours;
//   - list: a page of 10 with filter, sort and total ÷ the page query and the count, one of a hundred calls being a write;
//   - get: a product by id ÷ its row by primary key;
//   - create: a product ÷ one transaction with its rows and events;
//   - graphql: a page of 10 as a document that the server knows, and as a new one ÷ the same page over REST;
//   - walk: a page at the end of a long list ÷ one at its start;
//   - checkouts: whole purchases (cart, checkout, session, approval, capture, order) at a sandbox without latency, with the
//     widget and on its page ÷ as many of the plain transactions of carts as a purchase has steps (see plainSteps);
//   - hung: addItem, and purchases at other shops, beside a provider whose slots are full with calls that it never
//     answers and a crowd that goes on trying ÷ the same without.
//
// Without a peer, and with a bound instead of a ratio:
//
//   - idle: goroutines and memory of a server on which 100,000 carts were made and changed once, before, meanwhile, and as
//     soon as they are what they were before. It takes a minute longer than the changes, as long as the states of carts are
//     kept;
//   - carrier: a file of 10,000 orders for carriers, out and in, as CSV and as a workbook, on both databases: seconds, and what
//     the server holds at most;
//   - webhooks: 10,000 events at once, and then some every second, to eight endpoints that answer, alone and beside two that
//     never do: deliveries a second, how long after its event each arrives, and how many plain requests the same receiver
//     takes from a program that does nothing else, on both databases.
//
// On SQLite the peer is a program that uses database/sql on the same file (see sqliteCatalog and sqliteCarts).
//
// Rates depend on what else uses the machine, and not on both sides alike: the peer has as many backends as clients that
// ask for the processors, we have a server and a few. Processor time per operation changes least, so both are printed.
//
// On two cores of their own, with 64 clients and a million products: lists 1.08×, gets 0.59×, creates 2.01×, the
// end of a walk 0.96×. A get took 60 µs of the server (HTTP half, a seventh the log, a seventh decoding and encoding) and 50
// of Postgres, its peer 75; a page of ten 500 and 2000, nearly all of it the page query, its peer 2900 with the count; a create
// 270 and 510, its peer 1550. A page over GraphQL costs what it costs over REST,
// and 500 more as a document that the server has not seen.
//
// Carts, beside a peer that is warm: 2.0 to 2.9× at 64 clients and 3.3 to 5× at 256, 12 to 17× on one cart, 3× for a
// retrieve; on SQLite 2.4 to 2.6× a prepared transaction. A change of a cart takes 115 to 145 µs of the server, 75 to 100 of
// Postgres and 11 to 15 of Redis, its peer 490 to 700 of Postgres. Of the server's time two fifths are HTTP, reading and
// writing a connection being half of that; a third is the cart's worker, half of it for the decision and half for encoding
// record, receipt and event; the rest is the commit, Redis, and the garbage of 203 allocations. Two cores are the bound: at
// 64 clients the slowest of a hundred answers takes 21 to 25 ms on a quiet machine, a third more than the peer's usual one,
// and several times that when another process flushes the disk, for which a whole batch waits. Lanes, a rarer collection of
// garbage, later receipts in Redis, and deciding ahead of the commit changed nothing about that; doing less does.
//
// A hundred thousand carts, changed once by 64 clients: 25 goroutines and 6.5 MB before, at most 154 and 212 with garbage,
// 85 and 37 right after, when up to 4096 states are kept and connections are being noticed as closed, and a minute later 21
// and 7.7.
//
// Reads are gathered, so a get becomes cheaper with the number of clients and its peer dearer: 0.2× at 16 clients, 0.3× at
// 32, 0.5 to 0.6× at 64, 0.9× at 128.
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
	events         int
	buyers         int
	only           []string
	database       string // "": both
}

func main() {
	var p benchConfig
	flag.StringVar(&p.binary, "server", "bin/cartwright", "server binary")
	flag.DurationVar(&p.length, "length", 3*time.Second, "time of each measurement")
	flag.IntVar(&p.rounds, "rounds", 3, "interleaved rounds; the median counts")
	flag.IntVar(&p.carts, "carts", 64, "clients of the hot cart, of reads of carts, and of carts on SQLite")
	flag.IntVar(&p.buyers, "buyers", 32, "clients that buy")
	flag.IntVar(&p.clients, "clients", 64, "clients of the catalogue")
	flag.IntVar(&p.rows, "rows", 1_000_000, "products on Postgres")
	flag.IntVar(&p.liteRows, "sqlite-rows", 100_000, "products on SQLite")
	flag.IntVar(&p.idleCarts, "idle", 100_000, "carts that are changed once and then left alone")
	flag.IntVar(&p.parcels, "parcels", 10_000, "orders in a file for carriers")
	flag.IntVar(&p.events, "events", 10_000, "events for webhook endpoints")
	flag.StringVar(&p.trace, "profile", "", "file for a CPU profile of the server; its name is followed by what was measured")
	flag.StringVar(&p.database, "database", "", "postgres or sqlite; both when missing")
	only := flag.String("only", "", "comma-separated parts: "+strings.Join(slices.Concat(comparisonParts, []string{idlePart, carrierPart, webhooksPart}), ", ")+"; all when missing")
	flag.Parse()
	if *only != "" {
		p.only = strings.Split(*only, ",")
	}
	if err := p.run(context.Background()); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
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
	if p.wants(carrierPart) {
		if err := p.carrierOnSQLite(ctx); err != nil {
			return err
		}
	}
	if p.wants(webhooksPart) {
		if err := p.webhooksOnSQLite(ctx); err != nil {
			return err
		}
	}
	if p.wants(comparisonParts...) {
		return p.onSQLite(ctx)
	}
	return nil
}

func (p *benchConfig) onPostgres(ctx context.Context) error {
	if p.wants(idlePart) {
		if err := p.onSet(ctx, func(s *testbed, _ string) error { return p.idle(ctx, s) }); err != nil {
			return err
		}
	}
	if p.wants(carrierPart) {
		if err := p.onSet(ctx, func(s *testbed, _ string) error { return p.carrier(ctx, s, "Postgres") }); err != nil {
			return err
		}
	}
	if p.wants(webhooksPart) {
		if err := p.onSet(ctx, func(s *testbed, _ string) error { return p.webhooks(ctx, s, "Postgres") }); err != nil {
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

// onSet measures on a server of its own with its databases; dir is its data.
func (p *benchConfig) onSet(ctx context.Context, measure func(s *testbed, dir string) error) (err error) {
	dir, err := os.MkdirTemp("", "cartwright-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := startTestbed(ctx, p.binary, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	return measure(s, dir)
}

// comparison is one comparison.
type comparison struct {
	title, part                  string
	minRatio                     float64   // required ratio; 0: none
	oursProcesses, peerProcesses []process // processes whose processor time counts
	peer                         func(time.Duration) (result, error)
	ours                         func(time.Duration) result
}

// compareAll runs the selected comparisons.
func (p *benchConfig) compareAll(ctx context.Context, s *testbed, contests []comparison) error {
	for _, c := range contests {
		if !p.wants(c.part) {
			continue
		}
		if err := p.compare(ctx, s, c); err != nil {
			return err
		}
	}
	return nil
}

// compare measures both sides in turn and prints the medians of their ratios. s has the server, for profiles.
func (p *benchConfig) compare(ctx context.Context, s *testbed, c comparison) error {
	var ratios, cheaper, worst, usual []float64
	cpu, peers := &cpuMeter{of: c.oursProcesses}, &cpuMeter{of: c.peerProcesses}
	for range p.rounds {
		peers.begin()
		theirs, err := c.peer(p.length)
		if err != nil {
			return err
		}
		peers.end(&theirs)
		traced := profile(ctx, s.debug, p.profilePath(c.part), p.length)
		cpu.begin()
		began := allocationCount(ctx, s.debug)
		ours := c.ours(p.length)
		ours.allocs = (allocationCount(ctx, s.debug) - began) / max(ours.count, 1)
		cpu.end(&ours)
		if err := traced(); err != nil {
			return err
		}
		fmt.Println(theirs)
		fmt.Println(ours)
		if ours.errors > 0 {
			return fmt.Errorf("%d requests failed: %w", ours.errors, ours.first)
		}
		ratios = append(ratios, ours.perSec/theirs.perSec)
		worst, usual = append(worst, millis(ours.p99)), append(usual, millis(theirs.p50))
		cheaper = append(cheaper, float64(theirs.each)/float64(max(ours.each, 1)))
	}
	wanted := ""
	if c.minRatio > 0 {
		wanted = fmt.Sprintf("; %.1f is the goal", c.minRatio)
	}
	fmt.Printf("%s: %.2f× (of %.2f%s)\n", c.title, median(ratios), ratios, wanted)
	fmt.Printf("the same in processor time, without the clients: %.2f× (of %.2f); our p99 %.1f ms, their p50 %.1f ms\n\n", median(cheaper), cheaper, median(worst), median(usual))
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
	database, debug string // URL, and address of the server's profiler
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

// startServer starts ours with its data in dir.
func (s *testbed) startServer(ctx context.Context, binary, dir string, env ...string) error {
	addr, err := testservers.FreeAddr()
	if err != nil {
		return err
	}
	if s.debug, err = testservers.FreeAddr(); err != nil {
		return err
	}
	s.server = &testservers.Process{
		Path: binary, Args: []string{"serve"}, URL: "http://" + addr,
		// Without an opening circuit a hanging provider affects others the most.
		Env: append(env, "CARTWRIGHT_BREAKER_FAILURES=1000000000", "CARTWRIGHT_ADDR="+addr, "CARTWRIGHT_DATA="+dir, "CARTWRIGHT_DEBUG_ADDR="+s.debug, "CARTWRIGHT_ALLOW_PRIVATE_WEBHOOKS=true", "CARTWRIGHT_BURST_PER_MINUTE=0"),
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

func (s *testbed) stop() error {
	s.server.Stop()
	return errors.Join(s.postgres.Stop(), s.redis.Stop())
}
