package pdf

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"golang.org/x/text/unicode/norm"
)

// clean is text as it can be printed: composed, because a file name or a name typed on a Mac has Hangul in parts; without what is
// invisible; with missing for each character that no font has.
func (a *fontSet) clean(text string) string {
	return strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return ' '
		case isInvisible(r):
			return -1
		case a.faceOf(regular, r) == nil || a.faceOf(bold, r) == nil:
			return missing
		}
		return r
	}, norm.NFC.String(strings.ToValidUTF8(text, string(missing))))
}

// isInvisible reports whether r has no picture: controls, joiners, marks of direction and of variants.
func isInvisible(r rune) bool {
	return unicode.IsControl(r) || unicode.In(r, unicode.Cf, unicode.Variation_Selector)
}

// run is a part of a line in one face.
type run struct {
	face  *face
	text  string
	width int // in perEm
}

// runs are the parts of a clean text. A space is printed in the face of what stands before it.
func (a *fontSet) runs(text string, s style) (all []run) {
	for i, r := range text {
		f := a.faceOf(s, r)
		switch last := len(all) - 1; {
		case f == nil: // of a text that is not clean
		case last >= 0 && (f == all[last].face || r == ' '):
			all[last].text = text[i-len(all[last].text) : i+len(string(r))]
			all[last].width += int(all[last].face.widths[r])
		default:
			all = append(all, run{f, text[i : i+len(string(r))], int(f.widths[r])})
		}
	}
	return all
}

// width is how wide a clean text is, in points.
func (a *fontSet) width(text string, s style, size float64) float64 {
	sum, _ := a.measure(text, s, nil)
	return points(sum, size)
}

// measure is how wide a clean text is that stands behind a character in the face before, nil for none, and the face in which it ends.
func (a *fontSet) measure(text string, s style, before *face) (width int, last *face) {
	last = before
	for _, r := range text {
		f := a.faceOf(s, r)
		if f == nil {
			continue
		}
		if r != ' ' || last == nil {
			last = f
		}
		width += int(last.widths[r])
	}
	return width, last
}

func points(width int, size float64) float64 { return float64(width) * size / perEm }

// wrap is text in lines that are at most limit points wide: it breaks at spaces, and words that are longer than a line anywhere.
func (a *fontSet) wrap(text string, s style, size, limit float64) (lines []string) {
	var line string
	var width int
	var last *face
	for word := range strings.FieldsSeq(a.clean(text)) {
		if line != "" {
			more, end := a.measure(" "+word, s, last)
			if points(width+more, size) <= limit {
				line, width, last = line+" "+word, width+more, end
				continue
			}
			lines = append(lines, line)
		}
		var full []string
		full, line = a.cut(word, s, size, limit)
		lines = append(lines, full...)
		width, last = a.measure(line, s, nil)
	}
	if line != "" {
		lines = append(lines, line)
	}
	return lines
}

// cut is a clean text in full lines, which end anywhere, and the rest. A line has at least one character.
func (a *fontSet) cut(text string, s style, size, limit float64) (full []string, rest string) {
	start, used := 0, 0
	var last *face
	for i, r := range text {
		w, end := a.measure(text[i:i+utf8.RuneLen(r)], s, last)
		if points(used+w, size) > limit && i > start {
			full, start, used = append(full, text[start:i]), i, 0
			w, end = a.measure(text[i:i+utf8.RuneLen(r)], s, nil)
		}
		used, last = used+w, end
	}
	return full, text[start:]
}

// wrapAll is several texts in lines.
func (a *fontSet) wrapAll(texts []string, s style, size, limit float64) (lines []string) {
	for _, text := range texts {
		lines = append(lines, a.wrap(text, s, size, limit)...)
	}
	return lines
}

// shorten is a text in one line of at most limit points, with an ellipsis where that is not all.
func (a *fontSet) shorten(text string, s style, size, limit float64) string {
	text = strings.Join(strings.Fields(a.clean(text)), " ")
	if a.width(text, s, size) <= limit {
		return text
	}
	full, rest := a.cut(text, s, size, limit-a.width("…", s, size))
	return append(full, rest)[0] + "…"
}
