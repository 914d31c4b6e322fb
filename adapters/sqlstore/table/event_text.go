package table

import (
	"bytes"
	"fmt"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// EventText selects, of a row e of events, what PublishedBody and DecodeEvent read: three lines with the
// names of the changed fields, the record after and the record before the change. Documents have no line
// breaks. It is null where the event before, which an update may need, is gone.
const EventText = EventTextOpen + `)) END`

// EventTextOpen is EventText as far as the condition on the event before.
const EventTextOpen = `CASE e.operation WHEN 'create' THEN '
' || e.doc || '
' WHEN 'delete' THEN '

' || e.doc ELSE e.changed || '
' || e.doc || '
' || coalesce(e.previous_doc, (SELECT p.doc FROM events p WHERE p.tenant = e.tenant AND p.record = e.record AND p.record_sequence = e.record_sequence - 1`

// PublishedBody is what a delivery shows of an event, made from its EventText: data, the changed fields of an
// update, else the whole record; doc, the record after the change; previousDoc, the record before an update.
func PublishedBody(text []byte) []byte {
	names, after, before := splitEventText(text)
	body := append(make([]byte, 0, 64+3*len(after)+len(before)), `{"data":`...)
	switch {
	case len(after) == 0:
		return append(append(body, before...), '}')
	case len(before) == 0:
		body = append(append(append(body, after...), `,"doc":`...), after...)
		return append(body, '}')
	}
	body = appendMembers(body, after, names)
	body = append(append(append(body, `,"doc":`...), after...), `,"previousDoc":`...)
	return append(append(body, before...), '}')
}

// splitEventText takes an EventText apart. The record before may be a delta of the one after; null stands for one that
// cannot be read.
func splitEventText(text []byte) (names, after, before []byte) {
	names, text, _ = bytes.Cut(text, []byte{'\n'})
	after, before, _ = bytes.Cut(text, []byte{'\n'})
	whole, err := expandDelta(after, before)
	if err != nil {
		whole = []byte("null")
	}
	return names, after, whole
}

// appendMembers appends an object of those members of doc that are named, in the order they have there.
func appendMembers(dst, doc, names []byte) []byte {
	wanted := strings.Split(string(names), ",")
	dst = append(dst, '{')
	d := decoder{b: doc}
	d.take('{')
	for !d.take('}') && d.err == nil {
		d.take(',')
		start := d.i
		key := string(d.key())
		d.take(':')
		d.skip()
		if slices.Contains(wanted, key) {
			if dst[len(dst)-1] != '{' {
				dst = append(dst, ',')
			}
			dst = append(dst, doc[start:d.i]...)
		}
	}
	return append(dst, '}')
}

// DecodeEvent reads an EventText: the record before and after the change, nil where there was none, in the
// form that collection.Matches takes.
func (sh *Shape) DecodeEvent(text []byte) (before, after collection.Record, err error) {
	_, now, was := splitEventText(text)
	for _, x := range []struct {
		doc []byte
		r   *collection.Record
	}{{was, &before}, {now, &after}} {
		if len(x.doc) == 0 {
			continue
		}
		d := decoder{b: x.doc, published: true}
		if *x.r = d.group(sh.decodePlan); d.err != nil {
			return nil, nil, fmt.Errorf("event in %s: %w", sh.Table, d.err)
		}
	}
	return before, after, nil
}
