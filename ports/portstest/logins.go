package portstest

import (
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// LoginsFixture is a ports.Logins with the revocations of the same store, which is empty.
type LoginsFixture struct {
	Logins      ports.Logins
	Revocations ports.Revocations
}

// Logins checks ports.Logins.
func Logins(t *testing.T, f LoginsFixture) {
	t.Run("a login is listed to its person alone, the last seen first", f.testList)
	t.Run("a login that is seen again keeps when it began", f.testSeen)
	t.Run("a login is proven until it is seen again, and after", f.testProof)
	t.Run("ended and expired logins are not listed", f.testEnds)
}

func (f LoginsFixture) login(id, subject string, seen time.Time) ports.Login {
	return ports.Login{
		ID: id, Kind: tenant.User, Subject: subject, Tenant: "t1", Version: 3, HomeOnly: true, Began: noon, Seen: seen,
		Expires: noon.Add(24 * time.Hour), UserAgent: "Browser/1", Address: "192.0.2.1", LastAddress: "192.0.2.1",
	}
}

func (f LoginsFixture) save(t *testing.T, all ...ports.Login) {
	t.Helper()
	for _, l := range all {
		if err := f.Logins.Save(t.Context(), l); err != nil {
			t.Fatal(err)
		}
	}
}

// ids are the logins of a user at a time.
func (f LoginsFixture) of(t *testing.T, kind tenant.Kind, subject string, now time.Time, limit int) []ports.Login {
	t.Helper()
	found, err := f.Logins.Of(t.Context(), kind, subject, now, limit)
	if err != nil {
		t.Fatal(err)
	}
	return found
}

func idsOfLogins(all []ports.Login) (ids []string) {
	for _, l := range all {
		ids = append(ids, l.ID)
	}
	return ids
}

func (f LoginsFixture) testList(t *testing.T) {
	first, second := f.login("l1", "ann", noon), f.login("l2", "ann", noon.Add(time.Minute))
	customer := f.login("l3", "ann", noon)
	customer.Kind = tenant.Customer
	f.save(t, first, second, customer, f.login("l4", "bob", noon))
	found := f.of(t, tenant.User, "ann", noon, 10)
	if got := idsOfLogins(found); !slices.Equal(got, []string{"l2", "l1"}) {
		t.Fatalf("listed %v", got)
	}
	got := found[1]
	if !got.Began.Equal(first.Began) || !got.Seen.Equal(first.Seen) || !got.Expires.Equal(first.Expires) {
		t.Errorf("times: %+v", got)
	}
	if got.Began, got.Seen, got.Expires = first.Began, first.Seen, first.Expires; got != first {
		t.Errorf("stored %+v, found %+v", first, got)
	}
	if got := idsOfLogins(f.of(t, tenant.Customer, "ann", noon, 10)); !slices.Equal(got, []string{"l3"}) {
		t.Errorf("of a customer with the same id: %v", got)
	}
	if got := idsOfLogins(f.of(t, tenant.User, "ann", noon, 1)); !slices.Equal(got, []string{"l2"}) {
		t.Errorf("one of them: %v", got)
	}
}

func (f LoginsFixture) testSeen(t *testing.T) {
	l := f.login("s1", "sue", noon)
	f.save(t, l)
	again := l
	again.Began, again.Seen, again.Expires = noon.Add(time.Hour), noon.Add(time.Hour), noon.Add(48*time.Hour)
	again.LastAddress, again.UserAgent = "192.0.2.9", "Other/2"
	f.save(t, again)
	late := l // a request that was answered before, and noted later
	late.Seen, late.LastAddress = noon.Add(time.Minute), "192.0.2.7"
	f.save(t, late)
	found := f.of(t, tenant.User, "sue", noon.Add(30*time.Hour), 10)
	if len(found) != 1 {
		t.Fatalf("found %v", found)
	}
	got := found[0]
	if !got.Began.Equal(noon) || !got.Seen.Equal(again.Seen) || !got.Expires.Equal(again.Expires) || got.LastAddress != "192.0.2.9" ||
		got.Address != "192.0.2.1" || got.UserAgent != "Browser/1" {
		t.Errorf("found %+v", got)
	}
}

func (f LoginsFixture) testProof(t *testing.T) {
	l := f.login("p1", "pia", noon)
	f.save(t, l, f.login("p2", "pia", noon))
	proven := func(id string) time.Time {
		t.Helper()
		at, err := f.Logins.Proven(t.Context(), id)
		if err != nil {
			t.Fatal(err)
		}
		return at
	}
	if at := proven("p1"); !at.IsZero() {
		t.Errorf("a new login was proven at %v", at)
	}
	for _, at := range []time.Time{noon.Add(time.Hour), noon.Add(2 * time.Hour)} {
		if err := f.Logins.Prove(t.Context(), "p1", at); err != nil {
			t.Fatal(err)
		}
		l.Seen = at
		f.save(t, l)
		if got := proven("p1"); !got.Equal(at) {
			t.Errorf("proven at %v, found %v", at, got)
		}
	}
	if at := proven("p2"); !at.IsZero() {
		t.Errorf("another login of the person was proven at %v", at)
	}
	if err := f.Logins.Prove(t.Context(), "unknown", noon); !errors.Is(err, ports.ErrNotFound) {
		t.Errorf("an unknown login was proven: %v", err)
	}
	if at := proven("unknown"); !at.IsZero() {
		t.Errorf("an unknown login was proven at %v", at)
	}
}

func (f LoginsFixture) testEnds(t *testing.T) {
	f.save(t, f.login("e1", "eve", noon), f.login("e2", "eve", noon))
	if err := f.Revocations.Revoke(t.Context(), time.Unix(0, 0).UTC(), noon.Add(24*time.Hour), "e1"); err != nil {
		t.Fatal(err)
	}
	if got := idsOfLogins(f.of(t, tenant.User, "eve", noon, 10)); !slices.Equal(got, []string{"e2"}) {
		t.Errorf("after one was ended: %v", got)
	}
	if got := f.of(t, tenant.User, "eve", noon.Add(25*time.Hour), 10); len(got) > 0 {
		t.Errorf("after the other expired: %v", got)
	}
}
