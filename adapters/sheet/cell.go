package sheet

import "strings"

// mark stands before a cell that would pass for a formula: spreadsheets take what follows for text.
const mark = "'"

// risky are the first characters by which a spreadsheet takes a cell for a formula, or its separator for a new cell; East
// Asian ones take the full-width forms too.
const risky = "=+-@\t\r\n＝＋－＠"

// lines are line breaks as cells have them here; a zero byte, which a workbook can spell out, is no character.
var lines = strings.NewReplacer("\r\n", "\n", "\r", "\n", "\x00", "")

// formulaic reports whether a cell begins like a formula, be it behind marks.
func formulaic(cell string) bool {
	for _, r := range strings.TrimLeft(cell, mark) {
		return strings.ContainsRune(risky, r)
	}
	return false
}

// escape is cell as it is written: unescape gives it back.
func escape(cell string) string {
	if cell = lines.Replace(cell); formulaic(cell) {
		return mark + cell
	}
	return cell
}

// unescape is a cell as it was meant.
func unescape(cell string) string {
	if cell = lines.Replace(strings.ToValidUTF8(cell, "")); strings.HasPrefix(cell, mark) && formulaic(cell) {
		return cell[len(mark):]
	}
	return cell
}

func unescapeAll(cells []string) []string {
	for i, cell := range cells {
		cells[i] = unescape(cell)
	}
	return cells
}
