package memory_test

import (
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/ports"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestMessageBoxIsAMessenger(t *testing.T) {
	portstest.Messenger(t, func(*testing.T) portstest.MessengerFixture {
		b := memory.NewMessageBox(10, time.Now)
		return portstest.MessengerFixture{Messenger: b, Received: func(*testing.T) (all []mail.PhoneMessage) {
			for _, k := range slices.Backward(b.NewestFirst()) {
				all = append(all, k.PhoneMessage)
			}
			return all
		}}
	})
}

func TestMessageBoxKeepsTheNewest(t *testing.T) {
	b := memory.NewMessageBox(2, time.Now)
	for _, id := range []string{"1", "2", "1", "3"} {
		if err := b.Send(t.Context(), ports.MessageService{}, mail.PhoneMessage{ID: id}); err != nil {
			t.Fatal(err)
		}
	}
	var ids []string
	for _, k := range b.NewestFirst() {
		ids = append(ids, k.ID)
	}
	if !slices.Equal(ids, []string{"3", "1"}) {
		t.Error(ids)
	}
}
