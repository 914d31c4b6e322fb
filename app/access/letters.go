package access

import (
	"context"
	"crypto/subtle"
	"encoding/json"
	"strconv"
	"strings"
	"time"

	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// ErrLetterToken refuses a token that reached its person by mail: invented, used, replaced by what has changed since, or
// too old. It does not say which.
var ErrLetterToken = fault.New(fault.Invalid, "token_invalid", "This token is unknown, was used, or is too old. Ask for a new one.").
	In(fault.Field{Field: "token", Message: "This token is not valid any more."})

// How long the tokens live that the tenant mails to a person.
const (
	resetLife  = time.Hour
	verifyLife = 72 * time.Hour
)

// Purpose is what a mailed token is for; it is the token's prefix.
type Purpose string

// The purposes.
const (
	Reset  Purpose = "rst"
	Verify Purpose = "vfy"
)

// member is the name of the token in the data of its delivery. Contract 2.
func (p Purpose) member() string {
	if p == Verify {
		return "verificationToken"
	}
	return "resetToken"
}

func (p Purpose) life() time.Duration {
	if p == Verify {
		return verifyLife
	}
	return resetLife
}

// Letter is a token on its way to a person.
type Letter struct {
	Purpose    Purpose
	Collection string
	Email      string
	Token      string
}

// Letters makes the tokens that prove a person's address. Nobody keeps one: it is an HMAC over what it is for, whose it
// is, when it ends, and the state it was made in. Using it changes that state, and so does anything that makes it stale,
// so it works once. It leaves the server only enclosed in the delivery of an event. Contract 2, Engineering 18.
type Letters struct {
	Vault ports.Vault
	Now   func() time.Time
	Tell  func(Letter) // development has no deliveries yet: it prints them; nil: nobody is told
}

// addressee is whom a letter goes to and what it is for, with what must not have changed when its token is used.
type addressee struct {
	use       Purpose
	schema    *collection.Schema // identity.Users or identity.Customers
	shop      tenant.ID          // that mails it
	id, email string
	state     string // the version of the password, or that the address is not proven
	asked     time.Time
}

// customerTo is a customer as a token is bound to them.
func customerTo(use Purpose, r collection.Record) addressee {
	to := addressee{use: use, schema: identity.Customers, shop: tenant.ID(r.Text("tenant")), id: r.ID(), email: r.Text("email")}
	to.state = strconv.FormatInt(r.Int("tokenVersion"), 10)
	if use == Verify {
		to.state = strconv.FormatBool(r.Bool("isVerified"))
	}
	return to
}

// userTo is a user who may recover their login as a token is bound to them.
func userTo(a ports.Account) addressee {
	return addressee{
		use: Reset, schema: identity.Users, shop: a.Memberships[0].Tenant, id: a.ID, email: a.Email, state: strconv.FormatInt(a.TokenVersion, 10),
	}
}

// token makes "rst_<version>.<end>.<person>.<proof>".
func (l Letters) token(to addressee, ends time.Time, version int) (string, error) {
	end := strconv.FormatInt(ends.Unix(), 36)
	sum, used, err := l.Vault.Derive(version, "letter", string(to.use), to.schema.Slug, string(to.shop), to.id, to.email, to.state, end)
	return string(to.use) + "_" + strings.Join([]string{strconv.Itoa(used), end, to.id, once.Base62(sum)}, "."), err
}

// parse reads what a token says about itself, unproven. Errors: ErrLetterToken.
func (use Purpose) parse(token string) (person string, ends time.Time, version int, err error) {
	body, ok := strings.CutPrefix(token, string(use)+"_")
	parts := strings.Split(body, ".")
	if !ok || len(parts) != 4 || len(token) > 256 {
		return "", ends, 0, ErrLetterToken
	}
	version, err = strconv.Atoi(parts[0])
	seconds, bad := strconv.ParseInt(parts[1], 36, 64)
	if err != nil || bad != nil || version < 1 {
		return "", ends, 0, ErrLetterToken
	}
	return parts[2], time.Unix(seconds, 0), version, nil
}

// proves reports whether token was made for to as they are now, and has not ended. Errors: ErrLetterToken.
func (l Letters) proves(token string, to addressee) error {
	_, ends, version, err := to.use.parse(token)
	if err != nil {
		return err
	}
	want, err := l.token(to, ends, version)
	if err != nil || subtle.ConstantTimeCompare([]byte(want), []byte(token)) != 1 || !l.Now().Before(ends) {
		return ErrLetterToken.Because(err)
	}
	return nil
}

// enclose puts a new token for the person in with the delivery of an event of theirs, in the transaction that made it.
// The letter is for Told, once that transaction is done.
func (l Letters) enclose(ctx context.Context, tx ports.Tx, event string, to addressee) (Letter, error) {
	ends := to.asked.Add(to.use.life())
	token, err := l.token(to, ends, 0)
	if err != nil {
		return Letter{}, err
	}
	plain, _ := json.Marshal(map[string]string{to.use.member(): token}) //nolint:errchkjson // texts always encode
	sealed, err := l.Vault.Seal(enclosureLabel(event), plain)
	if err != nil {
		return Letter{}, err
	}
	return Letter{to.use, to.schema.Slug, to.email, token}, tx.Enclosures.Enclose(ctx, ports.Enclosure{
		Tenant: to.shop, Event: event, Collection: to.schema.Slug, Sealed: sealed, Expires: ends,
	})
}

// EncloseVerification encloses a token for a new customer's address in the event that made them.
func (l Letters) EncloseVerification(ctx context.Context, tx ports.Tx, event string, customer collection.Record) (Letter, error) {
	to := customerTo(Verify, customer)
	to.asked = l.Now()
	return l.enclose(ctx, tx, event, to)
}

// Told tells of a letter whose transaction is done.
func (l Letters) Told(letter Letter) {
	if l.Tell != nil {
		l.Tell(letter)
	}
}

// Encloses reports whether something may go with events of a collection.
func Encloses(slug string) bool {
	return slug == identity.Customers.Slug || slug == identity.Users.Slug
}

// Enclosed opens what goes with an event: members for the delivery's data. Only the deliverer may call it, for an
// endpoint that names the collection.
func Enclosed(v ports.Vault, e ports.Enclosure) (map[string]string, error) {
	plain, err := v.Open(enclosureLabel(e.Event), e.Sealed)
	if err != nil {
		return nil, err
	}
	var members map[string]string
	err = json.Unmarshal(plain, &members)
	return members, err
}

func enclosureLabel(event string) string { return "enclosure/" + event }
