package portstest

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// The collections of the suite of erasure: one, and one of frequent updates.
var (
	guests = &collection.Schema{Slug: "guests", Singular: "Guest", Plural: "Guests", Fields: []collection.Field{
		{Name: "email", Kind: collection.Email, Required: true, Personal: true},
		{Name: "seat", Kind: collection.Text},
		{Name: "wishes", Kind: collection.Array, Fields: []collection.Field{
			{Name: "text", Kind: collection.Text, Personal: true}, {Name: "units", Kind: collection.Integer},
		}},
	}}
	trays = &collection.Schema{Slug: "trays", Singular: "Tray", Plural: "Trays", FrequentlyUpdated: true, Fields: guests.Fields}
)

// ErasureSchemas are the collections that the suite of erasure writes.
func ErasureSchemas() []*collection.Schema { return []*collection.Schema{guests, trays} }

// ErasureFixture is a store of ErasureSchemas, with the log of its events and what it remembers of people.
type ErasureFixture struct {
	EventLogFixture

	Finder ports.ErasureFinder
	Logins ports.Logins
	Queue  ports.EmailRequestQueue
}

// Erasure checks ports.Erasure and ports.ErasureFinder of the stores that open makes.
func Erasure(t *testing.T, open func(t *testing.T) ErasureFixture) {
	f := open(t)
	for _, s := range ErasureSchemas() {
		t.Run("what is personal leaves the events of "+s.Slug+", and nothing else", func(t *testing.T) { f.testEvents(t, s) })
	}
	t.Run("what is personal leaves stored answers about the records, and nothing else", f.testReceipts)
	t.Run("the requests of all calls of a session are erased", f.testCalls)
	t.Run("logins and requests for mail of a customer go", f.testCustomer)
}

// secretOf is what is personal in a record.
func secretOf(id string) string { return "sekret-" + id }

// meet writes a guest three times, and takes them out of the collection where gone is set.
func (f ErasureFixture) meet(t *testing.T, s *collection.Schema, of tenant.ID, id string, gone bool) {
	t.Helper()
	var was collection.Record
	for n := range 4 {
		next := collection.Record{
			"id": id, "tenant": string(of), "email": secretOf(id) + "@people.example", "seat": strings.Repeat("row ", 1500) + strconv.Itoa(n),
			"wishes": []collection.Record{{"text": secretOf(id) + strconv.Itoa(n), "units": int64(n)}},
		}
		if n == 3 {
			if !gone {
				return
			}
			next = nil
		}
		c := collection.NewChange(s, was, next, fmt.Sprint(of, id, n), noon)
		mustInTx(t, f.Store, of, func(ctx context.Context, tx ports.Tx) error { return tx.Records.Write(ctx, c) })
		was = next
	}
}

// bodies are those of a tenant's events about a record.
func (f ErasureFixture) bodies(t *testing.T, of tenant.ID, record string) (all []string) {
	t.Helper()
	if f.Number != nil {
		f.Number(t)
	}
	for _, e := range readLog(t, f.Logs[0], ports.EventQuery{Tenant: of, Limit: 100}) {
		if e.Record == record {
			all = append(all, string(e.Body))
		}
	}
	return all
}

// find finds the events of records, of which there are so many in all.
func (f ErasureFixture) find(t *testing.T, s *collection.Schema, of tenant.ID, want int, ids ...string) ports.PersonalEvents {
	t.Helper()
	found, err := f.Finder.PersonalEvents(t.Context(), of, s, ids...)
	n := 0
	for id, events := range found.Of {
		if n += len(events); !slices.Contains(ids, id) {
			t.Errorf("events of %s were found", id)
		}
	}
	if err != nil || n != want {
		t.Errorf("%d events were found, want %d: %v", n, want, err)
	}
	return found
}

func (f ErasureFixture) redactEvents(
	t *testing.T, s *collection.Schema, of tenant.ID, found ports.PersonalEvents, then error, ids ...string,
) (n int) {
	t.Helper()
	err := inTx(t, f.Store, of, func(ctx context.Context, tx ports.Tx) (err error) {
		n, err = tx.Erasure.RedactEvents(ctx, s, found, ids...)
		return errors.Join(err, then)
	})
	if !errors.Is(err, then) {
		t.Fatal(err)
	}
	return n
}

func (f ErasureFixture) testEvents(t *testing.T, s *collection.Schema) {
	here, there := freshTenant(), freshTenant()
	f.meet(t, s, here, "g1", false)
	f.meet(t, s, here, "g3", false)
	f.meet(t, s, there, "g1", false)
	found := f.find(t, s, here, 3, "g1", "g2")
	f.meet(t, s, here, "g2", true) // after they were looked for
	was := map[string][]string{}
	for _, id := range []string{"g1", "g2", "g3"} {
		was[id] = f.bodies(t, here, id)
	}
	theirs := f.bodies(t, there, "g1")
	if n := f.redactEvents(t, s, here, found, errRollback, "g1", "g2"); n != 7 {
		t.Errorf("%d events would be redacted, want 7", n)
	}
	if got := f.bodies(t, here, "g1"); !slices.Equal(got, was["g1"]) {
		t.Error("a rolled back redaction changed events")
	}
	if n := f.redactEvents(t, s, here, found, nil, "g1", "g2"); n != 7 {
		t.Errorf("%d events were redacted, want 7", n)
	}
	f.wantRedacted(t, here, was, "g1", "g2")
	if got := f.bodies(t, here, "g3"); !slices.Equal(got, was["g3"]) {
		t.Error("the events of another record were changed")
	}
	if got := f.bodies(t, there, "g1"); !slices.Equal(got, theirs) {
		t.Error("the events of another tenant were changed")
	}
	if n := f.redactEvents(t, s, here, f.find(t, s, here, 0, "g1", "g2"), nil, "g1", "g2"); n != 0 {
		t.Errorf("redacted again: %d", n)
	}
	if n := f.redactEvents(t, s, here, ports.PersonalEvents{}, nil, "g3"); n != 3 {
		t.Errorf("%d events were redacted that nobody looked for before, want 3", n)
	}
}

// wantRedacted requires that the events of records are what they were, but for what is personal.
func (f ErasureFixture) wantRedacted(t *testing.T, of tenant.ID, was map[string][]string, ids ...string) {
	t.Helper()
	for _, id := range ids {
		replaced := strings.NewReplacer(secretOf(id)+"@people.example", collection.ErasedEmail(id))
		for i, got := range f.bodies(t, of, id) {
			want := replaced.Replace(was[id][i])
			for n := range 4 {
				want = strings.ReplaceAll(want, `"`+secretOf(id)+strconv.Itoa(n)+`"`, "null")
			}
			if got != want {
				t.Errorf("event %d of %s:\n%s\nwant\n%s", i, id, got, want)
			}
		}
	}
}

func (f ErasureFixture) testReceipts(t *testing.T) {
	here, there := freshTenant(), freshTenant()
	const shown = `{"message":"ok","doc":{"id":"g1","beside":{"id":"g3","email":"sekret@people.example"},"email":"sekret@people.example","seat":"sekret"},"list":[{"id":"x","email":"kept"},{"id":"g1","wishes":[{"text":"sekret","units":2}]}]}`
	const want = `{"message":"ok","doc":{"id":"g1","beside":{"id":"g3","email":"erased-g3@erased.invalid"},"email":"erased-g1@erased.invalid","seat":"sekret"},"list":[{"id":"x","email":"kept"},{"id":"g1","wishes":[{"text":null,"units":2}]}]}`
	keep := func(of tenant.ID, record string, result ports.ReceiptResult) ports.ReceiptKey {
		r := receiptOf(of, freshKey())
		r.Body, r.Record, r.Result = []byte(shown), record, result
		mustInTx(t, f.Store, of, func(ctx context.Context, tx ports.Tx) error { return tx.Receipts.Save(ctx, r, 0) })
		return r.Key
	}
	about, other, refused := keep(here, "g1", ports.ReceiptOK), keep(here, "g2", ports.ReceiptOK), keep(here, "g1", ports.ReceiptRefused)
	theirs := keep(there, "g1", ports.ReceiptOK)
	refs := []ports.Ref{{Schema: guests, ID: "g1"}, {Schema: guests, ID: "g3"}}
	for _, want := range [][]ports.ReceiptKey{{about}, nil} {
		keys, err := f.Finder.PersonalReceipts(t.Context(), here, refs...)
		if err != nil || !slices.Equal(keys, want) {
			t.Errorf("found %v, want %v: %v", keys, want, err)
		}
		mustInTx(t, f.Store, here, func(ctx context.Context, tx ports.Tx) error {
			n, err := tx.Erasure.RedactReceipts(ctx, keys, refs...)
			if n != len(want) {
				t.Errorf("redacted %d, want %d", n, len(want))
			}
			return err
		})
	}
	for key, body := range map[ports.ReceiptKey]string{about: want, other: shown, refused: shown, theirs: shown} {
		of := here
		if key == theirs {
			of = there
		}
		if r, err := f.Store.Read(ports.ForTenant(of)).Receipt(t.Context(), key); err != nil || string(r.Body) != body {
			t.Errorf("%v: %s", err, r.Body)
		}
	}
}

func (f ErasureFixture) testCalls(t *testing.T) {
	here := freshTenant()
	begin := func(session, operation string) (c ports.ProviderCall) {
		mustInTx(t, f.Store, here, func(ctx context.Context, tx ports.Tx) (err error) {
			c, err = tx.ProviderCalls.Begin(ctx, ports.ProviderCall{
				ID: string(freshTenant()), Tenant: here, Session: session, Operation: operation, ProviderKey: "k", Request: []byte("sekret"), StartedAt: noon,
			})
			return err
		})
		return c
	}
	for _, of := range [][2]string{{"s1", "prepare"}, {"s1", "confirm"}, {"s2", "prepare"}} {
		begin(of[0], of[1])
	}
	mustInTx(t, f.Store, here, func(ctx context.Context, tx ports.Tx) error { return tx.Erasure.ForgetCalls(ctx, "s1") })
	for of, want := range map[[2]string]string{{"s1", "prepare"}: "", {"s1", "confirm"}: "", {"s2", "prepare"}: "sekret"} {
		if c := begin(of[0], of[1]); string(c.Request) != want || c.ProviderKey != "k" {
			t.Errorf("%v sends %q", of, c.Request)
		}
	}
}

func (f ErasureFixture) testCustomer(t *testing.T) {
	here, there := freshTenant(), freshTenant()
	logins := LoginsFixture{Logins: f.Logins}
	of := func(id, subject string, kind tenant.Kind, at tenant.ID) ports.Login {
		l := logins.login(string(here)+id, subject, noon)
		l.Kind, l.Tenant = kind, at
		return l
	}
	ann := string(here) + "ann"
	logins.save(t, of("1", ann, tenant.Customer, here), of("2", ann, tenant.User, here), of("3", ann, tenant.Customer, there),
		of("4", "bob", tenant.Customer, here))
	requests := []ports.EmailRequest{}
	for _, r := range []ports.EmailRequest{
		{Tenant: here, Collection: "customers", Email: "ann@people.example"}, {Tenant: there, Collection: "customers", Email: "ann@people.example"},
		{Tenant: here, Collection: "users", Email: "ann@people.example"}, {Tenant: here, Collection: "customers", Email: "bob@people.example"},
	} {
		r.ID, r.Purpose, r.RequestedAt = string(freshTenant()), "rst", day
		requests = append(requests, r)
	}
	queue := EmailRequestsFixture{f.Store, f.Queue}
	if err := queue.system(t, func(ctx context.Context, tx ports.Tx) error { return tx.EmailRequests.Add(ctx, day, requests...) }); err != nil {
		t.Fatal(err)
	}
	forget := func(ctx context.Context, tx ports.Tx) error {
		return tx.Erasure.ForgetCustomer(ctx, ann, "ann@people.example")
	}
	if err := inTx(t, f.Store, here, forget); err == nil {
		t.Error("a transaction that is not of the system forgot a customer")
	}
	if err := f.Store.Atomically(t.Context(), ports.Scope{Tenants: []tenant.ID{here}, System: true}, forget); err != nil {
		t.Fatal(err)
	}
	if got := idsOfLogins(logins.of(t, tenant.Customer, ann, noon, 9)); !slices.Equal(got, []string{string(here) + "3"}) {
		t.Errorf("logins of the customer: %v", got)
	}
	if a, b := logins.of(t, tenant.User, ann, noon, 9), logins.of(t, tenant.Customer, "bob", noon, 9); len(a) != 1 || len(b) == 0 {
		t.Errorf("logins of others: %v, %v", a, b)
	}
	var ids []string
	for _, r := range requests {
		ids = append(ids, r.ID)
	}
	if left := queue.claim(t, day, 1000, ids...); len(left) != 3 || slices.ContainsFunc(left, func(r ports.EmailRequest) bool { return r.ID == ids[0] }) {
		t.Errorf("requests for mail: %v", left)
	}
}
