package media

import (
	"slices"
	"strings"
	"unicode/utf8"
)

// The types that have rules of their own.
const (
	jpeg = "image/jpeg"
	svg  = "image/svg+xml"
	pdf  = "application/pdf"
	mp4  = "video/mp4"
)

// extensions lists the accepted types with their file name extensions, the usual one first.
var extensions = map[string][]string{
	"image/png": {"png"}, jpeg: {"jpg", "jpeg", "jpe", "jfif"}, "image/gif": {"gif"}, "image/webp": {"webp"}, "image/avif": {"avif"},
	"image/heic": {"heic", "heif"}, "image/bmp": {"bmp"}, "image/tiff": {"tiff", "tif"}, "image/x-icon": {"ico"}, svg: {"svg"},
	mp4: {"mp4", "m4v"}, "video/webm": {"webm"}, "video/quicktime": {"mov"}, "video/ogg": {"ogv"},
	"audio/mpeg": {"mp3"}, "audio/mp4": {"m4a"}, "audio/aac": {"aac"}, "audio/ogg": {"ogg", "oga", "opus"}, "audio/wav": {"wav"},
	"audio/flac": {"flac"}, pdf: {"pdf"}, "text/plain": {"txt", "text", "md", "log"}, "text/csv": {"csv"},
}

// withDimensions are the image types whose size must be readable: browsers do not show files of these types
// without it.
var withDimensions = []string{"image/png", jpeg, "image/gif", "image/webp"}

// RequiresDimensions reports whether an image of this type without a readable size is damaged.
func RequiresDimensions(mimeType string) bool { return slices.Contains(withDimensions, mimeType) }

// Inline reports whether a browser may open the file instead of downloading it. SVG and PDF, which can contain
// scripts, and text are downloaded; an <img> still shows an SVG.
func Inline(mimeType string) bool {
	return mimeType != svg && mimeType != pdf && !strings.HasPrefix(mimeType, "text/")
}

// signatures are first bytes that identify a type; "." matches any byte.
var signatures = []struct{ beginning, mimeType string }{
	{"\x89PNG\r\n\x1a\n", "image/png"}, {"\xff\xd8\xff", jpeg}, {"GIF87a", "image/gif"}, {"GIF89a", "image/gif"},
	{"RIFF....WEBPVP8", "image/webp"}, {"BM....\x00\x00\x00\x00", "image/bmp"}, {"II*\x00", "image/tiff"}, {"MM\x00*", "image/tiff"},
	{"\x00\x00\x01\x00", "image/x-icon"}, {"%PDF-", pdf}, {"RIFF....WAVE", "audio/wav"}, {"fLaC", "audio/flac"},
	{"ID3", "audio/mpeg"}, {"\xff\xfb", "audio/mpeg"}, {"\xff\xf3", "audio/mpeg"}, {"\xff\xf2", "audio/mpeg"},
	{"\xff\xf1", "audio/aac"}, {"\xff\xf9", "audio/aac"},
}

// Sniff detects which of the accepted types a file has from its first bytes (HeadSize of them, or all if it
// has fewer). The client's file name only distinguishes CSV from other text. Errors: ErrEmpty,
// ErrUnsupportedType.
func Sniff(head []byte, filename string) (mimeType string, err error) {
	if len(head) == 0 {
		return "", ErrEmpty
	}
	for _, s := range signatures {
		if hasPattern(head, s.beginning) {
			return s.mimeType, nil
		}
	}
	for _, look := range []func([]byte) string{sniffContainer, sniffSVG} {
		if found := look(head); found != "" {
			return found, nil
		}
	}
	if !isPlainText(head) {
		return "", ErrUnsupportedType
	}
	if strings.HasSuffix(strings.ToLower(filename), ".csv") {
		return "text/csv", nil
	}
	return "text/plain", nil
}

func hasPattern(head []byte, beginning string) bool {
	if len(head) < len(beginning) {
		return false
	}
	for i := range len(beginning) {
		if beginning[i] != '.' && beginning[i] != head[i] {
			return false
		}
	}
	return true
}

// brands of ISO media files by type, the more specific ones first.
var brands = []struct{ mimeType, names string }{
	{"image/avif", "avif avis"}, {"image/heic", "heic heix heim heis hevc hevx mif1 msf1"}, {"video/quicktime", "qt  "},
	{"audio/mp4", "M4A  M4B "}, {mp4, "isom iso2 iso4 iso5 iso6 mp41 mp42 avc1 M4V  dash MSNV 3gp4 3gp5 3gp6 f4v "},
}

// sniffContainer detects containers, which can have streams of several kinds.
func sniffContainer(head []byte) string {
	start := string(head[:min(len(head), 4096)])
	switch {
	case hasPattern(head, "....ftyp") && len(head) >= 12:
		return sniffBrand(head)
	case hasPattern(head, "\x1aE\xdf\xa3") && strings.Contains(start[:min(len(start), 64)], "webm"):
		return "video/webm"
	case hasPattern(head, "OggS") && strings.Contains(start, "theora"):
		return "video/ogg"
	case hasPattern(head, "OggS"):
		return "audio/ogg"
	}
	return ""
}

// sniffBrand detects the type by the major brand of an ISO media file, then by its compatible brands.
func sniffBrand(head []byte) string {
	size := int(head[0])<<24 | int(head[1])<<16 | int(head[2])<<8 | int(head[3])
	list := []string{string(head[8:12])}
	for at := 16; at+4 <= min(size, len(head), 256); at += 4 {
		list = append(list, string(head[at:at+4]))
	}
	for _, brand := range list {
		for _, b := range brands {
			if strings.Contains(b.names, brand) {
				return b.mimeType
			}
		}
	}
	return ""
}

// sniffSVG detects an SVG image: its first element is svg. Other markup is not accepted.
func sniffSVG(head []byte) string {
	rest := strings.TrimPrefix(string(head), "\ufeff")
	for {
		rest = strings.TrimLeft(rest, " \t\r\n")
		var end string
		switch {
		case strings.HasPrefix(rest, "<?xml"):
			end = "?>"
		case strings.HasPrefix(rest, "<!--"):
			end = "-->"
		case len(rest) >= 9 && strings.EqualFold(rest[:9], "<!doctype"):
			if end = ">"; strings.Contains(rest[:max(0, strings.IndexByte(rest, '>'))], "[") {
				end = "]>"
			}
		default:
			if name, ok := strings.CutPrefix(rest, "<svg"); ok && name != "" && strings.ContainsRune(" \t\r\n>/", rune(name[0])) {
				return svg
			}
			return ""
		}
		i := strings.Index(rest, end)
		if i < 0 {
			return ""
		}
		rest = rest[i+len(end):]
	}
}

// isPlainText reports whether head is plain text: UTF-8 without control characters, and no markup.
func isPlainText(head []byte) bool {
	s := strings.TrimPrefix(string(head), "\ufeff")
	if strings.HasPrefix(strings.TrimLeft(s, " \t\r\n\f"), "<") {
		return false
	}
	for i, r := range s {
		if r == utf8.RuneError && (len(head) < HeadSize || i < len(s)-utf8.UTFMax) ||
			r < ' ' && !strings.ContainsRune("\t\r\n\f", r) || r == 0x7f {
			return false
		}
	}
	return true
}
