package webhook_test

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/testservers/messageserver"
	"github.com/cartwright-dev/cartwright/adapters/webhook"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

var at = time.Date(2026, 11, 30, 9, 0, 0, 0, time.UTC)

func newMessenger(openFor time.Duration) *webhook.Messenger {
	return webhook.NewMessenger(webhook.MessengerOptions{
		Sender: webhook.NewSender(webhook.Options{AllowPrivate: true, Timeout: 300 * time.Millisecond}), Now: func() time.Time { return at }, OpenFor: openFor,
	})
}

func serviceAt(s *messageserver.Server) ports.MessageService {
	return ports.MessageService{ID: s.URL, URL: s.URL, Secret: messageserver.Secret, SenderKey: "shop-1"}
}

func TestMessenger(t *testing.T) {
	moods := map[portstest.MessageFailure]messageserver.Mood{
		portstest.MessageRefused: messageserver.Refuses, portstest.MessagePutOff: messageserver.PutsOff, portstest.MessageUnanswered: messageserver.Hangs,
		portstest.MessageGarbled: messageserver.Talks, portstest.MessageEndless: messageserver.Endless, "": messageserver.Accepts,
	}
	portstest.Messenger(t, func(t *testing.T) portstest.MessengerFixture {
		s := messageserver.Start(t)
		return portstest.MessengerFixture{
			Messenger: newMessenger(0), Service: serviceAt(s), Received: func(t *testing.T) []mail.PhoneMessage { return received(t, s) },
			Fail: func(_ *testing.T, how portstest.MessageFailure) {
				if how == portstest.MessageDown {
					s.Close()
					return
				}
				s.Be(moods[how])
			},
		}
	})
}

// received are the messages that a server took.
func received(t *testing.T, s *messageserver.Server) (all []mail.PhoneMessage) {
	t.Helper()
	for _, m := range s.Taken() {
		if m.SenderKey != "shop-1" {
			t.Errorf("the sender is %q", m.SenderKey)
		}
		out := mail.PhoneMessage{
			ID: m.ID, Kind: mail.Kind(m.Kind), To: m.To, Locale: m.Locale, TemplateCode: m.TemplateCode, Text: m.Text, FallbackText: m.FallbackText,
		}
		for name, value := range m.Variables {
			out.Variables = append(out.Variables, mail.MessageValue{Name: name, Value: value})
		}
		for _, b := range m.Buttons {
			out.Buttons = append(out.Buttons, mail.MessageButton(b))
		}
		all = append(all, out)
	}
	return all
}

// A service that hangs is not asked for a while, and no other one is kept waiting for it.
func TestAHungMessageServiceIsLeftAlone(t *testing.T) {
	m := newMessenger(time.Hour)
	hung, fine := messageserver.Start(t), messageserver.Start(t)
	hung.Be(messageserver.Hangs)
	for i := range 3 {
		if err := m.Send(t.Context(), serviceAt(hung), mail.PhoneMessage{ID: string(rune('a' + i)), To: "+821012345678"}); err == nil {
			t.Fatal("it answered")
		}
	}
	err := m.Send(t.Context(), serviceAt(hung), mail.PhoneMessage{ID: "d", To: "+821012345678"})
	if !errors.Is(err, ports.ErrMessageServiceDown) || len(hung.Tries()) != 3 {
		t.Errorf("%v after %v", err, hung.Tries())
	}
	want := []ports.Circuit{{Name: "messages", Connection: serviceAt(hung).ID, State: ports.CircuitOpen}}
	if got := m.Circuits(); !slices.Equal(got, want) {
		t.Errorf("circuits %v, want %v", got, want)
	}
	if err := m.Send(t.Context(), serviceAt(fine), mail.PhoneMessage{ID: "e", To: "+821012345678"}); err != nil {
		t.Errorf("the other one: %v", err)
	}
}

// What a service refuses says that it is there: the next message is handed over.
func TestRefusalsOpenNoCircuit(t *testing.T) {
	m, s := newMessenger(time.Hour), messageserver.Start(t)
	s.Be(messageserver.Refuses)
	for i := range 5 {
		if err := m.Send(t.Context(), serviceAt(s), mail.PhoneMessage{ID: string(rune('a' + i))}); !errors.Is(err, ports.ErrMessageRefused) {
			t.Fatal(err)
		}
	}
	if len(s.Tries()) != 5 {
		t.Error(s.Tries())
	}
}

// Addresses within our own network are not asked, as those of webhooks are not.
func TestMessagesStayOnThePublicInternet(t *testing.T) {
	s := messageserver.Start(t)
	m := webhook.NewMessenger(webhook.MessengerOptions{Sender: webhook.NewSender(webhook.Options{}), Now: func() time.Time { return at }})
	if err := m.Send(t.Context(), serviceAt(s), mail.PhoneMessage{ID: "a"}); !errors.Is(err, ports.ErrMessageServiceDown) || len(s.Tries()) > 0 {
		t.Errorf("%v, %v", err, s.Tries())
	}
}
