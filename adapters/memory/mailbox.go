package memory

import (
	"context"
	"fmt"
	netmail "net/mail"
	"slices"
	"strings"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/ports"
)

// KeptMail is a mail of a Mailbox.
type KeptMail struct {
	mail.Message

	At time.Time // when it was sent
}

// Mailbox is a ports.Mailer whose mails leave the process for nobody: a page of a development server shows the newest ones. It has
// at most so many. Its methods are safe for concurrent use.
type Mailbox struct {
	most int
	now  func() time.Time

	mu   sync.Mutex
	kept []KeptMail
}

var _ ports.Mailer = (*Mailbox)(nil)

// NewMailbox makes an empty mailbox that keeps most mails.
func NewMailbox(most int, now func() time.Time) *Mailbox { return &Mailbox{most: most, now: now} }

// Send implements ports.Mailer. A mail that was sent before is replaced.
func (b *Mailbox) Send(_ context.Context, m mail.Message) error {
	for _, text := range []string{m.ID, m.FromName, m.To, m.ReplyTo, m.Locale, m.Subject} {
		if strings.ContainsAny(text, "\r\n\x00") {
			return fmt.Errorf("%w: a header has a line break", ports.ErrMailRefused)
		}
	}
	for _, address := range []string{m.To, m.ReplyTo} {
		if at, err := netmail.ParseAddress(address); (err != nil || at.Address != address) && (address != "" || m.To == "") {
			return fmt.Errorf("%w: this is no email address", ports.ErrMailRefused)
		}
	}
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kept = slices.DeleteFunc(b.kept, func(k KeptMail) bool { return k.ID == m.ID })
	if len(b.kept) == b.most {
		b.kept = slices.Delete(b.kept, 0, 1)
	}
	b.kept = append(b.kept, KeptMail{m, b.now()})
	return nil
}

// NewestFirst are the mails that are kept.
func (b *Mailbox) NewestFirst() []KeptMail {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := slices.Clone(b.kept)
	slices.Reverse(all)
	return all
}
