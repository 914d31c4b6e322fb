package steps

import (
	"bytes"
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/base64"
	"errors"
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
)

// webhookMessageSteps judges the messages that the receiver last started has received.
type webhookMessageSteps struct {
	*client

	brands     *brandSteps
	endpoints  *webhookEndpointSteps
	deliveries *webhookDeliverySteps
}

func newWebhookMessageSteps(
	c *client, brands *brandSteps, endpoints *webhookEndpointSteps, deliveries *webhookDeliverySteps,
) *webhookMessageSteps {
	return &webhookMessageSteps{client: c, brands: brands, endpoints: endpoints, deliveries: deliveries}
}

func (s *webhookMessageSteps) definitions() []stepDefinition {
	return []stepDefinition{
		{`^the endpoint receives about the brand "([^"]*)": "([^"]*)"$`, s.wantOperations},
		{`^the endpoint has received (\d+) messages? in total$`, s.wantCount},
		{`^the endpoint receives the test cart only$`, s.wantTestCartOnly},
		{`^the messages have the specified members and no others$`, s.wantMembers},
		{`^the messages carry the sequence numbers of their record$`, s.wantSequence},
		{`^the endpoint receives that the name "([^"]*)" became "([^"]*)"$`, s.wantPreviousDoc},
		{`^the messages are signed with the endpoint's secret$`, func() error { return s.wantSigned(s.endpoints.secret) }},
		{`^the messages are signed with the new secret and the old one$`, func() error {
			return s.wantSigned(s.endpoints.newSecret, s.endpoints.secret)
		}},
		{`^the messages are signed with the new secret only$`, func() error { return s.wantSigned(s.endpoints.newSecret) }},
		{`^a redelivered message has the id and the body of the first$`, s.wantRedeliveredUnchanged},
		{`^the endpoint receives one test message$`, s.wantTestMessage},
	}
}

// wantOperations waits until the operations about a brand were received, in this order.
func (s *webhookMessageSteps) wantOperations(ctx context.Context, name, operations string) error {
	return eventually(ctx, func(context.Context) error {
		var received []string
		for _, m := range s.deliveries.lastReceiver().messagesAbout(s.brands.ids[name]) {
			received = append(received, text(m.body, "operation"))
		}
		if got := strings.Join(received, ", "); got != operations {
			return fmt.Errorf("it received %q", got)
		}
		return nil
	})
}

// wantMembers compares the members of the messages with Rule webhooks-1.
func (s *webhookMessageSteps) wantMembers() error {
	members := map[string][]string{
		"create": {"collection", "data", "doc", "operation"},
		"update": {"collection", "data", "doc", "operation", "previousDoc"},
		"delete": {"collection", "data", "operation"},
	}
	for _, m := range s.deliveries.lastReceiver().messages() {
		if got := slices.Sorted(maps.Keys(m.body)); !slices.Equal(got, members[text(m.body, "operation")]) ||
			text(m.body, "collection") != "brands" {
			return fmt.Errorf("a message holds %q: %s", got, m.raw)
		}
	}
	return nil
}

func (s *webhookMessageSteps) wantSequence() error {
	for i, m := range s.deliveries.lastReceiver().messages() {
		if got := m.header.Get("Webhook-Sequence"); got != strconv.Itoa(i+1) {
			return fmt.Errorf("message %d has the sequence number %q", i+1, got)
		}
	}
	return nil
}

func (s *webhookMessageSteps) wantPreviousDoc(ctx context.Context, before, after string) error {
	return eventually(ctx, func(context.Context) error {
		for _, m := range s.deliveries.lastReceiver().messages() {
			data, _ := valueAt(m.body, "data").(object)
			if len(data) == 1 && text(data, "name") == after && text(m.body, "doc", "name") == after &&
				text(m.body, "previousDoc", "name") == before {
				return nil
			}
		}
		return errors.New("no message shows it")
	})
}

// wantSigned checks the signatures of Standard Webhooks, one per secret in this order.
func (s *webhookMessageSteps) wantSigned(secrets ...string) error {
	received := s.deliveries.lastReceiver().messages()
	for _, m := range received {
		var want []string
		for _, secret := range secrets {
			key, err := base64.StdEncoding.DecodeString(strings.TrimPrefix(secret, "whsec_"))
			if err != nil {
				return err
			}
			mac := hmac.New(sha256.New, key)
			// a hash returns no error
			_, _ = fmt.Fprintf(mac, "%s.%s.%s", m.header.Get("Webhook-Id"), m.header.Get("Webhook-Timestamp"), m.raw)
			want = append(want, "v1,"+base64.StdEncoding.EncodeToString(mac.Sum(nil)))
		}
		if got := m.header.Get("Webhook-Signature"); got != strings.Join(want, " ") {
			return fmt.Errorf("a message is signed %q, want %q", got, want)
		}
	}
	if len(received) == 0 {
		return errors.New("it received nothing")
	}
	return nil
}

// wantRedeliveredUnchanged: receivers recognize a redelivered message by its id, so its body must not differ.
func (s *webhookMessageSteps) wantRedeliveredUnchanged() error {
	first := map[string]message{} // by record and operation
	redelivered := 0
	for _, m := range s.deliveries.lastReceiver().messages() {
		of := m.record() + text(m.body, "operation")
		before, known := first[of]
		if !known {
			first[of] = m
			continue
		}
		redelivered++
		if before.header.Get("Webhook-Id") != m.header.Get("Webhook-Id") || !bytes.Equal(before.raw, m.raw) {
			return fmt.Errorf("%s %s differs from %s %s", m.header.Get("Webhook-Id"), m.raw, before.header.Get("Webhook-Id"), before.raw)
		}
	}
	if redelivered == 0 {
		return errors.New("no message was redelivered")
	}
	return nil
}

func (s *webhookMessageSteps) wantTestMessage(ctx context.Context) error {
	return eventually(ctx, func(context.Context) error {
		received := s.deliveries.lastReceiver().messages()
		if len(received) != 1 {
			return fmt.Errorf("it received %d messages", len(received))
		}
		m := received[0]
		of := text(m.body, "operation") + " " + text(m.body, "collection")
		if m.header.Get("Webhook-Test") != "true" || of != "update webhook-endpoints" || m.record() != s.endpoints.id {
			return fmt.Errorf("it received %v %s", m.header, m.raw)
		}
		return nil
	})
}
