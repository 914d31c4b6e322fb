package graphql

import (
	"context"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// loader collects the ids that one level of a response refers to and loads them together, with at most one
// query per level and collection. Loaded records are kept for the rest of the query, or of one field of
// Mutation.
type loader struct {
	api       *API
	principal tenant.Principal
	bySlug    map[string]*recordLoad
	joins     map[string]*joinLoad // by slug and field
	room      *collection.Room     // for all records of the query, or of one field of Mutation
}

// joinLoad is the requested and the loaded records of one join.
type joinLoad struct {
	join      collection.Join
	pending   []string
	requested map[string]bool
	records   map[string][]collection.Record // by the id they refer to
}

// recordLoad is the requested and the loaded records of one collection.
type recordLoad struct {
	pending   []string
	requested map[string]bool
	records   map[string]collection.Record // those visible to the principal
}

// request schedules a record to be loaded with the next level.
func (l *loader) request(slug, id string) {
	of := l.bySlug[slug]
	if of == nil {
		of = &recordLoad{requested: map[string]bool{}, records: map[string]collection.Record{}}
		l.bySlug[slug] = of
	}
	if !of.requested[id] {
		of.requested[id] = true
		of.pending = append(of.pending, id)
	}
}

// requestJoined schedules the records that refer to id to be loaded with the next level.
func (l *loader) requestJoined(j collection.Join, id string) {
	key := j.From + "." + j.On
	of := l.joins[key]
	if of == nil {
		of = &joinLoad{join: j, requested: map[string]bool{}, records: map[string][]collection.Record{}}
		l.joins[key] = of
	}
	if !of.requested[id] {
		of.requested[id] = true
		of.pending = append(of.pending, id)
	}
}

// fetch loads everything requested.
func (l *loader) fetch(ctx context.Context) error {
	for _, key := range slices.Sorted(maps.Keys(l.joins)) {
		of := l.joins[key]
		if len(of.pending) == 0 {
			continue
		}
		found, err := l.api.content.LoadJoined(ctx, l.principal, of.join, of.pending, l.room)
		if err != nil {
			return err
		}
		maps.Copy(of.records, found)
		of.pending = nil
	}
	for _, slug := range slices.Sorted(maps.Keys(l.bySlug)) {
		of := l.bySlug[slug]
		if len(of.pending) == 0 {
			continue
		}
		found, err := l.api.content.GetMany(ctx, l.principal, l.api.content.Registry.Get(slug), of.pending, l.room)
		if err != nil {
			return err
		}
		maps.Copy(of.records, found)
		of.pending = nil
	}
	return nil
}

// get is a fetched record; nil when it does not exist or is not visible.
func (l *loader) get(slug, id string) collection.Record { return l.bySlug[slug].records[id] }

// joined is the fetched records that refer to id.
func (l *loader) joined(j collection.Join, id string) []collection.Record {
	return l.joins[j.From+"."+j.On].records[id]
}
