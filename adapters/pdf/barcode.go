package pdf

import (
	"image/color"

	"github.com/boombuler/barcode/code128"
)

// finestBar is the narrowest bar that printers of 203 dots an inch print and scanners read: 0.19 mm, in points.
const finestBar = 0.19 * millimeter

// widestBar is as wide as a bar needs to be.
const widestBar = 0.42 * millimeter

// bars is text as the modules of a Code 128 barcode, true for a bar; nil for what Code 128 does not have.
func bars(text string) []bool {
	code, err := code128.Encode(text)
	if text == "" || err != nil {
		return nil
	}
	modules := make([]bool, code.Bounds().Dx())
	for i := range modules {
		modules[i] = code.At(i, 0) == color.Black
	}
	return modules
}

// barcode prints a barcode into at most width points from x on, and returns how wide it became: 0, and nothing is printed, where
// its bars would be too fine to be scanned.
func (s *sheet) barcode(x, y, width, height float64, text string) float64 {
	modules := bars(text)
	if len(modules) == 0 {
		return 0
	}
	bar := min(width/float64(len(modules)), widestBar)
	if bar < finestBar {
		return 0
	}
	for i := 0; i < len(modules); {
		n := 1
		for i+n < len(modules) && modules[i+n] == modules[i] {
			n++
		}
		if modules[i] {
			s.fill(x+float64(i)*bar, y, float64(n)*bar, height, black)
		}
		i += n
	}
	return bar * float64(len(modules))
}
