package spreadsheet

import (
	"strings"
	"unicode"
)

// escapeMark stands before what would pass for a formula: spreadsheets take what follows for text.
const escapeMark = "'"

// formulaStarters are the first characters by which a spreadsheet takes a cell for a formula, or its separator for a new cell; East
// Asian ones take the full-width forms too.
const formulaStarters = "=+-@\t\r\n＝＋－＠"

// cellStarters are the characters behind which a spreadsheet may begin a new cell, whatever stands between cells here: where
// separators are others it does not know our quotes either.
const cellStarters = ";\t\n"

// lineBreaks are line breaks as cells have them here; a zero byte, which a workbook can spell out, is no character.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "")

// isInvisible reports whether a spreadsheet may look past a character at the start of a cell: spaces and what has no width.
func isInvisible(r rune) bool {
	return !strings.ContainsRune(formulaStarters, r) && (unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
}

// looksLikeFormula reports whether text begins like a formula, be it behind marks and what cannot be seen.
func looksLikeFormula(text string) bool {
	for _, r := range strings.TrimLeftFunc(strings.TrimLeft(text, escapeMark), isInvisible) {
		return strings.ContainsRune(formulaStarters, r)
	}
	return false
}

// mapCellStarts is cell with begin done wherever a spreadsheet may begin a cell: it gets all that follows, and says what stands
// before that, and what of it stays.
func mapCellStarts(cell string, begin func(rest string) (before, stays string)) string {
	var out strings.Builder
	for rest := cell; ; {
		before, stays := begin(rest)
		out.WriteString(before)
		next := strings.IndexAny(stays, cellStarters)
		if next < 0 {
			out.WriteString(stays)
			return out.String()
		}
		out.WriteString(stays[:next+1])
		rest = stays[next+1:]
	}
}

// escape is cell as it is written: unescape gives it back.
func escape(cell string) string {
	return mapCellStarts(lineBreaks.Replace(cell), func(rest string) (before, stays string) {
		if looksLikeFormula(rest) {
			return escapeMark, rest
		}
		return "", rest
	})
}

// unescape is a cell as it was meant.
func unescape(cell string) string {
	return mapCellStarts(lineBreaks.Replace(strings.ToValidUTF8(cell, "")), func(rest string) (before, stays string) {
		if strings.HasPrefix(rest, escapeMark) && looksLikeFormula(rest) {
			return "", rest[len(escapeMark):]
		}
		return "", rest
	})
}

func unescapeAll(cells []string) []string {
	for i, cell := range cells {
		cells[i] = unescape(cell)
	}
	return cells
}
