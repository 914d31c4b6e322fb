package webhook

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"net/http"
	"sync"
	"sync/atomic"
	"time"

	lru "github.com/hashicorp/golang-lru/v2"
	"github.com/sony/gobreaker/v2"

	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/webhook"
	"github.com/cartwright-dev/cartwright/ports"
)

// MessengerOptions are how messages are handed over.
type MessengerOptions struct {
	Sender ports.WebhookSender // sends requests, with its own deadline
	Now    func() time.Time
	// OpenFor is how long a service is not asked after it failed several times in a row; 0: 30 s.
	OpenFor time.Duration
}

// Messenger is a ports.Messenger. It posts each message as JSON, signed as webhooks are, to the shop's message service, by the sender of
// webhooks and so under its rules for addresses. The service answers with JSON:
//
//	{"status": "accepted"}                      it takes the message on; the status code is 2xx
//	{"status": "refused", "reason": "…"}        it will never take it
//	{"status": "later", "reason": "…"}          it may take it later, as after any other answer
//
// Its methods are safe for concurrent use.
type Messenger struct {
	sender   ports.WebhookSender
	now      func() time.Time
	openFor  time.Duration
	services *lru.Cache[string, *messageService] // by id, those that were asked last
	adding   sync.Mutex                          // of a service
}

// messageService is what is known of a service at its address. Another address is another service.
type messageService struct {
	url     string
	breaker *gobreaker.CircuitBreaker[struct{}]
	calls   atomic.Int64 // under way
}

var _ ports.Messenger = (*Messenger)(nil)

// What a breaker does: it opens after so many failures in a row. While it is open the messages of its service wait, and nobody waits for
// the service.
const (
	maxServices        = 4096
	messengerTripAfter = 3
	messengerOpenFor   = 30 * time.Second
)

// NewMessenger makes a messenger. One is enough for all services.
func NewMessenger(o MessengerOptions) *Messenger {
	services, _ := lru.New[string, *messageService](maxServices) // fails for sizes below 1 alone
	return &Messenger{sender: o.Sender, now: o.Now, openFor: cmp.Or(o.OpenFor, messengerOpenFor), services: services}
}

// messageBody is what a service gets.
type messageBody struct {
	ID           string            `json:"id"`
	Kind         string            `json:"kind"`
	To           string            `json:"to,omitempty"`
	Locale       string            `json:"locale,omitempty"`
	TemplateCode string            `json:"templateCode,omitempty"`
	SenderKey    string            `json:"senderKey,omitempty"`
	Text         string            `json:"text,omitempty"`
	FallbackText string            `json:"fallbackText,omitempty"`
	Variables    map[string]string `json:"variables,omitempty"`
	Buttons      []messageButton   `json:"buttons,omitempty"`
}

type messageButton struct {
	Name string `json:"name"`
	URL  string `json:"url"`
}

// checkKind is the kind of a request without a message.
const checkKind = "connection_test"

// Send implements ports.Messenger.
func (m *Messenger) Send(ctx context.Context, to ports.MessageService, message mail.PhoneMessage) error {
	body := messageBody{
		ID: message.ID, Kind: string(message.Kind), To: message.To, Locale: message.Locale, TemplateCode: message.TemplateCode,
		SenderKey: to.SenderKey, Text: message.Text, FallbackText: message.FallbackText, Variables: map[string]string{},
	}
	for _, v := range message.Variables {
		body.Variables[v.Name] = v.Value
	}
	for _, b := range message.Buttons {
		body.Buttons = append(body.Buttons, messageButton(b))
	}
	return m.post(ctx, to, body)
}

// Check implements ports.Messenger.
func (m *Messenger) Check(ctx context.Context, to ports.MessageService, id string) error {
	return m.post(ctx, to, messageBody{ID: id, Kind: checkKind, SenderKey: to.SenderKey})
}

// post makes one request, unless the service failed lately.
func (m *Messenger) post(ctx context.Context, to ports.MessageService, body messageBody) error {
	text, err := json.Marshal(body)
	if err != nil {
		return err
	}
	headers, err := Signer{}.Sign(body.ID, m.now(), text, to.Secret)
	if err != nil {
		return fmt.Errorf("%w: %w", ports.ErrMessageServiceDown, err)
	}
	service := m.service(to)
	_, err = service.breaker.Execute(func() (struct{}, error) {
		service.calls.Add(1)
		defer service.calls.Add(-1)
		got := m.sender.Send(ctx, ports.WebhookRequest{URL: to.URL, Headers: headers, Body: text})
		return struct{}{}, outcome(got)
	})
	if errors.Is(err, gobreaker.ErrOpenState) || errors.Is(err, gobreaker.ErrTooManyRequests) {
		return fmt.Errorf("%w: it failed several times in a row", ports.ErrMessageServiceDown)
	}
	return err
}

func (m *Messenger) service(to ports.MessageService) *messageService {
	m.adding.Lock()
	defer m.adding.Unlock()
	if known, there := m.services.Get(to.ID); there && known.url == to.URL {
		return known
	}
	fresh := &messageService{url: to.URL, breaker: gobreaker.NewCircuitBreaker[struct{}](gobreaker.Settings{
		Name: to.ID, Timeout: m.openFor, ReadyToTrip: func(c gobreaker.Counts) bool { return c.ConsecutiveFailures >= messengerTripAfter },
		IsSuccessful: func(err error) bool { // an answer that is understood says that the service is there
			_, later := errors.AsType[*laterError](err)
			return err == nil || later || errors.Is(err, ports.ErrMessageRefused)
		},
	})}
	m.services.Add(to.ID, fresh)
	return fresh
}

// Circuits is the state of the circuit of each service that was asked lately, in no order.
func (m *Messenger) Circuits() (all []ports.Circuit) {
	for _, id := range m.services.Keys() {
		if s, known := m.services.Peek(id); known {
			all = append(all, ports.Circuit{
				Name: "messages", Connection: id, State: ports.CircuitState(s.breaker.State().String()), InFlight: int(s.calls.Load()),
			})
		}
	}
	return all
}

// laterError is an answer that says to try again.
type laterError struct{ reason string }

func (e *laterError) Error() string { return "the message service says later: " + e.reason }

// outcome is what a response says of a message. Where no connection was made it cannot have been taken.
func outcome(got ports.WebhookResponse) error {
	switch {
	case got.NotSent, got.Undialed, got.Failure == webhook.TLSFailure:
		return fmt.Errorf("%w: %s", ports.ErrMessageServiceDown, got.Excerpt)
	case got.Failure != "":
		return fmt.Errorf("the message service did not answer: %s", got.Excerpt)
	}
	var said struct {
		Status string `json:"status"`
		Reason string `json:"reason"`
	}
	err := json.Unmarshal([]byte(got.Excerpt), &said)
	ok := got.Status >= http.StatusOK && got.Status < http.StatusMultipleChoices
	switch {
	case err == nil && said.Status == "accepted" && ok:
		return nil
	case err == nil && said.Status == "refused":
		return fmt.Errorf("%w: %s", ports.ErrMessageRefused, said.Reason)
	case err == nil && said.Status == "later":
		return &laterError{said.Reason}
	}
	return fmt.Errorf("the message service answered %d and nothing that says whether it takes the message: %s", got.Status, got.Excerpt)
}
