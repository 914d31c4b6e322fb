package mails

import (
	"context"
	"errors"
	"log/slog"
	"sync/atomic"
	"time"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Sender sends the mails of all shops that are due, or their messages. A delivery is claimed in a transaction, sent outside of any, and
// its outcome is stored in another one. A process that dies after the mail server took a mail and before that is stored sends it again
// when its claim ends, under the same message id. Its methods are safe for concurrent use; any number of instances share the work. Rules
// mail-3, mail-4, mail-6.
type Sender struct {
	Composer

	Channel    mail.Channel // of the deliveries that it sends
	Queue      ports.MailQueue
	Routes     Routes     // of mails
	Messengers Messengers // of messages

	PerHour int // of a shop that leave the server within an hour at most, without those that have a link for one person
	NewID   func() string
	Jitter  func() float64
	Log     *slog.Logger
	Task    *background.Task // of the mails; may be nil
	Asked   *background.Signal
	Sent    func() // called after a mail was sent and before that is stored, for crash tests; may be nil

	lanes lanes // of messages, whose services are the shops' own
}

// Bounds of a round: each shop has its turn, and none has more of it than others.
const (
	shopsPerRound = 50
	perTurn       = 10  // mails of a shop and environment
	linksPerHour  = 200 // mails of a shop with a link for one person, beside PerHour
	atOnce        = 4   // mails that this process sends at the same time
	sendTimeout   = time.Minute
	writeTimeout  = 10 * time.Second
	downPause     = time.Minute    // until a mail is tried again whose server could not be reached
	maxWait       = 72 * time.Hour // after its event, after which a mail that waits for its server is given up
)

// pace is how often mails are looked for that nobody of this process told of, such as those to be tried again.
var pace = background.Pace{Gap: 100 * time.Millisecond, Rest: time.Second, Most: 5 * time.Second} //nolint:mnd // said above

// Run sends until ctx ends.
func (s *Sender) Run(ctx context.Context) error {
	loop := background.Loop{
		Pace: pace, Told: s.Asked.Listen(), Log: s.Log,
		Failing: "mails that are due cannot be read; will retry", Again: "mails are sent again",
	}
	after := tenant.ID("")
	defer s.Settle()
	loop.Run(ctx, func(ctx context.Context, _ bool) (found background.Look, err error) {
		found, after, err = s.Round(ctx, after)
		return found, err
	})
	return nil
}

// Settle waits until the messages that rounds began to send have been sent, or were given up.
func (s *Sender) Settle() { s.lanes.running.Wait() }

// on reports whether deliveries of the channel are sent.
func (s *Sender) on() bool {
	if s.Channel == mail.ByMessage {
		return s.Messengers.On()
	}
	return s.Routes.On()
}

// Round sends some of what is due, of the shops after one, and returns the last one that had its turn; "" after the last of all. The
// messages of a shop are sent beside it, since its service may hang: see Settle.
func (s *Sender) Round(ctx context.Context, after tenant.ID) (found background.Look, last tenant.ID, err error) {
	if !s.on() {
		return found, "", nil
	}
	shops, err := s.Queue.DueShops(ctx, s.Channel, after, collection.TruncateTime(s.Now()), shopsPerRound)
	if err != nil {
		return found, after, err
	}
	var due []mail.Delivery
	for _, id := range shops {
		if !s.lanes.free(id) {
			continue
		}
		own, err := s.turnOf(ctx, id)
		if err != nil {
			return found, after, err
		}
		if s.Channel == mail.ByMessage && len(own) > 0 {
			s.lanes.run(id, func() { s.sendAll(ctx, own) }, s.Asked.Send)
			continue
		}
		due = append(due, own...)
	}
	if len(shops) == shopsPerRound {
		last = shops[len(shops)-1]
	}
	taken := s.sendAll(ctx, due)
	return background.Look{More: taken > 0 || last != "", Busy: len(due) > 0}, last, nil
}

// turnOf are the deliveries of a shop that have their turn: those with a link for one person first, since it works for an hour or so.
func (s *Sender) turnOf(ctx context.Context, id tenant.ID) (all []mail.Delivery, err error) {
	r := s.Store.Read(ports.ForTenant(id))
	for _, env := range []tenant.Environment{tenant.Live, tenant.Test} {
		room := perTurn
		for _, links := range []bool{true, false} {
			found, err := s.due(ctx, r, env, links, room)
			if err != nil {
				return nil, err
			}
			room -= len(found)
			all = append(all, found...)
		}
	}
	return all, nil
}

// due are so many deliveries of an environment at most that are due, of those with a link for one person or of the others.
func (s *Sender) due(ctx context.Context, r ports.Reader, env tenant.Environment, links bool, most int) (all []mail.Delivery, err error) {
	if env == tenant.Live && s.PerHour > 0 {
		left, err := s.leftOfHour(ctx, r, links)
		if err != nil {
			return nil, err
		}
		most = min(most, left)
	}
	if most <= 0 {
		return nil, nil
	}
	page, err := r.Find(ctx, collection.Query{
		Schema: mail.Deliveries, Environment: string(env), Where: collection.And{mail.On(s.Channel), mail.Due(s.Now()), mail.WithToken(links)},
		Sort: mail.Deliveries.SortBy("nextAttemptAt"), Limit: most, Page: 1, SkipCount: true, LeaveOutDamaged: true,
	})
	for _, r := range page.Docs {
		all = append(all, mail.DeliveryFrom(r))
	}
	return all, err
}

// leftOfHour is how many mails of a shop, of those with a link for one person or of the others, may still leave the server within this
// hour. Neither takes the room of the other.
func (s *Sender) leftOfHour(ctx context.Context, r ports.Reader, links bool) (int, error) {
	most := s.PerHour
	if links {
		most = min(most, linksPerHour)
	}
	sent, err := countOn(ctx, r, s.Channel, tenant.Live,
		mail.Deliveries.Where("sentAt", collection.GreaterThan, collection.TruncateTime(s.Now().Add(-time.Hour))), mail.WithToken(links))
	return most - int(sent), err
}

// sendAll tries to send deliveries, several at a time, and returns how many it claimed. What keeps one from being sent is logged, and
// keeps no other one from it.
func (s *Sender) sendAll(ctx context.Context, due []mail.Delivery) int64 {
	var next, taken atomic.Int64
	background.Parallel(min(atOnce, len(due)), func(int) {
		for i := next.Add(1); int(i) <= len(due) && ctx.Err() == nil; i = next.Add(1) {
			d := due[i-1]
			err := s.Task.Do(ctx, background.Item{Tenant: d.Tenant, ID: d.ID}, func(ctx context.Context) error {
				return s.send(ctx, d, func() { taken.Add(1) })
			})
			if err != nil && ctx.Err() == nil {
				s.Log.Warn("a mail could not be handled; will retry", "tenant", string(d.Tenant), "mail", d.ID, "error", err.Error())
			}
		}
	})
	return taken.Load()
}

// send makes one attempt at a delivery, unless another sender has it; taken is called when it is claimed.
func (s *Sender) send(ctx context.Context, found mail.Delivery, taken func()) error {
	claim := s.NewID()
	d, err := s.change(ctx, found, func(stored mail.Delivery) (mail.Delivery, error) { return stored.Take(claim, s.now()) })
	switch {
	case errors.Is(err, mail.ErrClaimLost), gone(err), errors.Is(err, ports.ErrStale):
		return nil
	case err != nil:
		return err
	}
	taken()
	if d.Ended() { // it was tried too often
		return nil
	}
	outcome, err := s.attempt(ctx, d)
	if err != nil { // the claim ends by itself; until then nobody tries what failed here
		return err
	}
	// what was sent is stored, even if the server ends
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), writeTimeout)
	defer cancel()
	_, err = s.change(ctx, d, func(stored mail.Delivery) (mail.Delivery, error) {
		if !stored.HeldBy(claim) {
			return stored, mail.ErrClaimLost
		}
		return outcome(stored), nil
	})
	if errors.Is(err, mail.ErrClaimLost) || gone(err) {
		return nil
	}
	return err
}

// prepared is a mail or a message that is ready to be sent, or why there is none.
type prepared struct {
	send    func(context.Context) error
	why     mail.Reason
	problem string // what is wrong with a template that cannot tell the facts
}

// prepareMail makes the mail of a delivery, and says how it is sent, or why it is not.
func (s *Sender) prepareMail(ctx context.Context, d mail.Delivery) (prepared, error) {
	route := s.Routes.of(d.Environment)
	if route == nil {
		return prepared{why: mail.TestEnvironment}, nil
	}
	m, why, err := s.compose(ctx, d)
	return prepared{why: why, send: func(ctx context.Context) error { return route.Send(ctx, m) }}, err
}

// attempt makes and sends the mail or message of a delivery, and returns what becomes of it. Errors: those of making it.
func (s *Sender) attempt(ctx context.Context, d mail.Delivery) (func(mail.Delivery) mail.Delivery, error) {
	prepare := s.prepareMail
	if d.Channel == mail.ByMessage {
		prepare = s.prepareMessage
	}
	made, err := prepare(ctx, d)
	switch {
	case err != nil:
		return nil, err
	case made.why == mail.NotRenderable:
		return func(d mail.Delivery) mail.Delivery { return d.Unrenderable(made.problem, s.now()) }, nil
	case made.why != "":
		return func(d mail.Delivery) mail.Delivery { return d.Suppress(made.why, s.now()) }, nil
	}
	ctx, cancel := context.WithTimeout(ctx, sendTimeout)
	defer cancel()
	err = made.send(ctx)
	if err == nil && s.Sent != nil {
		s.Sent()
	}
	return func(d mail.Delivery) mail.Delivery {
		switch {
		case err == nil:
			return d.Done(s.now())
		case errors.Is(err, ports.ErrMailRefused), errors.Is(err, ports.ErrMessageRefused):
			return d.Refuse(err.Error(), s.now())
		case (errors.Is(err, ports.ErrMailServerDown) || errors.Is(err, ports.ErrMessageServiceDown)) && s.now().Sub(d.OccurredAt) < maxWait:
			return d.Release(err.Error(), s.now().Add(downPause))
		}
		return d.Retry(err.Error(), s.now(), s.Jitter())
	}, nil
}

// change stores another state of a delivery, and returns it. The copy of the token goes with its end. Errors: those of next,
// ports.ErrNotFound.
func (s *Sender) change(ctx context.Context, d mail.Delivery, next func(mail.Delivery) (mail.Delivery, error)) (after mail.Delivery, err error) {
	err = s.Store.Atomically(ctx, ports.ForTenant(d.Tenant), func(ctx context.Context, tx ports.Tx) error {
		before, err := tx.Records.Lock(ctx, mail.Deliveries, d.ID)
		if err != nil {
			return err
		}
		if after, err = next(mail.DeliveryFrom(before)); err != nil {
			return err
		}
		if after.Ended() {
			if err := discardToken(ctx, tx, after.Kind, after.Event); err != nil {
				return err
			}
		}
		return tx.Records.Write(ctx, collection.NewChange(mail.Deliveries, before, after.Record(), s.NewID(), s.Now()))
	})
	return after, err
}

func (s *Sender) now() time.Time { return collection.TruncateTime(s.Now()) }
