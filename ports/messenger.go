package ports

import (
	"context"
	"errors"

	"github.com/cartwright-dev/cartwright/domain/mail"
)

// Why a message was not sent. Other errors of Messenger say that it may have been sent, or may be tried again.
var (
	// ErrMessageRefused: the message service takes the message neither now nor later.
	ErrMessageRefused = errors.New("the message service refused the message")
	// ErrMessageServiceDown: the message service could not be asked, so that it was no attempt.
	ErrMessageServiceDown = errors.New("the message service cannot be reached")
)

// MessageService is where a shop's messages are handed over.
type MessageService struct {
	ID, URL   string
	Secret    string // requests are signed with it: whsec_…
	SenderKey string // by which a provider knows the shop; "" for none
}

// Messenger hands messages to telephones over to message services. Suite: portstest.Messenger.
type Messenger interface {
	// Send hands m over, which the service takes on with all consequences when Send returns nil. A message that is sent again under the
	// same id is the same message to the service. One service that does not answer keeps no other one from being asked. The errors have
	// the words of the service. Errors: ErrMessageRefused, ErrMessageServiceDown, and others for an attempt that failed.
	Send(ctx context.Context, to MessageService, m mail.PhoneMessage) error
	// Check asks a service whether it takes what this secret signs, without a message. Errors: those of Send.
	Check(ctx context.Context, to MessageService, id string) error
}
