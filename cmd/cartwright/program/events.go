package program

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/eventfeed"
	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func (p process) eventsCommand() *cobra.Command {
	return group("events", "List, follow and replay events.", p.eventListCommand(), p.eventTailCommand(), p.replayCommand())
}

// eventFlags select the events to read.
type eventFlags struct {
	tenantFlags

	after, collection string
	limit             int
}

func (r *eventFlags) addFlags(cmd *cobra.Command, after string) {
	r.addTenantAndEnvironment(cmd)
	cmd.Flags().StringVar(&r.after, "after", after, "list events after this event number, or latest")
	cmd.Flags().StringVar(&r.collection, "collection", "", "only events of these collections (comma-separated slugs)")
}

// page reads a page of the log, as GET /events answers.
func (r *eventFlags) page(ctx context.Context, k *core, by tenant.Principal) ([]byte, error) {
	input := map[string]any{"after": r.after, "limit": collection.JSONNumber(strconv.Itoa(r.limit))}
	if r.collection != "" {
		input["collection"] = r.collection
	}
	log := eventfeed.New(eventfeed.Options{Log: k.store.EventLog(), Store: k.store, Registry: k.registry, Logger: k.log})
	return runOperation(ctx, operation.Events(log, nil), "events.list", by, input)
}

// eventPage is a page of the log.
type eventPage struct {
	Docs      []json.RawMessage `json:"docs"`
	NextAfter int64             `json:"nextAfter"`
	HasMore   bool              `json:"hasMore"`
}

func (p process) eventListCommand() *cobra.Command {
	var r eventFlags
	cmd := p.jsonCommand(&cobra.Command{
		Use: "list", Short: "List a page of events, oldest first.", Args: exactArgs(),
		Example: "cartwright events list --after 1200 --collection orders",
	}, "{docs, nextAfter, hasMore}, as GET /events answers",
		p.runForTenant(&r.tenantFlags, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (commandResult, error) {
			body, err := r.page(ctx, k, by)
			return commandResult{body, func(out io.Writer) error { return printEvents(out, body) }}, err
		}))
	r.addFlags(cmd, "0")
	cmd.Flags().IntVar(&r.limit, "limit", defaultPageSize, "maximum number of events, up to 500")
	return cmd
}

func printEvents(out io.Writer, body []byte) error {
	var page struct {
		eventPage

		Docs []map[string]any `json:"docs"`
	}
	if err := decodeJSON(body, &page); err != nil {
		return err
	}
	for _, e := range page.Docs {
		if doc, ok := e["doc"].(map[string]any); ok {
			e["data"] = doc
		}
	}
	err := printTable(out, page.Docs, tableColumn{"NUMBER", "sequence"}, tableColumn{"OCCURRED", "occurredAt"},
		tableColumn{"OPERATION", "operation"},
		tableColumn{"COLLECTION", "collection"}, tableColumn{"ENVIRONMENT", "environment"}, tableColumn{"RECORD", "data.id"})
	if err == nil && page.HasMore {
		_, err = fmt.Fprintf(out, "\nNext page: --after %d\n", page.NextAfter)
	}
	return err
}

// tailInterval is how long tail waits before it polls again.
const tailInterval = 300 * time.Millisecond

func (p process) eventTailCommand() *cobra.Command {
	var r eventFlags
	var count int
	cmd := &cobra.Command{
		Use: "tail", Short: "Follow events until interrupted.", Args: exactArgs(),
		Example:     "cartwright events tail --collection orders",
		Annotations: withoutJSON("it prints one JSON object per line"),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := p.runForTenant(&r.tenantFlags,
				func(ctx context.Context, k *core, by tenant.Principal, _ []string) (commandResult, error) {
					return commandResult{}, p.tail(ctx, k, by, &r, count)
				})(cmd.Context(), args)
			return err
		},
	}
	r.addFlags(cmd, eventfeed.Latest)
	cmd.Flags().IntVar(&count, "count", 0, "stop after this many events; 0 means never")
	return cmd
}

// tail prints events until count of them are printed or ctx ends, which is not an error.
func (p process) tail(ctx context.Context, k *core, by tenant.Principal, r *eventFlags, count int) error {
	for printed := 0; ; {
		r.limit = defaultPageSize
		if count > 0 {
			r.limit = min(defaultPageSize, count-printed)
		}
		body, err := r.page(ctx, k, by)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // ended by the user
		}
		var page eventPage
		if err == nil {
			err = json.Unmarshal(body, &page)
		}
		if err != nil {
			return err
		}
		if err := p.printJSONLines(page.Docs); err != nil {
			return err
		}
		if printed += len(page.Docs); count > 0 && printed >= count {
			return nil
		}
		if r.after = strconv.FormatInt(page.NextAfter, 10); page.HasMore {
			continue
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(tailInterval):
		}
	}
}

// printJSONLines prints each document on a line.
func (p process) printJSONLines(docs []json.RawMessage) error {
	for _, doc := range docs {
		var line bytes.Buffer
		if err := json.Compact(&line, doc); err != nil {
			return err
		}
		line.WriteByte('\n')
		if _, err := p.out.Write(line.Bytes()); err != nil {
			return err
		}
	}
	return nil
}
