package mails_test

import (
	"fmt"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
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
