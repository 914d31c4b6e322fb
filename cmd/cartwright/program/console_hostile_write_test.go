package program

import (
	"encoding/json"
	"maps"
	"slices"
	"strings"
	"testing"
)

// hostileTexts would run in, break or mislead a page that takes them for anything but text. Shorter ones stand in where a field is short.
var hostileTexts = []string{
	`"><img src=x onerror=canary()><script>canary()</script>`, `javascript:canary()`,
	`<svg/onload=canary()>{{constructor.constructor('canary()')()}}${canary()}`, `&lt;img src=x onerror=canary()&gt;&amp;&quot;`,
	"\u202egpj.exe\u2066 עברית العربية", "zero\u200bwidth\u200d\ufeff\u00ad", strings.Repeat("W", 10_000), strings.Repeat("긴", 250), strings.Repeat("W", 60),
	"🇰🇷🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f👩‍👩‍👧‍👦", "Z" + strings.Repeat("\u0301\u0336", 30),
	`' OR 1=1 -- "; \ ` + "`", `<b>&{{x}}"'`,
}

// vandal writes hostile texts into all that the API takes of somebody.
type vandal struct {
	*testing.T

	url, secret string
	turn        int
	written     map[string]string // text by collection and path
	refused     []string
}

// record is the first record of a collection, nil without one.
func (v *vandal) record(slug string) map[string]any {
	v.Helper()
	_, found := requestJSON(v.T, "GET", v.url+"/api/"+slug+"?limit=1&depth=0&sort=createdAt", "", v.secret)
	if docs, _ := found["docs"].([]any); len(docs) > 0 {
		return docs[0].(map[string]any)
	}
	return nil
}

// write writes into each text of the fields of a record, one after the other. within makes the body of a part of it.
func (v *vandal) write(at, path string, record map[string]any, fields []any, within func(map[string]any) map[string]any) {
	v.Helper()
	for _, each := range fields {
		f := each.(map[string]any)
		name, kind := f["name"].(string), f["kind"]
		if f["readOnly"] == true {
			continue
		}
		put := func(value any) map[string]any { return within(map[string]any{name: value}) }
		switch kind {
		case "text", "textarea":
			v.try(at, path+name, func(text string) map[string]any { return put(text) })
		case "texts":
			v.try(at, path+name, func(text string) map[string]any { return put([]any{text}) })
		case "json", "richText":
			v.try(at, path+name, func(text string) map[string]any {
				return put(map[string]any{"type": "doc", "content": []any{map[string]any{"type": "paragraph", "text": text}}, text: text})
			})
		case "group", "array":
			v.writeInside(at, path+name, record[name], f, put)
		}
	}
}

// writeInside writes into the members of a group, or into the first row of a list, which is made where there is none.
func (v *vandal) writeInside(at, path string, there any, f map[string]any, put func(any) map[string]any) {
	v.Helper()
	fields, _ := f["fields"].([]any)
	rows, isList := there.([]any)
	part, _ := there.(map[string]any)
	if len(rows) > 0 {
		part, _ = rows[0].(map[string]any)
	}
	v.write(at, path+".", part, fields, func(members map[string]any) map[string]any {
		changed := maps.Clone(part)
		if changed == nil {
			changed = map[string]any{}
		}
		maps.Copy(changed, members)
		if isList || f["kind"] == "array" {
			return put(append([]any{changed}, slices.Clone(rows)[min(1, len(rows)):]...))
		}
		return put(changed)
	})
}

// try writes the first of the texts that the field takes, from another one on each time.
func (v *vandal) try(at, path string, body func(string) map[string]any) {
	v.Helper()
	v.turn++
	for i := range hostileTexts {
		text := hostileTexts[(v.turn+i)%len(hostileTexts)]
		encoded, err := json.Marshal(body(text))
		if err != nil {
			v.Fatal(err)
		}
		switch status, answer := requestJSON(v.T, "PATCH", v.url+at, string(encoded), v.secret); {
		case status < 300:
			v.written[at+" "+path] = text
			return
		case status >= 500:
			v.Errorf("%s %s: %d %v", at, path, status, answer)
		}
	}
	v.refused = append(v.refused, at[:strings.LastIndex(at, "/")]+" "+path)
}
