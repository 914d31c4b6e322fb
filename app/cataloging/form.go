package cataloging

import (
	"maps"
	"slices"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/catalog"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/inventory"
)

// form is a product in one piece as it was sent.
type form struct {
	id                string
	fields            map[string]any // of the product
	options, variants []map[string]any
	hasOptions        bool // false: options stay as they are
	hasVariants       bool
	reason            string
}

// problems collect what is wrong, by path.
type problems []fault.Field

func (p *problems) add(path, message string) {
	*p = append(*p, fault.Field{Field: strings.TrimSuffix(path, "."), Message: message})
}

// addError adds the fields of an error about the part at path, which ends in a dot or is "", and reports whether it had any.
func (p *problems) addError(path string, err error) bool {
	fields := fault.From(err).InvalidFields()
	for _, f := range fields {
		p.add(path+f.Field, f.Message)
	}
	return len(fields) > 0
}

func (p *problems) err() error {
	if len(*p) == 0 {
		return nil
	}
	return fault.ErrValidation.WithFields(*p...)
}

// readForm splits a form into its parts.
func readForm(body map[string]any, bad *problems) (f form) {
	f.fields = maps.Clone(body)
	f.id = takeText(f.fields, "", idName, bad)
	f.reason = strings.TrimSpace(takeText(f.fields, "", reasonName, bad))
	if len([]rune(f.reason)) > inventory.MaxReason {
		bad.add(reasonName, "This text is longer than "+strconv.Itoa(inventory.MaxReason)+" characters.")
	}
	f.options, f.hasOptions = takeObjects(f.fields, "", optionsName, MaxOptions, bad)
	f.variants, f.hasVariants = takeObjects(f.fields, "", variantName, MaxVariants, bad)
	checkCount(f.fields, "", "images", MaxImages, bad)
	for i, o := range f.options {
		checkCount(o, partPath(optionsName, i), "values", MaxValues, bad)
	}
	for i, v := range f.variants {
		checkCount(v, partPath(variantName, i), "images", MaxImages, bad)
	}
	return f
}

func partPath(list string, i int) string { return list + "." + strconv.Itoa(i) + "." }

// takeText takes a text out of a form, "" when missing.
func takeText(from map[string]any, at, name string, bad *problems) string {
	v := from[name]
	delete(from, name)
	text, isText := v.(string)
	if v != nil && !isText {
		bad.add(at+name, "This field takes a text.")
	}
	return text
}

// takeObjects takes a list of objects out of a form; given is false when it is missing or null.
func takeObjects(from map[string]any, at, name string, most int, bad *problems) (all []map[string]any, given bool) {
	v := from[name]
	delete(from, name)
	if v == nil {
		return nil, false
	}
	items, isList := v.([]any)
	switch {
	case !isList:
		bad.add(at+name, "This field takes a list.")
	case len(items) > most:
		bad.add(at+name, "This list has more than "+strconv.Itoa(most)+" items.")
		return nil, false
	}
	for i, it := range items {
		object, isObject := it.(map[string]any)
		if !isObject {
			bad.add(at+name+"."+strconv.Itoa(i), "This item takes an object.")
		}
		all = append(all, maps.Clone(object))
	}
	for i := range all {
		if all[i] == nil {
			all[i] = map[string]any{}
		}
	}
	return all, isList
}

func checkCount(in map[string]any, at, name string, most int, bad *problems) {
	if list, isList := in[name].([]any); isList && len(list) > most {
		bad.add(at+name, "This list has more than "+strconv.Itoa(most)+" items.")
	}
}

// copyForm is the form of a copy of w in a shop with these other languages. newID makes the ids of its option values.
func (w whole) copyForm(differing Copy, locales []string, newID func() string) (map[string]any, error) {
	answer, err := reply.ParseObject(reply.Of(collection.Staff, w.member()).Bytes())
	if err != nil {
		return nil, err
	}
	f, _ := answer["product"].(map[string]any)
	forget(f, idName, collection.RevisionName, "slug", "publishAt")
	copyTexts(f, locales)
	f["status"] = catalog.Draft
	if differing.Name != "" {
		f["name"] = differing.Name
	}
	if differing.Slug != "" {
		f["slug"] = differing.Slug
	}
	for _, o := range objects(f[optionsName]) {
		forget(o, idName, collection.RevisionName)
		copyTexts(o, locales)
		for _, v := range objects(o["values"]) {
			was, _ := v[idName].(string)
			id := newID()
			v[idName] = collection.NewRowID(id)
			renameTexts(o, "values."+was+".", "values."+id+".")
		}
	}
	for _, v := range objects(f[variantName]) {
		copyTexts(v, locales)
		forget(v, idName, collection.RevisionName, "sku", "barcode", "stock")
		for _, price := range objects(v[pricesName]) {
			forget(price, idName, collection.RevisionName)
		}
	}
	return f, nil
}

// copyTexts leaves of the texts in other languages what a copy may have: those in languages that the shop has, but no handle, which is unique.
func copyTexts(of map[string]any, locales []string) {
	all, _ := of[collection.TranslationsName].(map[string]any)
	for locale, texts := range all {
		if !slices.Contains(locales, locale) {
			delete(all, locale)
		} else if texts, ok := texts.(map[string]any); ok {
			delete(texts, collection.SlugName)
		}
	}
}

// renameTexts calls the texts in other languages whose path begins with was by another one.
func renameTexts(of map[string]any, was, now string) {
	all, _ := of[collection.TranslationsName].(map[string]any)
	for _, texts := range all {
		texts, _ := texts.(map[string]any)
		for _, path := range slices.Collect(maps.Keys(texts)) {
			if rest, ok := strings.CutPrefix(path, was); ok {
				texts[now+rest] = texts[path]
				delete(texts, path)
			}
		}
	}
}

func forget(from map[string]any, names ...string) {
	for _, name := range names {
		delete(from, name)
	}
}

// objects are the objects in a list.
func objects(list any) (all []map[string]any) {
	items, _ := list.([]any)
	for _, it := range items {
		if o, ok := it.(map[string]any); ok {
			all = append(all, o)
		}
	}
	return all
}
