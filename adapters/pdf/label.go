package pdf

import (
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/domain/paper"
)

// Sizes of labels, in points.
const (
	labelWidth   = 100 * millimeter
	labelHeight  = 150 * millimeter
	sheetColumns = 2
	sheetRows    = 4

	labelLeading = 1.25 // of lines, relative to the size
	smallest     = 4.5  // letters that can still be read
)

// box is a part of a page.
type box struct{ x, y, width, height float64 }

// inner is b without its margin.
func (b box) inner(margin float64) box {
	return box{b.x + margin, b.y + margin, b.width - 2*margin, b.height - 2*margin}
}

// printLabel prints a label on a page of its own.
func (s *sheet) printLabel(d paper.Document) {
	s.addPage(labelWidth, labelHeight)
	s.label(d, box{0, 0, labelWidth, labelHeight}.inner(5*millimeter), 1)
}

// printField prints the label numbered i, from 0, into its field of an A4 page: eight on a page, row by row.
func (s *sheet) printField(d paper.Document, i int) {
	const width, height, perPage = a4Width / sheetColumns, a4Height / sheetRows, sheetColumns * sheetRows
	i %= perPage
	if i == 0 {
		s.addPage(a4Width, a4Height)
	}
	field := box{float64(i%sheetColumns) * width, float64(i/sheetColumns) * height, width, height}
	s.label(d, field.inner(5*millimeter), 0.62)
}

// label prints a label into a box, everything scaled: carrier and mark, the barcode, who gets the parcel in large letters, who sends
// it, the notes, and at the bottom the facts. What is too long is printed in smaller letters, and in the end shortened.
func (s *sheet) label(d paper.Document, b box, scale float64) {
	top := b.y + s.labelHead(d, b, scale)
	top += s.labelBarcode(d.Barcode, box{b.x, top, b.width, 46 * scale}, 9*scale)
	bottom := s.labelFacts(d.Facts, b, 8*scale)
	shares := []float64{0.48, 0.32, 0.2} // of what is left: who gets it, who sends it, a note
	sizes := []float64{17 * scale, 10 * scale, 10 * scale}
	room := bottom - top
	for i, block := range append(slices.Clone(d.Parties), d.Notes...)[:min(len(shares), len(d.Parties)+len(d.Notes))] {
		part := box{b.x, top, b.width, room * shares[i]}
		if i > 0 {
			s.line(b.x, b.x+b.width, top, 0.5*scale, black)
		}
		s.labelBlock(block, part, sizes[i], 7*scale)
		top += part.height
	}
}

// labelHead prints the title and the mark above a line, and returns how high that is.
func (s *sheet) labelHead(d paper.Document, b box, scale float64) float64 {
	size := 15 * scale
	s.text(b.x, b.y+size, s.shorten(d.Title, bold, size, b.width*0.55), bold, size, black)
	if d.Mark != "" {
		mark := s.shorten(d.Mark, bold, size*0.8, b.width*0.4)
		width := s.width(mark, bold, size*0.8) + size
		s.frame(b.x+b.width-width, b.y, width, size*1.25, scale, black)
		s.text(b.x+b.width-width+size/2, b.y+size*0.92, mark, bold, size*0.8, black)
	}
	s.line(b.x, b.x+b.width, b.y+size*1.55, scale, black)
	return size * 2
}

// labelBarcode prints a barcode over the whole width with its text below it, and returns how high that is; only the text where
// the bars would be too fine.
func (s *sheet) labelBarcode(code string, b box, size float64) float64 {
	if code == "" {
		return 0
	}
	width := min(b.width, float64(len(bars(code)))*widestBar)
	y := b.y
	if s.barcode(b.x+(b.width-width)/2, y, width, b.height, code) > 0 {
		y += b.height + size*0.3
	}
	text := s.clean(code)
	size *= min(1, b.width/s.width(text, bold, size))
	s.text(b.x+(b.width-s.width(text, bold, size))/2, y+size, text, bold, size, black)
	return y - b.y + size*1.9
}

// labelFacts prints the facts in one line at the bottom of a box, in letters of size or smaller, and returns where that begins.
func (s *sheet) labelFacts(facts []paper.Fact, b box, size float64) (top float64) {
	texts := make([]string, len(facts))
	for i, f := range facts {
		texts[i] = s.clean(f.Name + " " + f.Value)
	}
	top = b.y + b.height - size*1.9
	s.line(b.x, b.x+b.width, top, size/12, black)
	all := s.width(strings.Join(texts, ""), regular, size) + size*float64(len(texts))
	size = max(smallest, size*min(1, b.width/all))
	x := b.x
	for _, text := range texts {
		text = s.shorten(text, regular, size, b.x+b.width-x)
		s.text(x, b.y+b.height-size*0.2, text, regular, size, black)
		x += s.width(text, regular, size) + size
	}
	return top
}

// labelBlock prints a block into a box, in letters of size, or smaller ones if they do not fit.
func (s *sheet) labelBlock(block paper.Block, b box, size, titleSize float64) {
	s.text(b.x, b.y+titleSize*1.6, s.shorten(block.Title, bold, titleSize, b.width), bold, titleSize, gray)
	top, room := b.y+titleSize*2, b.height-titleSize*2.4
	lines := s.wrapAll(block.Lines, bold, size, b.width)
	for size > smallest && float64(len(lines))*size*labelLeading > room {
		size = max(smallest, size*0.93)
		lines = s.wrapAll(block.Lines, bold, size, b.width)
	}
	fit := int(room / (size * labelLeading))
	for each := fit; len(lines) > fit && each > 0; each-- {
		lines = s.wrapShort(block.Lines, bold, size, b.width, each)
	}
	if len(lines) > fit && fit > 0 {
		lines = s.wrapShort([]string{strings.Join(block.Lines, " ")}, bold, size, b.width, fit)
	}
	for i, line := range lines[:min(len(lines), max(0, fit))] {
		s.text(b.x, top+float64(i)*size*labelLeading+size, line, bold, size, black)
	}
}

// wrapShort is wrapAll with at most limit lines of each text, the last of which has an ellipsis where that is not all.
func (a *fontSet) wrapShort(texts []string, as style, size, width float64, limit int) (lines []string) {
	for _, text := range texts {
		part := a.wrap(text, as, size, width)
		if len(part) > limit {
			part = append(part[:limit-1], a.shorten(part[limit-1]+" "+part[limit], as, size, width))
		}
		lines = append(lines, part...)
	}
	return lines
}
