package pdf

import (
	"bytes"
	"compress/gzip"
	"embed"
	"fmt"
	"io"
	"sync"
	"unicode"

	"github.com/signintech/gopdf"
	"github.com/signintech/gopdf/fontmaker/core"
)

//go:embed fonts/*.ttf.gz
var fontFiles embed.FS

// style is how heavy letters are.
type style int

const (
	regular style = iota
	bold
)

// fontNames are the files of each style, the first of which that has a character prints it.
var fontNames = [...][]string{
	regular: {"OpenSans-Regular", "NanumSquareR"},
	bold:    {"OpenSans-Bold", "NanumSquareB"},
}

const (
	// missing is printed for characters that no font has.
	missing = '□'
	// lastRune is the last character that is looked for: what lies beyond the basic plane is in none of the fonts.
	lastRune = 0xFFFF
	// noGlyph is the width of a character that a font does not have.
	noGlyph = 0xFFFF
	// perEm is what widths of characters are measured in: thousandths of the size of the font.
	perEm = 1000
)

// face is a font.
type face struct {
	name   string
	widths []uint16 // of each character, in perEm
}

// fontSet is all fonts, parsed once for all documents. It does not change.
type fontSet struct {
	container gopdf.FontContainer
	faces     [len(fontNames)][]*face
}

// loadFonts parses the fonts when the first document is printed, which takes about as long as ten pages do.
var loadFonts = sync.OnceValues(func() (*fontSet, error) {
	all := &fontSet{}
	for s, names := range fontNames {
		for _, name := range names {
			f, err := all.load(name)
			if err != nil {
				return nil, fmt.Errorf("font %s: %w", name, err)
			}
			all.faces[s] = append(all.faces[s], f)
		}
	}
	return all, nil
})

func (a *fontSet) load(name string) (*face, error) {
	data, err := unpackFont(name)
	if err != nil {
		return nil, err
	}
	if err := a.container.AddTTFFontData(name, data); err != nil {
		return nil, err
	}
	var parsed gopdf.SubsetFontObj
	if err := parsed.SetTTFData(data); err != nil {
		return nil, err
	}
	f := &face{name: name, widths: make([]uint16, lastRune+1)}
	for r := range f.widths {
		f.widths[r] = noGlyph
		glyph, err := parsed.CharCodeToGlyphIndex(rune(r))
		if err == nil && glyph != 0 && isPrintable(rune(r)) && isDrawn(parsed.GetTTFParser(), glyph, rune(r)) {
			f.widths[r] = uint16(min(parsed.GlyphIndexToPdfWidth(glyph), noGlyph-1))
		}
	}
	return f, nil
}

func unpackFont(name string) ([]byte, error) {
	packed, err := fontFiles.ReadFile("fonts/" + name + ".ttf.gz")
	if err != nil {
		return nil, err
	}
	z, err := gzip.NewReader(bytes.NewReader(packed))
	if err != nil {
		return nil, err
	}
	return io.ReadAll(z)
}

// isDrawn reports whether a font draws anything for r. Fonts name characters that they have no shape for: NanumSquare all Han characters,
// which would be printed as nothing, as if nobody had written them.
func isDrawn(font *core.TTFParser, glyph uint, r rune) bool {
	shapes := font.LocaTable // where the shape of each glyph begins, and the next one's
	return unicode.IsSpace(r) || glyph+1 < uint(len(shapes)) && shapes[glyph] < shapes[glyph+1]
}

// rightToLeft are scripts that the fonts have in part, and that would be printed backwards.
func rightToLeft(r rune) bool {
	return r >= 0x0590 && r <= 0x08FF || r >= 0xFB1D && r <= 0xFDFF || r >= 0xFE70 && r <= 0xFEFC
}

func isPrintable(r rune) bool { return r >= ' ' && !isInvisible(r) && !rightToLeft(r) }

// faceOf is the face of a style that has r; nil for none.
func (a *fontSet) faceOf(s style, r rune) *face {
	if r > lastRune {
		return nil
	}
	for _, f := range a.faces[s] {
		if f.widths[r] != noGlyph {
			return f
		}
	}
	return nil
}
