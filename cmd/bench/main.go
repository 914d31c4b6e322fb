// Command bench measures Cartwright beside a peer, in one run on one machine, and prints ratios: absolute figures of a
// noisy machine mean little. Every answer on both sides is durable (fsync and synchronous_commit on), and the load
// generator shares the cores with what it measures.
//
// Cart addItem over HTTP on Postgres and Redis ÷ pgbench doing the same work as one plain transaction per mutation,
// without HTTP (see naive).
//
// Rates depend on what else uses the machine, and not on both sides alike: the peer has 64 backends that ask for the
// processors, we have a server and a few. Processor time per mutation changes least, so both are printed. On two noisy cores
// a mutation of ours takes about 120 to 140 µs of the server (HTTP a third, deciding and encoding a third, Postgres and
// Redis messages the rest), 85 to 95 of Postgres and 12 of Redis; the peer takes 360 to 440 of Postgres.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers"
)

func main() {
	binary := flag.String("server", "bin/cartwright", "server binary")
	length := flag.Duration("length", 8*time.Second, "time of each measurement")
	rounds := flag.Int("rounds", 3, "interleaved rounds; the median counts")
	carts := flag.Int("carts", 64, "carts, one client each")
	trace := flag.String("profile", "", "file for a CPU profile of the server")
	flag.Parse()
	if err := run(context.Background(), *binary, *trace, *length, *rounds, *carts); err != nil {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1)
	}
}

func run(ctx context.Context, binary, trace string, length time.Duration, rounds, carts int) (err error) {
	dir, err := os.MkdirTemp("", "cartwright-bench-")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(dir)) }()
	s, err := startSet(ctx, binary, dir)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, s.stop()) }()
	shop, err := openShop(s, carts)
	if err != nil {
		return err
	}
	if warm := shop.addItems(2 * time.Second); warm.errors > 0 {
		return fmt.Errorf("%d of the first requests failed: %w", warm.errors, warm.first)
	}
	s.server.Stop() // the copy needs the database to itself
	peer, err := newNaive(ctx, s.postgres.URL, s.database, dir, carts)
	if err != nil {
		return err
	}
	if err := s.server.Start(ctx); err != nil {
		return err
	}
	shop.post.client.CloseIdleConnections() // those of the stopped server
	shop.traced = func() func() error { return profile(ctx, s.debug, trace, length) }
	return compare(ctx, shop, peer, newMeter(s), length, rounds)
}

func compare(ctx context.Context, shop *shop, peer *naive, cpu *meter, length time.Duration, rounds int) error {
	var ratios, cheaper []float64
	for range rounds {
		cpu.begin()
		theirs, err := peer.run(ctx, length)
		if err != nil {
			return err
		}
		cpu.end(&theirs)
		traced := shop.traced()
		cpu.begin()
		ours := shop.addItems(length)
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
		cheaper = append(cheaper, float64(theirs.each)/float64(max(ours.each, 1)))
	}
	slices.Sort(ratios)
	slices.Sort(cheaper)
	fmt.Printf("cart addItem at %d carts ÷ one transaction per mutation: %.2f× (of %.2f)\n", peer.clients, ratios[len(ratios)/2], ratios)
	fmt.Printf("the same in processor time, without the clients: %.2f× (of %.2f)\n", cheaper[len(cheaper)/2], cheaper)
	return nil
}

// set is a running server with its databases.
type set struct {
	postgres, redis *testservers.Server
	server          *testservers.Program
	database, debug string // URL, and address of the server's profiler
	credentials     credentials
}

type credentials struct {
	SecretKey     string `json:"secretKey"`
	TestSecretKey string `json:"testSecretKey"`
}

func startSet(ctx context.Context, binary, dir string) (*set, error) {
	ctx, cancel := context.WithTimeout(ctx, time.Minute)
	defer cancel()
	s := &set{}
	var err error
	if s.postgres, err = testservers.StartPostgres(ctx); err != nil {
		return nil, err
	}
	if s.redis, err = testservers.StartRedis(ctx); err != nil {
		return nil, err
	}
	if s.database, _, err = testservers.Database(ctx, s.postgres.URL); err != nil {
		return nil, err
	}
	addr, err := testservers.FreeAddr()
	if err != nil {
		return nil, err
	}
	if s.debug, err = testservers.FreeAddr(); err != nil {
		return nil, err
	}
	s.server = &testservers.Program{Path: binary, Args: []string{"serve"}, URL: "http://" + addr, Env: []string{
		"CARTWRIGHT_ADDR=" + addr, "CARTWRIGHT_DATA=" + dir, "CARTWRIGHT_DATABASE_URL=" + s.database, "CARTWRIGHT_REDIS_URL=" + s.redis.URL, "CARTWRIGHT_DEBUG_ADDR=" + s.debug,
	}}
	if err := s.server.Start(ctx); err != nil {
		return nil, err
	}
	text, err := os.ReadFile(filepath.Join(dir, "credentials.json"))
	if err != nil {
		return nil, err
	}
	return s, json.Unmarshal(text, &s.credentials)
}

func (s *set) stop() error {
	s.server.Stop()
	return errors.Join(s.postgres.Stop(), s.redis.Stop())
}
