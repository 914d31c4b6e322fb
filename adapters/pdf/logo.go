package pdf

import (
	"bytes"
	"crypto/sha256"
	"image"
	"image/color"
	"image/draw"
	_ "image/jpeg" // which logos are in
	"image/png"

	"github.com/signintech/gopdf"
	scaled "golang.org/x/image/draw"

	"github.com/cartwright-dev/cartwright/ports"
)

// logoDots is how many dots a point of a logo has at most: 288 an inch.
const logoDots = 4

// picture is a logo as it is printed, a PNG on white.
type picture struct {
	file          []byte
	width, height float64 // in dots
}

// logo prints a logo at the right of a box, as large as it fits, and reports whether it could.
func (s *sheet) logo(file []byte, b box) bool {
	if len(file) == 0 {
		return false
	}
	sum := sha256.Sum256(file)
	p, known := s.logos[sum]
	if !known {
		p = readLogo(file, int(b.width*logoDots), int(b.height*logoDots))
		s.logos[sum] = p
	}
	if p == nil || s.err != nil {
		return false
	}
	holder, err := gopdf.ImageHolderByBytes(p.file)
	if err != nil {
		s.err = err
		return false
	}
	scale := min(b.width/p.width, b.height/p.height)
	size := &gopdf.Rect{W: p.width * scale, H: p.height * scale}
	s.err = s.pdf.ImageByHolder(holder, b.x+b.width-size.W, b.y+(b.height-size.H)/2, size)
	return s.err == nil
}

// readLogo is a logo in at most width × height dots; nil for a file that is damaged or too large. It is drawn anew, so that what
// a PDF has of it is ours, however the file was made.
func readLogo(file []byte, width, height int) *picture {
	config, _, err := image.DecodeConfig(bytes.NewReader(file))
	if err != nil || config.Width < 1 || config.Height < 1 || config.Width > ports.MaxLogoPixels/config.Height {
		return nil
	}
	from, _, err := image.Decode(bytes.NewReader(file))
	if err != nil {
		return nil
	}
	scale := min(1, float64(width)/float64(config.Width), float64(height)/float64(config.Height))
	to := image.NewRGBA(image.Rect(0, 0, max(1, int(float64(config.Width)*scale)), max(1, int(float64(config.Height)*scale))))
	draw.Draw(to, to.Bounds(), image.NewUniform(color.White), image.Point{}, draw.Src)
	scaled.CatmullRom.Scale(to, to.Bounds(), from, from.Bounds(), draw.Over, nil)
	var out bytes.Buffer
	if err := png.Encode(&out, to); err != nil {
		return nil
	}
	return &picture{out.Bytes(), float64(to.Bounds().Dx()), float64(to.Bounds().Dy())}
}
