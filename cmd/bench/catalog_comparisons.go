package main

import (
	"context"
	"fmt"
	"time"

	"golang.org/x/sys/unix"
)

// catalogOnPostgres measures lists, reads and creates of a full catalog on Postgres.
func (p *benchConfig) catalogOnPostgres(ctx context.Context, s *testbed, dir string) error {
	if err := requireSpace(dir, p.rows); err != nil {
		return err
	}
	c, err := openCatalog(ctx, s.server, tenants, p.rows, p.clients)
	if err != nil {
		return err
	}
	began := time.Now()
	s.server.Stop() // no other connections while copying
	if err := c.fill(ctx, s.database); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	if err := s.server.Start(ctx); err != nil {
		return err
	}
	c.post.client.CloseIdleConnections() // those of the stopped server
	fmt.Printf("%d products in %d tenants on Postgres, seeded in %.0f s; %d clients\n",
		c.each*tenants, tenants, time.Since(began).Seconds(), p.clients)
	peer, err := newPgbenchCatalog(ctx, c, s.database, dir, p.clients)
	if err != nil {
		return err
	}
	for _, x := range c.comparisons(p) {
		x.serverProcesses, x.peerProcesses = s.processes(), s.processes()
		x.peer = func(length time.Duration, cpu *cpuMeter) (result, error) { return peer.run(ctx, x.part, length, cpu) }
		if err := p.compare(ctx, s, x); err != nil {
			return err
		}
	}
	for _, known := range []bool{true, false} {
		if !p.wants("graphql") {
			break
		}
		server := c.graphql(known)
		err := p.compare(ctx, s, comparison{
			title: "graphql: a page of 10 ÷ the same over REST", part: "graphql", serverProcesses: s.processes(),
			peerProcesses: s.processes(),
			peer: func(length time.Duration, _ *cpuMeter) (result, error) {
				r := c.pages(p.clients, length)
				return r, r.first
			},
			server: func(length time.Duration) result { return server(p.clients, length) },
		})
		if err != nil {
			return err
		}
	}
	return c.printWalk(p)
}

// comparisons are those selected by p, without the peer.
func (c *catalog) comparisons(p *benchConfig) (some []comparison) {
	for _, x := range []struct {
		comparison

		run func(int, time.Duration) result
	}{
		{comparison{
			title: "list: a page of 10 with filter, sort and total, 1 % writes ÷ the same two statements", part: "list", minRatio: 0.5,
		}, c.list},
		{comparison{title: "get: a product by id ÷ the row by primary key", part: "get", minRatio: 0.4}, c.get},
		{comparison{title: "create: a new product ÷ one transaction with its rows", part: "create", minRatio: 0.8}, c.create},
	} {
		if p.wants(x.part) {
			x.server = func(length time.Duration) result { return x.run(p.clients, length) }
			some = append(some, x.comparison)
		}
	}
	return some
}

// printWalk prints the time of the last pages of a long list relative to the first.
func (c *catalog) printWalk(p *benchConfig) error {
	if !p.wants("walk") {
		return nil
	}
	first, last, pages, err := c.walk()
	if err != nil {
		return fmt.Errorf("walk: %w", err)
	}
	fmt.Printf("walk over %d pages of 100: %.2f ms a page at the end ÷ %.2f ms at the start: %.2f×\n\n",
		pages, millis(last), millis(first), float64(last)/float64(first))
	return nil
}

// seededSize is about what a product takes on the disk while it is copied in: its rows, their indexes, and the log.
const seededSize = 20 << 10

// requireSpace refuses to seed a disk full, since Postgres ends then and says nothing of the kind to its clients.
func requireSpace(dir string, products int) error {
	var disk unix.Statfs_t
	if err := unix.Statfs(dir, &disk); err != nil {
		return err
	}
	if free, need := disk.Bavail*uint64(disk.Bsize), uint64(products)*seededSize; free < need {
		return fmt.Errorf("%d products need %d GB of disk, and %s has %d: make room, or choose fewer with -rows", products, need>>30, dir, free>>30)
	}
	return nil
}
