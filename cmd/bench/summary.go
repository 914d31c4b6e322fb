package main

import (
	"context"
	"fmt"
	"net/url"
	"os"
	"os/exec"
	"time"
)

// summaryPart needs a shop with many orders.
const summaryPart = "summary"

// What figures may take, in 99 of 100 cases. A ranking adds up a row per product, day and month.
const (
	summaryLimit = 100 * time.Millisecond
	rankingLimit = 250 * time.Millisecond
)

// measureSummaries adds up the days of the shop, and prints each kind of figures beside what it may take.
func (l *manyOrders) measureSummaries(ctx context.Context, s *testbed, length time.Duration, database string) error {
	began := time.Now()
	rebuild := exec.CommandContext(ctx, s.server.Path, "reports", "rebuild", "--tenant", l.account.tenant)
	rebuild.Env = append(os.Environ(), s.server.Env...)
	if out, err := rebuild.CombinedOutput(); err != nil {
		return fmt.Errorf("add up the days: %w: %s", err, out)
	}
	fmt.Printf("%s: %d orders added up in %.0f s\n", database, l.orders, time.Since(began).Seconds())
	day := func(daysBack int) string { return time.Now().UTC().AddDate(0, 0, -daysBack).Format(time.DateOnly) }
	slow := 0
	for _, kind := range []struct {
		name  string
		query url.Values
		limit time.Duration
	}{
		{"a month by day", url.Values{"from": {day(30)}, "by": {"day"}, "compare": {"previous"}}, summaryLimit},
		{"a year by month", url.Values{"from": {day(364)}, "by": {"month"}, "compare": {"previous"}}, summaryLimit},
		{"products of a year", url.Values{"from": {day(364)}, "by": {"product"}, "limit": {"50"}}, rankingLimit},
	} {
		kind.query.Set("to", day(0))
		path := "/api/reports/summary?" + kind.query.Encode()
		r := runClients(database+", "+kind.name, 1, length, func(int, int) error {
			var ignored struct{}
			return l.post.expect(200, request{method: "GET", path: path, secret: l.secret}, &ignored)
		})
		isSlow, err := r.printBeside(kind.limit)
		if err != nil {
			return err
		}
		if isSlow {
			slow++
		}
	}
	fmt.Printf("%s: %d kinds of figures are too slow\n\n", database, slow)
	return nil
}
