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
)

// eventSteps reads and follows the event log.
type eventSteps struct {
	*client

	brands *brandSteps

	follower eventFollower
}

func newEventSteps(c *client, brands *brandSteps) *eventSteps {
	return &eventSteps{client: c, brands: brands}
}

func (s *eventSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the event log shows about the brand "([^"]*)": "([^"]*)"$`, s.wantOperations},
		{`^the event log names who changed the brand "([^"]*)"$`, s.wantActor},
		{`^the event log shows that the name "([^"]*)" became "([^"]*)"$`, s.wantPreviousDoc},
		{`^a visitor reads the event log$`, func(ctx context.Context) error {
			return s.try(ctx, request{"GET", "/api/events", nil, s.asVisitor()})
		}},
		{`^a program follows the events of brands$`, s.followBrands},
		{`^it receives the brands "([^"]*)"$`, s.waitFor},
		{`^the program disconnects$`, s.disconnect},
		{`^the program reconnects and receives the brands "([^"]*)"$`, s.reconnect},
	}
}

// eventFollower is a program that reads the event stream.
type eventFollower struct {
	stop  context.CancelFunc // ends the stream; nil before the first
	lines *bufio.Scanner
	last  string // id of the event last received
}

func (s *eventSteps) wantOperations(ctx context.Context, name, operations string) error {
	events, err := s.eventsUntil(ctx, s.brands.ids[name])
	if err != nil {
		return err
	}
	var got []string
	for i, e := range events {
		got = append(got, text(e, "operation"))
		if subject(e) != s.brands.ids[name] || text(e, "recordSequence") != strconv.Itoa(i+1) {
			return fmt.Errorf("event %d of the brand is %v", i+1, e)
		}
	}
	if strings.Join(got, ", ") != operations {
		return fmt.Errorf("the log shows %q", got)
	}
	return nil
}

func (s *eventSteps) wantActor(ctx context.Context, name string) error {
	events, err := s.eventsUntil(ctx, s.brands.ids[name])
	if err != nil {
		return err
	}
	for _, e := range events {
		if text(e, "actor", "kind") == "" || text(e, "actor", "name") == "" || text(e, "actor", "via") != "api" {
			return fmt.Errorf("the log shows %v", e)
		}
	}
	return nil
}

func (s *eventSteps) wantPreviousDoc(ctx context.Context, before, after string) error {
	events, err := s.eventsUntil(ctx, s.brands.ids[after])
	if err != nil {
		return err
	}
	if len(events) != 2 { //nolint:mnd // it was created and renamed
		return fmt.Errorf("the log shows %v", events)
	}
	e := events[1]
	data, _ := valueAt(e, "data").(object)
	if len(data) != 1 || text(data, "name") != after || text(e, "doc", "name") != after || text(e, "previousDoc", "name") != before {
		return fmt.Errorf("the log shows %v", e)
	}
	return nil
}

func (s *eventSteps) followBrands(context.Context) error { return s.follow("") } //nolint:contextcheck // see follow

// follow opens a stream after the event with the id last. It outlives its step.
func (s *eventSteps) follow(last string) error {
	ctx, stop := context.WithTimeout(context.Background(), eventualTimeout)
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, s.baseURL()+"/api/events/stream?collection=brands", nil)
	if err != nil {
		stop()
		return err
	}
	for name, value := range s.asServer() {
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
	s.follower = eventFollower{stop, bufio.NewScanner(res.Body), last}
	return nil
}

// waitFor reads the stream until it had the brands with these names, each once and in order.
func (s *eventSteps) waitFor(names string) error {
	wanted := strings.Split(names, ", ")
	var received []string
	for len(received) < len(wanted) && s.follower.lines.Scan() {
		line := s.follower.lines.Bytes()
		if id, ok := bytes.CutPrefix(line, []byte("id: ")); ok {
			s.follower.last = string(id)
		}
		data, ok := bytes.CutPrefix(line, []byte("data: "))
		if !ok {
			continue
		}
		var e object
		if err := json.Unmarshal(data, &e); err != nil {
			return err
		}
		received = append(received, text(e, "doc", "name"))
	}
	if !slices.Equal(received, wanted) {
		return errors.Join(fmt.Errorf("the program received %q", received), s.follower.lines.Err())
	}
	return nil
}

// disconnect ends the stream; the end of the scenario does so, too.
func (s *eventSteps) disconnect() {
	if s.follower.stop != nil {
		s.follower.stop()
	}
}

func (s *eventSteps) reconnect(names string) error {
	if err := s.follow(s.follower.last); err != nil {
		return err
	}
	defer s.follower.stop()
	return s.waitFor(names)
}
