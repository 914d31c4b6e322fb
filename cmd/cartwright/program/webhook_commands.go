package program

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
)

// runOperation runs one of some operations, as the API's adapters do, and returns the body of its answer.
func runOperation(
	ctx context.Context, from []operation.Operation, name string, by tenant.Principal, input map[string]any, params ...string,
) ([]byte, error) {
	for i := range from {
		if from[i].Name != name {
			continue
		}
		done, err := from[i].Do(ctx, operation.Request{
			Call: idempotency.Call{Principal: by}, Surface: operation.Root, Params: params, Body: input,
		})
		if err == nil && done.Fault != nil {
			err = done.Fault
		}
		return done.Body.Bytes(), err
	}
	panic("there is no operation " + name)
}

func (p process) webhooksCommand() *cobra.Command {
	return group("webhooks", "Manage webhook endpoints and their deliveries.",
		p.webhookCreateCommand(), p.webhookListCommand(), p.webhookTestCommand(),
		p.webhookToggleCommand("enable", "Enable a webhook endpoint.", true),
		p.webhookToggleCommand("disable", "Disable a webhook endpoint.", false), p.webhookDeleteCommand(), p.deliveriesCommand(),
		p.redeliverCommand())
}

// Hints for ids that were not found.
const (
	endpointsHint  = "cartwright webhooks list lists their ids; those of the test environment need --environment test"
	deliveriesHint = "cartwright webhooks deliveries lists their ids; those of the test environment need --environment test"
)

func (p process) webhookCreateCommand() *cobra.Command {
	var url, description string
	var collections, operations []string
	cmd := p.tenantScopedCommand(&cobra.Command{
		Use: "create", Short: "Create a webhook endpoint and print its signing secret once.", Args: exactArgs(),
		Example: "cartwright webhooks create --url https://shop.example/hook --collections orders,products",
	}, "{message, doc, secret}, as POST /webhook-endpoints answers", tenantCommandOptions{environment: true},
		func(ctx context.Context, k *core, by tenant.Principal, _ []string) (commandResult, error) {
			input := map[string]any{"url": url, "collections": jsonList(collections), "operations": jsonList(operations)}
			if description != "" {
				input["description"] = description
			}
			done, err := runOperation(ctx, operation.Webhooks(k.newWebhooks(nil, nil)), "webhookEndpoints.create", by, input)
			return recordResult(done, "", tableColumn{"endpoint", "doc.id"}, tableColumn{"url", "doc.url"},
				tableColumn{"secret", "secret"}), err
		})
	cmd.Flags().StringVar(&url, "url", "", "URL that deliveries are sent to (required)")
	cmd.Flags().StringSliceVar(&collections, "collections", nil, "slugs of the collections it subscribes to (default: all)")
	cmd.Flags().StringSliceVar(&operations, "operations", nil, "operations it subscribes to: create, update, delete (default: all)")
	cmd.Flags().StringVar(&description, "description", "", "note for operators")
	_ = cmd.MarkFlagRequired("url") // the flag was just declared
	return cmd
}

// jsonList is a list in the API's JSON form.
func jsonList(words []string) []any {
	out := make([]any, len(words))
	for i, w := range words {
		out[i] = w
	}
	return out
}

func (p process) webhookListCommand() *cobra.Command {
	var pages paging
	return p.tenantScopedCommand(&cobra.Command{
		Use: "list", Short: "List the webhook endpoints.", Args: exactArgs(), Example: "cartwright webhooks list --tenant my-shop",
	}, "the list that GET /webhook-endpoints answers", tenantCommandOptions{environment: true, paging: &pages}, func(ctx context.Context,
		k *core, by tenant.Principal, _ []string) (commandResult, error) {
		return k.listRecords(ctx, by, webhook.Endpoints, pages, nil,
			tableColumn{"ID", "id"}, tableColumn{"ON", "enabled"}, tableColumn{"DISABLED REASON", "disabledReason"},
			tableColumn{"COLLECTIONS", "collections"}, tableColumn{"OPERATIONS", "operations"}, tableColumn{"URL", "url"})
	})
}

func (p process) webhookTestCommand() *cobra.Command {
	return p.tenantScopedCommand(&cobra.Command{
		Use: "test ENDPOINT", Short: "Send a test delivery to a webhook endpoint; a running server sends it.", Args: exactArgs("ENDPOINT"),
		Example: "cartwright webhooks test 019a0c38-7000-7000-8000-000000000001",
	}, "{message, delivery}, as POST /webhook-endpoints/{id}/test answers", tenantCommandOptions{environment: true},
		func(ctx context.Context, k *core, by tenant.Principal, args []string) (commandResult, error) {
			done, err := runOperation(ctx, operation.Webhooks(k.newWebhooks(nil, nil)), "webhookEndpoints.test", by, nil, args[0])
			return deliveryResult(done), notFound(err, "webhook endpoint", args[0], endpointsHint)
		})
}

// deliveryResult is the result of a requested delivery.
func deliveryResult(body []byte) commandResult {
	return recordResult(body, "delivery", tableColumn{"delivery", "id"}, tableColumn{"status", "status"})
}

func (p process) webhookToggleCommand(name, short string, on bool) *cobra.Command {
	return p.tenantScopedCommand(&cobra.Command{
		Use: name + " ENDPOINT", Short: short, Args: exactArgs("ENDPOINT"),
		Example: "cartwright webhooks " + name + " 019a0c38-7000-7000-8000-000000000001",
	}, "{message, doc}, as PATCH /webhook-endpoints/{id} answers", tenantCommandOptions{environment: true}, func(ctx context.Context,
		k *core, by tenant.Principal, args []string) (commandResult, error) {
		done, err := k.records.Update(ctx, idempotency.Call{Principal: by}, webhook.Endpoints, args[0], map[string]any{"enabled": on},
			records.Projection{})
		return recordResult(done.Body.Bytes(), "doc", tableColumn{"endpoint", "id"}, tableColumn{"on", "enabled"}), notFound(err,
			"webhook endpoint", args[0], endpointsHint)
	})
}

func (p process) webhookDeleteCommand() *cobra.Command {
	return p.tenantScopedCommand(&cobra.Command{
		Use: "delete ENDPOINT", Short: "Delete a webhook endpoint and discard its pending deliveries.", Args: exactArgs("ENDPOINT"),
		Example: "cartwright webhooks delete 019a0c38-7000-7000-8000-000000000001 --yes",
	}, "{id, message, doc}, as DELETE /webhook-endpoints/{id} answers", tenantCommandOptions{
		environment: true, confirmation: "Webhook endpoint %s and its secret will be deleted.",
	},
		func(ctx context.Context, k *core, by tenant.Principal, args []string) (commandResult, error) {
			done, err := runOperation(ctx, operation.Webhooks(k.newWebhooks(nil, nil)), "webhookEndpoints.delete", by, nil, args[0])
			return commandResult{done, textLine("Webhook endpoint deleted.")}, notFound(err, "webhook endpoint", args[0], endpointsHint)
		})
}

func (p process) deliveriesCommand() *cobra.Command {
	var pages paging
	var endpoint string
	var status webhook.Status
	cmd := p.tenantScopedCommand(&cobra.Command{
		Use: "deliveries", Short: "List webhook deliveries, newest first.", Args: exactArgs(),
		Example: "cartwright webhooks deliveries --status dead --endpoint 019a0c38-7000-7000-8000-000000000001",
	}, "the list that GET /webhook-deliveries answers", tenantCommandOptions{environment: true, paging: &pages}, func(ctx context.Context,
		k *core, by tenant.Principal, _ []string) (commandResult, error) {
		var only collection.And
		if endpoint != "" {
			only = append(only, webhook.Deliveries.Where("endpoint", collection.Equals, endpoint))
		}
		if status != "" {
			only = append(only, webhook.Deliveries.Where("status", collection.Equals, string(status)))
		}
		pages.sort = "-createdAt"
		return k.listRecords(ctx, by, webhook.Deliveries, pages, only,
			tableColumn{"ID", "id"}, tableColumn{"STATUS", "status"}, tableColumn{"REASON", "reason"},
			tableColumn{"ANSWER", "responseStatus"}, tableColumn{"NEXT ATTEMPT", "nextAttemptAt"}, tableColumn{"COLLECTION", "collection"},
			tableColumn{"OPERATION", "operation"}, tableColumn{"RECORD", "record"}, tableColumn{"OCCURRED", "occurredAt"})
	})
	cmd.Flags().StringVar(&endpoint, "endpoint", "", "only deliveries to the endpoint with this id")
	addChoiceFlag(cmd, &status, "status", "", "only deliveries with this status",
		webhook.Pending, webhook.Succeeded, webhook.Dead, webhook.Discarded)
	return cmd
}

func (p process) redeliverCommand() *cobra.Command {
	return p.tenantScopedCommand(&cobra.Command{
		Use: "redeliver DELIVERY", Short: "Send a delivery again; a running server sends it.", Args: exactArgs("DELIVERY"),
		Example: "cartwright webhooks redeliver 019a0c38-7000-7000-8000-000000000002",
	}, "{message, delivery}, as POST /webhook-deliveries/{id}/redeliver answers", tenantCommandOptions{environment: true},
		func(ctx context.Context, k *core, by tenant.Principal, args []string) (commandResult, error) {
			done, err := runOperation(ctx, operation.Webhooks(k.newWebhooks(nil, nil)), "webhookDeliveries.redeliver", by, nil, args[0])
			return deliveryResult(done), notFound(err, "delivery", args[0], deliveriesHint)
		})
}

// replayResult is the result of a replay of several rounds.
type replayResult struct {
	Message      string `json:"message"`
	Deliveries   int64  `json:"deliveries"`
	NextSequence *int64 `json:"nextSequence"` // where to continue; null when nothing is left
}

func (p process) replayCommand() *cobra.Command {
	var from, to string
	cmd := p.tenantScopedCommand(&cobra.Command{
		Use: "replay ENDPOINT", Short: "Replay events to a webhook endpoint; a running server sends them.", Args: exactArgs("ENDPOINT"),
		Example: "cartwright events replay 019a0c38-7000-7000-8000-000000000001 --from 2026-01-31T09:00:00Z --to 2026-01-31T10:00:00Z",
		Long: `Replay events to a webhook endpoint; a running server sends them.

From and to are times or event numbers, both included. The endpoint receives the events it subscribes to, including those from
before it was created or while it was disabled, with the ids of earlier deliveries where there were any.`,
	}, "{message, deliveries, nextSequence}, as POST /webhook-endpoints/{id}/replay answers, of the whole range",
		tenantCommandOptions{environment: true},
		func(ctx context.Context, k *core, by tenant.Principal, args []string) (commandResult, error) {
			done, err := replayAll(ctx, k, by, args[0], from, to)
			if err != nil && done.NextSequence == nil {
				return commandResult{}, notFound(err, "webhook endpoint", args[0], endpointsHint)
			}
			a, failed := jsonResult(done, func(out io.Writer) error {
				_, err := fmt.Fprintf(out, "%d deliveries queued.\n", done.Deliveries)
				return err
			})
			if err != nil {
				failed = fmt.Errorf("replay stopped: continue with --from %d: %w", *done.NextSequence, describeFault(err))
			}
			return a, failed
		})
	cmd.Flags().StringVar(&from, "from", "", "first event: a time such as 2026-01-31T09:00:00Z, or an event number (required)")
	cmd.Flags().StringVar(&to, "to", "", "last event: a time or an event number (default: the newest event)")
	_ = cmd.MarkFlagRequired("from") // the flag was just declared
	return cmd
}

// replayAll runs round after round. With an error, NextSequence is the start of the failed round, unless it
// was the first.
func replayAll(ctx context.Context, k *core, by tenant.Principal, endpoint, from, to string) (all replayResult, err error) {
	for {
		input := map[string]any{"from": from}
		if to != "" {
			input["to"] = to
		}
		body, err := runOperation(ctx, operation.Webhooks(k.newWebhooks(nil, nil)), "webhookEndpoints.replay", by, input, endpoint)
		if err != nil {
			return all, err
		}
		var round replayResult
		if err := decodeJSON(body, &round); err != nil {
			return all, err
		}
		round.Deliveries += all.Deliveries
		if all = round; all.NextSequence == nil {
			return all, nil
		}
		from = strconv.FormatInt(*all.NextSequence, 10)
	}
}
