package main

import (
	"context"
	"fmt"
	"io"
	"strconv"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/domain/webhook"
)

// operate carries out one of some operations, as adapters of the API do, and returns the body of its answer.
func operate(ctx context.Context, from []operation.Operation, name string, by tenant.Principal, input map[string]any, params ...string) ([]byte, error) {
	for i := range from {
		if from[i].Name != name {
			continue
		}
		done, err := from[i].Do(ctx, operation.Request{Call: once.Call{Principal: by}, At: operation.Root, Params: params, Body: input})
		if err == nil && done.Fault != nil {
			err = done.Fault
		}
		return done.Body, err
	}
	panic("there is no operation " + name)
}

func (p process) webhooksCommand() *cobra.Command {
	return group("webhooks", "See and change who is told of events, and what became of each delivery.",
		p.webhookCreateCommand(), p.webhookListCommand(), p.webhookTestCommand(),
		p.webhookSwitchCommand("enable", "Tell a webhook endpoint again of what happens from now on.", true),
		p.webhookSwitchCommand("disable", "Tell a webhook endpoint nothing until it is enabled.", false), p.webhookDeleteCommand(), p.deliveriesCommand(), p.redeliverCommand())
}

// The sentences that end a search.
const (
	endpointsHint  = "cartwright webhooks list shows their ids; test ones need --environment test"
	deliveriesHint = "cartwright webhooks deliveries shows their ids; test ones need --environment test"
)

func (p process) webhookCreateCommand() *cobra.Command {
	var url, description string
	var collections, operations []string
	cmd := p.forTenant(&cobra.Command{
		Use: "create", Short: "Make a webhook endpoint and print the secret that signs its deliveries, once.", Args: takes(),
		Example: "cartwright webhooks create --url https://shop.example/hook --collections orders,products",
	}, "{message, doc, secret}, as POST /webhook-endpoints answers", asking{both: true}, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (answer, error) {
		input := map[string]any{"url": url, "collections": listOf(collections), "operations": listOf(operations)}
		if description != "" {
			input["description"] = description
		}
		done, err := operate(ctx, operation.Webhooks(k.hooking), "webhookEndpoints.create", by, input)
		return shown(done, "", heading{"endpoint", "doc.id"}, heading{"url", "doc.url"}, heading{"secret", "secret"}), err
	})
	cmd.Flags().StringVar(&url, "url", "", "where deliveries go (required)")
	cmd.Flags().StringSliceVar(&collections, "collections", nil, "slugs of the collections it hears of; all when missing")
	cmd.Flags().StringSliceVar(&operations, "operations", nil, "what it hears of them: create, update, delete; all when missing")
	cmd.Flags().StringVar(&description, "description", "", "note for operators")
	_ = cmd.MarkFlagRequired("url") // the flag was just declared
	return cmd
}

// listOf is a list as JSON has it.
func listOf(words []string) []any {
	out := make([]any, len(words))
	for i, w := range words {
		out[i] = w
	}
	return out
}

func (p process) webhookListCommand() *cobra.Command {
	var pages paging
	return p.forTenant(&cobra.Command{
		Use: "list", Short: "List the webhook endpoints.", Args: takes(), Example: "cartwright webhooks list --tenant my-shop",
	}, "the list that GET /webhook-endpoints answers", asking{both: true, pages: &pages}, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (answer, error) {
		return k.list(ctx, by, webhook.Endpoints, pages, nil,
			heading{"ID", "id"}, heading{"ON", "enabled"}, heading{"OFF BECAUSE", "disabledReason"}, heading{"COLLECTIONS", "collections"}, heading{"OPERATIONS", "operations"}, heading{"URL", "url"})
	})
}

func (p process) webhookTestCommand() *cobra.Command {
	return p.forTenant(&cobra.Command{
		Use: "test ENDPOINT", Short: "Send a webhook endpoint a delivery about nothing, as soon as a server runs.", Args: takes("ENDPOINT"),
		Example: "cartwright webhooks test 019a0c38-7000-7000-8000-000000000001",
	}, "{message, delivery}, as POST /webhook-endpoints/{id}/test answers", asking{both: true}, func(ctx context.Context, k *core, by tenant.Principal, args []string) (answer, error) {
		done, err := operate(ctx, operation.Webhooks(k.hooking), "webhookEndpoints.test", by, nil, args[0])
		return underWay(done), notFound(err, "webhook endpoint", args[0], endpointsHint)
	})
}

// underWay tells of a delivery that was asked for.
func underWay(body []byte) answer {
	return shown(body, "delivery", heading{"delivery", "id"}, heading{"status", "status"})
}

func (p process) webhookSwitchCommand(name, short string, on bool) *cobra.Command {
	return p.forTenant(&cobra.Command{
		Use: name + " ENDPOINT", Short: short, Args: takes("ENDPOINT"), Example: "cartwright webhooks " + name + " 019a0c38-7000-7000-8000-000000000001",
	}, "{message, doc}, as PATCH /webhook-endpoints/{id} answers", asking{both: true}, func(ctx context.Context, k *core, by tenant.Principal, args []string) (answer, error) {
		done, err := k.content.Update(ctx, once.Call{Principal: by}, webhook.Endpoints, args[0], map[string]any{"enabled": on}, content.Show{})
		return shown(done.Body, "doc", heading{"endpoint", "id"}, heading{"on", "enabled"}), notFound(err, "webhook endpoint", args[0], endpointsHint)
	})
}

func (p process) webhookDeleteCommand() *cobra.Command {
	return p.forTenant(&cobra.Command{
		Use: "delete ENDPOINT", Short: "Delete a webhook endpoint; what was on its way to it is discarded.", Args: takes("ENDPOINT"),
		Example: "cartwright webhooks delete 019a0c38-7000-7000-8000-000000000001 --yes",
	}, "{id, message, doc}, as DELETE /webhook-endpoints/{id} answers", asking{both: true, sure: "Webhook endpoint %s and its secret will be gone."}, func(ctx context.Context, k *core, by tenant.Principal, args []string) (answer, error) {
		done, err := operate(ctx, operation.Webhooks(k.hooking), "webhookEndpoints.delete", by, nil, args[0])
		return answer{done, sentence("The webhook endpoint is deleted.")}, notFound(err, "webhook endpoint", args[0], endpointsHint)
	})
}

func (p process) deliveriesCommand() *cobra.Command {
	var pages paging
	var endpoint string
	var status webhook.Status
	cmd := p.forTenant(&cobra.Command{
		Use: "deliveries", Short: "List what webhook endpoints were told, or are to be, the newest first.", Args: takes(),
		Example: "cartwright webhooks deliveries --status dead --endpoint 019a0c38-7000-7000-8000-000000000001",
	}, "the list that GET /webhook-deliveries answers", asking{both: true, pages: &pages}, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (answer, error) {
		var only collection.And
		if endpoint != "" {
			only = append(only, webhook.Deliveries.Where("endpoint", collection.Equals, endpoint))
		}
		if status != "" {
			only = append(only, webhook.Deliveries.Where("status", collection.Equals, string(status)))
		}
		pages.sort = "-createdAt"
		return k.list(ctx, by, webhook.Deliveries, pages, only,
			heading{"ID", "id"}, heading{"STATUS", "status"}, heading{"REASON", "reason"}, heading{"ANSWER", "responseStatus"}, heading{"NEXT ATTEMPT", "nextAttemptAt"},
			heading{"COLLECTION", "collection"}, heading{"OPERATION", "operation"}, heading{"RECORD", "record"}, heading{"OCCURRED", "occurredAt"})
	})
	cmd.Flags().StringVar(&endpoint, "endpoint", "", "to this endpoint only: its id")
	oneOf(cmd, &status, "status", "", "of this status only", webhook.Pending, webhook.Succeeded, webhook.Dead, webhook.Discarded)
	return cmd
}

func (p process) redeliverCommand() *cobra.Command {
	return p.forTenant(&cobra.Command{
		Use: "redeliver DELIVERY", Short: "Have a delivery made once more, as soon as a server runs.", Args: takes("DELIVERY"),
		Example: "cartwright webhooks redeliver 019a0c38-7000-7000-8000-000000000002",
	}, "{message, delivery}, as POST /webhook-deliveries/{id}/redeliver answers", asking{both: true}, func(ctx context.Context, k *core, by tenant.Principal, args []string) (answer, error) {
		done, err := operate(ctx, operation.Webhooks(k.hooking), "webhookDeliveries.redeliver", by, nil, args[0])
		return underWay(done), notFound(err, "delivery", args[0], deliveriesHint)
	})
}

// replayed is what came of a replay of several rounds.
type replayed struct {
	Message      string `json:"message"`
	Deliveries   int64  `json:"deliveries"`
	NextSequence *int64 `json:"nextSequence"` // where to go on; null when nothing is left
}

func (p process) replayCommand() *cobra.Command {
	var from, to string
	cmd := p.forTenant(&cobra.Command{
		Use: "replay ENDPOINT", Short: "Tell a webhook endpoint again what happened, as soon as a server runs.", Args: takes("ENDPOINT"),
		Example: "cartwright events replay 019a0c38-7000-7000-8000-000000000001 --from 2026-01-31T09:00:00Z --to 2026-01-31T10:00:00Z",
		Long: `Tell a webhook endpoint again what happened, as soon as a server runs.

From and to are times or numbers of events, both included. The endpoint is told of what it hears of, also of what happened
before it was made or while it was off, under the ids of earlier deliveries where there were any.`,
	}, "{message, deliveries, nextSequence}, as POST /webhook-endpoints/{id}/replay answers, of the whole range", asking{both: true}, func(ctx context.Context, k *core, by tenant.Principal, args []string) (answer, error) {
		done, err := replayAll(ctx, k, by, args[0], from, to)
		if err != nil && done.NextSequence == nil {
			return answer{}, notFound(err, "webhook endpoint", args[0], endpointsHint)
		}
		a, failed := valued(done, func(out io.Writer) error {
			_, err := fmt.Fprintf(out, "%d deliveries are on their way.\n", done.Deliveries)
			return err
		})
		if err != nil {
			failed = fmt.Errorf("it stopped: go on with --from %d: %w", *done.NextSequence, spelled(err))
		}
		return a, failed
	})
	cmd.Flags().StringVar(&from, "from", "", "where to begin: a time such as 2026-01-31T09:00:00Z, or the number of an event (required)")
	cmd.Flags().StringVar(&to, "to", "", "where to end, alike; the newest event when missing")
	_ = cmd.MarkFlagRequired("from") // the flag was just declared
	return cmd
}

// replayAll goes on from round to round. With an error, NextSequence is where the round that failed began, if it was not
// the first.
func replayAll(ctx context.Context, k *core, by tenant.Principal, endpoint, from, to string) (all replayed, err error) {
	for {
		input := map[string]any{"from": from}
		if to != "" {
			input["to"] = to
		}
		body, err := operate(ctx, operation.Webhooks(k.hooking), "webhookEndpoints.replay", by, input, endpoint)
		if err != nil {
			return all, err
		}
		var round replayed
		if err := decode(body, &round); err != nil {
			return all, err
		}
		round.Deliveries += all.Deliveries
		if all = round; all.NextSequence == nil {
			return all, nil
		}
		from = strconv.FormatInt(*all.NextSequence, 10)
	}
}
