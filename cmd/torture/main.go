// Command torture kills servers, Postgres and Redis under load, at random moments and at named failpoints, freezes them,
// flushes Redis, and makes the connections of single servers slow, narrow, silent in one direction or broken. Then it
// proves that every acknowledged change is there exactly once: carts, revisions, events, receipts, orders, stock and money,
// of which some is given back again; drafts and what became of them, parcels and returns. In the end doctor --money has to
// find that it adds up, the bank's word included.
//
// Shoppers who share a few carts do random operations meanwhile, and record what they were told and when. What they were
// told must fit one cart at a time (package linear); a change without an answer is asked for again under its key when
// everything runs, or stays open for good. Clerks in the back office make orders by hand, send goods and take them back,
// mostly two of them at once, of whom one has to be refused; some of their answers are lost on purpose. At the end Redis is
// flushed, and all answers are asked for once more.
//
// A seed gives one schedule of hits and one list of wishes per shopper; when what meets what stays up to the machine. The
// short version of it runs in go test, beside stories of crowds that nobody disturbs.
package main

import (
	"context"
	"errors"
	"flag"
	"fmt"
	"log"
	"math/rand/v2"
	"os"
	"os/signal"
	"time"
)

// failpoints are the named places of the product at which a crash is most likely to tear something.
var failpoints = []string{"prepare.sent", "confirm.sent", "settle.looked-up", "settle.before-commit", "settle.committed", "refund.begun", "refund.sent", "finalize.before-commit", "finalize.committed"}

// setups are what everything is proven on: one server on SQLite, two on Postgres and Redis, these also without mailboxes.
var setups = []configuration{{mailbox: "on"}, {mailbox: "on", onPostgres: true}, {mailbox: "off", onPostgres: true}}

func main() {
	binary := flag.String("server", "bin/cartwright", "server binary")
	seed := flag.Uint64("seed", rand.Uint64(), "decides who dies when")
	length := flag.Duration("length", time.Minute, "time of each set-up under load")
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	fmt.Printf("seed %d\n", *seed)
	err := tortureAll(ctx, *binary, *seed, *length)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(1)
	}
}

// tortureAll tortures one set-up after another.
func tortureAll(ctx context.Context, binary string, seed uint64, length time.Duration) error {
	for _, s := range setups {
		s.binary, s.failpoints = binary, failpoints
		sum, err := torture(ctx, s, seed, length, log.Printf)
		if err != nil {
			return fmt.Errorf("seed %d, %s: %w", seed, s, err)
		}
		fmt.Printf("%s: %s\n", s, sum)
	}
	return nil
}

func torture(ctx context.Context, s configuration, seed uint64, length time.Duration, log func(string, ...any)) (sum summary, err error) {
	if s.dir, err = os.MkdirTemp("", "cartwright-torture-"); err != nil {
		return sum, err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(s.dir)) }()
	st, err := startTestbed(ctx, s)
	if err != nil {
		return sum, err
	}
	defer func() {
		if e := st.stop(); err == nil {
			err = e
		}
	}()
	ctx, cancel := context.WithTimeout(ctx, length+3*time.Minute)
	defer cancel()
	sum, err = loadTest{testbed: st, carts: 8, shared: 2, buyers: 4, households: 3, log: log}.run(ctx, seed, length)
	if err != nil {
		for _, p := range st.servers {
			err = fmt.Errorf("%w\n%s", err, tail(p.Output()))
		}
	}
	return sum, err
}

func tail(text string) string { return text[max(0, len(text)-2000):] }

// String tells what the set-up is.
func (s configuration) String() string {
	if s.onPostgres {
		return "two servers on Postgres and Redis, mailbox " + s.mailbox
	}
	return "one server on SQLite, mailbox " + s.mailbox
}

// String tells what was done and proven.
func (s summary) String() string {
	return fmt.Sprintf("%d adds and %d sales, every one there once, %d of them canceled and paid back once; %+v by the office; an order for %d random operations; after %d hits: %v", s.Adds, s.Sales, s.Canceled, s.Office, s.Operations, s.hits(), s.Hits)
}

func (s summary) hits() (n int) {
	for _, k := range s.Hits {
		n += k
	}
	return n
}
