package media

import (
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// Limits of an uploaded file. Contract 1, "limits".
const (
	MaxSize   = 25 << 20   // bytes
	MaxPixels = 50_000_000 // of an image; more would fill the memory of whoever shows it
	MaxSide   = 30_000     // pixels of one side
	HeadSize  = 8 << 10    // bytes that Sniff looks at
	maxName   = 200        // bytes of a file name
)

// The refusals of uploads.
var (
	ErrNoFile     = fault.New(fault.Invalid, "file_missing", "A file is needed: send a form with the field file.")
	ErrEmpty      = fault.New(fault.Invalid, "file_empty", "The file is empty.")
	ErrTooLarge   = fault.New(fault.TooLarge, "file_too_large", "The file is larger than 25 MiB.")
	ErrType       = fault.New(fault.UnsupportedMedia, "file_type_not_supported", "Files of this type are not taken. Taken are images, films, sound, PDF, plain text and CSV, whatever their name says.")
	ErrPixels     = fault.New(fault.TooLarge, "image_too_large", "The image has more than 50 million pixels, or a side longer than 30 000.")
	ErrUnreadable = fault.New(fault.Invalid, "image_unreadable", "The image is damaged: its size cannot be read.")
)

// CheckPixels refuses images that are too large to be shown. Errors: ErrPixels.
func CheckPixels(width, height int) error {
	if width > MaxSide || height > MaxSide || width*height > MaxPixels {
		return ErrPixels
	}
	return nil
}

// File is what the server found out about uploaded bytes.
type File struct {
	Name     string // as Filename makes it
	MimeType string
	Size     int64
	Width    int    // pixels; 0: it has none, or does not say
	Height   int    // pixels
	Key      string // of the blob
	Sum      string // SHA-256 in hex
}

// Key is where the blob of a tenant goes: below the tenant's own folder, at a place that nobody guesses. Random is
// hexadecimal text.
func Key(t tenant.ID, random string) string {
	return string(t) + "/" + random[:2] + "/" + random[2:]
}

// Owns reports whether key is a blob of tenant t.
func Owns(t tenant.ID, key string) bool { return t != "" && strings.HasPrefix(key, string(t)+"/") }

// In writes f into a record of Schema.
func (f File) In(r collection.Record) {
	r["filename"], r["mimeType"], r["filesize"] = f.Name, f.MimeType, f.Size
	r["width"], r["height"] = nil, nil
	if f.Width > 0 && f.Height > 0 {
		r["width"], r["height"] = int64(f.Width), int64(f.Height)
	}
	r["blob"], r["checksum"] = f.Key, f.Sum
	r["url"] = "/api/media/file/" + r.Text("tenant") + "/" + r.ID() + "/" + escape(f.Name) + "?v=" + f.Version()
}

// Of reads the file of a record of Schema; ok is false when its bytes are elsewhere.
func Of(r collection.Record) (f File, ok bool) {
	f = File{
		Name: r.Text("filename"), MimeType: r.Text("mimeType"), Size: r.Int("filesize"),
		Width: int(r.Int("width")), Height: int(r.Int("height")), Key: r.Text("blob"), Sum: r.Text("checksum"),
	}
	return f, f.Key != ""
}

// Version changes with the bytes; addresses carry it, so that what stands behind one may be kept for ever.
func (f File) Version() string { return f.Sum[:min(12, len(f.Sum))] }

// escape makes a file name one segment of a path.
func escape(name string) string {
	const hex = "0123456789ABCDEF"
	var b strings.Builder
	for i := range len(name) {
		switch c := name[i]; {
		case 'a' <= c && c <= 'z', 'A' <= c && c <= 'Z', '0' <= c && c <= '9', c == '-', c == '_', c == '.', c == '~':
			b.WriteByte(c)
		default:
			b.WriteByte('%')
			b.WriteByte(hex[c>>4])
			b.WriteByte(hex[c&15])
		}
	}
	return b.String()
}

// Filename makes a name that is safe in addresses, headers and file systems out of the one a client gave: without
// folders, control and direction marks and what systems reserve, spaces as dashes, letters of every script kept, at most
// 200 bytes, and with an ending that fits the type.
func Filename(given, mimeType string) string {
	if i := strings.LastIndexAny(given, `/\`); i >= 0 {
		given = given[i+1:]
	}
	name := strings.Map(func(r rune) rune {
		switch {
		case unicode.IsSpace(r):
			return '-'
		case r == utf8.RuneError, !unicode.IsPrint(r), strings.ContainsRune(`<>:"|?*%#&;'`+"`", r):
			return -1
		}
		return r
	}, given)
	stem, ending := name, ""
	if i := strings.LastIndexByte(name, '.'); i >= 0 {
		stem, ending = name[:i], strings.ToLower(name[i+1:])
	}
	fits := endings[mimeType]
	if !slices.Contains(fits, ending) {
		ending = fits[0]
	}
	stem = strings.Trim(stem, ".-")
	for len(stem)+1+len(ending) > maxName {
		_, last := utf8.DecodeLastRuneInString(stem)
		stem = stem[:len(stem)-last]
	}
	if stem == "" {
		stem = "file"
	}
	return stem + "." + ending
}
