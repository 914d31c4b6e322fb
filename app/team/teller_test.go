package team_test

import (
	"context"
	"fmt"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
	"github.com/cartwright-dev/cartwright/adapters/testservers"
	"github.com/cartwright-dev/cartwright/adapters/testservers/shops"
	teams "github.com/cartwright-dev/cartwright/app/team"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/order"
	"github.com/cartwright-dev/cartwright/domain/payment"
	"github.com/cartwright-dev/cartwright/domain/returns"
	"github.com/cartwright-dev/cartwright/domain/team"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

func TestMain(m *testing.M) { shops.Main(m) }

var start = time.Date(2026, 1, 31, 9, 0, 0, 0, time.UTC)

// shop is a shop with a team and a log of what happens in it.
type shop struct {
	*teams.Teller

	t     *testing.T
	store *sqlstore.Store
	id    tenant.ID
	users map[string]string // ids by name
	last  string            // id of the record that was made last
}

func newShop(t *testing.T, store *sqlstore.Store) *shop {
	t.Helper()
	s := &shop{t: t, store: store, id: tenant.ID(shops.NewID()), users: map[string]string{}}
	s.Teller = s.instance()
	for name, role := range map[string]tenant.Role{"owner": tenant.Admin, "packer": tenant.Packer, "support": tenant.Support, "reader": tenant.Viewer} {
		s.users[name] = shops.NewID()
		s.write(collection.NewChange(identity.Users, nil, collection.Record{
			"id": s.users[name], "tenant": string(s.id), "email": name + "@example.com", "role": string(role), "status": "active",
		}, shops.NewID(), start))
	}
	s.round()
	return s
}

// instance is another process, which shares no memory.
func (s *shop) instance() *teams.Teller {
	return &teams.Teller{
		Store: s.store, Events: s.store.EventLog(), Places: s.store.NoticePlaces(), Now: func() time.Time { return start }, NewID: shops.NewID,
		Log: slog.New(slog.DiscardHandler),
	}
}

func (s *shop) write(changes ...collection.Change) {
	s.t.Helper()
	shops.NewView(s.t, s.store, s.id).Atomically(func(ctx context.Context, tx ports.Tx) error { return tx.Records.Write(ctx, changes...) })
}

// round numbers what happened and tells the team of it.
func (s *shop) round() {
	s.t.Helper()
	for {
		if _, err := s.store.Sequence(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
		if s.isNumbered() { // another test's sequencer may have been at it, without what has come since
			break
		}
	}
	for s.isBehind() { // a round of another test may be at it, too
		if _, err := s.Round(s.t.Context()); err != nil {
			s.t.Fatal(err)
		}
	}
}

// isNumbered reports whether the record that was made last is in the log.
func (s *shop) isNumbered() bool {
	s.t.Helper()
	if s.last == "" {
		return true
	}
	page, err := s.Events.Events(s.t.Context(), ports.EventQuery{Tenant: s.id, Descending: true, Limit: 100, WithoutBodies: true})
	if err != nil {
		s.t.Fatal(err)
	}
	return slices.ContainsFunc(page.Events, func(e ports.Event) bool { return e.Record == s.last })
}

// isBehind reports whether something happened in the shop that its team was not told of.
func (s *shop) isBehind() bool {
	s.t.Helper()
	all, err := s.Places.Behind(s.t.Context(), 1_000_000)
	if err != nil {
		s.t.Fatal(err)
	}
	return slices.ContainsFunc(all, func(lag ports.NoticeLag) bool { return lag.Tenant == s.id })
}

// happens makes records.
func (s *shop) happens(schema *collection.Schema, n int, fields collection.Record) {
	s.t.Helper()
	var changes []collection.Change
	for range n {
		r := fields.Clone()
		r["id"], r["tenant"] = shops.NewID(), string(s.id)
		if schema.PerEnvironment {
			r["environment"] = string(tenant.Live)
		}
		changes = append(changes, collection.NewChange(schema, nil, r, shops.NewID(), start))
		s.last = r.Text("id")
	}
	s.write(changes...)
}

// tenant makes the record of the shop at a time.
func (s *shop) tenant(at time.Time) collection.Change {
	r := collection.Record{"id": string(s.id), "tenant": string(s.id), "name": "shop"}
	return collection.NewChange(identity.Tenants, nil, r, shops.NewID(), at)
}

// told is what a user is told, each as "kind count mailTo", sorted.
func (s *shop) told(name string) (list []string) {
	for _, n := range shops.NewView(s.t, s.store, s.id).All(team.Notifications) {
		if n.Text("recipient") == s.users[name] {
			list = append(list, strings.TrimSpace(fmt.Sprint(n.Text("kind"), " ", max(1, n.Int("count")), " ", n.Text("mailTo"))))
		}
	}
	slices.Sort(list)
	return list
}

func (s *shop) want(what string, want map[string][]string) {
	s.t.Helper()
	for name := range s.users {
		if got := s.told(name); !slices.Equal(got, want[name]) {
			s.t.Errorf("%s: %s is told %q, want %q", what, name, got, want[name])
		}
	}
}

// wishes sets what a user wants to be told of and mailed about.
func (s *shop) wishes(name string, tell, mail map[string]bool) {
	p, err := team.PreferencesFrom(nil).Merge(nil, mail, tell)
	if err != nil {
		s.t.Fatal(err)
	}
	r := collection.Record{"id": shops.NewID(), "tenant": string(s.id), "user": s.users[name]}
	p.Put(r)
	s.write(collection.NewChange(team.UserPreferences, nil, r, shops.NewID(), start))
}

var (
	requested = collection.Record{"status": "requested"}
	low       = collection.Record{"lowStock": true, "lowLive": true}
	attention = collection.Record{"status": "requires_attention"}
)

func TestTeamIsToldWhatHappensInTheShop(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		s := newShop(t, store)
		s.wishes("packer", map[string]bool{team.OrderPlaced: true}, map[string]bool{team.OrderPlaced: true})
		s.wishes("support", map[string]bool{team.ReturnRequested: false}, nil)
		s.happens(returns.Schema, 1, requested)
		s.happens(catalog.Variants, 2, low)
		s.happens(payment.Sessions, 1, attention)
		s.happens(order.Schema, 1, collection.Record{"status": "paid"})
		asks := collection.Record{"id": shops.NewID(), "tenant": string(s.id), "email": "kim@example.com"}
		s.write(collection.NewChange(identity.Customers, nil, asks, shops.NewID(), start))
		asked, err := identity.RequestErasure(asks, start)
		if err != nil {
			t.Fatal(err)
		}
		s.write(collection.NewChange(identity.Customers, asks, asked, shops.NewID(), start))
		s.round()
		s.round()
		want := map[string][]string{
			"owner":  {"erasureRequested 1", "lowStock 1", "lowStock 1", "paymentAttention 1", "returnRequested 1"},
			"packer": {"orderPlaced 1 packer@example.com"},
		}
		s.want("at first", want)

		ctx := ports.WithActor(t.Context(), tenant.Actor{Kind: tenant.User, ID: s.users["owner"], Via: tenant.ViaAPI})
		own := collection.Record{"id": shops.NewID(), "tenant": string(s.id), "environment": "live", "status": "requested"}
		if err := store.Atomically(ctx, ports.ForTenant(s.id), func(ctx context.Context, tx ports.Tx) error {
			return tx.Records.Write(ctx, collection.NewChange(returns.Schema, nil, own, shops.NewID(), start))
		}); err != nil {
			t.Fatal(err)
		}
		s.round()
		s.want("after what the owner did", want)
	})
}

// Rule team-11: many occasions are counted in one notification until it is seen, and then in another one.
func TestManyOccasionsAreOneNotification(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		const many = 1200 // more than two pages
		s := newShop(t, store)
		s.happens(catalog.Variants, many, low)
		s.round()
		s.want("after an import", map[string][]string{"owner": {"lowStock 1200"}})
		s.happens(catalog.Variants, 5, low)
		s.round()
		s.want("after more", map[string][]string{"owner": {"lowStock 1205"}})
		for _, n := range shops.NewView(t, store, s.id).All(team.Notifications) {
			seen := n.Clone()
			seen["seen"] = true
			s.write(collection.NewChange(team.Notifications, n, seen, shops.NewID(), start))
		}
		s.happens(catalog.Variants, 1, low)
		s.round()
		s.want("after it was seen", map[string][]string{"owner": {"lowStock 1", "lowStock 1205"}})
	})
}

// However many instances tell at once, everybody is told once.
func TestConcurrentTellersTellOnce(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		s := newShop(t, store)
		for range 5 {
			s.happens(returns.Schema, 1, requested)
			if _, err := store.Sequence(t.Context()); err != nil {
				t.Fatal(err)
			}
			shops.Concurrently(8, func(int) {
				if _, err := s.instance().Round(t.Context()); err != nil {
					t.Error(err)
				}
			})
		}
		s.round()
		all := slices.Repeat([]string{"returnRequested 1"}, 5)
		s.want("after all", map[string][]string{"owner": all, "support": all})
	})
}

// A new shop is told everything, one that was there before anybody told begins with what comes.
func TestNewShopsAreToldFromTheStart(t *testing.T) {
	shops.OnBothDatabases(t, func(t *testing.T, store *sqlstore.Store) {
		for age, want := range map[time.Duration]int{time.Hour: 2, 48 * time.Hour: 1} {
			s := newShop(t, store)
			s.id, s.last = tenant.ID(shops.NewID()), ""
			s.write(
				s.tenant(start.Add(-age)),
				collection.NewChange(identity.Users, nil, collection.Record{
					"id": s.users["owner"] + "x", "tenant": string(s.id), "email": "o@example.com", "role": string(tenant.Admin),
				}, shops.NewID(), start))
			s.users = map[string]string{"owner": s.users["owner"] + "x"}
			for range 2 {
				s.happens(returns.Schema, 1, requested)
				s.round()
			}
			s.want(age.String(), map[string][]string{"owner": slices.Repeat([]string{"returnRequested 1"}, want)})
		}
	})
}

func TestSeenNotificationsAreForgotten(t *testing.T) {
	shops.OnOwnDatabases(t, func(t *testing.T, store *sqlstore.Store, _ testservers.Inspector) {
		s := newShop(t, store)
		s.write(s.tenant(start))
		s.happens(team.Notifications, 1, collection.Record{"kind": team.LowStock, "recipient": s.users["owner"], "seen": true, "key": "old"})
		s.happens(team.Notifications, 1, collection.Record{"kind": team.ReturnRequested, "recipient": s.users["owner"], "seen": false, "key": "new"})
		now := start.Add(team.SeenFor)
		f := teams.Forgetter{Store: store, Now: func() time.Time { return now }, NewID: shops.NewID}
		for _, c := range []struct {
			after time.Duration
			want  []string
		}{{0, []string{"lowStock 1", "returnRequested 1"}}, {time.Hour, []string{"returnRequested 1"}}} {
			now = now.Add(c.after)
			if _, err := f.RunRound(t.Context()); err != nil {
				t.Fatal(err)
			}
			s.want(c.after.String(), map[string][]string{"owner": c.want})
		}
	})
}
