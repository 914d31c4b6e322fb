package memory

import (
	"context"
	"slices"
	"sync"
	"time"

	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/ports"
)

// KeptMessage is a message of a MessageBox.
type KeptMessage struct {
	mail.PhoneMessage

	At time.Time // when it was sent
}

// MessageBox is a ports.Messenger whose messages leave the process for nobody: a page of a development server shows the newest ones. Its
// methods are safe for concurrent use.
type MessageBox struct {
	most int
	now  func() time.Time

	mu   sync.Mutex
	kept []KeptMessage
}

var _ ports.Messenger = (*MessageBox)(nil)

// NewMessageBox makes an empty box that keeps most messages.
func NewMessageBox(most int, now func() time.Time) *MessageBox {
	return &MessageBox{most: most, now: now}
}

// Send implements ports.Messenger. A message that was sent before is replaced.
func (b *MessageBox) Send(_ context.Context, _ ports.MessageService, m mail.PhoneMessage) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	b.kept = slices.DeleteFunc(b.kept, func(k KeptMessage) bool { return k.ID == m.ID })
	if len(b.kept) == b.most {
		b.kept = slices.Delete(b.kept, 0, 1)
	}
	b.kept = append(b.kept, KeptMessage{m, b.now()})
	return nil
}

// Check implements ports.Messenger.
func (b *MessageBox) Check(context.Context, ports.MessageService, string) error { return nil }

// NewestFirst are the messages that are kept.
func (b *MessageBox) NewestFirst() []KeptMessage {
	b.mu.Lock()
	defer b.mu.Unlock()
	all := slices.Clone(b.kept)
	slices.Reverse(all)
	return all
}
