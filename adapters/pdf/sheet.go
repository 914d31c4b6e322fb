package pdf

import (
	"crypto/sha256"

	"github.com/signintech/gopdf"
)

// point is one millimeter in points, in which everything is measured.
const millimeter = 72 / 25.4

// A4 in points.
const (
	a4Width  = 210 * millimeter
	a4Height = 297 * millimeter
)

// ink is how light something is printed: 0 is black, 255 the paper.
type ink uint8

const (
	black ink = 0
	gray  ink = 95
	rule  ink = 190
	shade ink = 242
)

// sheet is the file while it is written. Its first error is kept, and nothing is written after it.
type sheet struct {
	*fontSet

	pdf   gopdf.GoPdf
	added map[string]bool // fonts that the file has
	logos map[[sha256.Size]byte]*picture
	pages int
	err   error
}

func newSheet(fonts *fontSet, title string) *sheet {
	s := &sheet{fontSet: fonts, added: map[string]bool{}, logos: map[[sha256.Size]byte]*picture{}}
	s.pdf.Start(gopdf.Config{PageSize: gopdf.Rect{W: a4Width, H: a4Height}})
	s.pdf.SetInfo(gopdf.PdfInfo{Title: title, Producer: "Cartwright"})
	return s
}

// addPage starts a page of a size in points.
func (s *sheet) addPage(width, height float64) {
	s.pdf.AddPageWithOption(gopdf.PageOption{PageSize: &gopdf.Rect{W: width, H: height}})
	s.pages++
}

// text prints a clean text; y is its base line.
func (s *sheet) text(x, y float64, text string, as style, size float64, color ink) {
	s.pdf.SetTextColor(uint8(color), uint8(color), uint8(color))
	for _, r := range s.runs(text, as) {
		s.use(r.face, size)
		if s.err != nil {
			return
		}
		s.pdf.SetXY(x, y)
		s.err = s.pdf.Text(r.text)
		x += float64(r.width) * size / perEm
	}
}

// textEnd prints a clean text that ends at x.
func (s *sheet) textEnd(x, y float64, text string, as style, size float64, color ink) {
	s.text(x-s.width(text, as, size), y, text, as, size, color)
}

// use makes a face the current font. A file has only the fonts that are used in it.
func (s *sheet) use(f *face, size float64) {
	if s.err == nil && !s.added[f.name] {
		s.added[f.name] = true
		s.err = s.pdf.AddTTFFontFromFontContainer(f.name, &s.container)
	}
	if s.err == nil {
		s.err = s.pdf.SetFont(f.name, "", size)
	}
}

// line draws a horizontal line.
func (s *sheet) line(x1, x2, y, weight float64, color ink) {
	s.pdf.SetLineWidth(weight)
	s.pdf.SetStrokeColor(uint8(color), uint8(color), uint8(color))
	s.pdf.Line(x1, y, x2, y)
}

// fill fills a rectangle, frame draws one.
func (s *sheet) fill(x, y, width, height float64, color ink) {
	s.pdf.SetFillColor(uint8(color), uint8(color), uint8(color))
	s.pdf.RectFromUpperLeftWithStyle(x, y, width, height, "F")
}

func (s *sheet) frame(x, y, width, height, weight float64, color ink) {
	s.pdf.SetLineWidth(weight)
	s.pdf.SetStrokeColor(uint8(color), uint8(color), uint8(color))
	s.pdf.RectFromUpperLeftWithStyle(x, y, width, height, "D")
}
