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
// Scenarios are rare cases that are prepared on purpose, each with a check of its own and a line of figures:
//
//   - sessions: buyers pay on the open pages of up to three payment sessions of one cart, in random orders, while
//     servers are killed. One charge becomes the order, the others are listed for a refund.
//   - abandoned: many sessions that nobody pays are due to be looked up; whoever pays untold gets the order as before.
//   - backlog: many events have no numbers yet, and a server is killed while they get them.
//   - promotion: a standby takes over that lost the last changes, of which Redis has receipts.
//   - poison: every background loop has an item that fails for good; the others are done, and operators see which it is.
//
// A seed gives one schedule of faults and one list of operations per shopper; the interleaving depends on the
// machine. A short version runs in go test, with additional concurrency cases without faults.
//
//	go run ./cmd/torture [-server bin/cartwright] [-only sessions] [-seed 1] [-length 1m]
package main

import (
	"context"
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
	only := flag.String("only", "", `"load", or the name of one scenario`)
	flag.Parse()
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt)
	fmt.Printf("seed %d\n", *seed)
	err := tortureAll(ctx, *binary, *only, *seed, *length)
	stop()
	if err != nil {
		fmt.Fprintln(os.Stderr, "torture:", err)
		os.Exit(1)
	}
}

// tortureAll tests one configuration after another, first under load, then in each scenario.
func tortureAll(ctx context.Context, binary, only string, seed uint64, length time.Duration) error {
	play := func(name string, on []configuration, test func(s configuration) (string, error)) error {
		for _, s := range on {
			if only != "" && only != name {
				return nil
			}
			s.binary, s.failpoints = binary, failpoints
			figures, err := test(s)
			if err != nil {
				return fmt.Errorf("%s, seed %d, %s: %w", name, seed, s, err)
			}
			fmt.Printf("%s, %s: %s\n", name, s, figures)
		}
		return nil
	}
	if err := play("load", setups, func(s configuration) (string, error) {
		sum, err := torture(ctx, s, seed, length, log.Printf)
		return sum.String(), err
	}); err != nil {
		return err
	}
	for _, sc := range scenarios {
		if err := play(sc.name, sc.setups, func(s configuration) (string, error) {
			return sc.run(ctx, s, seed, sc.many, log.Printf)
		}); err != nil {
			return err
		}
	}
	return nil
}

func torture(ctx context.Context, s configuration, seed uint64, length time.Duration, log func(string, ...any)) (sum summary, err error) {
	ctx, cancel := context.WithTimeout(ctx, length+3*time.Minute)
	defer cancel()
	err = onTestbed(ctx, s, func(st *testbed) error {
		sum, err = loadTest{testbed: st, carts: 8, shared: 2, buyers: 4, families: 3, log: log}.run(ctx, seed, length)
		return err
	})
	return sum, err
}

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
		"%d added items and %d sales, each stored once; %d sales canceled and refunded once; back office %+v; "+
			"%d linearizable operations on carts and %d steps of purchases; %d faults: %v",
		s.Adds, s.Sales, s.Canceled, s.Office, s.Operations, s.Trades, s.faultCount(), s.Faults)
}

func (s summary) faultCount() (n int) {
	for _, k := range s.Faults {
		n += k
	}
	return n
}
