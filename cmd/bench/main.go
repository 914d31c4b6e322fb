// Command bench compares Cartwright with a peer, in one run on one machine, and prints ratios: absolute
// figures of a noisy machine mean little. All writes on both sides are durable (fsync and synchronous_commit
// are on), and the load generator shares the cores with what it measures.
//
// On Postgres and Redis, Cartwright over HTTP is compared with pgbench, which does the same work without
// HTTP, on the same rows and indexes and with the same bytes. Each part is a ratio:
//
//   - carts: addItem by 64 and by 256 clients with a cart each ÷ one plain transaction per mutation;
//   - hot: addItem to one cart by 64 clients ÷ the same;
//   - retrieve: reading a cart from the database ÷ addItem, both over HTTP;
//   - list: a page of 10 with filter, sort and total ÷ the page query and the count; one of a hundred calls is a write;
//   - ranges: a page of 10 of one large shop by 16 clients, with a range of prices that nobody asked for before ÷ the same;
//     before that, the same in the first seconds after a bulk load;
//   - get: a product by id ÷ its row by primary key;
//   - create: a product ÷ one transaction with its rows and events;
//   - graphql: a page of 10 with a cached document, and with a new one ÷ the same page over REST;
//   - walk: a page at the end of a long list ÷ one at its start;
//   - checkouts: whole purchases (cart, checkout, session, approval, capture, order) at a sandbox provider without latency,
//     with the widget and on its page, by few and many buyers ÷ as many plain transactions as a purchase has steps (see
//     plainSteps). The provider is a process of its own, whose time is shown and not counted. Then 200 buyers want the
//     last 100 units of a variant, and exactly 100 get one;
//   - hung: addItem, and purchases in other shops, while a provider never answers and many customers keep trying to pay
//     there ÷ the same without that provider.
//
// Three parts have no peer; they have a bound or print figures:
//
//   - idle: what a server costs that nobody uses: statements a second on Postgres, resident memory, the time of a start
//     with and without the demo, the size of the binary. Then goroutines and memory of a server on which 100,000 carts
//     were created and changed once: before, meanwhile, and when they are as before. This takes a minute longer than the
//     changes, since carts stay cached that long;
//   - carrier: export and import of a carrier file with 10,000 orders, as CSV and as a workbook, on both databases: the time,
//     and the largest heap of the server;
//   - webhooks: 10,000 events at once, and then some every second, to eight endpoints that answer, without and with two that
//     never do, on both databases: deliveries per second, the delay from event to arrival, and how many plain requests the
//     same receiver accepts from a program that does nothing else.
//
// On SQLite the peer is a program that uses database/sql on the same file (see sqliteCatalog and sqliteCarts).
//
// Rates depend on the other load of the machine, and not equally on both sides: the peer has as many backends
// as clients that compete for the processors, Cartwright has a server and a few. Processor time per operation
// changes least, so both are printed.
//
// Results on two cores without other load, with 64 clients and a million products: lists 1.08×, gets 0.59×,
// creates 2.01×, the end of a walk 0.96×. A get took 60 µs in the server (half of it HTTP, a seventh logging,
// a seventh decoding and encoding) and 50 in Postgres, and 75 on the peer; a page of ten 500 and 2000, nearly
// all of it the page query, and 2900 on the peer with the count; a create 270 and 510, and 1550 on the peer.
// A page over GraphQL costs the same as over REST, and 500 µs more with a new document.
//
// Carts, compared with a warm peer: 2.0 to 2.9× at 64 clients and 3.3 to 5× at 256, 12 to 17× on one cart, 3× for a
// retrieve; on SQLite 2.4 to 2.6× a prepared transaction. A change of a cart takes 115 to 145 µs in the
// server, 75 to 100 in Postgres and 11 to 15 in Redis; the peer takes 490 to 700 in Postgres. Of the server's
// time two fifths are HTTP, half of that reading and writing the connection; a third is the cart's worker,
// half for the decision and half for encoding record, receipt and event; the rest is the commit, Redis, and
// garbage collection of 203 allocations. The two cores are the limit: at 64 clients the p99 is 21 to 25 ms on
// a quiet machine, a third more than the peer's median, and several times that when another process flushes
// the disk, since a whole batch waits for it. Several commit lanes, less frequent garbage collection, writing
// receipts to Redis later, and deciding ahead of the commit did not improve this; doing less work does.
//
// Where the time of a cart change goes (addItemsWithAccount), 64 clients, p50 / p99 in ms of the best of three rounds on a busy
// day, when the peer's median was 50: the request 16 / 46; of that waiting for its cart's worker 0.1 / 0.6, and its run 16 /
// 45; of that waiting for a group commit 1.8 / 10 and the commit 8 / 32, which waits for the disk and for Postgres to get a
// processor; what is left are 5 ms for deciding, Redis, and waiting for a processor twice. So the p99 is a commit that takes
// four times the usual one, once or, for who just missed it, twice; the shop's own queues are 1 ms of it.
//
// Purchases, on days when the machine took 1.2 to 1.6 ms of Postgres for a plain transaction of the peer at 32 clients, which
// is 0.5 to 0.7 on a quiet one. By 32 clients, with the widget: 5.3 to 6.8 ms in the server and 7.5 to 9.0 in Postgres, which is
// 8 to 11 plain transactions (0.51 to 0.59× of five in processor time, 0.36 to 0.39× in rate, since the bank's 3 ms and the
// clients' take part in that), 3 transactions each of which one reads; hosted 0.44 to 0.54× and 0.32 to 0.36×, 5 transactions:
// the webhook's mark is written with what it told of. By 128 clients 2.4× and 1.35×, hosted 2.3× and 1.36×, 2 to 3
// transactions: more buyers share one, while the peer's backends get into each other's way. The slowest step has a p99 of 190 to
// 300 ms by 32 clients: that closed loop keeps both processors busy, and a step waits for the others. 200 buyers of the last 100
// units: exactly 100 orders, 300 to 400 attempts a second, no deadlock.
//
// Where Postgres's time goes: 45 statements, 11 events among them, in about 150 entries of indexes, each of which takes some 14 µs.
// Without a second index on fields of few values, for descending lists, and without entries of empty values it took 0.7 ms less;
// rows that share statements by two or three, instead of from eight on, save nothing: to start one costs what unpacking its
// arrays does. In the server a fifth are
// system calls, 16 % sending statements, 8 % reading rows, 13 % deciding, 5 % Redis; no function stands out.
//
// Reads on SQLite: every commit of anybody empties the page caches of all other connections, and the server counts calls more
// often than once a second. Of a get 40 % was reading pages again; mapped into memory it takes 270 µs instead of 500, and a list
// 2.0 ms instead of 4.1. The peer of a get writes nothing meanwhile, and keeps its cache: 0.14× where it was 0.08×.
//
// On SQLite 0.45× in rate and 0.28× in processor time: units of work share the flush of the disk, and what is left is half
// SQLite's own work on 45 rows and their indexes, where a plain transaction has four rows.
//
// 100,000 carts, changed once by 64 clients: 25 goroutines and 6.5 MB before, at most 154 and 212 MB with
// garbage, 85 and 37 MB right after, when up to 4096 carts are cached and closed connections are being
// noticed, and 21 and 7.7 MB a minute later.
//
// Concurrent reads share statements, so a get becomes cheaper with more clients and the peer's dearer: 0.2×
// at 16 clients, 0.3× at 32, 0.5 to 0.6× at 64, 0.9× at 128.
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
	flag.IntVar(&p.events, "events", 10_000, "events for webhook endpoints")
	flag.StringVar(&p.trace, "profile", "", "file for CPU profiles of the server; the part is appended to its name")
	flag.StringVar(&p.database, "database", "", "postgres or sqlite (default: both)")
	only := flag.String("only", "", "comma-separated parts: "+
		strings.Join(slices.Concat(comparisonParts, []string{idlePart, carrierPart, webhooksPart, rangesPart}), ", ")+" (default: all)")
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
