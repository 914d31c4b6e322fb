package sheet

import (
	"strings"
	"unicode"
)

// mark stands before what would pass for a formula: spreadsheets take what follows for text.
const mark = "'"

// risky are the first characters by which a spreadsheet takes a cell for a formula, or its separator for a new cell; East
// Asian ones take the full-width forms too.
const risky = "=+-@\t\r\n＝＋－＠"

// starts are the characters behind which a spreadsheet may begin a new cell, whatever stands between cells here: where
// separators are others it does not know our quotes either.
const starts = ";\t\n"

// lines are line breaks as cells have them here; a zero byte, which a workbook can spell out, is no character.
var lines = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "")

// unseen reports whether a spreadsheet may look past a character at the start of a cell: spaces and what has no width.
func unseen(r rune) bool {
	return !strings.ContainsRune(risky, r) && (unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
}

// formulaic reports whether text begins like a formula, be it behind marks and what cannot be seen.
func formulaic(text string) bool {
	for _, r := range strings.TrimLeftFunc(strings.TrimLeft(text, mark), unseen) {
		return strings.ContainsRune(risky, r)
	}
	return false
}

// atStarts is cell with begin done wherever a spreadsheet may begin a cell: it gets all that follows, and says what stands
// before that, and what of it stays.
func atStarts(cell string, begin func(rest string) (before, stays string)) string {
	var out strings.Builder
	for rest := cell; ; {
		before, stays := begin(rest)
		out.WriteString(before)
		next := strings.IndexAny(stays, starts)
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
	return atStarts(lines.Replace(cell), func(rest string) (before, stays string) {
		if formulaic(rest) {
			return mark, rest
		}
		return "", rest
	})
}

// unescape is a cell as it was meant.
func unescape(cell string) string {
	return atStarts(lines.Replace(strings.ToValidUTF8(cell, "")), func(rest string) (before, stays string) {
		if strings.HasPrefix(rest, mark) && formulaic(rest) {
			return "", rest[len(mark):]
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
