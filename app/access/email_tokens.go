package access

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ErrEmailToken refuses an emailed token that is forged, used, expired, or invalidated by a later change of
// the account. The error does not say which.
var ErrEmailToken = fault.NewInvalid("token", "token_invalid", "This token is invalid, already used, or expired. Request a new one.").
	WithFields(fault.Field{Field: "token", Message: "This token is no longer valid."})

// Lifetimes of emailed tokens, from the request on.
const (
	resetLifetime  = time.Hour
	verifyLifetime = 72 * time.Hour
	maxEmailToken  = 256 // bytes
)

// Purpose is what an emailed token is for; it is also the token's prefix.
type Purpose string

// The purposes.
const (
	PurposeReset  Purpose = "rst"
	PurposeVerify Purpose = "vfy"
	PurposeInvite Purpose = "inv"
)

// fieldName is the name of the token in the data of its webhook delivery. Rule access-9.
func (p Purpose) fieldName() string {
	switch p {
	case PurposeVerify:
		return "verificationToken"
	case PurposeInvite:
		return "invitationToken"
	case PurposeReset:
	}
	return "resetToken"
}

func (p Purpose) lifetime() time.Duration {
	switch p {
	case PurposeVerify:
		return verifyLifetime
	case PurposeInvite:
		return identity.InvitationLifetime
	case PurposeReset:
	}
	return resetLifetime
}

// EmailToken is an issued token and its recipient.
type EmailToken struct {
	Purpose    Purpose
	Collection string
	Tenant     tenant.ID // that sends it; "" for one that the installation vouches for
	Email      string
	Token      string
	Expires    time.Time
}

// EmailTokens issues the tokens that prove control of an email address. They are not stored: a token is an
// HMAC over its purpose, recipient, expiry and the recipient's state at the time of issue. Using a token
// changes that state, and so does everything that makes it stale, so it works once. It leaves the server only
// sealed into the delivery of an event. Rule access-9, Decision 21.
type EmailTokens struct {
	Vault    ports.Vault
	Now      func() time.Time
	Mailed   bool             // the server mails tokens by itself, besides what webhooks carry
	OnIssued func(EmailToken) // called for each token issued; development shows them to its operator; may be nil
}

// recipient is whom a token is sent to and what for, with the state that must not have changed when it is
// used.
type recipient struct {
	purpose     Purpose
	schema      *collection.Schema // identity.Users, identity.Customers or identity.Invitations
	tenant      tenant.ID          // that sends it; "" for the installation
	id, email   string
	state       string // the password version (reset), whether the address is verified (verification), or the role (invitation)
	requestedAt time.Time
}

// customerRecipient binds a token to a customer.
func customerRecipient(use Purpose, r collection.Record) recipient {
	to := recipient{purpose: use, schema: identity.Customers, tenant: tenant.ID(r.Text("tenant")), id: r.ID(), email: r.Text("email")}
	to.state = strconv.FormatInt(r.Int("tokenVersion"), 10)
	if use == PurposeVerify {
		to.state = strconv.FormatBool(r.Bool("isVerified"))
	}
	return to
}

// userRecipient binds a password reset token to a user and to the tenant that sends it, whose sessions it can
// open. With "" for the tenant the installation sends it, and it can open all of them. Decision 37.
func userRecipient(a ports.Account, t tenant.ID) recipient {
	to := recipient{purpose: PurposeReset, schema: identity.Users, tenant: t, id: a.ID, email: a.Email}
	to.state = strconv.FormatInt(a.TokenVersion, 10)
	if i := MembershipIndex(a, t); i >= 0 {
		to.state += "." + strconv.FormatInt(a.Memberships[i].TokenVersion, 10)
	}
	return to
}

// invitationRecipient binds a token to an invitation.
func invitationRecipient(r collection.Record) recipient {
	return recipient{
		purpose: PurposeInvite, schema: identity.Invitations, tenant: tenant.ID(r.Text("tenant")), id: r.ID(), email: r.Text("email"),
		state: r.Text("role"), requestedAt: r.Time("createdAt"),
	}
}

// sign makes "rst_<version>.<expiry>.<recipient id>.<HMAC>".
func (l EmailTokens) sign(to recipient, ends time.Time, version int) (string, error) {
	end := strconv.FormatInt(ends.Unix(), 36)
	sum, used, err := l.Vault.Derive(version, "letter", string(to.purpose), to.schema.Slug, string(to.tenant), to.id, to.email,
		to.state, end)
	return string(to.purpose) + "_" + strings.Join([]string{strconv.Itoa(used), end, to.id, idempotency.Base62(sum)}, "."), err
}

// parse reads the unverified contents of a token. Errors: ErrEmailToken.
func (use Purpose) parse(token string) (person string, ends time.Time, version int, err error) {
	if len(token) > maxEmailToken {
		return "", ends, 0, ErrEmailToken
	}
	body, ok := strings.CutPrefix(token, string(use)+"_")
	parts := strings.Split(body, ".")
	if !ok || len(parts) != 4 {
		return "", ends, 0, ErrEmailToken
	}
	version, err = strconv.Atoi(parts[0])
	seconds, bad := strconv.ParseInt(parts[1], 36, 64)
	if err != nil || bad != nil || version < 1 {
		return "", ends, 0, ErrEmailToken
	}
	return parts[2], time.Unix(seconds, 0), version, nil
}

// verify checks that token was issued for the recipient in its current state and has not expired. Errors:
// ErrEmailToken.
func (l EmailTokens) verify(token string, to recipient) error {
	_, ends, version, err := to.purpose.parse(token)
	if err != nil {
		return err
	}
	want, err := l.sign(to, ends, version)
	if err != nil || subtle.ConstantTimeCompare([]byte(want), []byte(token)) != 1 || !l.Now().Before(ends) {
		return ErrEmailToken.WithCause(err)
	}
	return nil
}

// issue makes a token for the recipient.
func (l EmailTokens) issue(to recipient) (EmailToken, error) {
	ends := to.requestedAt.Add(to.purpose.lifetime())
	token, err := l.sign(to, ends, 0)
	return EmailToken{to.purpose, to.schema.Slug, to.tenant, to.email, token, ends}, err
}

// attach issues a token and seals it into the delivery of the recipient's event, in the transaction that
// created the event. The result is for NotifyIssued after that transaction has committed.
func (l EmailTokens) attach(ctx context.Context, tx ports.Tx, event string, to recipient) (EmailToken, error) {
	issued, err := l.issue(to)
	if err != nil {
		return EmailToken{}, err
	}
	if err := l.seal(ctx, tx, event, to, issued); err != nil {
		return EmailToken{}, err
	}
	return issued, l.sealForMail(ctx, tx, event, to, issued)
}

// seal stores a token with an event, under an id that says who takes it along.
func (l EmailTokens) seal(ctx context.Context, tx ports.Tx, id string, to recipient, issued EmailToken) error {
	plain, _ := json.Marshal(map[string]string{to.purpose.fieldName(): issued.Token}) //nolint:errchkjson // texts always encode
	sealed, err := l.Vault.Seal(sealLabel(id), plain)
	if err != nil {
		return err
	}
	return tx.SealedTokens.Add(ctx, ports.SealedToken{
		Tenant: to.tenant, Event: id, Collection: to.schema.Slug, Ciphertext: sealed, Expires: issued.Expires,
	})
}

// attachToMail is attach for the server's own mail alone.
func (l EmailTokens) attachToMail(ctx context.Context, tx ports.Tx, event string, to recipient) (EmailToken, error) {
	issued, err := l.issue(to)
	if err != nil {
		return EmailToken{}, err
	}
	return issued, l.sealForMail(ctx, tx, event, to, issued)
}

// AttachVerification seals a verification token for a new customer's address into the event of their
// creation.
func (l EmailTokens) AttachVerification(ctx context.Context, tx ports.Tx, event string, customer collection.Record) (EmailToken, error) {
	to := customerRecipient(PurposeVerify, customer)
	to.requestedAt = l.Now()
	return l.attach(ctx, tx, event, to)
}

// NotifyIssued calls OnIssued. Call it after the transaction that issued the token.
func (l EmailTokens) NotifyIssued(token EmailToken) {
	if l.OnIssued != nil {
		l.OnIssued(token)
	}
}

// CarriesToken reports whether events of a collection may carry a sealed token.
func CarriesToken(slug string) bool {
	return slug == identity.Customers.Slug || slug == identity.Users.Slug || slug == identity.Invitations.Slug
}

// OpenSealedToken decrypts the members that a sealed token adds to the delivery's data. Only the webhook
// dispatcher may call it, for an endpoint that lists the collection explicitly.
func OpenSealedToken(v ports.Vault, e ports.SealedToken) (map[string]string, error) {
	plain, err := v.Open(sealLabel(e.Event), e.Ciphertext)
	if err != nil {
		return nil, err
	}
	var members map[string]string
	err = json.Unmarshal(plain, &members)
	return members, err
}

func sealLabel(event string) string { return "email-token/" + event }
