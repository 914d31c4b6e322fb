package pdf

import "github.com/cartwright-dev/cartwright/domain/paper"

// cellGap is the space between columns, in points.
const cellGap = 8.0

// column is where a column is.
type column struct {
	left, width float64
	number      bool // its texts are aligned at its end
}

// cellLine is a line of a cell.
type cellLine struct {
	text string
	size float64
	ink  ink
}

// table prints the rows, with the titles of the columns at its top and on each further page. A row stands on one page, unless it
// is so long that half a page would stay empty.
func (p *page) table() {
	if len(p.Columns) == 0 {
		return
	}
	columns := p.layColumns()
	for i, row := range p.Rows {
		cells, height := p.rowLines(columns, row)
		if height > (pageBottom-margin)/2 {
			height = bodySize
		}
		if p.room(height+40) || i == 0 {
			p.tableHead(columns)
		}
		p.row(columns, cells, func() { p.tableHead(columns) })
		p.y += 4
		p.line(pageLeft, pageRight, p.y, 0.4, rule)
		p.y += 4
	}
	p.y += 6
}

func (p *page) layColumns() []column {
	var sum float64
	for _, c := range p.Columns {
		sum += c.Weight
	}
	columns := make([]column, len(p.Columns))
	left, room := pageLeft+cellGap, pageWidth-cellGap*float64(len(p.Columns)+1)
	for i, c := range p.Columns {
		columns[i] = column{left, room * c.Weight / sum, c.Number}
		left += columns[i].width + cellGap
	}
	return columns
}

func (p *page) tableHead(columns []column) {
	const height = smallSize + 10
	p.fill(pageLeft, p.y, pageWidth, height, shade)
	for i, c := range columns {
		p.cell(c, p.y+smallSize+4.5, bold, cellLine{p.shorten(p.Columns[i].Title, bold, smallSize, c.width), smallSize, black})
	}
	p.y += height + 4
}

// cell prints a line of a column.
func (p *page) cell(c column, y float64, as style, line cellLine) {
	if c.number {
		p.textEnd(c.left+c.width, y, line.text, as, line.size, line.ink)
		return
	}
	p.text(c.left, y, line.text, as, line.size, line.ink)
}

// cellLines are texts as lines of a cell.
func (p *page) cellLines(texts []string, width, size float64, color ink) (lines []cellLine) {
	for _, text := range p.wrapAll(texts, regular, size, width) {
		lines = append(lines, cellLine{text, size, color})
	}
	return lines
}

// rowLines are the lines of each cell of a row, and how high the highest is.
func (p *page) rowLines(columns []column, row []paper.Cell) (cells [][]cellLine, height float64) {
	cells = make([][]cellLine, len(columns))
	for i, cell := range row[:min(len(row), len(columns))] {
		cells[i] = append(p.cellLines([]string{cell.Text}, columns[i].width, bodySize, black),
			p.cellLines(cell.Small, columns[i].width, smallSize, gray)...)
		var high float64
		for _, line := range cells[i] {
			high += line.size * leading
		}
		height = max(height, high)
	}
	return cells, height
}

// row prints the lines of a row beside each other, line by line, so that it can go on over the end of a page; head is called at
// the top of each further one.
func (p *page) row(columns []column, cells [][]cellLine, head func()) {
	for n := 0; ; n++ {
		var step float64
		for _, lines := range cells {
			if n < len(lines) {
				step = max(step, lines[n].size*leading)
			}
		}
		if step == 0 {
			return
		}
		if p.room(step) {
			head()
		}
		for i, lines := range cells {
			if n < len(lines) {
				p.cell(columns[i], p.y+lines[n].size, regular, lines[n])
			}
		}
		p.y += step
	}
}
