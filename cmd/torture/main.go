// Command torture kills servers, Postgres and Redis under load, at random moments and at named failpoints,
// freezes them, flushes Redis, and makes the connections of single servers slow, narrow, silent in one
// direction or broken. Then it checks that every acknowledged change took effect exactly once: carts,
// revisions, events, receipts, orders, stock, payments and refunds; drafts, fulfillments and returns. Finally
// doctor --money --provider must find no difference.
//
// Meanwhile shoppers who share a few carts do random operations, and record all responses with their times. These must
// be linearizable (package linear); a change without a response is repeated with its key when everything runs again, or
// stays unanswered. Clerks in the back office create draft orders, ship goods and accept returns, mostly two of them at
// once, of whom one must be refused; some responses to them are dropped on purpose. At the end Redis is
// flushed, and all requests are repeated.
//
// A seed gives one schedule of faults and one list of operations per shopper; the interleaving depends on the
// machine. A short version runs in go test, with additional concurrency cases without faults.
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

// failpoints are the named points of the product at which a crash is most likely to leave inconsistent data.
var failpoints = []string{
	"prepare.sent", "confirm.sent", "settle.looked-up", "settle.before-commit", "settle.committed", "refund.begun", "refund.sent",
	"finalize.before-commit", "finalize.committed",
}

// setups are the configurations that are tested: one server on SQLite, two on Postgres and Redis, and the
// latter without mailboxes.
var setups = []configuration{{mailbox: "on"}, {mailbox: "on", onPostgres: true}, {mailbox: "off", onPostgres: true}}

func main() {
	binary := flag.String("server", "bin/cartwright", "server binary")
	seed := flag.Uint64("seed", rand.Uint64(), "seed of the faults and of the shoppers' operations")
	length := flag.Duration("length", time.Minute, "duration of the load, per configuration")
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

// tortureAll tests one configuration after another.
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
	sum, err = loadTest{testbed: st, carts: 8, shared: 2, buyers: 4, families: 3, log: log}.run(ctx, seed, length)
	if err != nil {
		for _, p := range st.servers {
			err = fmt.Errorf("%w\n%s", err, tail(p.Output()))
		}
	}
	return sum, err
}

func tail(text string) string { return text[max(0, len(text)-2000):] }

// String describes the configuration.
func (s configuration) String() string {
	if s.onPostgres {
		return "two servers on Postgres and Redis, mailbox " + s.mailbox
	}
	return "one server on SQLite, mailbox " + s.mailbox
}

// String summarizes a run.
func (s summary) String() string {
	return fmt.Sprintf(
		"%d added items and %d sales, each stored once; %d sales canceled and refunded once; back office %+v; %d linearizable operations; %d faults: %v",
		s.Adds, s.Sales, s.Canceled, s.Office, s.Operations, s.faultCount(), s.Faults)
}

func (s summary) faultCount() (n int) {
	for _, k := range s.Faults {
		n += k
	}
	return n
}
