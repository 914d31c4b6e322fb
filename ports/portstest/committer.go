package portstest

import (
	"errors"
	"fmt"
	"maps"
	"math/rand/v2"
	"slices"
	"strconv"
	"sync"
	"sync/atomic"
	"testing"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/money"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// Parcels is the collection that the suites commit to; the store under test has to know it.
var Parcels = &collection.Schema{
	Slug: "parcels", Singular: "Parcel", Plural: "Parcels", Doc: "Something to commit.", PerEnvironment: true,
	Fields: []collection.Field{
		{Name: "code", Kind: collection.Text, Unique: true},
		{Name: "count", Kind: collection.Integer, Indexed: true},
		{Name: "price", Kind: collection.Money},
		{Name: "sent", Kind: collection.Boolean},
		{Name: "dueAt", Kind: collection.Date},
		{Name: "inside", Kind: collection.RelationMany, RelationTo: "parcels", Indexed: true},
		{Name: "address", Kind: collection.Group, Fields: []collection.Field{{Name: "city", Kind: collection.Text}}},
	},
}

// CommitterFixture is a store that knows Parcels, with its committer.
type CommitterFixture struct {
	Store     ports.Store
	Committer ports.Committer
	// Events lists the stored events of a record as its recordSequences, in ascending order.
	Events func(t *testing.T, id tenant.ID, record string) []int64
}

// commitFixture adds helpers to a CommitterFixture; its records belong to one tenant.
type commitFixture struct {
	CommitterFixture

	id tenant.ID
}

func (b commitFixture) fresh() collection.Record {
	return collection.Record{
		"id": "parcel-" + strconv.FormatInt(nextName.Add(1), 10), "tenant": string(b.id), "environment": "live",
		"price": money.Money{Minor: 1999, Currency: "EUR"}, "sent": true, "dueAt": day, "address": collection.Record{"city": "Ulm"},
	}
}

// change returns the change that sets fields of before; nil creates a new record.
func (b commitFixture) change(before, set collection.Record) collection.Change {
	after := before.Clone()
	if before == nil {
		after = b.fresh()
	}
	maps.Copy(after, set)
	return collection.NewChange(Parcels, before, after, "event-"+strconv.FormatInt(nextName.Add(1), 10), day)
}

// run returns n consecutive changes from before, each of which raises the count by one.
func (b commitFixture) run(before collection.Record, n int) (changes []collection.Change) {
	for range n {
		c := b.change(before, collection.Record{"count": before.Int("count") + 1})
		before = c.After
		changes = append(changes, c)
	}
	return changes
}

func (b commitFixture) commit(t *testing.T, changes []collection.Change, keys ...ports.ReceiptKey) error {
	step := ports.CommitRequest{Tenant: b.id, Changes: changes}
	for _, key := range keys {
		step.Receipts = append(step.Receipts, receiptOf(b.id, key))
	}
	return b.Committer.Commit(t.Context(), step)
}

// storedParcel returns a stored record.
func (b commitFixture) storedParcel(t *testing.T) collection.Record {
	t.Helper()
	changes := b.run(nil, 1)
	if err := b.commit(t, changes); err != nil {
		t.Fatal(err)
	}
	return changes[0].After
}

// want checks the stored record: its sequence, its count, and an event for each sequence.
func (b commitFixture) want(t *testing.T, id string, sequence, count int64) {
	t.Helper()
	got, err := b.Store.Read(ports.ForTenant(b.id)).Get(t.Context(), Parcels, id)
	if err != nil || got.Sequence() != sequence || got.Int("count") != count {
		t.Errorf("stored %v at %d, %v; want count %d at %d", got, got.Sequence(), err, count, sequence)
	}
	events := b.Events(t, b.id, id)
	for i := range sequence {
		if int64(len(events)) != sequence || events[i] != i+1 {
			t.Errorf("events %v, want 1 to %d", events, sequence)
			return
		}
	}
}

func (b commitFixture) hasReceipt(t *testing.T, key ports.ReceiptKey) bool {
	t.Helper()
	_, err := b.Store.Read(ports.ForTenant(b.id)).Receipt(t.Context(), key)
	if err != nil && !errors.Is(err, ports.ErrNotFound) {
		t.Fatal(err)
	}
	return err == nil
}

// Committer checks ports.Committer of the stores that open makes.
func Committer(t *testing.T, open func(t *testing.T) CommitterFixture) {
	bed := open(t)
	for name, test := range map[string]func(*testing.T, commitFixture){
		"a sequence of changes is stored with its events and receipts": commitRun,
		"a stale request has no effect":                                commitStale,
		"a replayed request has no effect":                             commitReplay,
		"receipts of refusals are stored without a change":             commitRefusals,
		"a taken value is refused by name, at create and later":        commitDuplicate,
		"a deleted record is absent and has an event":                  commitDelete,
		"a request with another tenant's record has no effect":         commitOtherTenant,
		"changes that are not consecutive are refused":                 commitBrokenRun,
		"one key commits once":                                         commitKeyRace,
		"a batch may have requests of many tenants":                    commitTenants,
		"a refused request never fails others of the batch":            commitNeighbors,
		"concurrent writers of a record are committed or refused":      commitContention,
		"further created records are all stored, or none":              commitWithCreates,
		"a list of relations is found by its current ids":              commitLists,
	} {
		t.Run(name, func(t *testing.T) { test(t, commitFixture{bed, freshTenant()}) })
	}
}

func commitRun(t *testing.T, b commitFixture) {
	made := b.run(nil, 3)
	keys := []ports.ReceiptKey{freshKey(), freshKey(), freshKey()}
	if err := b.commit(t, made, keys...); err != nil {
		t.Fatal(err)
	}
	b.want(t, made[0].ID(), 3, 3)
	if err := b.commit(t, b.run(made[2].After, 2)); err != nil {
		t.Fatal(err)
	}
	b.want(t, made[0].ID(), 5, 5)
	for i, key := range keys {
		if !b.hasReceipt(t, key) {
			t.Errorf("receipt %d is missing", i)
		}
	}
	got, _ := b.Store.Read(ports.ForTenant(b.id)).Get(t.Context(), Parcels, made[0].ID())
	for _, f := range Parcels.Fields {
		if f.Name != "count" && !collection.Equal(got[f.Name], made[0].After[f.Name]) {
			t.Errorf("%s = %v, want %v", f.Name, got[f.Name], made[0].After[f.Name])
		}
	}
}

func commitStale(t *testing.T, b commitFixture) {
	first := b.storedParcel(t)
	if err := b.commit(t, b.run(first, 1)); err != nil {
		t.Fatal(err)
	}
	key := freshKey()
	missing := b.fresh().WithSequence(1)
	for name, changes := range map[string][]collection.Change{
		"an older state": b.run(first, 1), "a create of a known id": {b.change(nil, collection.Record{"id": first.ID()})},
		"an unknown record": b.run(missing, 1),
	} {
		if err := b.commit(t, changes, key); !errors.Is(err, ports.ErrStale) {
			t.Errorf("%s: %v, want ErrStale", name, err)
		}
	}
	b.want(t, first.ID(), 2, 2)
	if b.hasReceipt(t, key) {
		t.Error("the receipt of a stale request was stored")
	}
}

func commitReplay(t *testing.T, b commitFixture) {
	first, key, other := b.storedParcel(t), freshKey(), freshKey()
	changes := b.run(first, 1)
	if err := b.commit(t, changes, key); err != nil {
		t.Fatal(err)
	}
	for name, again := range map[string][]collection.Change{
		"the same step": changes, "a fresh change": b.run(changes[0].After, 1), "a create": b.run(nil, 1), "a refusal": nil,
	} {
		if err := b.commit(t, again, other, key); !errors.Is(err, ports.ErrReceiptExists) {
			t.Errorf("%s: %v, want ErrReceiptExists", name, err)
		}
	}
	b.want(t, first.ID(), 2, 2)
	if b.hasReceipt(t, other) {
		t.Error("another receipt of a replayed request was stored")
	}
}

func commitRefusals(t *testing.T, b commitFixture) {
	keys := []ports.ReceiptKey{freshKey(), freshKey()}
	if err := b.commit(t, nil, keys...); err != nil || !b.hasReceipt(t, keys[0]) || !b.hasReceipt(t, keys[1]) {
		t.Errorf("err = %v; both receipts must be stored", err)
	}
}

func commitDuplicate(t *testing.T, b commitFixture) {
	taken := b.change(nil, collection.Record{"code": "TAKEN"})
	free := b.change(nil, collection.Record{"code": "FREE"})
	if err := errors.Join(b.commit(t, []collection.Change{taken}), b.commit(t, []collection.Change{free})); err != nil {
		t.Fatal(err)
	}
	key := freshKey()
	for name, c := range map[string]collection.Change{
		"create": b.change(nil, collection.Record{"code": "taken"}), "update": b.change(free.After, collection.Record{"code": "Taken"}),
	} {
		f := fault.From(b.commit(t, []collection.Change{c}, key))
		if !errors.Is(f, ports.ErrDuplicate) || len(f.Fields) != 1 || f.Fields[0].Field != "code" {
			t.Errorf("%s: %v %v, want ErrDuplicate in code", name, f, f.Fields)
		}
	}
	b.want(t, free.ID(), 1, 0)
	if b.hasReceipt(t, key) {
		t.Error("the receipt of a refused request was stored")
	}
}

func commitDelete(t *testing.T, b commitFixture) {
	first := b.storedParcel(t)
	gone := collection.NewChange(Parcels, first, nil, "event-"+first.ID(), day)
	if err := b.commit(t, []collection.Change{gone}); err != nil {
		t.Fatal(err)
	}
	if _, err := b.Store.Read(ports.ForTenant(b.id)).Get(t.Context(), Parcels, first.ID()); !errors.Is(err, ports.ErrNotFound) {
		t.Errorf("err = %v, want ErrAbsent", err)
	}
	if events := b.Events(t, b.id, first.ID()); !slices.Equal(events, []int64{1, 2}) {
		t.Errorf("events %v, want 1 and 2", events)
	}
	back := b.change(nil, collection.Record{"id": first.ID(), "count": int64(7)}).ContinuingFrom(2)
	if err := b.commit(t, []collection.Change{back}); err != nil {
		t.Fatal("creating the deleted id again:", err)
	}
	b.want(t, first.ID(), 3, 7)
	if gone, err := b.Store.Read(ports.ForTenant(b.id)).Deleted(t.Context(), []string{first.ID()}); err != nil || len(gone) != 0 {
		t.Errorf("the recreated id is still deleted: %v, %v", gone, err)
	}
}

func commitOtherTenant(t *testing.T, b commitFixture) {
	first := b.storedParcel(t)
	outsider := commitFixture{b.CommitterFixture, freshTenant()}
	theirs := outsider.change(nil, collection.Record{"id": first.ID()})
	if err := outsider.commit(t, b.run(first, 1)); err == nil {
		t.Error("a request with another tenant's record was committed")
	}
	if err := outsider.commit(t, outsider.run(theirs.After, 1)); !errors.Is(err, ports.ErrStale) {
		t.Errorf("the id of another tenant's record: %v, want ErrStale", err)
	}
	b.want(t, first.ID(), 1, 1)
}

func commitBrokenRun(t *testing.T, b commitFixture) {
	first, other := b.storedParcel(t), b.storedParcel(t)
	for name, changes := range map[string][]collection.Change{
		"two records": {b.run(first, 1)[0], b.run(other, 1)[0]}, "a gap": {b.run(first, 1)[0], b.run(first, 3)[2]},
	} {
		if err := b.commit(t, changes); err == nil {
			t.Errorf("%s was committed", name)
		}
	}
	b.want(t, first.ID(), 1, 1)
}

// commitKeyRace commits many requests with the same key, each with its own record.
func commitKeyRace(t *testing.T, b commitFixture) {
	key := freshKey()
	var won atomic.Int64
	parallel(40, func(int) {
		err := b.commit(t, b.run(nil, 1), key)
		switch {
		case err == nil:
			won.Add(1)
		case !errors.Is(err, ports.ErrReceiptExists):
			t.Error(err)
		}
	})
	if won.Load() != 1 {
		t.Errorf("%d commits under one key, want 1", won.Load())
	}
}

func commitTenants(t *testing.T, b commitFixture) {
	all := make([]commitFixture, 60)
	records := make([]collection.Record, len(all))
	for i := range all {
		all[i] = commitFixture{b.CommitterFixture, freshTenant()}
	}
	parallel(len(all), func(i int) {
		for range 3 {
			changes := all[i].run(records[i], 1)
			if err := all[i].commit(t, changes, freshKey()); err != nil {
				t.Error(err)
			}
			records[i] = changes[0].After
		}
	})
	for i, own := range all {
		own.want(t, records[i].ID(), 3, 3)
		page, err := own.Store.Read(ports.ForTenant(all[(i+1)%len(all)].id)).GetMany(t.Context(), Parcels, []string{records[i].ID()}, nil)
		if err != nil || len(page) != 0 {
			t.Errorf("tenant %s reads %v, %v", all[(i+1)%len(all)].id, page, err)
		}
	}
}

func commitNeighbors(t *testing.T, b commitFixture) {
	old := b.storedParcel(t)
	known := freshKey()
	if err := b.commit(t, b.run(old, 1), known); err != nil {
		t.Fatal(err)
	}
	var good atomic.Int64
	parallel(80, func(i int) {
		var err, want error
		switch i % 4 {
		case 0:
			err, want = b.commit(t, b.run(old, 1), freshKey()), ports.ErrStale
		case 1:
			err, want = b.commit(t, b.run(nil, 1), known), ports.ErrReceiptExists
		case 2: // the first of a code is committed, the others are refused
			err, want = b.commit(t, []collection.Change{b.change(nil, collection.Record{"code": fmt.Sprint("C", i/8)})}), ports.ErrDuplicate
			if err == nil {
				good.Add(1)
				return
			}
		default:
			err = b.commit(t, b.run(nil, 2), freshKey())
		}
		if !errors.Is(err, want) {
			t.Errorf("step %d: %v, want %v", i, err, want)
		}
	})
	if good.Load() != 10 {
		t.Errorf("%d codes were taken, want 10", good.Load())
	}
}

// commitContention has goroutines race for a few records, like server processes without a shared worker:
// every acknowledged change is stored exactly once, and no refused one is.
func commitContention(t *testing.T, b commitFixture) {
	records := make([]string, 4)
	for i := range records {
		records[i] = b.storedParcel(t).ID()
	}
	var wins [4]atomic.Int64
	parallel(24, func(n int) {
		random := rand.New(rand.NewPCG(uint64(n), 7))
		for range 10 {
			i := random.IntN(len(records))
			before, err := b.Store.Read(ports.ForTenant(b.id)).Get(t.Context(), Parcels, records[i])
			if err != nil {
				t.Error(err)
				return
			}
			run, key := 1+random.IntN(3), freshKey()
			switch err := b.commit(t, b.run(before, run), key); {
			case err == nil:
				wins[i].Add(int64(run))
			case !errors.Is(err, ports.ErrStale):
				t.Error(err)
			case b.hasReceipt(t, key):
				t.Error("the receipt of a stale request was stored")
			}
		}
	})
	for i, id := range records {
		b.want(t, id, 1+wins[i].Load(), 1+wins[i].Load())
	}
}

// parallel runs n goroutines and waits for them.
func parallel(n int, fn func(i int)) {
	var all sync.WaitGroup
	for i := range n {
		all.Go(func() { fn(i) })
	}
	all.Wait()
}
