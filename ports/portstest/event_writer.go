package portstest

import (
	"context"
	"strconv"
	"testing"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// eventWriter writes events of one tenant and remembers what their log has to show.
type eventWriter struct {
	t   *testing.T
	s   ports.Store
	id  tenant.ID
	now map[string]collection.Record
	was map[string]int64 // recordSequence of the last change
	log []ports.Event

	settled int // how many events of log have their numbers
}

func newEventWriter(t *testing.T, s ports.Store) *eventWriter {
	return &eventWriter{t: t, s: s, id: freshTenant(), now: map[string]collection.Record{}, was: map[string]int64{}}
}

// change makes a record of schema, or changes it, or deletes it when name is "", at so many seconds past noon.
func (w *eventWriter) change(schema *collection.Schema, id, name string, second int) collection.Change {
	var after collection.Record
	if name != "" {
		after = collection.Record{"id": id, "tenant": string(w.id), "name": name, "secret": "hidden " + name}
		if schema.PerEnvironment {
			after["environment"] = string(environmentOf(id))
		}
	}
	event := string(w.id) + "-e" + strconv.Itoa(len(w.log)+1)
	c := collection.NewChange(schema, w.now[id], after, event, noon.Add(time.Duration(second)*time.Second))
	if w.now[id] == nil {
		c = c.ContinuingFrom(w.was[id])
	}
	c.Actor = eventActors[len(w.log)%len(eventActors)]
	e := ports.Event{
		Actor: c.Actor.Or(tenant.Server), ID: event, Tenant: w.id, Sequence: int64(len(w.log) + 1), RecordSequence: w.was[id] + 1,
		Collection: schema.Slug, Record: id,
		Operation: c.Operation, At: noon.Add(time.Duration(second) * time.Second), Body: eventBody(c),
	}
	if schema.PerEnvironment {
		e.Environment = environmentOf(id)
	}
	w.now[id], w.was[id], w.log = c.After, e.RecordSequence, append(w.log, e)
	return c
}

// eventActors change records in turns; the zero one is whoever the store is told of, here nobody.
var eventActors = []tenant.Actor{
	{}, {Kind: tenant.User, ID: "u1", Via: tenant.ViaConsole}, {Kind: tenant.User, ID: "u_2", Via: tenant.ViaAPI},
	{Kind: tenant.User, ID: "ux2", Via: tenant.ViaAPI}, {Kind: tenant.Anonymous, Via: tenant.ViaAPI},
	{Kind: tenant.Provider, ID: "toss", Via: tenant.ViaWebhook},
}

// environmentOf is the environment of a record that has one: by the last character of its id.
func environmentOf(id string) tenant.Environment {
	if (id[len(id)-1]-'0')%2 == 0 {
		return tenant.Live
	}
	return tenant.Test
}

// write commits changes in one transaction.
func (w *eventWriter) write(changes ...collection.Change) {
	w.t.Helper()
	mustInTx(w.t, w.s, w.id, func(ctx context.Context, tx ports.Tx) error { return tx.Records.Write(ctx, changes...) })
}

// eventBody is the body of the event of a change as staff sees it.
func eventBody(c collection.Change) []byte {
	staff := collection.View{Audience: collection.Staff}
	show := func(r collection.Record) string { return string(collection.AppendJSON(nil, c.Schema, r, staff)) }
	switch c.Operation {
	case collection.Created:
		return []byte(`{"data":` + show(c.After) + `,"doc":` + show(c.After) + `}`)
	case collection.Deleted:
		return []byte(`{"data":` + show(c.Before) + `}`)
	default:
		data := collection.AppendFields(nil, c.Schema, c.After, staff, c.ChangedFields())
		return []byte(`{"data":` + string(data) + `,"doc":` + show(c.After) + `,"previousDoc":` + show(c.Before) + `}`)
	}
}

// sameEvent compares two events; times are compared as instants.
func sameEvent(a, b ports.Event) bool {
	at, bodies := a.At.Equal(b.At), string(a.Body) == string(b.Body)
	return at && bodies && a.ID == b.ID && a.Tenant == b.Tenant && a.Environment == b.Environment && a.Sequence == b.Sequence &&
		a.RecordSequence == b.RecordSequence && a.Collection == b.Collection && a.Record == b.Record && a.Operation == b.Operation &&
		a.Actor == b.Actor
}
