package access

import (
	"context"
	"time"

	"github.com/cartwright-dev/cartwright/ports"
)

// mailed is the id under which the copy of a sealed token is stored that the server's own mail about an event takes. It is a copy,
// so that mail and webhooks do not wait for each other: each deletes its own.
func mailed(event string) string { return "mail/" + event }

// MailedToken is a token that the server mails by itself.
type MailedToken struct {
	Purpose    Purpose
	Collection string // of who gets it
	Token      string
	Expires    time.Time
}

// sealForMail stores a token for the server's own mail about an event, where the server sends mails.
func (l EmailTokens) sealForMail(ctx context.Context, tx ports.Tx, event string, to recipient, issued EmailToken) error {
	if !l.Mailed || to.tenant == "" {
		return nil
	}
	return l.seal(ctx, tx, mailed(event), to, issued)
}

// FindMailedToken opens the token that the mail about an event takes along. Errors: ports.ErrNotFound for none.
func FindMailedToken(ctx context.Context, tx ports.Tx, v ports.Vault, event string) (MailedToken, error) {
	found, err := tx.SealedTokens.ForEvent(ctx, mailed(event))
	if err != nil {
		return MailedToken{}, err
	}
	members, err := OpenSealedToken(v, found)
	if err != nil {
		return MailedToken{}, err
	}
	for _, purpose := range []Purpose{PurposeReset, PurposeVerify, PurposeInvite} {
		if token := members[purpose.fieldName()]; token != "" {
			return MailedToken{purpose, found.Collection, token, found.Expires}, nil
		}
	}
	return MailedToken{}, ports.ErrNotFound
}

// DiscardMailedToken deletes the token that the mail about an event took along.
func DiscardMailedToken(ctx context.Context, tx ports.Tx, event string) error {
	return tx.SealedTokens.Delete(ctx, mailed(event))
}
