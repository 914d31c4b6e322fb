package portstest

import (
	"bytes"
	"encoding/binary"
	"errors"
	"hash/crc32"
	"image"
	"image/gif"
	"image/jpeg"
	"image/png"
	"io"
	"strings"
	"sync"
	"testing"

	"golang.org/x/image/bmp"
	"golang.org/x/image/tiff"

	mediafile "github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/ports"
)

// maxImageHeader is as much of a large image as may be read to measure it, in bytes.
const maxImageHeader = 4<<20 + 64<<10

// ImageSizer checks ports.ImageSizer.
func ImageSizer(t *testing.T, sizer ports.ImageSizer) {
	t.Run("the size is the one that is shown, and damaged files are refused", func(t *testing.T) { sizesByType(t, sizer) })
	t.Run("an error of the source is returned as it is, and is no damaged image", func(t *testing.T) {
		failed := errors.New("the store is gone")
		_, _, err := sizer.Measure("image/png", brokenReader{strings.NewReader("\x89PNG\r\n\x1a\n"), failed})
		if !errors.Is(err, failed) || errors.Is(err, mediafile.ErrImageUnreadable) {
			t.Errorf("err = %v", err)
		}
	})
	t.Run("no more than the header is read", func(t *testing.T) {
		for mimeType, header := range map[string][]byte{
			"image/png": pngHeader(30, 20), "image/jpeg": {0xff, 0xd8}, "image/avif": []byte("\x00\x00\x00\x1cftypavif"), "video/mp4": nil,
		} {
			file := &countingReader{Reader: bytes.NewReader(append(header, make([]byte, 32<<20)...))}
			if _, _, err := sizer.Measure(mimeType, file); err != nil && !errors.Is(err, mediafile.ErrImageUnreadable) ||
				file.read > maxImageHeader {
				t.Errorf("%s: read %d bytes, %v", mimeType, file.read, err)
			}
		}
	})
	t.Run("one sizer measures many images at once", func(t *testing.T) {
		var all sync.WaitGroup
		for i := range uint32(20) {
			all.Go(func() {
				if width, height, err := sizer.Measure("image/png", bytes.NewReader(pngHeader(i+1, i+2))); width != int(i+1) ||
					height != int(i+2) || err != nil {
					t.Errorf("%d: %d × %d, %v", i, width, height, err)
				}
			})
		}
		all.Wait()
	})
}

// sizesByType measures small images of every type, and damaged ones.
func sizesByType(t *testing.T, sizer ports.ImageSizer) {
	photo := encodedImage(t, func(w io.Writer, m image.Image) error { return jpeg.Encode(w, m, nil) })
	photo30x20 := func(o uint16) []byte { return withExif(photo, binary.BigEndian, "MM", o, 0) }
	ispe := func(w, h uint32) string {
		return "\x00\x00\x00\x14ispe\x00\x00\x00\x00" + string(binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, w), h))
	}
	for name, c := range map[string]struct {
		mimeType      string
		content       []byte
		width, height int
		err           error
	}{
		"png":  {"image/png", encodedImage(t, png.Encode), 30, 20, nil},
		"gif":  {"image/gif", encodedImage(t, func(w io.Writer, m image.Image) error { return gif.Encode(w, m, nil) }), 30, 20, nil},
		"bmp":  {"image/bmp", encodedImage(t, bmp.Encode), 30, 20, nil},
		"tiff": {"image/tiff", encodedImage(t, func(w io.Writer, m image.Image) error { return tiff.Encode(w, m, nil) }), 30, 20, nil},
		"webp": {
			"image/webp", []byte("RIFF\x1a\x00\x00\x00WEBPVP8L\x0d\x00\x00\x00\x2f\x1d\xc0\x04\x00\x00\x00\x00\x00\x00\x00\x00\x00\x00"),
			30, 20, nil,
		},
		"jpeg":                     {"image/jpeg", photo, 30, 20, nil},
		"jpeg, upside down":        {"image/jpeg", photo30x20(3), 30, 20, nil},
		"jpeg, on its side":        {"image/jpeg", photo30x20(6), 20, 30, nil},
		"jpeg, little endian":      {"image/jpeg", withExif(photo, binary.LittleEndian, "II", 8, 60_000), 20, 30, nil},
		"jpeg, an odd orientation": {"image/jpeg", photo30x20(99), 30, 20, nil},
		"avif": {
			"image/avif", []byte("\x00\x00\x00\x1cftypavif\x00\x00\x00\x00avifmif1" + ispe(30, 20) + ispe(300, 200)), 300, 200, nil,
		},
		"avif that does not say":     {"image/avif", []byte("\x00\x00\x00\x1cftypavif"), 0, 0, nil},
		"svg":                        {"image/svg+xml", []byte("<svg width='30' height='20'/>"), 0, 0, nil},
		"a film":                     {"video/mp4", []byte("\x00\x00\x00\x1cftypisom"), 0, 0, nil},
		"png that claims a lot":      {"image/png", pngHeader(50_000, 50_000), 50_000, 50_000, nil},
		"png cut off":                {"image/png", encodedImage(t, png.Encode)[:20], 0, 0, mediafile.ErrImageUnreadable},
		"jpeg cut off":               {"image/jpeg", photo[:10], 0, 0, mediafile.ErrImageUnreadable},
		"gif of nothing":             {"image/gif", []byte("GIF89a"), 0, 0, mediafile.ErrImageUnreadable},
		"tiff with a wild directory": {"image/tiff", []byte("II*\x00\xff\xff\xff\x7f"), 0, 0, nil},
	} {
		t.Run(name, func(t *testing.T) {
			width, height, err := sizer.Measure(c.mimeType, bytes.NewReader(c.content))
			if width != c.width || height != c.height || !errors.Is(err, c.err) {
				t.Errorf("%d × %d %v", width, height, err)
			}
		})
	}
}

func encodedImage(t *testing.T, encode func(io.Writer, image.Image) error) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := encode(&b, image.NewGray(image.Rect(0, 0, 30, 20))); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

// withExif puts a part before the rest of a JPEG that says how it is turned.
func withExif(photo []byte, order binary.ByteOrder, mark string, orientation uint16, padding int) []byte {
	part := []byte("Exif\x00\x00" + mark)
	part = appendInOrder(order, part, uint16(42))
	part = appendInOrder(order, part, uint32(8))
	part = appendInOrder(order, part, uint16(1))
	part = appendInOrder(order, part, uint16(0x0112))
	part = appendInOrder(order, part, uint16(3))
	part = appendInOrder(order, part, uint32(1))
	part = appendInOrder(order, part, orientation)
	part = append(part, make([]byte, 6+padding)...)
	out := append([]byte{0xff, 0xd8, 0xff, 0xe1}, 0, 0)
	binary.BigEndian.PutUint16(out[4:], uint16(len(part)+2))
	return append(append(out, part...), photo[2:]...)
}

func appendInOrder(order binary.ByteOrder, b []byte, v any) []byte {
	b, _ = binary.Append(b, order, v)
	return b
}

// pngHeader is a PNG of a few bytes that says it is as large as that.
func pngHeader(width, height uint32) []byte {
	chunk := append([]byte("IHDR"), binary.BigEndian.AppendUint32(binary.BigEndian.AppendUint32(nil, width), height)...)
	chunk = append(chunk, 8, 0, 0, 0, 0)
	out := append([]byte("\x89PNG\r\n\x1a\n\x00\x00\x00\x0d"), chunk...)
	return binary.BigEndian.AppendUint32(out, crc32.ChecksumIEEE(chunk))
}

// brokenReader fails at its end.
type brokenReader struct {
	*strings.Reader

	err error
}

// Read implements io.Reader.
func (b brokenReader) Read(p []byte) (int, error) {
	if n, err := b.Reader.Read(p); err == nil {
		return n, nil
	}
	return 0, b.err
}

// countingReader counts the bytes that are read of it, however they are read.
type countingReader struct {
	*bytes.Reader

	read int
}

// Read implements io.Reader.
func (c *countingReader) Read(p []byte) (int, error) {
	n, err := c.Reader.Read(p)
	c.read += n
	return n, err
}

// ReadAt implements io.ReaderAt.
func (c *countingReader) ReadAt(p []byte, at int64) (int, error) {
	n, err := c.Reader.ReadAt(p, at)
	c.read += n
	return n, err
}
