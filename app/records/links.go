package records

import (
	"context"
	"errors"
	"maps"
	"slices"

	"github.com/cartwright-dev/cartwright/app/background"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/ports"
)

// checkLinks refuses new links to records that do not exist in this tenant and environment. Foreign and
// missing records give the same error. Errors: fault.ErrValidation.
func checkLinks(ctx context.Context, r ports.Reader, all *collection.Registry, w *Write) error {
	old := map[collection.Link]bool{}
	for _, l := range w.Schema.Links(w.Before) {
		old[collection.Link{Slug: l.Slug, ID: l.ID}] = true
	}
	wanted := map[string][]string{}
	links := w.Schema.Links(w.After)
	for _, l := range links {
		if !old[collection.Link{Slug: l.Slug, ID: l.ID}] {
			wanted[l.Slug] = append(wanted[l.Slug], l.ID)
		}
	}
	there, err := existingLinks(ctx, r, all, w, wanted)
	if err != nil {
		return err
	}
	var bad []fault.Field
	for _, l := range links {
		if at := (collection.Link{Slug: l.Slug, ID: l.ID}); !old[at] && !there[at] {
			bad = append(bad, fault.Field{Field: l.Path, Message: "There is no such record."})
		}
	}
	if len(bad) > 0 {
		return fault.ErrValidation.WithFields(bad...)
	}
	return nil
}

// existingLinks returns which of the wanted ids, by collection, are records that w may refer to. Before a
// transaction all collections are queried concurrently.
func existingLinks(
	ctx context.Context, r ports.Reader, all *collection.Registry, w *Write, wanted map[string][]string,
) (map[collection.Link]bool, error) {
	slugs := slices.Sorted(maps.Keys(wanted))
	found, errs := make([]map[string]collection.Record, len(slugs)), make([]error, len(slugs))
	ask := func(i int) { found[i], errs[i] = r.GetMany(ctx, all.Get(slugs[i]), wanted[slugs[i]], nil) }
	if w.optimistic && len(slugs) > 1 {
		background.Parallel(len(slugs), ask)
	} else {
		for i := range slugs {
			ask(i)
		}
	}
	there := map[collection.Link]bool{}
	for i, slug := range slugs {
		perEnvironment := all.Get(slug).PerEnvironment
		for id, record := range found[i] {
			there[collection.Link{Slug: slug, ID: id}] = !perEnvironment || record.Text("environment") == string(w.Principal.Environment)
		}
	}
	return there, errors.Join(errs...)
}
