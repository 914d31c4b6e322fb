package portstest

import (
	"errors"
	"reflect"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/ports"
)

// MessageFailure is how the service behind a ports.Messenger fails.
type MessageFailure string

// The failures.
const (
	MessageRefused    MessageFailure = "it refuses the message for good"
	MessagePutOff     MessageFailure = "it says later"
	MessageUnanswered MessageFailure = "it takes the message and does not answer"
	MessageGarbled    MessageFailure = "it answers what nobody understands"
	MessageEndless    MessageFailure = "it answers more than anybody reads"
	MessageDown       MessageFailure = "it cannot be reached"
)

// MessengerFixture is a ports.Messenger with a service that takes its messages.
type MessengerFixture struct {
	Messenger ports.Messenger
	Service   ports.MessageService
	// Received are the messages that the service took, each id once, oldest first, without what it need not know.
	Received func(t *testing.T) []mail.PhoneMessage
	// Fail has the service fail so from now on, and "" not; nil: it cannot fail.
	Fail func(t *testing.T, how MessageFailure)
}

// Messenger checks ports.Messenger.
func Messenger(t *testing.T, open func(*testing.T) MessengerFixture) {
	whole := mail.PhoneMessage{
		ID: "0190-1", Kind: mail.OrderPlaced, To: "+821012345678", Locale: "ko", TemplateCode: "ORDER_1",
		Text: "김하늘님, 주문 1이 접수되었습니다.\n\"감사합니다\"", FallbackText: "주문 1 접수",
		Variables: []mail.MessageValue{{Name: "이름", Value: "김하늘"}},
		Buttons:   []mail.MessageButton{{Name: "주문 보기", URL: "https://shop.example/#/orders/1?a=1&b=2"}},
	}
	t.Run("a message arrives as it is", func(t *testing.T) {
		f := open(t)
		plain := mail.PhoneMessage{ID: "0190-2", Kind: mail.OrderShipped, To: "+819012345678", Locale: "ja", TemplateCode: "S", Text: "発送しました"}
		all := []mail.PhoneMessage{whole, plain}
		for _, m := range all {
			if err := f.Messenger.Send(t.Context(), f.Service, m); err != nil {
				t.Fatal(err)
			}
		}
		if got := f.Received(t); !reflect.DeepEqual(got, all) {
			t.Errorf("%+v", got)
		}
	})
	t.Run("a message that is sent again is the same one", func(t *testing.T) {
		f := open(t)
		for range 2 {
			if err := f.Messenger.Send(t.Context(), f.Service, whole); err != nil {
				t.Fatal(err)
			}
		}
		if got := f.Received(t); len(got) != 1 {
			t.Errorf("%+v", got)
		}
	})
	t.Run("a check is no message", func(t *testing.T) {
		f := open(t)
		if err := f.Messenger.Check(t.Context(), f.Service, "0190-3"); err != nil || len(f.Received(t)) > 0 {
			t.Error(err, f.Received(t))
		}
	})
	if open(t).Fail != nil {
		t.Run("failures are told apart", func(t *testing.T) { tellsMessageFailures(t, open, whole) })
	}
}

func tellsMessageFailures(t *testing.T, open func(*testing.T) MessengerFixture, whole mail.PhoneMessage) {
	t.Helper()
	for how, want := range map[MessageFailure]error{
		MessageRefused: ports.ErrMessageRefused, MessageDown: ports.ErrMessageServiceDown, MessagePutOff: nil, MessageUnanswered: nil,
		MessageGarbled: nil, MessageEndless: nil,
	} {
		f := open(t)
		f.Fail(t, how)
		err := f.Messenger.Send(t.Context(), f.Service, whole)
		final := errors.Is(err, ports.ErrMessageRefused) || errors.Is(err, ports.ErrMessageServiceDown)
		if err == nil || want != nil && !errors.Is(err, want) || want == nil && final {
			t.Errorf("%s: %v", how, err)
		}
		if how == MessageDown {
			continue
		}
		f.Fail(t, "")
		if err := f.Messenger.Send(t.Context(), f.Service, whole); err != nil {
			t.Errorf("after that %s: %v", how, err)
		}
		if got := f.Received(t); len(got) != 1 {
			t.Errorf("after that %s: %+v", how, got)
		}
	}
}
