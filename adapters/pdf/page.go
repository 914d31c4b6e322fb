package pdf

import (
	"strconv"

	"github.com/cartwright-dev/cartwright/domain/paper"
)

// Margins of A4 pages, and sizes of letters, in points.
const (
	margin     = 42.0
	pageLeft   = margin
	pageRight  = a4Width - margin
	pageBottom = a4Height - 58
	pageWidth  = pageRight - pageLeft

	titleSize = 20.0
	nameSize  = 11.0
	bodySize  = 9.0
	smallSize = 7.5
	leading   = 1.4 // of lines, relative to the size
)

// page prints one document on A4 pages.
type page struct {
	*sheet
	paper.Document

	first int     // page of the file, from 1
	y     float64 // of the next line's top
}

// printPages prints a document on as many A4 pages as it takes.
func (s *sheet) printPages(d paper.Document) {
	p := &page{sheet: s, Document: d, first: s.pages + 1}
	p.newPage()
	p.head()
	p.parties()
	p.table()
	p.totals()
	for _, note := range d.Notes {
		p.note(note)
	}
	p.foot()
}

func (p *page) newPage() {
	p.addPage(a4Width, a4Height)
	p.y = margin
}

// room starts a page if less than height is left on this one, and reports whether it did.
func (p *page) room(height float64) bool {
	if p.y+height <= pageBottom {
		return false
	}
	p.newPage()
	return true
}

// head prints title, sender and mark, and below a line the facts with the barcode beside them.
func (p *page) head() {
	p.text(pageLeft, p.y+titleSize, p.shorten(p.Title, bold, titleSize, pageWidth/2), bold, titleSize, black)
	if !p.logo(p.Logo, box{pageRight - pageWidth/3, p.y - 6, pageWidth / 3, titleSize + 12}) {
		p.textEnd(pageRight, p.y+nameSize+3, p.shorten(p.Sender, bold, nameSize, pageWidth/2-12), bold, nameSize, black)
	}
	if p.Mark != "" {
		mark := p.shorten(p.Mark, bold, bodySize, pageWidth/3)
		x := pageLeft + p.width(p.shorten(p.Title, bold, titleSize, pageWidth/2), bold, titleSize) + 12
		p.frame(x, p.y+5, p.width(mark, bold, bodySize)+12, bodySize+8, 0.8, black)
		p.text(x+6, p.y+5+bodySize+2.5, mark, bold, bodySize, black)
	}
	p.y += titleSize + 12
	p.line(pageLeft, pageRight, p.y, 1.2, black)
	p.y += 12
	top, coded := p.y, p.headBarcode()
	for _, f := range p.Facts {
		p.text(pageLeft, p.y+bodySize, p.shorten(f.Name, regular, bodySize, 100), regular, bodySize, gray)
		p.fitted(pageLeft+106, p.y+bodySize, f.Value, bodySize, pageWidth/2-112)
		p.y += bodySize * 1.6
	}
	p.y = max(p.y, top+coded) + 12
}

// fitted prints a text in bold letters, which are smaller than size if they do not fit into limit.
func (s *sheet) fitted(x, y float64, text string, size, limit float64) {
	text = s.clean(text)
	if width := s.width(text, bold, size); width > limit {
		size = max(smallest, size*limit/width)
	}
	s.text(x, y, s.shorten(text, bold, size, limit), bold, size, black)
}

// headBarcode prints the barcode at the right, and returns how high it is.
func (p *page) headBarcode() float64 {
	const height = 34.0
	limit := pageWidth / 2
	width := float64(len(bars(p.Barcode))) * widestBar
	width = min(width, limit)
	if p.barcode(pageRight-width, p.y, width, height, p.Barcode) == 0 {
		return 0
	}
	text := p.shorten(p.Barcode, regular, smallSize, limit)
	p.text(pageRight-width/2-p.width(text, regular, smallSize)/2, p.y+height+smallSize+2, text, regular, smallSize, black)
	return height + smallSize + 4
}

// parties prints the parties beside each other.
func (p *page) parties() {
	if len(p.Parties) == 0 {
		return
	}
	const gap = 16.0
	width := (pageWidth - gap*float64(len(p.Parties)-1)) / float64(len(p.Parties))
	columns := make([]column, len(p.Parties))
	cells := make([][]cellLine, len(p.Parties))
	for i, block := range p.Parties {
		columns[i] = column{pageLeft + float64(i)*(width+gap), width, false}
		p.text(columns[i].left, p.y+smallSize, p.shorten(block.Title, bold, smallSize, width), bold, smallSize, gray)
		cells[i] = p.cellLines(block.Lines, width, bodySize, black)
	}
	p.y += smallSize + 5
	p.row(columns, cells, func() {})
	p.y += 14
}

// totals prints the amounts at the right.
func (p *page) totals() {
	const step = bodySize * 1.75
	left := pageLeft + pageWidth*0.45
	if len(p.Totals) > 0 {
		p.room(step * float64(len(p.Totals)))
		p.y += 4
	}
	for _, t := range p.Totals {
		p.room(step)
		as := regular
		if t.Strong {
			as = bold
			p.line(left, pageRight, p.y, 0.6, black)
		}
		amount := p.clean(t.Amount)
		p.text(left, p.y+bodySize+3, p.shorten(t.Name, as, bodySize, pageRight-left-p.width(amount, as, bodySize)-8), as, bodySize, black)
		p.textEnd(pageRight, p.y+bodySize+3, amount, as, bodySize, black)
		p.y += step
	}
	if len(p.Totals) > 0 {
		p.y += 10
	}
}

// note prints a block over the whole width.
func (p *page) note(block paper.Block) {
	const step = bodySize * leading
	p.room(3 * step)
	if block.Title != "" {
		p.text(pageLeft, p.y+smallSize, p.shorten(block.Title, bold, smallSize, pageWidth), bold, smallSize, gray)
		p.y += smallSize + 5
	}
	for _, line := range p.wrapAll(block.Lines, regular, bodySize, pageWidth) {
		p.room(step)
		p.text(pageLeft, p.y+bodySize, line, regular, bodySize, black)
		p.y += step
	}
	p.y += 10
}

// foot prints the foot of each page, now that their number is known.
func (p *page) foot() {
	const y = a4Height - 34
	count := p.pages - p.first + 1
	for n := range count {
		if p.err == nil {
			p.err = p.pdf.SetPage(p.first + n)
		}
		number := strconv.Itoa(n+1) + " / " + strconv.Itoa(count)
		p.line(pageLeft, pageRight, y-smallSize-6, 0.4, rule)
		about := p.Sender + " · " + p.Title
		if len(p.Facts) > 0 {
			about += " · " + p.Facts[0].Value
		}
		p.text(pageLeft, y, p.shorten(about, regular, smallSize, pageWidth-60), regular, smallSize, gray)
		p.textEnd(pageRight, y, number, regular, smallSize, gray)
	}
}
