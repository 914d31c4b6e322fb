package table

import (
	"bytes"
	"errors"
	"fmt"
	"strconv"
	"strings"
	"unicode/utf8"
)

const (
	// minDelta is from how many bytes on a document is stored as a delta; below, making it costs more than it saves.
	minDelta = 4 << 10
	// deltaBlock is how many bytes have to be the same before they are taken from the other document.
	deltaBlock = 32
	// deltaMark begins a delta; documents begin with a brace.
	deltaMark = '~'
)

var errDelta = errors.New("the delta of a document cannot be read")

// Delta is doc as it differs from base, another state of the same record: "=off,len;" takes bytes of base, and
// "+len;" is followed by bytes of its own. A small doc, and one that has little in common with base, is returned as it
// is. Both are UTF-8, and so is the delta.
func Delta(base, doc string) string {
	if len(doc) < minDelta || len(base) < deltaBlock {
		return doc
	}
	blocks := make(map[string]int, len(base)/deltaBlock)
	for i := 0; i+deltaBlock <= len(base); i += deltaBlock {
		blocks[base[i:i+deltaBlock]] = i
	}
	out := append(make([]byte, 0, len(doc)/8), deltaMark)
	own := 0 // where the bytes begin that are not in base
	for i := 0; i+deltaBlock <= len(doc); {
		at, found := blocks[doc[i:i+deltaBlock]]
		if !found {
			i++
			continue
		}
		from, to := extend(base, doc, at, own, i)
		out = appendOwn(out, doc[own:from])
		at -= i - from
		out = fmt.Appendf(out, "=%d,%d;", at, to-from)
		own, i = to, max(to, i+1)
	}
	if out = appendOwn(out, doc[own:]); len(out) >= len(doc) {
		return doc
	}
	return string(out)
}

// extend widens the match of doc[i:] with base[at:], backwards not beyond least, to whole characters.
func extend(base, doc string, at, least, i int) (from, to int) {
	from, to = i, i+deltaBlock
	for shift := at - i; from > least && from+shift > 0 && doc[from-1] == base[from+shift-1]; {
		from--
	}
	for shift := at - i; to < len(doc) && to+shift < len(base) && doc[to] == base[to+shift]; {
		to++
	}
	for from < to && !utf8.RuneStart(doc[from]) {
		from++
	}
	for to > from && to < len(doc) && !utf8.RuneStart(doc[to]) {
		to--
	}
	return from, to
}

func appendOwn(out []byte, text string) []byte {
	if text == "" {
		return out
	}
	return append(fmt.Appendf(out, "+%d;", len(text)), text...)
}

// expandDelta is the document of which Delta returned delta. Errors: errDelta.
func expandDelta(base, delta []byte) (doc []byte, err error) {
	if len(delta) == 0 || delta[0] != deltaMark {
		return delta, nil
	}
	doc = make([]byte, 0, len(base)+len(delta))
	for rest := delta[1:]; len(rest) > 0; {
		head, after, _ := bytes.Cut(rest[1:], []byte{';'})
		first, second, taken := strings.Cut(string(head), ",")
		n, err := strconv.Atoi(first)
		if err != nil || n < 0 {
			return nil, errDelta
		}
		switch length, err := strconv.Atoi(second); {
		case rest[0] == '+' && !taken && n <= len(after):
			doc, rest = append(doc, after[:n]...), after[n:]
		case rest[0] == '=' && err == nil && length >= 0 && n <= len(base)-length:
			doc, rest = append(doc, base[n:n+length]...), after
		default:
			return nil, errDelta
		}
	}
	return doc, nil
}
