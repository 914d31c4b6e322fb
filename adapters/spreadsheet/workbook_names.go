package spreadsheet

import (
	"errors"
	"fmt"
	"strconv"
	"strings"
)

// columnName is the name of a column that is counted from 0: A, B, …, Z, AA.
func columnName(i int) string {
	name := ""
	for i++; i > 0; i = (i - 1) / 26 {
		name = string(rune('A'+(i-1)%26)) + name
	}
	return name
}

var errCellName = errors.New("sheet: not the name of a cell")

// columnOf is the column, counted from 1, in the name of a cell such as AB12.
func columnOf(cell string) (column int, err error) {
	digits := strings.TrimLeftFunc(cell, func(r rune) bool {
		upper := r &^ 0x20
		if upper < 'A' || upper > 'Z' {
			return false
		}
		column = min(column*26+int(upper-'A')+1, maxCellTags+1)
		return true
	})
	if row, err := strconv.Atoi(digits); err != nil || row < 1 || column == 0 || column > maxCellTags {
		return 0, errCellName
	}
	return column, nil
}

// A character that XML cannot have is written in texts of a workbook as _x and its code as four hexadecimal digits and _, as
// in _x0007_; a text that looks like that has _x005F_ in place of its first underscore.
const escapeLength = len("_x0000_")

// escapedCharacter is the character that an escape at the start of text stands for.
func escapedCharacter(text string) (r rune, ok bool) {
	if len(text) < escapeLength || !strings.HasPrefix(text, "_x") || text[escapeLength-1] != '_' {
		return 0, false
	}
	code, err := strconv.ParseUint(text[2:escapeLength-1], 16, 16)
	return rune(code), err == nil
}

// escapeCharacters is text as a workbook has it.
func escapeCharacters(text string) string {
	clean := func(i int) bool {
		_, looksEscaped := escapedCharacter(text[i:])
		return !looksEscaped && (text[i] >= ' ' || text[i] == '\t' || text[i] == '\n' || text[i] == '\r')
	}
	var out strings.Builder
	for i := range len(text) {
		if clean(i) {
			out.WriteByte(text[i])
			continue
		}
		fmt.Fprintf(&out, "_x%04X_", text[i])
	}
	return out.String()
}

// unescapeCharacters reverts escapeCharacters.
func unescapeCharacters(text string) string {
	if !strings.Contains(text, "_x") {
		return text
	}
	var out strings.Builder
	for len(text) > 0 {
		if r, ok := escapedCharacter(text); ok {
			out.WriteRune(r)
			text = text[escapeLength:]
			continue
		}
		out.WriteByte(text[0])
		text = text[1:]
	}
	return out.String()
}
