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

// Limits of an uploaded file. Rule media-7.
const (
	MaxSize   = 25 << 20   // bytes
	MaxPixels = 50_000_000 // of an image; more would fill the memory of the program that decodes it
	MaxSide   = 30_000     // pixels of one side
	HeadSize  = 8 << 10    // bytes that Sniff reads
	maxName   = 200        // bytes of a file name
)

// The refusals of uploads.
var (
	ErrNoFile          = fault.NewInvalid("file", "file_missing", "A file is needed: send a form with the field file.")
	ErrEmpty           = fault.NewInvalid("file", "file_empty", "The file is empty.")
	ErrTooLarge        = fault.New(fault.TooLarge, "file_too_large", "The file is larger than 25 MiB.")
	ErrUnsupportedType = fault.New(fault.UnsupportedMedia, "file_type_not_supported",
		"This file type is not supported. Supported are images, video, audio, PDF, plain text and CSV, detected by content.")
	ErrTooManyPixels = fault.New(fault.TooLarge, "image_too_large",
		"The image has more than 50 million pixels, or a side longer than 30 000.")
	ErrImageUnreadable = fault.NewInvalid("file", "image_unreadable", "The image is damaged: its size cannot be read.")
)

// CheckPixels refuses images that are too large to be displayed. Errors: ErrTooManyPixels.
func CheckPixels(width, height int) error {
	if width > MaxSide || height > MaxSide || width*height > MaxPixels {
		return ErrTooManyPixels
	}
	return nil
}

// File is what the server detected about uploaded bytes.
type File struct {
	Name     string // as returned by Filename
	MimeType string
	Size     int64
	Width    int    // pixels; 0: unknown, or not an image
	Height   int    // pixels
	BlobKey  string // of the blob
	Checksum string // SHA-256 in hex
}

// BlobKey is the key of a new blob of a tenant: an unguessable name in the tenant's folder. random is
// hexadecimal text.
func BlobKey(t tenant.ID, random string) string {
	return string(t) + "/" + random[:2] + "/" + random[2:]
}

// OwnsBlob reports whether key is a blob of tenant t.
func OwnsBlob(t tenant.ID, key string) bool { return t != "" && strings.HasPrefix(key, string(t)+"/") }

// ApplyTo writes f into a record of Schema.
func (f File) ApplyTo(r collection.Record) {
	r["filename"], r["mimeType"], r["filesize"] = f.Name, f.MimeType, f.Size
	r["width"], r["height"] = nil, nil
	if f.Width > 0 && f.Height > 0 {
		r["width"], r["height"] = int64(f.Width), int64(f.Height)
	}
	r["blob"], r["checksum"] = f.BlobKey, f.Checksum
	r["url"] = addressPrefix + r.Text("tenant") + "/" + r.ID() + "/" + escape(f.Name) + "?v=" + f.Version()
}

// addressPrefix begins the addresses of files: the tenant, the record's id and the file's name follow.
const addressPrefix = "/api/media/file/"

// IDIn is the id of the record whose file an address names, of whatever version, with or without the server's own address before
// it. What is no such address is answered as it is.
func IDIn(address string) string {
	_, path, found := strings.Cut(address, addressPrefix)
	parts := strings.Split(path, "/")
	if !found || len(parts) != 3 { //nolint:mnd // said above
		return address
	}
	return parts[1]
}

// FileFrom reads the file of a record of Schema; ok is false when its bytes are not in this server's blob
// store.
func FileFrom(r collection.Record) (f File, ok bool) {
	f = File{
		Name: r.Text("filename"), MimeType: r.Text("mimeType"), Size: r.Int("filesize"),
		Width: int(r.Int("width")), Height: int(r.Int("height")), BlobKey: r.Text("blob"), Checksum: r.Text("checksum"),
	}
	return f, f.BlobKey != ""
}

// Version changes with the bytes. URLs contain it, so that responses can be cached forever.
func (f File) Version() string { return f.Checksum[:min(12, len(f.Checksum))] }

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

// Filename turns the name a client gave into one that is safe in URLs, headers and file systems: without
// folders, control characters, direction marks and reserved characters, with dashes for spaces, letters of
// every script, at most 200 bytes, and an extension that fits the type.
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
	fits := extensions[mimeType]
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
