package main

import (
	"context"
	"fmt"
	"time"
)

// catalogueOn measures lists, reads and creates of a full catalogue on Postgres.
func (p *plan) catalogueOn(ctx context.Context, s *set, dir string) error {
	c, err := openCatalogue(ctx, s.server, p.rows, p.clients)
	if err != nil {
		return err
	}
	began := time.Now()
	s.server.Stop() // nobody but us
	if err := c.fill(ctx, s.database); err != nil {
		return fmt.Errorf("seed: %w", err)
	}
	if err := s.server.Start(ctx); err != nil {
		return err
	}
	c.post.client.CloseIdleConnections() // those of the stopped server
	fmt.Printf("%d products in %d tenants on Postgres, seeded in %.0f s; %d clients\n", c.each*tenants, tenants, time.Since(began).Seconds(), p.clients)
	peer, err := newPgPeer(ctx, c, s.database, dir, p.clients)
	if err != nil {
		return err
	}
	for _, x := range c.contests(p) {
		x.of, x.peers = s.processes(), s.processes()
		x.peer = func(length time.Duration) (result, error) { return peer.run(ctx, x.part, length) }
		if err := p.compare(ctx, s, x); err != nil {
			return err
		}
	}
	for _, known := range []bool{true, false} {
		if !p.wants("graphql") {
			break
		}
		ours := c.graphql(known)
		err := p.compare(ctx, s, contest{
			title: "graphql: a page of 10 ÷ the same over REST", part: "graphql", of: s.processes(), peers: s.processes(),
			peer: func(length time.Duration) (result, error) {
				r := c.pages(p.clients, length)
				return r, r.first
			},
			ours: func(length time.Duration) result { return ours(p.clients, length) },
		})
		if err != nil {
			return err
		}
	}
	return c.tellWalk(p)
}

// contests are the comparisons that p wants, without the peer.
func (c *catalogue) contests(p *plan) (some []contest) {
	for _, x := range []struct {
		contest

		run func(int, time.Duration) result
	}{
		{contest{title: "list: a page of 10 with filter, sort and total, 1 % writes ÷ the same two statements", part: "list", need: 0.5}, c.list},
		{contest{title: "get: a product by id ÷ the row by primary key", part: "get", need: 0.4}, c.get},
		{contest{title: "create: a new product ÷ one transaction with its rows", part: "create", need: 0.8}, c.create},
	} {
		if p.wants(x.part) {
			x.ours = func(length time.Duration) result { return x.run(p.clients, length) }
			some = append(some, x.contest)
		}
	}
	return some
}

// tellWalk prints what the last pages of a long list cost beside the first ones.
func (c *catalogue) tellWalk(p *plan) error {
	if !p.wants("walk") {
		return nil
	}
	first, last, pages, err := c.walk()
	if err != nil {
		return fmt.Errorf("walk: %w", err)
	}
	fmt.Printf("walk over %d pages of 100: %.2f ms a page at the end ÷ %.2f ms at the start: %.2f×\n\n", pages, ms(last), ms(first), float64(last)/float64(first))
	return nil
}
