package cataloging

import (
	"context"
	"maps"
	"slices"
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// checkOptions finds the options of the form among those that are there, by id or else by name.
func (p *plan) checkOptions(ctx context.Context, bad *problems) error {
	if !p.form.hasOptions {
		for _, o := range p.was.options {
			p.options = append(p.options, &part{was: o, input: map[string]any{"name": o.Text("name")}})
		}
		return nil
	}
	taken, names := map[string]bool{}, map[string]bool{}
	for i, input := range p.form.options {
		o := &part{path: partPath(optionsName, i), input: input}
		id := takeText(input, o.path, idName, bad)
		name, _ := input["name"].(string)
		o.was = p.findOption(id, name, taken)
		switch {
		case id != "" && o.was == nil:
			bad.add(o.path+idName, "The product has no such option.")
		case name != "" && names[name]:
			bad.add(o.path+"name", "The form has this option already.")
		}
		taken[o.was.ID()], names[name] = true, true
		completeOption(o, bad)
		input["product"] = p.id
		differing, err := p.check(ctx, bad, catalog.Options, o.path, o.was, input, "product")
		if err != nil {
			return err
		}
		o.leaving = leavingValues(o)
		o.take(differing)
		p.options = append(p.options, o)
	}
	for _, o := range p.was.options {
		if !taken[o.ID()] {
			p.removedOptions = append(p.removedOptions, o)
		}
	}
	place(p.options, p.was.options)
	return nil
}

// take has x write what differs from what is there. What is refused stays as it was sent.
func (x *part) take(differing map[string]any) {
	if x.was == nil {
		x.differs = true
		return
	}
	x.differs = differing != nil
	x.input = map[string]any{}
	maps.Copy(x.input, differing)
}

func (p *plan) findOption(id, name string, taken map[string]bool) collection.Record {
	for _, o := range p.was.options {
		if !taken[o.ID()] && (id != "" && o.ID() == id || id == "" && o.Text("name") == name) {
			return o
		}
	}
	return nil
}

// completeOption gives the values of an option the ids of those that are there with the same label.
func completeOption(o *part, bad *problems) {
	if o.was == nil && o.input["values"] == nil {
		bad.add(o.path+"values", "An option needs values.")
	}
	items, _ := o.input["values"].([]any)
	labels := map[string]bool{}
	values := slices.Clone(items)
	for i, it := range items {
		value, isObject := it.(map[string]any)
		if !isObject {
			continue // told by the check of the option
		}
		value = maps.Clone(value)
		label, _ := value["label"].(string)
		if labels[label] {
			bad.add(o.path+"values."+strconv.Itoa(i)+".label", "The option has this value already.")
		}
		labels[label] = true
		for _, row := range o.was.Rows("values") {
			if value[idName] == nil && row.Text("label") == label {
				value[idName] = row.ID()
				if value["slug"] == nil {
					value["slug"] = row.Text("slug")
				}
			}
		}
		values[i] = value
	}
	if items != nil {
		o.input["values"] = values
	}
}

// place gives parts their positions: new ones at the end follow what is there; in another order, all are counted anew.
func place(parts []*part, there []collection.Record) {
	last, highest, ordered, added := -1, int64(-1), true, false
	for _, x := range parts {
		if x.was == nil {
			added = true
			continue
		}
		at := slices.IndexFunc(there, func(r collection.Record) bool { return r.ID() == x.was.ID() })
		ordered = ordered && at > last && !added
		last, highest = at, max(highest, x.was.Int("position"))
	}
	for i, x := range parts {
		switch {
		case !ordered:
			x.input["position"] = number(int64(i))
			x.differs = x.differs || x.was.Int("position") != int64(i)
		case x.was == nil:
			highest++
			x.input["position"] = number(highest)
		}
	}
}

func number(n int64) collection.JSONNumber { return collection.JSONNumber(strconv.FormatInt(n, 10)) }

// writeOptions writes options, with the values that go away until no variant has them.
func (p *plan) writeOptions(ctx context.Context) error {
	for _, o := range p.options {
		switch {
		case !o.differs:
			continue
		case o.was == nil:
			made, err := p.records.Create(ctx, p.tx, p.by, catalog.Options, o.input)
			if err != nil {
				return located(o.path, err)
			}
			o.was, p.changed = made, true
			continue
		}
		input := maps.Clone(o.input)
		if items, given := input["values"].([]any); given {
			input["values"] = append(slices.Clone(items), o.leaving...)
		}
		if err := p.update(ctx, catalog.Options, o, input); err != nil {
			return err
		}
		now, err := p.tx.Records.Get(ctx, catalog.Options, o.was.ID())
		if err != nil {
			return err
		}
		o.was = now
	}
	return nil
}

// update writes a part that is there.
func (p *plan) update(ctx context.Context, s *collection.Schema, x *part, input map[string]any) error {
	changed, err := p.records.UpdateDiffering(ctx, p.tx, p.by, s, x.was.ID(), input)
	p.changed = p.changed || changed
	return located(x.path, err)
}

// leavingValues are the values of an option that its form does not have.
func leavingValues(o *part) (leaving []any) {
	items, given := o.input["values"].([]any)
	if !given {
		return nil
	}
	for _, row := range o.was.Rows("values") {
		if !slices.ContainsFunc(items, func(it any) bool { v, _ := it.(map[string]any); return v[idName] == row.ID() }) {
			leaving = append(leaving, map[string]any{idName: row.ID(), "label": row.Text("label"), "slug": row.Text("slug")})
		}
	}
	return leaving
}

// removeOptions removes the options and values that the form does not have, now that no variant has them.
func (p *plan) removeOptions(ctx context.Context) error {
	for _, o := range p.options {
		if len(o.leaving) > 0 {
			input := maps.Clone(o.input)
			input["values"] = withIDs(o)
			delete(input, collection.RevisionName) // the first step changed it
			if err := p.update(ctx, catalog.Options, o, input); err != nil {
				return err
			}
		}
	}
	for _, o := range p.removedOptions {
		p.changed = true
		if err := p.records.Delete(ctx, p.tx, p.by, catalog.Options, o.ID()); err != nil {
			return located(optionsName+".", err)
		}
	}
	return nil
}

// withIDs are the values of the form of an option that was written with them, so that they keep their ids.
func withIDs(o *part) []any {
	items, _ := o.input["values"].([]any)
	out := slices.Clone(items)
	for i, it := range items {
		v, _ := it.(map[string]any)
		for _, row := range o.was.Rows("values") {
			if v[idName] == nil && row.Text("label") == v["label"] {
				out[i] = map[string]any{idName: row.ID(), "label": row.Text("label"), "slug": row.Text("slug")}
			}
		}
	}
	return out
}
