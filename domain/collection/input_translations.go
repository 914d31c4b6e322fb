package collection

import (
	"maps"
	"slices"
	"strings"
)

// intoLanguages is input, which is in the language of the parser, or in every one, as input that names them: what is in the default
// language stays, and all else becomes part of TranslationsName.
func (a *inputMerge) intoLanguages(before Record, input map[string]any) map[string]any {
	texts := map[string]map[string]any{}
	out := a.splitTexts("", a.w.Schema.Fields, before, input, texts)
	if len(texts) == 0 {
		return out
	}
	given, _ := input[TranslationsName].(map[string]any)
	all := maps.Clone(given)
	if all == nil {
		all = map[string]any{}
	}
	for locale, named := range texts {
		merged := map[string]any{}
		if beside, ok := all[locale].(map[string]any); ok {
			maps.Copy(merged, beside)
		}
		maps.Copy(merged, named)
		all[locale] = merged
	}
	out[TranslationsName] = all
	return out
}

// splitTexts is input without what is in other languages than the default one, which it adds to texts, by language and path. A row that
// is there keeps its text of the default language; a new one has none, and what it says is that, but in every language.
func (a *inputMerge) splitTexts(at string, fields []Field, before Record, input map[string]any, texts map[string]map[string]any) map[string]any {
	out := maps.Clone(input)
	for i := range fields {
		f := &fields[i]
		path, v := at+f.Name, input[f.Name]
		if _, given := input[f.Name]; !given {
			continue
		}
		switch rows, isList := v.([]any); {
		case f.Translatable:
			a.splitText(path, f.Name, v, out, texts)
		case !hasTranslatable(f.Fields):
		case f.Kind == Group:
			a.splitGroup(path, f, before.Group(f.Name), v, out, texts)
		case isList:
			out[f.Name] = a.splitRows(path, f, before.Rows(f.Name), rows, texts)
		}
	}
	return out
}

// splitGroup moves the texts of a group. Null takes those of the language away, and leaves all else of the group; in every language, it
// takes the group away.
func (a *inputMerge) splitGroup(path string, f *Field, before Record, v JSONValue, object map[string]any, texts map[string]map[string]any) {
	group, ok := v.(map[string]any)
	switch {
	case ok:
		object[f.Name] = a.splitTexts(path+".", f.Fields, before, group, texts)
	case v == nil:
		a.splitTexts(path+".", f.Fields, before, nulls(f.Fields), texts)
		if !a.w.Content.All {
			delete(object, f.Name)
		}
	}
}

// nulls are null for each of fields that is translatable, or has such fields.
func nulls(fields []Field) map[string]any {
	out := map[string]any{}
	for i := range fields {
		if f := &fields[i]; f.Translatable || f.Kind == Group && hasTranslatable(f.Fields) {
			out[f.Name] = nil
		}
	}
	return out
}

func (a *inputMerge) splitRows(path string, f *Field, before []Record, rows []any, texts map[string]map[string]any) []any {
	out := slices.Clone(rows)
	for i := range rows {
		row, _ := rows[i].(map[string]any)
		id, _ := row["id"].(string)
		j := slices.IndexFunc(before, func(r Record) bool { return id != "" && r.ID() == id })
		switch {
		case j < 0 && id == "" && row != nil && a.w.Content.All: // its texts have to name it
			made := NewRowID(a.w.NewID())
			next := a.splitTexts(path+"."+string(made)+".", f.Fields, nil, row, texts)
			next["id"], out[i] = made, next
			continue
		case j < 0:
			continue
		}
		at := path + "." + id + "."
		next := a.splitTexts(at, f.Fields, before[j], a.withoutStandIns(at, f.Fields, before[j], row), texts)
		for k := range f.Fields {
			name := f.Fields[k].Name
			if _, there := next[name]; f.Fields[k].Translatable && !there {
				next[name] = before[j][name]
			}
		}
		out[i] = next
	}
	return out
}

// withoutStandIns is a row without texts that only stand in for missing ones of the language: a list is sent whole, as it was read, and what
// was shown in place of a text is no text of the language.
func (a *inputMerge) withoutStandIns(at string, fields []Field, before Record, row map[string]any) map[string]any {
	if a.w.Content.All {
		return row
	}
	out := maps.Clone(row)
	for i := range fields {
		f := &fields[i]
		missing := f.Translatable && a.before.texts(a.w.Content.Locale)[at+f.Name] == nil
		if missing && Equal(row[f.Name], a.before.textIn(at+f.Name, before[f.Name], a.w.Content)) {
			delete(out, f.Name)
		}
	}
	return out
}

// splitText moves one text out of an object of the record.
func (a *inputMerge) splitText(path, name string, v JSONValue, object map[string]any, texts map[string]map[string]any) {
	add := func(locale string, text any) {
		if texts[locale] == nil {
			texts[locale] = map[string]any{}
		}
		texts[locale][path] = text
	}
	in := a.w.Content
	if delete(object, name); !in.All {
		add(in.Locale, v)
		return
	}
	every, ok := v.(map[string]any)
	if v == nil { // in every language
		for _, locale := range in.Others {
			add(locale, nil)
		}
		object[name] = nil
		return
	}
	if !ok {
		a.problem(path, "With locale=all, this field takes an object with a text for each language.")
		return
	}
	for _, locale := range sortedKeys(every) {
		if locale != in.Default {
			add(locale, every[locale])
			continue
		}
		object[name] = every[locale]
	}
}

// translations merges texts of other languages into those of before. Texts of a language that the shop no longer has stay, and may be
// sent back.
func (a *inputMerge) translations(before Record, raw JSONValue) any {
	languages, ok := raw.(map[string]any)
	if !ok {
		a.problem(TranslationsName, "This field takes an object.")
		return nil
	}
	was, _ := before[TranslationsName].(map[string]any)
	next := maps.Clone(was)
	if next == nil {
		next = map[string]any{}
	}
	for _, locale := range sortedKeys(languages) {
		at := TranslationsName + "." + locale
		switch texts, isObject := languages[locale].(map[string]any); {
		case Equal(languages[locale], was[locale]):
		case languages[locale] == nil:
			delete(next, locale)
		case !slices.Contains(a.w.Locales, locale):
			a.problem(at, "The shop has no other language of this name. Its others are: "+strings.Join(a.w.Locales, ", ")+".")
		case !isObject:
			a.problem(at, "This field takes an object.")
		default:
			next[locale] = a.mergeTexts(at, before, locale, texts)
		}
	}
	if len(next) == 0 {
		return nil
	}
	return next
}

// mergeTexts merges the texts of one language.
func (a *inputMerge) mergeTexts(at string, before Record, locale string, texts map[string]any) map[string]any {
	next := maps.Clone(before.texts(locale))
	if next == nil {
		next = map[string]any{}
	}
	for _, path := range sortedKeys(texts) {
		f := translatableAt(a.w.Schema.Fields, path)
		if f == nil {
			a.problem(at+"."+path, "This is no text that has translations.")
			continue
		}
		raw := texts[path]
		if text, isText := raw.(string); raw == nil || isText && strings.TrimSpace(text) == "" {
			delete(next, path)
			continue
		}
		problems := len(a.problems)
		if v := a.read(at+"."+path, *f, nil, raw); len(a.problems) == problems {
			next[path] = v
		}
	}
	return next
}

// translatableAt is the translatable field at a path of texts, in which a row is named by its id; nil for none.
func translatableAt(fields []Field, path string) *Field {
	name, rest, nested := strings.Cut(path, ".")
	for i := range fields {
		f := &fields[i]
		switch {
		case f.Name != name:
		case !nested && f.Translatable:
			return f
		case nested && f.Kind == Group:
			return translatableAt(f.Fields, rest)
		case nested && f.Kind == Array:
			_, rest, _ = strings.Cut(rest, ".")
			return translatableAt(f.Fields, rest)
		}
	}
	return nil
}
