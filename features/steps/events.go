package steps

import (
	"bufio"
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"
)

func (w *world) eventSteps() []definition {
	return []definition{
		{`^the log tells of the brand "([^"]*)": "([^"]*)"$`, w.wantLogged},
		{`^the log tells that the name "([^"]*)" became "([^"]*)"$`, w.wantCompared},
		{`^a visitor asks what happened$`, func(ctx context.Context) error { return w.try(ctx, request{"GET", "/api/events", nil, w.asVisitor()}) }},
		{`^a program follows the brands$`, w.followBrands},
		{`^it hears of the brands "([^"]*)"$`, w.hear},
		{`^the program is cut off$`, w.cutOff},
		{`^the program follows again and hears of the brands "([^"]*)"$`, w.hearAgain},
	}
}

// program follows a shop.
type program struct {
	stop  context.CancelFunc
	lines *bufio.Scanner
	last  string // id of the event it heard last
}

// patience is how long a program waits for what it is to hear.
const patience = 30 * time.Second

// events are what happened to brands so far, once there are as many as wanted.
func (w *world) events(ctx context.Context, wanted int) (all []any, err error) {
	for began := time.Now(); time.Since(began) < patience; {
		all = nil
		for after, more := "0", true; more; {
			page, err := w.must(ctx, request{"GET", "/api/events?collection=brands&limit=3&after=" + after, nil, w.asOwner()})
			if err != nil {
				return nil, err
			}
			all = append(all, list(page.body, "docs")...)
			after, more = text(page.body, "nextAfter"), text(page.body, "hasMore") == "true"
		}
		if len(all) >= wanted {
			return all, nil
		}
	}
	return nil, fmt.Errorf("%d events, want %d", len(all), wanted)
}

func (w *world) wantLogged(ctx context.Context, name, operations string) error {
	events, err := w.events(ctx, 1+strings.Count(operations, ","))
	if err != nil {
		return err
	}
	var told []string
	for i, e := range events {
		told = append(told, text(e, "operation"))
		of := text(e, "doc", "id")
		if text(e, "operation") == "delete" {
			of = text(e, "data", "id")
		}
		if of != w.records[name] || text(e, "recordSequence") != strconv.Itoa(i+1) {
			return fmt.Errorf("event %d of the brand is %v", i+1, e)
		}
	}
	if got := strings.Join(told, ", "); got != operations {
		return fmt.Errorf("the log tells %q", got)
	}
	return nil
}

func (w *world) wantCompared(ctx context.Context, before, after string) error {
	events, err := w.events(ctx, 2)
	if err != nil {
		return err
	}
	e := events[1]
	data, _ := dig(e, "data").(object)
	if len(data) != 1 || text(data, "name") != after || text(e, "doc", "name") != after || text(e, "previousDoc", "name") != before {
		return fmt.Errorf("the log tells %v", e)
	}
	return nil
}

func (w *world) followBrands(context.Context) error { return w.follow("") } //nolint:contextcheck // see follow

// follow opens a stream behind the event that was heard last. It outlives its step.
func (w *world) follow(last string) error {
	ctx, stop := context.WithTimeout(context.Background(), 2*patience)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, w.base()+"/api/events/stream?collection=brands", nil)
	if err != nil {
		stop()
		return err
	}
	for name, value := range w.asOwner() {
		req.Header.Set(name, value)
	}
	if last != "" {
		req.Header.Set("Last-Event-ID", last)
	}
	res, err := http.DefaultClient.Do(req) //nolint:bodyclose // its context ends it
	if err != nil {
		stop()
		return err
	}
	if res.StatusCode != http.StatusOK {
		stop()
		return fmt.Errorf("the stream answers %s", res.Status)
	}
	w.program = program{stop, bufio.NewScanner(res.Body), last}
	return nil
}

// hear takes what comes until all names were heard, each once and in order.
func (w *world) hear(names string) error {
	wanted := strings.Split(names, ", ")
	var heard []string
	for len(heard) < len(wanted) && w.program.lines.Scan() {
		line := w.program.lines.Bytes()
		if id, ok := bytes.CutPrefix(line, []byte("id: ")); ok {
			w.program.last = string(id)
		}
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		if !ok {
			continue
		}
		var e object
		if err := json.Unmarshal(data, &e); err != nil {
			return err
		}
		heard = append(heard, text(e, "doc", "name"))
	}
	if !slices.Equal(heard, wanted) {
		return errors.Join(fmt.Errorf("the program heard of %q", heard), w.program.lines.Err())
	}
	return nil
}

func (w *world) cutOff() error {
	w.program.stop()
	return nil
}

func (w *world) hearAgain(names string) error {
	if err := w.follow(w.program.last); err != nil {
		return err
	}
	defer w.program.stop()
	return w.hear(names)
}
