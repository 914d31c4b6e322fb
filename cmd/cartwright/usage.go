package main

import (
	"context"
	"fmt"
	"io"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/metering"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func (p process) usageCommand() *cobra.Command {
	return p.forTenant(&cobra.Command{
		Use: "usage", Short: "Show how many API calls a tenant made this month, and how many its plan leaves.", Args: takes(),
		Example: "cartwright usage --tenant corner-shop",
	}, "{plan, limit, used, remaining, resetAt, daily}, as GET /usage answers", asking{}, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (answer, error) {
		by.Kind, by.Role = tenant.User, tenant.PlatformAdmin // who may ask is a person
		meter := metering.New(metering.Options{Counts: k.store.Usage(), Counter: newID(), Now: k.now})
		body, err := operate(ctx, operation.Usage(meter), "usage.retrieve", by, nil)
		return answer{body, func(out io.Writer) error { return tellUsage(out, body) }}, err
	})
}

// tellUsage prints a line for each day, and the sum.
func tellUsage(out io.Writer, body []byte) error {
	var u map[string]any
	if err := decode(body, &u); err != nil {
		return err
	}
	days, _ := u["daily"].([]any)
	docs := make([]map[string]any, len(days))
	for i := range days {
		docs[i], _ = days[i].(map[string]any)
	}
	if err := tabled(out, docs, heading{"DAY", "date"}, heading{"CALLS", "calls"}); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\nplan %s: %s used, limit %s, %s left until %s\n",
		cellOf(u, "plan"), cellOf(u, "used"), cellOf(u, "limit"), cellOf(u, "remaining"), cellOf(u, "resetAt"))
	return err
}
