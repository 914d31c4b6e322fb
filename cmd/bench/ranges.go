package main

import (
	"context"
	"database/sql"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"
)

// rangesPart has a shop of its own, which is filled while the server runs.
const rangesPart = "ranges"

// The widths of ranges, in prices: a range admits a seventh of the prices, and so 7,000 of 100,000 products, half of
// which are published.
const (
	narrowest = 12_000
	widest    = 16_000
)

// ranges measures lists of one shop with many products whose ranges nobody asked for before: from the moment when
// the last row of a bulk load is there, before any statistics are, and later against the peer.
func (p *benchConfig) ranges(ctx context.Context, s *testbed, dir string) (err error) {
	rows := min(p.rows, p.rangeRows)
	if err := requireSpace(dir, rows); err != nil {
		return err
	}
	c, err := openCatalog(ctx, s.server, 1, rows, p.rangeClients)
	if err != nil {
		return err
	}
	db, err := sql.Open("pgx", s.database)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, db.Close()) }()
	db.SetMaxOpenConns(2)
	for _, text := range []string{"ALTER SYSTEM SET max_wal_size = '16GB'", "SELECT pg_reload_conf()"} {
		if _, err := db.ExecContext(ctx, text); err != nil {
			return err
		}
	}
	began := time.Now()
	if err := c.seed(ctx, db, onPostgres); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	fmt.Printf("%d products in one shop, loaded beside the server in %.0f s; %d clients\n", c.each, time.Since(began).Seconds(), p.rangeClients)
	cpu := &cpuMeter{of: s.processes()}
	for range p.rounds {
		cpu.begin()
		early := c.anyRange("right after the load", p.rangeClients, time.Second)
		cpu.end(&early)
		fmt.Printf("%s; %d failed\n", early, early.errors)
	}
	for _, t := range seedTables {
		if _, err := db.ExecContext(ctx, "VACUUM ANALYZE "+t.name); err != nil {
			return err
		}
	}
	peer, err := newPgbenchCatalog(ctx, c, s.database, dir, p.rangeClients)
	if err != nil {
		return err
	}
	return p.compare(ctx, s, comparison{
		title: "ranges: a page of 10 with another range each time, sort and total ÷ the same two statements", part: rangesPart,
		serverProcesses: s.processes(), peerProcesses: s.processes(),
		peer: func(length time.Duration, cpu *cpuMeter) (result, error) {
			return peer.run(ctx, rangesPart, length, cpu)
		},
		server: func(length time.Duration) result {
			return c.anyRange("page of 10, any range, sort, total", p.rangeClients, length)
		},
	})
}

// anyRange runs pages of ten, each with a range of prices of its own.
func (c *catalog) anyRange(name string, clients int, length time.Duration) result {
	return runClients(name, clients, length, func(_, _ int) error {
		from := lowestPrice + rand.IntN(priceCount-widest)
		return c.pageBetween(c.randomStore(), from, from+narrowest+rand.IntN(widest-narrowest))
	})
}
