package media_test

import (
	"errors"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/media"
)

func TestTypeIsSniffedFromContent(t *testing.T) {
	riff := func(kind string) string { return "RIFF\x10\x00\x00\x00" + kind }
	brand := func(names string) string {
		return "\x00\x00\x00" + string(rune(16+len(names)-4)) + "ftyp" + names[:4] + "\x00\x00\x02\x00" + names[4:]
	}
	for name, c := range map[string]struct{ head, filename, want string }{
		"png":                     {"\x89PNG\r\n\x1a\n", "x.html", "image/png"},
		"jpeg":                    {"\xff\xd8\xff\xe0", "", "image/jpeg"},
		"gif":                     {"GIF89a\x01", "", "image/gif"},
		"old gif":                 {"GIF87a\x01", "", "image/gif"},
		"webp":                    {riff("WEBPVP8 "), "", "image/webp"},
		"wav":                     {riff("WAVEfmt "), "", "audio/wav"},
		"bmp":                     {"BM\x36\x00\x00\x00\x00\x00\x00\x00\x36", "", "image/bmp"},
		"text that begins as bmp": {"BMW is a car", "", "text/plain"},
		"tiff":                    {"II*\x00\x08", "", "image/tiff"},
		"big-endian tiff":         {"MM\x00*\x00", "", "image/tiff"},
		"icon":                    {"\x00\x00\x01\x00\x01", "", "image/x-icon"},
		"avif":                    {brand("avif" + "mif1miaf"), "", "image/avif"},
		"avif by what it also is": {brand("mif1" + "avif"), "", "image/heic"},
		"heic":                    {brand("heic" + "mif1"), "", "image/heic"},
		"mp4":                     {brand("isom" + "iso2mp41"), "", "video/mp4"},
		"mp4 by what it also is":  {brand("XXXX" + "mp42"), "", "video/mp4"},
		"quicktime":               {brand("qt  "), "", "video/quicktime"},
		"m4a":                     {brand("M4A " + "isom"), "", "audio/mp4"},
		"webm":                    {"\x1aE\xdf\xa3\x9fB\x86\x81\x01B\xf7\x81\x01B\xf2\x81\x04B\xf3\x81\x08B\x82\x84webm", "", "video/webm"},
		"theora":                  {"OggS\x00\x02\x00\x80theora", "", "video/ogg"},
		"vorbis":                  {"OggS\x00\x02\x00\x01vorbis", "", "audio/ogg"},
		"mp3":                     {"ID3\x04", "", "audio/mpeg"},
		"mp3 without a tag":       {"\xff\xfb\x90", "", "audio/mpeg"},
		"flac":                    {"fLaC\x00", "", "audio/flac"},
		"pdf":                     {"%PDF-1.4", "", "application/pdf"},
		"svg":                     {"<svg xmlns='x'>", "", "image/svg+xml"},
		"svg after a declaration": {
			"\ufeff<?xml version='1.0'?>\n<!DOCTYPE svg PUBLIC 'x'>\n<!-- made by hand -->\n<svg>", "", "image/svg+xml",
		},
		"svg with entities":        {"<!DOCTYPE svg [ <!ENTITY a 'b'> ]>\n<svg/>", "", "image/svg+xml"},
		"text":                     {"hello\r\n\tworld", "", "text/plain"},
		"text of any language":     {"안녕하세요 мир", "", "text/plain"},
		"text cut inside a letter": {strings.Repeat("x", media.HeadSize-1) + "\xec", "", "text/plain"},
		"csv":                      {"a,b\n", "X.CSV", "text/csv"},
		"a script":                 {"alert(1)", "x.png", "text/plain"},
		"html":                     {"<!DOCTYPE html><html>", "x.png", ""},
		"html in an svg's clothes": {"<!-- <svg> --><html>", "x.svg", ""},
		"svg by half a name":       {"<svgx>", "", ""},
		"svg cut off":              {"<svg", "", ""},
		"a comment without end":    {"<!-- " + strings.Repeat("<svg>", 100), "", ""},
		"xml":                      {"<?xml version='1.0'?><a/>", "", ""},
		"html behind a mark":       {"\ufeff \n<script>", "", ""},
		"zip":                      {"PK\x03\x04", "x.png", ""},
		"a program":                {"MZ\x90\x00", "", ""},
		"text with a NUL":          {"hello\x00", "", ""},
		"text in another encoding": {"caf\xe9 au lait", "", ""},
		"an unknown film":          {brand("what"), "", ""},
		"matroska":                 {"\x1aE\xdf\xa3\x9fB\x82\x88matroska", "", ""},
	} {
		got, err := media.Sniff([]byte(c.head), c.filename)
		if got != c.want || (c.want == "") != errors.Is(err, media.ErrUnsupportedType) {
			t.Errorf("%s: %q %v", name, got, err)
		}
	}
	if _, err := media.Sniff(nil, "x.png"); !errors.Is(err, media.ErrEmpty) {
		t.Errorf("nothing: %v", err)
	}
}

func TestFilenames(t *testing.T) {
	for given, want := range map[string]string{
		"cup.png": "cup.png", "Cup.PNG": "Cup.png", "cup": "cup.png", "cup.html": "cup.png", "cup.tar.gz": "cup.tar.png",
		"한글 컵.png": "한글-컵.png", "../../etc/passwd": "passwd.png", `C:\photos\cup.png`: "cup.png", "/": "file.png", "": "file.png",
		".png": "file.png", "...": "file.png", ".htaccess": "file.png", "a\r\nb\x00\"c.png": "a--bc.png", "<script>.png": "script.png",
		"a?b#c%2fd.png": "abc2fd.png", "right\u202eto\u200bleft.png": "righttoleft.png", "-rf.png": "rf.png", "cup .png": "cup.png",
		"\xff\xfe.png": "file.png", strings.Repeat("é", 300) + ".png": strings.Repeat("é", 98) + ".png",
	} {
		if got := media.Filename(given, "image/png"); got != want {
			t.Errorf("%q becomes %q", given, got)
		}
	}
	if got := media.Filename("photo.jpeg", "image/jpeg"); got != "photo.jpeg" {
		t.Errorf("an ending that fits becomes %q", got)
	}
}

func TestFilenameIsSafeForAnyInput(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		given := rapid.OneOf(rapid.String(), rapid.StringMatching(`[./\\ a-z"<>:|?*%#&;'\x00-\x1f\x{202e}é]{0,300}`)).Draw(t, "given")
		name := media.Filename(given, "text/plain")
		if name == "" || len(name) > 200 || !utf8.ValidString(name) || strings.ContainsAny(name, "/\\\"<>:|?*%#&;'` \r\n\x00") ||
			strings.HasPrefix(name, ".") || strings.HasPrefix(name, "-") {
			t.Errorf("%q becomes %q", given, name)
		}
		if again := media.Filename(name, "text/plain"); again != name {
			t.Errorf("%q becomes %q, and that %q", given, name, again)
		}
	})
}

func TestInlineTypes(t *testing.T) {
	for kind, want := range map[string]bool{
		"image/png": true, "video/mp4": true, "application/pdf": false, "image/svg+xml": false, "text/plain": false, "text/csv": false,
	} {
		if media.Inline(kind) != want {
			t.Error(kind)
		}
	}
}

func TestImageDimensionLimits(t *testing.T) {
	for _, c := range []struct {
		width, height int
		fine          bool
	}{
		{0, 0, true}, {10_000, 5_000, true}, {10_001, 5_000, false}, {30_000, 1, true}, {30_001, 1, false}, {1, 30_000, true},
		{1, 30_001, false},
	} {
		if err := media.CheckPixels(c.width, c.height); (err == nil) != c.fine || err != nil && !errors.Is(err, media.ErrTooManyPixels) {
			t.Errorf("%d × %d: %v", c.width, c.height, err)
		}
	}
}

func TestFileApplyTo(t *testing.T) {
	r := collection.Record{"id": "m1", "tenant": "t1", "width": int64(9)}
	f := media.File{
		Name: "컵 1.svg", MimeType: "image/svg+xml", Size: 7, BlobKey: media.BlobKey("t1", "abcdef"), Checksum: "0123456789abcdef",
	}
	f.ApplyTo(r)
	if got, ok := media.FileFrom(r); !ok || got != f {
		t.Errorf("%+v", got)
	}
	if r["url"] != "/api/media/file/t1/m1/%EC%BB%B5%201.svg?v=0123456789ab" || r["width"] != nil {
		t.Errorf("%v", r)
	}
	if f.BlobKey != "t1/ab/cdef" || !media.OwnsBlob("t1", f.BlobKey) || media.OwnsBlob("t", f.BlobKey) || media.OwnsBlob("t2", f.BlobKey) ||
		media.OwnsBlob("", f.BlobKey) {
		t.Error(f.BlobKey)
	}
	if _, ok := media.FileFrom(collection.Record{"url": "https://elsewhere.example/x.png"}); ok {
		t.Error("bytes elsewhere are no file of ours")
	}
	if _, ok := media.FileFrom(nil); ok {
		t.Error("no record has no file")
	}
}

func TestFileFromRecord(t *testing.T) {
	sum := "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
	for name, want := range map[string]string{
		"AZaz09-_.~.png": "AZaz09-_.~.png", "@[`{/:.png": "%40%5B%60%7B%2F%3A.png", "컵.png": "%EC%BB%B5.png", "a b+c.png": "a%20b%2Bc.png",
	} {
		f := media.File{Name: name, MimeType: "image/png", Size: 17, Width: 3, Height: 2, BlobKey: "t/ab/cd", Checksum: sum}
		r := collection.Record{"id": "m", "tenant": "t"}
		f.ApplyTo(r)
		if url := "/api/media/file/t/m/" + want + "?v=0123456789ab"; r.Text("url") != url {
			t.Errorf("%q stands at %s, want %s", name, r.Text("url"), url)
		}
		if got, ok := media.FileFrom(r); !ok || got != f {
			t.Errorf("%+v, want %+v", got, f)
		}
	}
	for _, size := range [][2]int{{0, 0}, {3, 0}, {0, 2}} {
		r := collection.Record{"id": "m", "tenant": "t", "width": int64(9), "height": int64(9)}
		media.File{Name: "x.svg", Width: size[0], Height: size[1], BlobKey: "k", Checksum: sum[:5]}.ApplyTo(r)
		if r["width"] != nil || r["height"] != nil || !strings.HasSuffix(r.Text("url"), "?v=01234") {
			t.Errorf("of %v: %v", size, r)
		}
	}
	r := collection.Record{"id": "m", "tenant": "t"}
	media.File{Width: 1, Height: 1}.ApplyTo(r)
	if r.Int("width") != 1 || r.Int("height") != 1 {
		t.Errorf("a single pixel: %v", r)
	}
	if _, ok := media.FileFrom(collection.Record{"filename": "x.png"}); ok {
		t.Error("a record without bytes has a file")
	}
}

// Files that were exported name pictures by their addresses.
func TestAddressesNameTheirRecord(t *testing.T) {
	r := collection.Record{"id": "m1", "tenant": "t1"}
	media.File{Name: "a/b c.png", Checksum: "0123456789abcdef"}.ApplyTo(r)
	for address, want := range map[string]string{
		r.Text("url"): "m1", "https://shop.example" + r.Text("url"): "m1", "m1": "m1", "https://elsewhere.example/a.png": "https://elsewhere.example/a.png",
		"/api/media/file/t1/m1": "/api/media/file/t1/m1", "": "",
	} {
		if got := media.IDIn(address); got != want {
			t.Errorf("%s: %s, want %s", address, got, want)
		}
	}
}
