package mails

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"log/slog"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Planner decides by the events of all shops which mails are sent. The deliveries are written in one transaction with the place up to
// which events were mailed about, so that each has its mail once, whatever crashes and however many instances do this. Rules mail-1,
// mail-2.
type Planner struct {
	Store    ports.Store
	Events   ports.EventLog
	Places   ports.NoticePlaces
	Vault    ports.Vault
	Routes   Routes
	Messages Messengers
	Now      func() time.Time
	NewID    func() string
	Log      *slog.Logger
	Task     *background.Task // of the shops; may be nil
	Numbered <-chan struct{}  // receives when there are new events; nil: they are found by polling
	Planned  func()           // called when there are new deliveries; may be nil
	Room     int64            // for mails of a shop and environment that wait; 0: mail.MaxQueued
}

// Routes are what takes the mails of each environment; nil: they are not sent.
type Routes struct {
	Live, Test ports.Mailer
}

// On reports whether any mail is sent.
func (r Routes) On() bool { return r.Live != nil || r.Test != nil }

// of is what takes the mails of an environment.
func (r Routes) of(env tenant.Environment) ports.Mailer {
	if env == tenant.Test {
		return r.Test
	}
	return r.Live
}

// Bounds of a round, and how old what is told may be: events that nobody came to for longer are old news.
const (
	maxBehind = 1000 // shops
	eventPage = 200  // events of a shop
	maxAge    = 24 * time.Hour
	youth     = time.Hour // of a shop all of whose events are mailed about
)

// idlePace is how often the places of shops are moved while no mail is sent, so that none is sent later about what is happening now.
var idlePace = background.Pace{Gap: time.Second, Rest: time.Minute, Most: time.Minute} //nolint:mnd // said above

// Run plans until ctx ends.
func (p *Planner) Run(ctx context.Context) error {
	loop := background.Loop{
		Pace: background.FollowPace, Told: p.Numbered, Log: p.Log,
		Failing: "it cannot be decided which mails are sent; will retry", Again: "it is decided again which mails are sent",
	}
	if !p.on() {
		loop.Pace, loop.Told = idlePace, nil
	}
	loop.Run(ctx, func(ctx context.Context, _ bool) (background.Look, error) { return p.Round(ctx) })
	return nil
}

// on reports whether anything is sent.
func (p *Planner) on() bool {
	return p.Routes.On() || p.Messages.On()
}

// Round decides about a page of events of each shop.
func (p *Planner) Round(ctx context.Context) (found background.Look, err error) {
	behind, err := p.Places.Behind(ctx, maxBehind)
	if err != nil {
		return found, err
	}
	whose := func(l ports.NoticeLag) tenant.ID { return l.Tenant }
	return background.Follow(ctx, p.Task, behind, whose, func(ctx context.Context, lag ports.NoticeLag) (background.Look, error) {
		more, err := p.advance(ctx, lag)
		return background.Look{More: more, Busy: true}, err
	})
}

// advance decides about a page of events; more reports whether there is another. Shops that were there before any mail was sent begin
// with what happens from now on. Errors: ports.ErrStale.
func (p *Planner) advance(ctx context.Context, lag ports.NoticeLag) (more bool, err error) {
	shop, err := p.Store.Read(ports.ForTenant(lag.Tenant)).Get(ctx, identity.Tenants, string(lag.Tenant))
	if gone(err) {
		return false, nil // it is being deleted
	}
	if err != nil {
		return false, err
	}
	if !p.on() || lag.Place == 0 && p.Now().Sub(shop.Time("createdAt")) > youth {
		return false, p.plan(ctx, shop, lag.Place, lag.Newest, nil)
	}
	page, err := p.Events.Events(ctx, ports.EventQuery{
		Tenant: lag.Tenant, After: lag.Place, Collections: mail.OccasionCollections, Limit: eventPage,
	})
	if err != nil || page.Next <= lag.Place {
		return false, err
	}
	return page.More(), p.plan(ctx, shop, lag.Place, page.Next, page.Events)
}

// occasion is an event that somebody may have to be told of.
type occasion struct {
	ports.Event

	kind     mail.Kind // "": that of its token, if it has one
	to, says string    // address and locale; "" for none
	phone    string    // number of a buyer as E.164; "" for none
}

// plan moves the place of a shop, and writes the deliveries of the events in between.
func (p *Planner) plan(ctx context.Context, shop collection.Record, from, to int64, events []ports.Event) error {
	id := tenant.ID(shop.ID())
	occasions, err := p.occasions(ctx, id, events)
	if err != nil {
		return err
	}
	planned := 0
	err = p.Store.Atomically(ctx, ports.ForTenant(id), func(ctx context.Context, tx ports.Tx) error {
		planned = 0
		if err := tx.MailMover.Move(ctx, id, from, to); err != nil || len(occasions) == 0 {
			return err
		}
		changes, err := p.deliveries(ctx, tx, id, occasions)
		if err != nil || len(changes) == 0 {
			return err
		}
		planned = len(changes)
		return tx.Records.Write(ctx, changes...)
	})
	if err == nil && planned > 0 && p.Planned != nil {
		p.Planned()
	}
	return err
}

// occasions are those of events, with who is told of them.
func (p *Planner) occasions(ctx context.Context, id tenant.ID, events []ports.Event) (all []occasion, err error) {
	r := p.Store.Read(ports.ForTenant(id))
	for i := range events {
		o := occasion{Event: events[i]}
		if p.Now().Sub(o.At) > maxAge {
			continue
		}
		h := team.Change{Collection: o.Collection, Record: o.Record, Operation: o.Operation, Actor: o.Actor}
		if err := reply.Decode(o.Body, &h); err != nil {
			return nil, fmt.Errorf("read event %s: %w", o.ID, err)
		}
		if o.kind = mail.KindOf(h); o.kind == "" && (!mail.MayHaveToken(o.Collection) || o.Operation == collection.Deleted) {
			continue
		}
		about, err := find(ctx, r, o.Collection, o.Record)
		if gone(err) {
			continue
		}
		if err != nil {
			return nil, err
		}
		o.to, o.says = about.address()
		if o.phone = about.phone(); o.to != "" || o.phone != "" {
			all = append(all, o)
		}
	}
	return all, nil
}

// queue says where the deliveries of a channel and environment wait.
type queue struct {
	channel mail.Channel
	env     tenant.Environment
}

// deliveries are the deliveries of occasions that the shop wants to have sent.
func (p *Planner) deliveries(ctx context.Context, tx ports.Tx, id tenant.ID, all []occasion) (changes []collection.Change, err error) {
	off, err := kindsOff(ctx, tx.Records)
	if err != nil {
		return nil, err
	}
	texts, err := p.messageTexts(ctx, tx.Records, id, all)
	if err != nil {
		return nil, err
	}
	waiting := map[queue]int64{}
	for i := range all {
		planned, err := p.planned(ctx, tx, id, &all[i], off, texts)
		if err != nil {
			return nil, err
		}
		for _, d := range planned {
			if d, err = p.admit(ctx, tx, d, waiting); err != nil {
				return nil, err
			}
			changes = append(changes, collection.NewChange(mail.Deliveries, nil, d.Record(), p.NewID(), p.Now()))
		}
	}
	return changes, nil
}

// planned are the mail and the message about o that the shop wants to have sent.
func (p *Planner) planned(
	ctx context.Context, tx ports.Tx, id tenant.ID, o *occasion, off func(mail.Kind) bool, texts messageTexts,
) (all []mail.Delivery, err error) {
	wanted, err := p.wanted(ctx, tx, o, off)
	if err != nil {
		return nil, err
	}
	if wanted && o.to != "" && p.Routes.On() {
		all = append(all, p.delivery(id, o))
	}
	if d, told := p.message(id, o, texts); told {
		all = append(all, d)
	}
	return all, nil
}

// admit is a new delivery as it is stored: queued, or not to be sent where nothing takes it or too many wait. waiting counts those that
// wait, and is filled as it is asked.
func (p *Planner) admit(ctx context.Context, tx ports.Tx, d mail.Delivery, waiting map[queue]int64) (_ mail.Delivery, err error) {
	q := queue{d.Channel, d.Environment}
	if _, counted := waiting[q]; !counted {
		if waiting[q], err = countWaiting(ctx, tx.Records, d.Channel, d.Environment); err != nil {
			return d, err
		}
	}
	waiting[q]++
	taken := p.Routes.of(d.Environment) != nil
	if d.Channel == mail.ByMessage {
		taken = p.Messages.takes(d.Environment)
	}
	switch {
	case !taken:
		d = d.Suppress(mail.TestEnvironment, p.Now())
	case waiting[q] > cmp.Or(p.Room, mail.MaxQueued):
		d = d.Suppress(mail.QueueFull, p.Now())
	default:
		return d, nil
	}
	return d, discardToken(ctx, tx, d.Kind, d.Event)
}

// wanted reports whether there is a mail about o that the shop wants to have sent, and sets its kind.
func (p *Planner) wanted(ctx context.Context, tx ports.Tx, o *occasion, off func(mail.Kind) bool) (_ bool, err error) {
	if o.kind == "" {
		if o.kind, err = p.kindOfToken(ctx, tx, o.ID); err != nil || o.kind == "" {
			return false, err
		}
	}
	if off(o.kind) {
		return false, discardToken(ctx, tx, o.kind, o.ID)
	}
	return true, nil
}

func (p *Planner) delivery(id tenant.ID, o *occasion) mail.Delivery {
	d := mail.Delivery{
		ID: p.NewID(), Channel: mail.ByMail, Tenant: id, Environment: o.Environment, Kind: o.kind, Event: o.ID, Collection: o.Collection, Subject: o.Record,
		Recipient: o.to, Locale: o.says, Status: mail.Queued, OccurredAt: o.At, DueAt: collection.TruncateTime(p.Now()),
	}
	if d.Environment == "" { // what concerns both is real
		d.Environment = tenant.Live
	}
	return d
}

// kindOfToken is the kind of the mail that takes the token of an event along; "" for none.
func (p *Planner) kindOfToken(ctx context.Context, tx ports.Tx, event string) (mail.Kind, error) {
	token, err := access.FindMailedToken(ctx, tx, p.Vault, event)
	if errors.Is(err, ports.ErrNotFound) {
		return "", nil
	}
	return map[access.Purpose]mail.Kind{
		access.PurposeReset: mail.PasswordReset, access.PurposeVerify: mail.EmailVerification, access.PurposeInvite: mail.Invitation,
	}[token.Purpose], err
}

// discardToken deletes the copy of the token that the mail of a kind about an event would have taken along: it goes with the mail.
func discardToken(ctx context.Context, tx ports.Tx, kind mail.Kind, event string) error {
	if !kind.HasToken() {
		return nil
	}
	return access.DiscardMailedToken(ctx, tx, event)
}

// countWaiting is how many deliveries of a channel and environment wait.
func countWaiting(ctx context.Context, r ports.Reader, c mail.Channel, env tenant.Environment) (int64, error) {
	return countOn(ctx, r, c, env, mail.Deliveries.Where("nextAttemptAt", collection.Exists, true))
}
