package main

import (
	"bytes"
	"context"
	"encoding/json"
	"fmt"
	"io"
	"strconv"
	"time"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/app/operation"
	"github.com/cartwright-dev/cartwright/app/streaming"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

func (p process) eventsCommand() *cobra.Command {
	return group("events", "Read what happened, watch it happen, and tell it again.", p.eventListCommand(), p.eventTailCommand(), p.replayCommand())
}

// reading is where a reader of events begins, and what of them it wants.
type reading struct {
	whose

	after, collection string
	limit             int
}

func (r *reading) ask(cmd *cobra.Command, after string) {
	r.askBoth(cmd)
	cmd.Flags().StringVar(&r.after, "after", after, "number of the last event that is known, or latest")
	cmd.Flags().StringVar(&r.collection, "collection", "", "of these collections alone, by slug, with commas between")
}

// page is a page of the log, as GET /events answers.
func (r *reading) page(ctx context.Context, k *core, by tenant.Principal) ([]byte, error) {
	input := map[string]any{"after": r.after, "limit": collection.Numeral(strconv.Itoa(r.limit))}
	if r.collection != "" {
		input["collection"] = r.collection
	}
	log := streaming.New(streaming.Options{Log: k.store.EventLog(), Registry: k.registry, Logger: k.log})
	return operate(ctx, operation.Events(log), "events.list", by, input)
}

// logged is a page of the log.
type logged struct {
	Docs      []json.RawMessage `json:"docs"`
	NextAfter int64             `json:"nextAfter"`
	HasMore   bool              `json:"hasMore"`
}

func (p process) eventListCommand() *cobra.Command {
	var r reading
	cmd := p.answering(&cobra.Command{
		Use: "list", Short: "Print a page of what happened, the oldest first.", Args: takes(), Example: "cartwright events list --after 1200 --collection orders",
	}, "{docs, nextAfter, hasMore}, as GET /events answers", p.onTenant(&r.whose, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (answer, error) {
		body, err := r.page(ctx, k, by)
		return answer{body, func(out io.Writer) error { return tellEvents(out, body) }}, err
	}))
	r.ask(cmd, "0")
	cmd.Flags().IntVar(&r.limit, "limit", usualPage, "at most so many, up to 500")
	return cmd
}

func tellEvents(out io.Writer, body []byte) error {
	var page struct {
		logged

		Docs []map[string]any `json:"docs"`
	}
	if err := decode(body, &page); err != nil {
		return err
	}
	for _, e := range page.Docs {
		if doc, is := e["doc"].(map[string]any); is {
			e["data"] = doc
		}
	}
	err := tabled(out, page.Docs, heading{"NUMBER", "sequence"}, heading{"OCCURRED", "occurredAt"}, heading{"OPERATION", "operation"},
		heading{"COLLECTION", "collection"}, heading{"ENVIRONMENT", "environment"}, heading{"RECORD", "data.id"})
	if err == nil && page.HasMore {
		_, err = fmt.Fprintf(out, "\n--after %d goes on.\n", page.NextAfter)
	}
	return err
}

// tailPause is how long a watcher waits before it looks again.
const tailPause = 300 * time.Millisecond

func (p process) eventTailCommand() *cobra.Command {
	var r reading
	var count int
	cmd := &cobra.Command{
		Use: "tail", Short: "Print events as they happen, until it is interrupted.", Args: takes(),
		Example:     "cartwright events tail --collection orders",
		Annotations: plain("it prints each event as JSON in a line of its own"),
		RunE: func(cmd *cobra.Command, args []string) error {
			_, err := p.onTenant(&r.whose, func(ctx context.Context, k *core, by tenant.Principal, _ []string) (answer, error) {
				return answer{}, p.tail(ctx, k, by, &r, count)
			})(cmd.Context(), args)
			return err
		},
	}
	r.ask(cmd, streaming.Latest)
	cmd.Flags().IntVar(&count, "count", 0, "end after so many events; 0 goes on")
	return cmd
}

// tail prints events until count of them are told or ctx ends, which is no failure.
func (p process) tail(ctx context.Context, k *core, by tenant.Principal, r *reading, count int) error {
	for told := 0; ; {
		r.limit = usualPage
		if count > 0 {
			r.limit = min(usualPage, count-told)
		}
		body, err := r.page(ctx, k, by)
		if ctx.Err() != nil {
			return nil //nolint:nilerr // it was told to end
		}
		var page logged
		if err == nil {
			err = json.Unmarshal(body, &page)
		}
		if err != nil {
			return err
		}
		if err := p.lines(page.Docs); err != nil {
			return err
		}
		if told += len(page.Docs); count > 0 && told >= count {
			return nil
		}
		if r.after = strconv.FormatInt(page.NextAfter, 10); page.HasMore {
			continue
		}
		select {
		case <-ctx.Done():
			return nil
		case <-time.After(tailPause):
		}
	}
}

// lines prints each document in a line.
func (p process) lines(docs []json.RawMessage) error {
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
