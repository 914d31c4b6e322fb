package ports

import (
	"context"
	"errors"
	"time"

	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Why a mail was not sent. Other errors of Mailer.Send say that it may have been sent, or may be tried again.
var (
	// ErrMailRefused: the mail server takes the message neither now nor later.
	ErrMailRefused = errors.New("the mail server refused the message")
	// ErrMailServerDown: no mail server could be asked, so that it was no attempt.
	ErrMailServerDown = errors.New("the mail server cannot be reached")
)

// Mailer hands mails over. Suite: portstest.Mailer.
type Mailer interface {
	// Send hands a message to a mail server, which takes it on with all consequences when Send returns nil. A message that is sent
	// again under the same id is the same message to who gets it. The errors have the words of the mail server. Errors:
	// ErrMailRefused, ErrMailServerDown, and others for an attempt that failed.
	Send(ctx context.Context, m mail.Message) error
}

// MailQueue finds what of the collection mail-deliveries is due. Suite: portstest.MailQueue.
type MailQueue interface {
	// DueShops lists at most limit shops, by id, after one, with deliveries of a channel that are due at now, in whichever environment.
	DueShops(ctx context.Context, channel mail.Channel, after tenant.ID, now time.Time, limit int) ([]tenant.ID, error)
}
