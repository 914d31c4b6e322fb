package graphql

import (
	"context"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// loader gathers the ids that a level of an answer leads to and loads them together: at most one question to the store a
// level and collection. What it loaded it knows for the rest of the field of Mutation, or of the whole query.
type loader struct {
	api       *API
	principal tenant.Principal
	bySlug    map[string]*recordLoad
	joins     map[string]*joinLoad // by slug and field
}

// joinLoad is what was asked of one collection by a relation of its own.
type joinLoad struct {
	join    collection.Join
	wanted  []string
	asked   map[string]bool
	records map[string][]collection.Record // by the id they name
}

// recordLoad is what was asked of one collection.
type recordLoad struct {
	wanted  []string
	asked   map[string]bool
	records map[string]collection.Record // those that are there for the principal
}

// request asks for a record with the next level.
func (l *loader) request(slug, id string) {
	of := l.bySlug[slug]
	if of == nil {
		of = &recordLoad{asked: map[string]bool{}, records: map[string]collection.Record{}}
		l.bySlug[slug] = of
	}
	if !of.asked[id] {
		of.asked[id] = true
		of.wanted = append(of.wanted, id)
	}
}

// requestJoined asks for the records that name id with the next level.
func (l *loader) requestJoined(j collection.Join, id string) {
	key := j.From + "." + j.On
	of := l.joins[key]
	if of == nil {
		of = &joinLoad{join: j, asked: map[string]bool{}, records: map[string][]collection.Record{}}
		l.joins[key] = of
	}
	if !of.asked[id] {
		of.asked[id] = true
		of.wanted = append(of.wanted, id)
	}
}

// fetch loads everything wanted.
func (l *loader) fetch(ctx context.Context) error {
	for _, key := range slices.Sorted(maps.Keys(l.joins)) {
		of := l.joins[key]
		if len(of.wanted) == 0 {
			continue
		}
		found, err := l.api.content.LoadJoined(ctx, l.principal, of.join, of.wanted)
		if err != nil {
			return err
		}
		maps.Copy(of.records, found)
		of.wanted = nil
	}
	for _, slug := range slices.Sorted(maps.Keys(l.bySlug)) {
		of := l.bySlug[slug]
		if len(of.wanted) == 0 {
			continue
		}
		found, err := l.api.content.GetMany(ctx, l.principal, l.api.content.Registry.Get(slug), of.wanted)
		if err != nil {
			return err
		}
		maps.Copy(of.records, found)
		of.wanted = nil
	}
	return nil
}

// get is a record that was fetched; nil when it is gone, or not for the principal.
func (l *loader) get(slug, id string) collection.Record { return l.bySlug[slug].records[id] }

// joined are the records that name id.
func (l *loader) joined(j collection.Join, id string) []collection.Record {
	return l.joins[j.From+"."+j.On].records[id]
}
