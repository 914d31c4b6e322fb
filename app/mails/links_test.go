package mails_test

import (
	"context"
	"errors"
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/mail"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/shop"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// A storefront that no mail may lead to gets no mail whose button would be missing, and one with a host in other letters its ASCII name.
func TestLinksNeedAPageThatMailsMayLeadTo(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		for i, page := range []string{"http://mugs.example/", "https://머그.example:8443/start", "http://localhost:3000/"} {
			b.change(identity.Tenants, string(b.id), func(r collection.Record) {
				settings := r.Group("settings").Clone()
				settings["storefrontUrl"] = page
				r["settings"] = settings
			})
			b.customer("Ada", fmt.Sprintf("ada%d@example.com", i))
			b.plan()
			b.send()
		}
		b.want("by page", "ada0@example.com email_verification suppressed page_unknown", "ada1@example.com email_verification sent",
			"ada2@example.com email_verification sent")
		for i, want := range []string{"http://localhost:3000/#/verify/", "https://xn--2i0b85u.example:8443/start#/verify/"} {
			if all := b.mailbox.NewestFirst(); len(all) != 2 || !strings.Contains(all[i].Text, want) || strings.Contains(all[i].Text, "Ada") {
				t.Errorf("no link to %s: %+v", want, all)
			}
		}
	})
}

// Links work for an hour or so: they go before what was there first, and after the others have used up their hour.
func TestLinksDoNotWaitForOtherMails(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		b.perHour = 12
		for i := range 14 {
			b.order(tenant.Live, fmt.Sprintf("buyer%02d@example.com", i))
		}
		b.plan()
		b.pass(time.Second)
		b.customer("Ada", "ada@example.com")
		b.plan()
		if _, _, err := b.sender().Round(t.Context(), ""); err != nil {
			t.Fatal(err)
		}
		if got := b.states(); got[0] != "ada@example.com email_verification sent" {
			t.Errorf("the link waits: %q", got)
		}
		b.send()
		b.customer("Bob", "bob@example.com")
		b.plan()
		b.send()
		if got := b.states(); len(b.mailbox.NewestFirst()) != 14 || got[1] != "bob@example.com email_verification sent" {
			t.Errorf("%d mails, %q", len(b.mailbox.NewestFirst()), got)
		}
	})
}

// A buyer gets to the page of the order behind the storefront's address, and no button where there is no such page.
//
// Rule mail-34.
func TestMailsLeadToTheOrder(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		o := b.wholeOrder()
		page := "https://mugs.example/#/orders/" + o.Checkout
		b.queue(mail.OrderPlaced, b.add(order.Schema, o.Record()))
		b.order(tenant.Live, "ada@example.com") // which no checkout led to
		b.number()
		b.queue(mail.OrderPlaced, about{order.Schema.Slug, b.last, shops.NewID()})
		b.send()
		all := b.mailbox.NewestFirst()
		if len(all) != 2 {
			t.Fatalf("%d mails", len(all))
		}
		for _, m := range all {
			has, want := strings.Contains(m.Text, "See your order"), strings.Contains(m.Text, "order 7 ")
			if has != want || strings.Contains(m.Text, page) != want {
				t.Errorf("%s", m.Text)
			}
		}
	})
}

// Whoever is to run the platform is told so, and not to choose a password, and everybody who invites them.
//
// Rule mail-36.
func TestInvitationsSayWhatFor(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		b.queue(mail.Invitation, b.invited())
		b.send()
		m := b.mailbox.NewestFirst()[0]
		if m.Subject != "Grace invites you to run the platform of Mug House" || !strings.Contains(m.Text, "administrator of the platform") ||
			strings.Contains(m.Text, "password") {
			t.Errorf("%s: %s", m.Subject, m.Text)
		}
	})
}

// The copy of a token goes with its mail, also where that is not sent because the shop does not want it or too many wait.
//
// Rule mail-15.
func TestTokensOfMailsThatAreNotSentAreGone(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		b := newBed(t, store)
		b.room = 1
		b.customer("Ada", "ada@example.com")
		b.plan()
		tooMuch := b.customer("Bob", "bob@example.com")
		b.plan()
		b.want("no room", "ada@example.com email_verification queued", "bob@example.com email_verification suppressed queue_full")
		b.add(shop.Profiles, collection.Record{"id": shops.NewID(), "single": "profile", "mailsOff": []string{"email_verification"}})
		off := b.customer("Cyd", "cyd@example.com")
		b.plan()
		for name, of := range map[string]about{"too much": tooMuch, "off": off} {
			shops.NewView(t, store, b.id).Atomically(func(ctx context.Context, tx ports.Tx) error {
				if _, err := access.FindMailedToken(ctx, tx, b.vault, of.event); !errors.Is(err, ports.ErrNotFound) {
					t.Errorf("%s: the copy is still there: %v", name, err)
				}
				return nil
			})
		}
	})
}
