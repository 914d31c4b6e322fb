package program

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
	return p.tenantScopedCommand(&cobra.Command{
		Use: "usage", Short: "Show the API calls a tenant made this month and how many its plan has left.", Args: exactArgs(),
		Example: "cartwright usage --tenant corner-shop",
	}, "{plan, limit, used, remaining, resetAt, daily}, as GET /usage answers",
		tenantCommandOptions{}, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (commandResult, error) {
			by.Kind, by.Role = tenant.User, tenant.PlatformAdmin // the operation is for users only
			meter := metering.New(metering.Options{UsageStore: k.store.Usage(), CounterID: newID(), Now: k.now})
			body, err := runOperation(ctx, operation.Usage(meter), "usage.retrieve", by, nil)
			return commandResult{body, func(out io.Writer) error { return printUsage(out, body) }}, err
		})
}

// printUsage prints a line for each day, and the total.
func printUsage(out io.Writer, body []byte) error {
	var u map[string]any
	if err := decodeJSON(body, &u); err != nil {
		return err
	}
	days, _ := u["daily"].([]any)
	docs := make([]map[string]any, len(days))
	for i := range days {
		docs[i], _ = days[i].(map[string]any)
	}
	if err := printTable(out, docs, tableColumn{"DAY", "date"}, tableColumn{"CALLS", "calls"}); err != nil {
		return err
	}
	_, err := fmt.Fprintf(out, "\nplan %s: %s used, limit %s, %s left until %s\n",
		cellText(u, "plan"), cellText(u, "used"), cellText(u, "limit"), cellText(u, "remaining"), cellText(u, "resetAt"))
	return err
}
