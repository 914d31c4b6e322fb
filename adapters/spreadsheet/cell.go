package spreadsheet

import (
	"regexp"
	"strings"
	"unicode"
)

// escapeMark precedes text that would be read as a formula: spreadsheets then read it as text.
const escapeMark = "'"

// formulaStarters are the first characters by which a spreadsheet recognizes a formula, or its separator of
// cells; East Asian versions also accept full-width forms.
const formulaStarters = "=+-@\t\r\n＝＋－＠"

// cellStarters are the characters after which a spreadsheet may start a new cell, whatever our separator is:
// with another separator it does not recognize our quotes either.
const cellStarters = ";\t\n"

// lineBreaks are normalized line breaks; a zero byte, which a workbook can escape, is removed.
var lineBreaks = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "")

// isInvisible reports whether a spreadsheet may skip a character at the start of a cell: spaces and
// characters without width.
func isInvisible(r rune) bool {
	return !strings.ContainsRune(formulaStarters, r) && (unicode.IsSpace(r) || unicode.IsControl(r) || unicode.Is(unicode.Cf, r))
}

// looksLikeFormula reports whether text starts like a formula, also after escape marks and invisible
// characters.
func looksLikeFormula(text string) bool {
	for _, r := range strings.TrimLeftFunc(strings.TrimLeft(text, escapeMark), isInvisible) {
		return strings.ContainsRune(formulaStarters, r)
	}
	return false
}

// mapCellStarts applies begin wherever a spreadsheet may start a cell: begin gets the rest of the text, and
// returns a prefix and the remaining text.
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

// negativeNumber is a cell that a spreadsheet reads as a number and nothing else.
var negativeNumber = regexp.MustCompile(`^-[0-9]+(\.[0-9]+)?$`)

// escape is cell with its formula starts escaped, so that no spreadsheet runs what somebody typed as a name;
// unescape reverts it. Negative numbers stay: they are to be added up.
func escape(cell string) string {
	if negativeNumber.MatchString(cell) {
		return cell
	}
	return mapCellStarts(lineBreaks.Replace(cell), func(rest string) (before, stays string) {
		if looksLikeFormula(rest) {
			return escapeMark, rest
		}
		return "", rest
	})
}

// unescape is the original cell.
func unescape(cell string) string {
	return mapCellStarts(lineBreaks.Replace(strings.ToValidUTF8(cell, "")), func(rest string) (before, stays string) {
		if strings.HasPrefix(rest, escapeMark) && looksLikeFormula(rest) {
			return "", rest[len(escapeMark):]
		}
		return "", rest
	})
}

// EscapeRow returns the cells of a row with their formula starts escaped.
func EscapeRow(cells []string) []string {
	out := make([]string, len(cells))
	for i, cell := range cells {
		out[i] = escape(cell)
	}
	return out
}

// UnescapeRow restores the cells that EscapeRow escaped, in place.
func UnescapeRow(cells []string) []string {
	for i, cell := range cells {
		cells[i] = unescape(cell)
	}
	return cells
}
