package mail

import (
	"errors"
	"slices"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Status is how far a delivery is.
type Status string

// The statuses. Queued and Sending are under way, the others are final until an operator sends the mail again.
const (
	Queued     Status = "queued"
	Sending    Status = "sending"
	Sent       Status = "sent"       // the mail server took it
	Failed     Status = "failed"     // given up after attempts
	Suppressed Status = "suppressed" // not to be sent
)

var statuses = []string{string(Queued), string(Sending), string(Sent), string(Failed), string(Suppressed)}

// Reason is why a mail was not sent.
type Reason string

// The reasons. The first two are of failed deliveries, the others of suppressed ones.
const (
	Refused         Reason = "refused"          // the mail server will never take it
	AttemptsUsedUp  Reason = "attempts_used_up" // none of MaxAttempts succeeded
	TestEnvironment Reason = "test_environment" // mails about test data leave no server
	QueueFull       Reason = "queue_full"       // MaxQueued mails of the shop were waiting
	CauseGone       Reason = "cause_gone"       // what it would tell of is not there any more, or was erased
	TokenExpired    Reason = "token_expired"    // its link would not work any more
	PageUnknown     Reason = "page_unknown"     // the shop has no page that takes the link of its token
	NoService       Reason = "no_service"       // the shop has no message service that is enabled
	NoTemplate      Reason = "no_template"      // the shop has no message template of the kind any more
	NotRenderable   Reason = "not_renderable"   // its template cannot tell these facts; the last error says why
)

var reasons = []string{
	string(Refused), string(AttemptsUsedUp), string(TestEnvironment), string(QueueFull), string(CauseGone), string(TokenExpired),
	string(PageUnknown), string(NoService), string(NoTemplate), string(NotRenderable),
}

// schedule is the delay after each failed attempt. Rule mail-4.
var schedule = []time.Duration{
	time.Minute, 5 * time.Minute, 15 * time.Minute, time.Hour, 3 * time.Hour, 6 * time.Hour, 12 * time.Hour, 24 * time.Hour,
}

// Limits of deliveries. Rules mail-4, mail-8, mail-17.
const (
	Lease     = 3 * time.Minute     // of a claim: longer than an attempt may take
	MaxQueued = 20_000              // mails of a shop and environment that wait
	KeepFor   = 90 * 24 * time.Hour // that a delivery is kept after its end
	maxJitter = 0.2                 // largest fraction of a delay that jitter adds
	maxError  = 500                 // characters of the last error that are kept
)

// MaxAttempts is how often the sending of a mail is tried.
var MaxAttempts = int64(len(schedule) + 1)

// ErrClaimLost says that another sender has the delivery, or that it is not due. Nobody outside meets it.
var ErrClaimLost = errors.New("the claim of the mail was lost")

// The refusals of sending a mail again. Rule mail-10.
var (
	ErrSending   = fault.New(fault.Conflict, "mail_is_sending", "It is being sent right now.")
	ErrTestMail  = fault.New(fault.Conflict, "mail_is_test", "This was a test mail. Send another one from its text.")
	ErrNotice    = fault.New(fault.Conflict, "mail_is_notice", "A notification of the team is not mailed again: it is in the console.")
	ErrCauseGone = fault.New(fault.Conflict, "mail_cause_gone", "What it would say is no longer true.")
	ErrTokenMail = fault.New(fault.Conflict, "mail_has_token",
		"A mail with a link for one person is not sent again. Have a new link sent: invite them again, or let them ask for another one.")
	ErrRecipientErased = fault.New(fault.Conflict, "mail_recipient_erased", "The recipient's address or number was erased.")
)

// Delivery is one mail to one address, or one message to one telephone, about one event. Times are UTC.
type Delivery struct {
	ID          string
	Channel     Channel
	Tenant      tenant.ID
	Environment tenant.Environment
	Kind        Kind
	Event       string // id of the event that it is about
	Collection  string // slug of the record that it is about
	Subject     string // id of that
	Recipient   string // address, or number as E.164
	Locale      string // language of the mail as the record asks for it, a BCP 47 tag; "": the shop's
	Status      Status
	Reason      Reason // "" unless it failed or is suppressed
	Attempts    int64  // of this round
	Round       int64  // 0, and one more each time an operator sends it again
	LastError   string // of the last attempt that failed, at most maxError characters
	Claim       string // id of the claim that holds it; "": nobody does
	OccurredAt  time.Time
	DueAt       time.Time // while it is queued: next attempt; while it is sent: end of the claim; zero after its end
	SentAt      time.Time // when the mail server took it last; zero: never
	EndedAt     time.Time // zero while it is under way
	Draft       *Draft    // what a test mail says; nil of any other, and after its end
	Test        bool      // somebody sent it to themselves to see it
}

// Draft is what a test mail says in place of what mails of its kind say now. It tells of made-up facts, or of an order.
type Draft struct {
	Locale, Subject, Body string
	Order                 string // id; "": facts that nobody brought about
}

// Ended reports whether nothing happens to d by itself any more.
func (d Delivery) Ended() bool { return d.Status != Queued && d.Status != Sending }

// HeldBy reports whether the claim with this id still holds d.
func (d Delivery) HeldBy(claim string) bool { return d.Status == Sending && d.Claim == claim }

// MessageID is the id of the message: the same for each attempt, so that a mail which is sent twice because a server crashed is one
// message to mail programs, and another one when an operator sends it again.
func (d Delivery) MessageID() string { return d.ID + "." + strconv.FormatInt(d.Round, 10) }

// ServiceID is the id under which a message service gets d: that of the delivery, and another one when an operator has it sent again.
func (d Delivery) ServiceID() string {
	if d.Round == 0 {
		return d.ID
	}
	return d.ID + "-" + strconv.FormatInt(d.Round, 10)
}

// Take claims a delivery that is due: it is queued, or the lease of its sender ended. Each claim is an attempt, also one whose
// process died. Errors: ErrClaimLost when it is not due.
func (d Delivery) Take(claim string, now time.Time) (Delivery, error) {
	switch {
	case d.Ended(), now.Before(d.DueAt):
		return d, ErrClaimLost
	case d.Attempts >= MaxAttempts:
		return d.end(Failed, AttemptsUsedUp, now), nil
	}
	d.Status, d.Claim, d.Attempts, d.DueAt = Sending, claim, d.Attempts+1, now.Add(Lease)
	return d, nil
}

// Done is d after the mail server took it.
func (d Delivery) Done(now time.Time) Delivery {
	d.SentAt, d.LastError = now, ""
	return d.end(Sent, "", now)
}

// Retry is d after an attempt that failed for now: queued again, or given up. jitter is a random number from 0 to below 1.
func (d Delivery) Retry(problem string, now time.Time, jitter float64) Delivery {
	d.LastError = shortened(problem)
	if d.Attempts >= MaxAttempts {
		return d.end(Failed, AttemptsUsedUp, now)
	}
	wait := schedule[max(d.Attempts, 1)-1]
	d.Status, d.Claim, d.DueAt = Queued, "", now.Add(wait+time.Duration(float64(wait)*maxJitter*jitter))
	return d
}

// Refuse is d after the mail server refused it for good.
func (d Delivery) Refuse(problem string, now time.Time) Delivery {
	d.LastError = shortened(problem)
	return d.end(Failed, Refused, now)
}

// Release is d given back without an attempt because of problem, to be taken again from a time on.
func (d Delivery) Release(problem string, at time.Time) Delivery {
	d.Status, d.Claim, d.DueAt, d.Attempts, d.LastError = Queued, "", at, d.Attempts-1, shortened(problem)
	return d
}

// Unrenderable is d whose template cannot tell its facts.
func (d Delivery) Unrenderable(problem string, now time.Time) Delivery {
	d.LastError = shortened(problem)
	return d.Suppress(NotRenderable, now)
}

// Suppress is d that is not sent.
func (d Delivery) Suppress(why Reason, now time.Time) Delivery { return d.end(Suppressed, why, now) }

// CheckAgain refuses what an operator cannot have sent again, as far as d tells; what it is about may be gone besides. What waits can be
// tried at once, whatever it is. Errors: ErrSending, ErrTestMail, ErrTokenMail, ErrNotice, ErrRecipientErased, ErrCauseGone. Rule mail-10.
func (d Delivery) CheckAgain() error {
	switch {
	case d.Status == Sending:
		return ErrSending
	case d.Recipient == "", collection.IsErasedEmail(d.Recipient):
		return ErrRecipientErased
	case !d.Ended():
		return nil
	case d.Test:
		return ErrTestMail
	case d.Kind.HasToken():
		return ErrTokenMail
	case d.Kind == Notice:
		return ErrNotice
	case d.Reason == CauseGone:
		return ErrCauseGone
	}
	return nil
}

// Again is d as an operator has it sent again: due at once, and in a new round if it had ended. Errors: those of CheckAgain.
func (d Delivery) Again(now time.Time) (Delivery, error) {
	if err := d.CheckAgain(); err != nil {
		return d, err
	}
	if d.Ended() {
		d.Status, d.Reason, d.Attempts, d.EndedAt, d.Round, d.LastError = Queued, "", 0, time.Time{}, d.Round+1, ""
	}
	d.DueAt = now
	return d, nil
}

func (d Delivery) end(as Status, why Reason, now time.Time) Delivery {
	d.Status, d.Reason, d.Claim, d.DueAt, d.EndedAt, d.Draft = as, why, "", time.Time{}, now, nil
	return d
}

// shortened is a text of a mail server as it is kept: bounded, in one line and without what a database refuses.
func shortened(text string) string {
	all := []rune(text)
	for i, r := range all[:min(len(all), maxError)] {
		if r < ' ' || r == 0x7f {
			all[i] = ' '
		}
	}
	return string(all[:min(len(all), maxError)])
}

// HasToken reports whether mails of a kind have a link with a token for one person.
func (k Kind) HasToken() bool { return slices.Contains(tokenKinds, any(string(k))) }

var tokenKinds = []any{string(Invitation), string(PasswordReset), string(EmailVerification)}
