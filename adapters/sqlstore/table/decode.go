package table

import (
	"bytes"
	"encoding/json"
	"fmt"
	"strconv"
	"strings"
	"time"
	"unsafe"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/money"
)

// decodeField is a field as the decoder meets it.
type decodeField struct {
	key    string // what it is called in documents
	name   string
	kind   collection.Kind
	sparse bool // null is something else than absent
	fields []decodeField
	values map[string]string // what values in JSON are read as; nil: as they are
}

func decodeFields(fields []collection.Field) []decodeField {
	plan, formerly := make([]decodeField, 0, len(fields)), []decodeField(nil)
	for _, f := range fields {
		d := decodeField{key: f.Name, name: f.Name, kind: f.Kind, sparse: f.OmitMissing, fields: decodeFields(f.Fields)}
		plan = append(plan, d)
		if d.key = f.Formerly; d.key != "" {
			d.values = f.FormerValues
			formerly = append(formerly, d)
		}
	}
	return append(plan, formerly...) // last: documents of today never get there
}

// Decode reads a stored document. Documents are our own (collection.AppendStored), in schema order, so one
// pass without intermediate values is enough; a field that the schema no longer has is passed over. Texts of
// the record are parts of doc, which belongs to it from then on. Errors: *collection.DamagedError.
func (sh *Shape) Decode(doc []byte) (collection.Record, error) {
	d := decoder{b: doc, currency: currencyOf(doc)}
	r := d.group(sh.decodePlan)
	if d.err == nil && d.i != len(d.b) {
		d.fail("end")
	}
	if d.err != nil {
		return nil, sh.damaged(doc, d.err)
	}
	return r, nil
}

// damaged names the record of a document that cannot be read, by what its first members say.
func (sh *Shape) damaged(doc []byte, err error) error {
	d := decoder{b: doc}
	r := d.group([]decodeField{{key: "id", name: "id", kind: collection.Text}, {key: "tenant", name: "tenant", kind: collection.Text}})
	return &collection.DamagedError{
		Collection: sh.Schema.Slug, Tenant: strings.Clone(r.Text("tenant")), ID: strings.Clone(r.Text("id")), Err: err,
	}
}

// currencyOf reads the last member of a document, where AppendStored puts the currency of its money.
func currencyOf(doc []byte) money.Currency {
	const lead, tail = `"_currency":"`, 3 + len(`"}`)
	at := len(doc) - len(lead) - tail
	if at < 1 || string(doc[at:at+len(lead)]) != lead {
		return ""
	}
	return money.Currency(doc[at+len(lead) : at+len(lead)+3])
}

type decoder struct {
	b         []byte
	i         int
	currency  money.Currency
	published bool // the document is one that events show: money in major units, read in column form
	err       error
}

func (d *decoder) fail(want string) {
	if d.err == nil {
		d.err = fmt.Errorf("offset %d: no %s", d.i, want)
	}
	d.i = len(d.b)
}

func (d *decoder) peek() byte {
	if d.i < len(d.b) {
		return d.b[d.i]
	}
	return 0
}

// take skips c if it is next.
func (d *decoder) take(c byte) bool {
	if d.peek() != c || d.i >= len(d.b) {
		return false
	}
	d.i++
	return true
}

func (d *decoder) group(plan []decodeField) collection.Record {
	r := make(collection.Record, len(plan)+1)
	if !d.take('{') {
		d.fail("object")
		return r
	}
	next := 0
	for !d.take('}') && d.err == nil {
		d.take(',')
		key := d.key()
		if !d.take(':') {
			d.fail("colon")
			return r
		}
		f := lookup(plan, &next, key)
		if f == nil {
			d.skip()
			continue
		}
		if v := d.value(f); v != nil || f.sparse {
			r[f.name] = v
		}
	}
	return r
}

// lookup finds a field, expecting it at or after *next.
func lookup(plan []decodeField, next *int, key []byte) *decodeField {
	for range 2 {
		for i := *next; i < len(plan); i++ {
			if plan[i].key == string(key) {
				*next = i + 1
				return &plan[i]
			}
		}
		*next = 0
	}
	return nil
}

// key returns a member name; names we write have nothing to unescape.
func (d *decoder) key() []byte {
	if d.take('"') {
		if n := bytes.IndexByte(d.b[d.i:], '"'); n >= 0 {
			k := d.b[d.i : d.i+n]
			d.i += n + 1
			return k
		}
	}
	d.fail("member name")
	return nil
}

func (d *decoder) value(f *decodeField) any {
	if d.peek() == 'n' {
		d.skip()
		return nil
	}
	if f.values != nil {
		return d.former(f.values)
	}
	switch f.kind {
	case collection.Group:
		return d.group(f.fields)
	case collection.Array:
		rows := []collection.Record{}
		d.list(func() { rows = append(rows, d.group(f.fields)) })
		return rows
	case collection.Texts, collection.Selects, collection.RelationMany, collection.UploadMany:
		texts := []string{}
		d.list(func() { texts = append(texts, d.text()) })
		return texts
	case collection.JSON, collection.RichText:
		return d.tree()
	case collection.Boolean:
		return string(d.token()) == "true"
	case collection.Money, collection.Integer, collection.Number:
		return d.number(f.kind)
	case collection.Date:
		t, err := parseTime(d.text())
		if err != nil {
			d.fail("time")
		}
		return t
	default: // the rest is text
	}
	return d.text()
}

// former reads a value that was stored in another form; nil for one that is none of values.
func (d *decoder) former(values map[string]string) any {
	start := d.i
	d.skip()
	if now, known := values[string(d.b[start:d.i])]; known {
		return now
	}
	return nil
}

func (d *decoder) list(each func()) {
	if !d.take('[') {
		d.fail("list")
		return
	}
	for !d.take(']') && d.err == nil {
		d.take(',')
		each()
	}
}

func (d *decoder) number(k collection.Kind) any {
	text := d.token()
	if k == collection.Number {
		v, err := money.ParseDecimal(string(text))
		if err != nil {
			d.fail("number")
		}
		return v
	}
	if d.published && k == collection.Money {
		n, err := money.ParseColumn(string(text))
		if err != nil {
			d.fail("amount")
		}
		return n
	}
	n, err := strconv.ParseInt(string(text), 10, 64)
	if err != nil {
		d.fail("whole number")
	}
	if k == collection.Money {
		return money.Of(n, d.currency)
	}
	return n
}

// token returns a number or a word.
func (d *decoder) token() []byte {
	start := d.i
	for d.i < len(d.b) && d.b[d.i] != ',' && d.b[d.i] != '}' && d.b[d.i] != ']' {
		d.i++
	}
	return d.b[start:d.i]
}

func (d *decoder) text() string {
	raw, plain := d.quoted()
	if plain {
		return unsafe.String(unsafe.SliceData(raw), len(raw)-1)[1:] //nolint:gosec // see decode
	}
	var s string
	if json.Unmarshal(replaceEscape(raw, nulPlaceholder, nulEscape), &s) != nil {
		d.fail("text")
	}
	return s
}

// quoted returns a string with its quotes; plain means that nothing in it is escaped.
func (d *decoder) quoted() (raw []byte, plain bool) {
	start := d.i
	if !d.take('"') {
		d.fail("text")
		return nil, false
	}
	if n := bytes.IndexByte(d.b[d.i:], '"'); n >= 0 && bytes.IndexByte(d.b[d.i:d.i+n], '\\') < 0 {
		d.i += n + 1
		return d.b[start:d.i], true
	}
	plain = true
	for d.i < len(d.b) {
		switch c := d.b[d.i]; {
		case c == '\\':
			plain = false
			d.i += 2
			continue
		case c == '"':
			d.i++
			return d.b[start:d.i], plain
		case c < 0x20:
			plain = false
		}
		d.i++
	}
	d.fail("closing quote")
	return nil, false
}

func (d *decoder) tree() collection.JSONValue {
	switch d.peek() {
	case '{':
		m := map[string]any{}
		d.take('{')
		for !d.take('}') && d.err == nil {
			d.take(',')
			key := d.text()
			if !d.take(':') {
				d.fail("colon")
			}
			m[key] = d.tree()
		}
		return m
	case '[':
		items := []any{}
		d.list(func() { items = append(items, d.tree()) })
		return items
	case '"':
		return d.text()
	}
	switch word := string(d.token()); word {
	case "null":
		return nil
	case "true", "false":
		return word == "true"
	case "":
		d.fail("value")
		return nil
	default:
		return collection.JSONNumber(word)
	}
}

// parseTime reads a time in the form that documents have, without the generality of time.Parse.
func parseTime(text string) (time.Time, error) {
	const form = "0000-00-00T00:00:00.000Z"
	if len(text) != len(form) {
		return time.Parse(collection.TimeFormat, text)
	}
	var numbers [7]int
	at := 0
	for i := range len(form) {
		switch digit := text[i] - '0'; {
		case form[i] == '0' && digit <= 9:
			numbers[at] = numbers[at]*10 + int(digit)
		case form[i] != text[i]:
			return time.Parse(collection.TimeFormat, text)
		default:
			at++
		}
	}
	n := numbers
	t := time.Date(n[0], time.Month(n[1]), n[2], n[3], n[4], n[5], n[6]*int(time.Millisecond), time.UTC)
	if t.Day() != n[2] || n[1] < 1 || n[1] > 12 || n[3] > 23 || n[4] > 59 || n[5] > 59 { // no such day or time
		return time.Parse(collection.TimeFormat, text)
	}
	return t, nil
}

// skip passes over one value.
func (d *decoder) skip() {
	for depth := 0; d.err == nil; {
		switch c := d.peek(); {
		case c == '"':
			d.quoted()
		case c == '{' || c == '[':
			depth++
			d.i++
		case depth > 0 && (c == '}' || c == ']'):
			depth--
			d.i++
		case depth > 0 && (c == ',' || c == ':'):
			d.i++
		case len(d.token()) == 0:
			d.fail("value")
		}
		if depth == 0 {
			return
		}
	}
}
