package cataloging

import (
	"context"
	"errors"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// chosenValue is an option value of a variant, by name and label.
type chosenValue struct{ option, label string }

// combination is a set of chosen values as a text to compare.
func combination(chosen []chosenValue) string {
	texts := make([]string, len(chosen))
	for i, c := range chosen {
		texts[i] = c.option + "\x00" + c.label
	}
	slices.Sort(texts)
	return strings.Join(texts, "\x00\x00")
}

// known is what of the variants of a form was seen so far.
type known struct {
	ids, combinations, skus map[string]bool
}

// checkVariants finds the variants of the form among those that are there, by id, else by option values or SKU.
func (p *plan) checkVariants(ctx context.Context, bad *problems) error {
	if !p.form.hasVariants {
		return nil
	}
	k := known{map[string]bool{}, map[string]bool{}, map[string]bool{}}
	for _, input := range p.form.variants {
		if id, _ := input[idName].(string); id != "" {
			k.ids[id] = true // nothing else is taken for it
		}
	}
	taken := map[string]bool{}
	for i, input := range p.form.variants {
		v, err := p.checkVariant(ctx, bad, partPath(variantName, i), input, taken, k)
		if err != nil {
			return err
		}
		p.variants = append(p.variants, v)
	}
	for _, v := range p.was.variants {
		if taken[v.ID()] {
			continue
		}
		for _, level := range p.levels[v.ID()] {
			if level.Reserved > 0 {
				return ErrVariantReserved.WithData("variant", v.ID()).WithData("path", variantName)
			}
		}
		p.removedVariants = append(p.removedVariants, v)
	}
	place(p.variants, p.was.variants)
	return nil
}

func (p *plan) checkVariant(
	ctx context.Context, bad *problems, path string, input map[string]any, taken map[string]bool, k known,
) (*part, error) {
	v := &part{path: path, input: input}
	id := takeText(input, path, idName, bad)
	var hasValues bool
	v.chosen, hasValues = p.takeChosen(input, path, bad)
	prices, hasPrices := takeObjects(input, path, pricesName, MaxPrices, bad)
	if v.was = p.findVariant(id, v, taken, k.ids); id != "" && v.was == nil {
		bad.add(path+idName, "The product has no such variant, or the form has it twice.")
	}
	taken[v.was.ID()] = true
	if v.was != nil && !hasValues {
		v.chosen = p.chosenOf(v.was)
	}
	p.checkNumbers(v, k, bad)
	input["product"] = p.id
	differing, err := p.check(ctx, bad, catalog.Variants, path, v.was, input, "product")
	if err != nil {
		return nil, err
	}
	v.take(differing)
	v.differs = v.differs || combination(v.chosen) != combination(p.chosenOf(v.was))
	if hasPrices {
		err = p.checkPrices(ctx, bad, v, prices)
	}
	return v, err
}

// checkNumbers checks what tells a variant from the others of the form, and its barcode.
func (p *plan) checkNumbers(v *part, k known, bad *problems) {
	if set := combination(v.chosen); set != "" {
		if k.combinations[set] {
			bad.add(v.path+valuesName, "Another variant of the form has these values.")
		}
		k.combinations[set] = true
	}
	if sku := p.records.Fold(v.sku()); sku != "" {
		if k.skus[sku] {
			bad.add(v.path+"sku", "Another variant of the form has this number.")
		}
		k.skus[sku] = true
	}
	if code, _ := v.input["barcode"].(string); code != v.was.Text("barcode") {
		bad.addError(v.path, catalog.CheckBarcode(code))
	}
	if v.was == nil && v.input[catalog.ExpectedStock] != nil {
		bad.add(v.path+catalog.ExpectedStock, "What is new has no stock to replace.")
	}
}

// takeChosen takes the option values out of the form of a variant. Each has to be one of the form's options, or of the
// product's where the form has none.
func (p *plan) takeChosen(input map[string]any, path string, bad *problems) (chosen []chosenValue, given bool) {
	items, given := takeObjects(input, path, valuesName, MaxOptions, bad)
	options := map[string]bool{}
	for i, it := range items {
		at := path + partPath(valuesName, i)
		c := chosenValue{takeText(it, at, "option", bad), takeText(it, at, "value", bad)}
		for name := range it {
			bad.add(at+name, "This field does not exist.")
		}
		switch labels, there := p.labels(c.option); {
		case !there:
			bad.add(at+"option", "The product has no such option.")
		case !slices.Contains(labels, c.label):
			bad.add(at+"value", "The option has no such value.")
		case options[c.option]:
			bad.add(at+"option", "A variant has one value per option.")
		}
		options[c.option] = true
		chosen = append(chosen, c)
	}
	return chosen, given
}

// labels are the labels of the values that an option will have.
func (p *plan) labels(option string) (labels []string, there bool) {
	for _, o := range p.options {
		if name, _ := o.input["name"].(string); name != option && (o.input["name"] != nil || o.was.Text("name") != option) {
			continue
		}
		items, given := o.input["values"].([]any)
		for _, it := range items {
			value, _ := it.(map[string]any)
			label, _ := value["label"].(string)
			labels = append(labels, label)
		}
		if !given {
			for _, row := range o.was.Rows("values") {
				labels = append(labels, row.Text("label"))
			}
		}
		return labels, true
	}
	return nil, false
}

// chosenOf are the option values of a variant that is there, with the names that its options will have.
func (p *plan) chosenOf(variant collection.Record) (chosen []chosenValue) {
	for _, o := range p.options {
		name, renamed := o.input["name"].(string)
		if !renamed {
			name = o.was.Text("name")
		}
		for _, row := range o.was.Rows("values") {
			if slices.Contains(variant.Texts(valuesName), row.ID()) {
				chosen = append(chosen, chosenValue{name, o.labelOf(row)})
			}
		}
	}
	return chosen
}

// labelOf is the label that a value of an option will have.
func (x *part) labelOf(row collection.Record) string {
	items, _ := x.input["values"].([]any)
	for _, it := range items {
		value, _ := it.(map[string]any)
		if label, isText := value["label"].(string); isText && value[idName] == row.ID() {
			return label
		}
	}
	return row.Text("label")
}

func (p *plan) findVariant(id string, v *part, taken, named map[string]bool) collection.Record {
	sku, _ := v.input["sku"].(string)
	alone := len(p.form.variants) == 1 && len(p.was.variants) == 1
	for _, r := range p.was.variants {
		if taken[r.ID()] || id == "" && named[r.ID()] {
			continue
		}
		plain := len(v.chosen) == 0 && len(r.Texts(valuesName)) == 0
		switch {
		case id != "":
			if r.ID() == id {
				return r
			}
		case len(v.chosen) > 0 && combination(v.chosen) == combination(p.chosenOf(r)),
			plain && (alone || sku != "" && r.Text("sku") == sku):
			return r
		}
	}
	return nil
}

// writeVariants writes variants with their prices, now that the values of their options have ids.
func (p *plan) writeVariants(ctx context.Context) error {
	for _, v := range p.variants {
		if combination(v.chosen) != combination(p.chosenOf(v.was)) || v.was == nil {
			v.input[valuesName] = p.valueIDs(v.chosen)
		}
		if v.differs {
			if err := p.giveWay(ctx, v); err != nil {
				return err
			}
		}
		switch {
		case v.was == nil:
			delete(v.input, catalog.ExpectedStock)
			made, err := p.records.Create(ctx, p.tx, p.by, catalog.Variants, v.input)
			if err != nil {
				return located(v.path, err)
			}
			v.was, p.changed = made, true
		case v.differs:
			if err := p.update(ctx, catalog.Variants, v, v.input); err != nil {
				return err
			}
		}
		if err := p.checkWritten(ctx, catalog.Variants, v.was.ID(), v.path); err != nil {
			return err
		}
		v.written = true
		if err := p.writePrices(ctx, v); err != nil {
			return err
		}
	}
	return p.removeRest(ctx)
}

// valueIDs are the ids of chosen values.
func (p *plan) valueIDs(chosen []chosenValue) []any {
	ids := []any{}
	for _, o := range p.options {
		for _, row := range o.was.Rows("values") {
			if slices.Contains(chosen, chosenValue{o.was.Text("name"), row.Text("label")}) {
				ids = append(ids, row.ID())
			}
		}
	}
	return ids
}

// removeVariants removes the variants that the form does not have before others are written, which may take their numbers:
// but for the last one, since a product always has a variant.
func (p *plan) removeVariants(ctx context.Context) error {
	if len(p.removedVariants) == len(p.was.variants) {
		return nil
	}
	return p.removeRest(ctx)
}

func (p *plan) removeRest(ctx context.Context) error {
	for _, v := range p.removedVariants {
		p.changed = true
		err := p.records.Delete(ctx, p.tx, p.by, catalog.Variants, v.ID())
		if err != nil && !errors.Is(err, ports.ErrNotFound) { // the default variant gave way to the first of the form
			return located(variantName+".", err)
		}
	}
	p.removedVariants = nil
	return nil
}
