package steps

import (
	"context"
	"fmt"
	"time"
)

// webhookDeliverySteps runs receivers behind webhook endpoints and reads the delivery log.
type webhookDeliverySteps struct {
	*client

	brands    *brandSteps
	events    *eventSteps
	endpoints *webhookEndpointSteps

	receivers []*webhookReceiver
	about     string // the collection that the endpoint last created is for
}

func newWebhookDeliverySteps(c *client, brands *brandSteps, events *eventSteps, endpoints *webhookEndpointSteps) *webhookDeliverySteps {
	return &webhookDeliverySteps{client: c, brands: brands, events: events, endpoints: endpoints}
}

func (s *webhookDeliverySteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^a webhook endpoint for (brands|carts)(?: that (.+))?$`, func(ctx context.Context, of, how string) error {
			s.about = of
			return s.openReceiver(ctx, how, object{"collections": []any{of}})
		}},
		{`^a webhook endpoint for deleted brands$`, func(ctx context.Context) error {
			return s.openReceiver(ctx, "", object{"collections": []any{"brands"}, "operations": []any{"delete"}})
		}},
		{`^the endpoint works again$`, func() { s.lastReceiver().repair() }},
		{`^the brand "([^"]*)" is added while the endpoint is disabled$`, s.addBrandWhileDisabled},
		{`^the tag "([^"]*)" is added$`, s.addTag},
		{`^a live cart and a test cart are created$`, s.createCartsInBothEnvironments},
		{`^the shop redelivers the message about "([^"]*)"$`, s.redeliver},
		{`^the shop replays the event about "([^"]*)"$`, s.replayOne},
		{`^a delivery has failed$`, s.wantFailed},
		{`^every retry of the published schedule has failed$`, s.failAllAttempts},
		{`^the delivery log shows the message about "([^"]*)" as "([^"]*)" after (\d+) attempts?$`, s.wantDelivery},
	}
}

func (s *webhookDeliverySteps) wantDelivery(ctx context.Context, name, status string, attempts int) error {
	return eventually(ctx, func(ctx context.Context) error {
		entry, err := s.delivery(ctx, name)
		if err != nil {
			return err
		}
		if tried := len(list(entry, "attempts")); text(entry, "status") != status || tried != attempts {
			return fmt.Errorf("the log shows %v", entry)
		}
		return nil
	})
}

// openReceiver starts a receiver and creates a webhook endpoint for it.
func (s *webhookDeliverySteps) openReceiver(ctx context.Context, behavior string, endpoint object) error {
	l, err := startReceiver(behavior)
	if err != nil {
		return err
	}
	s.receivers = append(s.receivers, l)
	endpoint["url"] = l.server.URL + "/hook"
	if err := s.endpoints.create(ctx, endpoint); err != nil {
		return err
	}
	return s.wantSuccess()
}

// closeReceivers runs at the end of the scenario.
func (s *webhookDeliverySteps) closeReceivers() {
	for _, l := range s.receivers {
		l.close()
	}
}

// lastReceiver is the receiver last started.
func (s *webhookDeliverySteps) lastReceiver() *webhookReceiver {
	return s.receivers[len(s.receivers)-1]
}

func (s *webhookDeliverySteps) addTag(ctx context.Context, name string) error {
	_, err := s.must(ctx, request{"POST", "/api/tags", object{"name": name}, s.asServer()})
	return err
}

func (s *webhookDeliverySteps) addBrandWhileDisabled(ctx context.Context, name string) error {
	if err := s.endpoints.call(ctx, "PATCH", "", object{"enabled": false}); err != nil {
		return err
	}
	if err := s.brands.createAll(ctx, name); err != nil {
		return err
	}
	if err := s.events.wantOperations(ctx, name, "create"); err != nil {
		return err
	}
	return s.endpoints.call(ctx, "PATCH", "", object{"enabled": true})
}

func (s *webhookDeliverySteps) createCartsInBothEnvironments(ctx context.Context) error {
	for _, key := range []string{s.shop.ClientKey, s.shop.TestClientKey} {
		if _, err := s.must(ctx, request{"POST", publicAPI + "/carts", object{}, map[string]string{"X-Client-Key": key}}); err != nil {
			return err
		}
	}
	return nil
}

// delivery is the log's entry about the first event of a brand.
func (s *webhookDeliverySteps) delivery(ctx context.Context, name string) (object, error) {
	all, err := s.log(ctx)
	for _, entry := range all {
		if text(entry, "record") == s.brands.ids[name] && text(entry, "recordSequence") == "1" {
			found, _ := entry.(object)
			return found, nil
		}
	}
	if err == nil {
		err = fmt.Errorf("the log does not show %q: %v", name, all)
	}
	return nil, err
}

// log are the entries of the delivery log about the endpoint last created, in the order of events.
func (s *webhookDeliverySteps) log(ctx context.Context) ([]any, error) {
	got, err := s.must(ctx, request{
		"GET", "/api/webhook-deliveries?sort=sequence&where[endpoint][equals]=" + s.endpoints.id, nil, s.asServer(),
	})
	return list(got.body, "docs"), err
}

func (s *webhookDeliverySteps) redeliver(ctx context.Context, name string) error {
	entry, err := s.delivery(ctx, name)
	if err != nil {
		return err
	}
	return s.try(ctx, request{"POST", "/api/webhook-deliveries/" + text(entry, "id") + "/redeliver", nil, keyed(s.asServer())})
}

func (s *webhookDeliverySteps) replayOne(ctx context.Context, name string) error {
	entry, err := s.delivery(ctx, name)
	if err != nil {
		return err
	}
	return s.endpoints.call(ctx, "POST", "/replay", object{"from": text(entry, "sequence"), "to": text(entry, "sequence")})
}

// retrySchedule is the published time between attempts; a retry may come up to a fifth later.
var retrySchedule = []time.Duration{
	5 * time.Second, 30 * time.Second, 2 * time.Minute, 10 * time.Minute, time.Hour, 3 * time.Hour, 8 * time.Hour, 16 * time.Hour,
	24 * time.Hour,
}

func (s *webhookDeliverySteps) failAllAttempts(ctx context.Context) error {
	for n, pause := range append(retrySchedule, 0) {
		if err := s.wantAttempts(ctx, n+1); err != nil {
			return err
		}
		s.target.Advance(pause + pause/5 + time.Second)
	}
	return nil
}

func (s *webhookDeliverySteps) wantFailed(ctx context.Context) error { return s.wantAttempts(ctx, 1) }

// wantAttempts waits until the first entry of the log has so many attempts.
func (s *webhookDeliverySteps) wantAttempts(ctx context.Context, want int) error {
	return eventually(ctx, func(ctx context.Context) error {
		all, err := s.log(ctx)
		if tried := len(list(any(all), 0, "attempts")); err == nil && tried != want {
			err = fmt.Errorf("it has %d attempts, want %d: %v", tried, want, all)
		}
		return err
	})
}
