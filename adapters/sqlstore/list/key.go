package list

import (
	"crypto/sha256"
	"encoding/binary"
	"slices"
	"strconv"
	"time"

	"github.com/cartwright-dev/cartwright/domain/collection"
)

// listKeyOf identifies what q is about; the order of conditions makes no difference.
func listKeyOf(tenant string, q collection.Query) listKey {
	b := appendText(make([]byte, 0, 256), tenant)
	b = appendText(b, q.Schema.Slug)
	b = appendText(b, q.Environment)
	return sha256.Sum256(appendCond(b, q.Where))
}

func appendText(b []byte, text string) []byte {
	return append(binary.AppendUvarint(b, uint64(len(text))), text...)
}

func appendCond(b []byte, cond collection.Cond) []byte {
	all := func(kind byte, conds []collection.Cond) []byte {
		parts := make([]string, len(conds))
		for i, c := range conds {
			parts[i] = string(appendCond(nil, c))
		}
		slices.Sort(parts)
		b = binary.AppendUvarint(append(b, kind), uint64(len(parts)))
		for _, p := range parts {
			b = appendText(b, p)
		}
		return b
	}
	switch cond := cond.(type) {
	case collection.And:
		return all('&', cond)
	case collection.Or:
		return all('|', cond)
	case collection.Comparison:
		b = binary.AppendUvarint(append(b, '?'), uint64(len(cond.Path)))
		for i := range cond.Path {
			b = appendField(b, &cond.Path[i])
		}
		b = binary.AppendUvarint(appendText(b, string(cond.Op)), uint64(len(cond.Values)))
		for _, v := range cond.Values {
			b = appendValue(b, v)
		}
	}
	return b
}

// appendField identifies a step of a path: the field, and the language that is meant.
func appendField(b []byte, f *collection.Field) []byte {
	b = appendText(b, f.Name)
	if f.Language != nil {
		b = appendText(appendText(b, f.Language.Locale), f.Language.Fallback)
	}
	return b
}

func appendValue(b []byte, v any) []byte {
	switch v := v.(type) {
	case string:
		return appendText(append(b, 's'), v)
	case int64:
		return binary.AppendVarint(append(b, 'n'), v)
	case bool:
		return strconv.AppendBool(append(b, 'b'), v)
	case time.Time:
		return binary.AppendVarint(append(b, 't'), v.UnixMilli())
	}
	return append(b, '0')
}
