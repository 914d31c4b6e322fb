package pdf

import "strings"

// LetterWidth is how wide a letter is in a font of a file, relative to the size of the font.
func LetterWidth(font, letter string) (width float64) {
	all, err := loadFonts()
	if err != nil {
		panic(err)
	}
	for _, faces := range all.faces {
		for _, f := range faces {
			if !strings.HasSuffix(font, f.name) {
				continue
			}
			for _, r := range letter {
				width += float64(f.widths[r]) / perEm
			}
			return width
		}
	}
	panic("no font is called " + font)
}
