package steps

import (
	"context"
	"fmt"
	"strings"
)

// reportSteps ask for figures.
type reportSteps struct {
	*client

	rows [][]string // of the file that was downloaded
}

func newReportSteps(c *client) *reportSteps { return &reportSteps{client: c} }

func (s *reportSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the shop asks for its figures of the last 30 days$`, func(ctx context.Context) error { return s.ask(ctx, "/summary") }},
		{`^the shop asks for its figures by "([^"]*)"$`, func(ctx context.Context, by string) error { return s.ask(ctx, "/summary?by="+by) }},
		{`^the shop asks for its figures from "([^"]*)" to "([^"]*)"$`, func(ctx context.Context, from, to string) error {
			return s.ask(ctx, "/summary?from="+from+"&to="+to)
		}},
		{`^the shop asks what its providers owe$`, func(ctx context.Context) error { return s.ask(ctx, "/settlement") }},
		{`^a storefront asks for the shop's figures$`, func(ctx context.Context) error {
			return s.try(ctx, request{"GET", "/api/reports/summary", nil, map[string]string{"X-Client-Key": s.shop.TestClientKey}})
		}},
		{`^the figures tell (\d+) orders? of (\d+) units?, (\d+) KRW of revenue and (\d+) KRW of refunds$`, s.wantTotals},
		{`^there are no figures$`, func() error { return equal("the rows", fmt.Sprint(valueAt(s.got.body, "totals")), "[]") }},
		{`^(\d+) units? of them (?:was|were) canceled$`, func(want string) error {
			return equal("the canceled units", text(s.got.body, "totals", 0, "unitsCanceled"), want)
		}},
		{`^nothing waits for the shop$`, func(ctx context.Context) error { return s.wantTasks(ctx, "0", "") }},
		{`^only (\d+) ([a-z ]+) waits for the shop$`, s.wantTasks},
		{`^soon only (\d+) ([a-z ]+) waits for the shop$`, func(ctx context.Context, want, kind string) error {
			return eventually(ctx, func(ctx context.Context) error { return s.wantTasks(ctx, want, kind) })
		}},
		{`^there (?:is|are) (\d+) groups?, with (\d+) units? in the first$`, s.wantGroups},
		{`^"([^"]*)" captured (\d+) KRW and gave (\d+) KRW back$`, s.wantSettlement},
		{`^the provider's own figures are missing because "([^"]*)"$`, func(want string) error {
			return equal("the reason", text(s.got.body, "totals", 0, "notReported"), want)
		}},
		{`^the provider says that it settles (\d+) KRW and keeps (\d+) KRW$`, s.wantTold},
		{`^the shop downloads its figures by "([^"]*)"$`, s.download},
		{`^the file has the columns "([^"]*)"$`, func(want string) error { return equal("the columns", strings.Join(s.rows[0], ", "), want) }},
	}
}

func (s *reportSteps) ask(ctx context.Context, path string) error {
	return s.try(ctx, request{"GET", "/api/reports" + path, nil, s.asServer()})
}

func (s *reportSteps) wantTotals(orders, units, revenue, refunds string) error {
	for name, want := range map[string]string{"orders": orders, "units": units, "revenue": revenue, "refunds": refunds} {
		if err := equal(name, text(s.got.body, "totals", 0, name), want); err != nil {
			return err
		}
	}
	return nil
}

// tasks are the counts of what waits, by how scenarios name them.
var tasks = map[string]string{
	"order to pack": "toPack", "order to ship": "toShip", "deposit": "waitingForDeposit", "payment to look at": "attention",
	"product to reorder": "lowStock", "return": "returnsOpen",
}

// wantTasks checks that so many of one kind wait, and nothing of any other.
func (s *reportSteps) wantTasks(ctx context.Context, want, kind string) error {
	waiting, known := tasks[kind]
	if !known && kind != "" {
		return fmt.Errorf("%q is not one of %v", kind, tasks)
	}
	a, err := s.must(ctx, request{"GET", "/api/reports/today", nil, s.asServer()})
	if err != nil {
		return err
	}
	for _, count := range tasks {
		expected := "0"
		if count == waiting {
			expected = want
		}
		if err := equal(count, text(a.body, "tasks", count), expected); err != nil {
			return err
		}
	}
	return nil
}

func (s *reportSteps) wantGroups(groups int, units string) error {
	if got, _ := valueAt(s.got.body, "groups").([]any); len(got) != groups {
		return fmt.Errorf("the groups are %v", got)
	}
	return equal("the units of the first group", text(s.got.body, "groups", 0, "units"), units)
}

func (s *reportSteps) wantSettlement(provider, captured, refunded string) error {
	for name, want := range map[string]string{"provider": provider, "captured": captured, "refunded": refunded} {
		for _, rows := range []string{"totals", "days"} {
			if err := equal(rows+", "+name, text(s.got.body, rows, 0, name), want); err != nil {
				return err
			}
		}
	}
	return nil
}

// wantTold also wants that the provider and the ledger agree.
func (s *reportSteps) wantTold(reported, fees string) error {
	for name, want := range map[string]string{"reported": reported, "fees": fees, "difference": "0"} {
		for _, rows := range []string{"totals", "days"} {
			if err := equal(rows+", "+name, text(s.got.body, rows, 0, name), want); err != nil {
				return err
			}
		}
	}
	return nil
}

func (s *reportSteps) download(ctx context.Context, by string) (err error) {
	s.rows, err = s.downloadCSV(ctx, "/api/reports/summary.csv?by="+by)
	return err
}
