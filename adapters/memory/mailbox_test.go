package memory_test

import (
	"slices"
	"strconv"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/memory"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/ports/portstest"
)

func TestMailboxIsAMailer(t *testing.T) {
	portstest.Mailer(t, func(*testing.T) portstest.MailerFixture {
		b := memory.NewMailbox(10, time.Now)
		return portstest.MailerFixture{Mailer: b, Received: func(*testing.T) (all []mail.Message) {
			for _, m := range slices.Backward(b.NewestFirst()) {
				all = append(all, m.Message)
			}
			return all
		}}
	})
}

func TestMailboxKeepsTheNewest(t *testing.T) {
	t.Parallel()
	b := memory.NewMailbox(3, time.Now)
	for _, id := range []int{1, 2, 3, 4, 3} {
		if err := b.Send(t.Context(), mail.Message{ID: strconv.Itoa(id), To: "ada@example.com"}); err != nil {
			t.Fatal(err)
		}
	}
	var ids []string
	for _, m := range b.NewestFirst() {
		ids = append(ids, m.ID)
	}
	if want := []string{"3", "4", "2"}; !slices.Equal(ids, want) {
		t.Errorf("%v, want %v", ids, want)
	}
}
