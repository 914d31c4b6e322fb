// Package imagesize reads the size of images from their headers. No pixels are decoded, so that a small file
// of a huge image costs nothing.
package imagesize

import (
	"bufio"
	"encoding/binary"
	"errors"
	"image"
	_ "image/gif"  // measured
	_ "image/jpeg" // measured
	_ "image/png"  // measured
	"io"

	_ "golang.org/x/image/bmp" // measured
	"golang.org/x/image/tiff"
	_ "golang.org/x/image/webp" // measured

	"github.com/cartwright-dev/cartwright/domain/media"
)

// Sizer is ports.ImageSizer.
type Sizer struct{}

// maxHeaderBytes bounds the header of a file: a JPEG may have previews and color profiles before its size.
const maxHeaderBytes = 4 << 20

// source is what an image is read from.
type source = interface {
	io.Reader
	io.ReaderAt
}

// Measure implements ports.ImageSizer.
func (Sizer) Measure(mimeType string, content source) (width, height int, err error) {
	told := &errorTrackingReader{from: content}
	switch mimeType {
	case "image/avif", "image/heic":
		width, height, err = measureISO(told)
	case "image/png", "image/jpeg", "image/gif", "image/webp", "image/bmp", "image/tiff":
		width, height, err = measureHeader(mimeType, told)
	}
	if told.failed != nil {
		return 0, 0, told.failed
	}
	if err != nil && media.RequiresDimensions(mimeType) || width < 0 || height < 0 {
		return 0, 0, media.ErrImageUnreadable.WithCause(err)
	}
	return width, height, nil
}

// measureHeader reads the size with the decoder of the type.
func measureHeader(mimeType string, content *errorTrackingReader) (width, height int, err error) {
	var c image.Config
	if mimeType == "image/tiff" {
		c, err = tiff.DecodeConfig(content) // its directory may be anywhere in the file
	} else {
		c, _, err = image.DecodeConfig(io.LimitReader(content, maxHeaderBytes))
	}
	if err != nil {
		return 0, 0, err
	}
	if mimeType == "image/jpeg" && isRotated(content) {
		return c.Height, c.Width, nil
	}
	return c.Width, c.Height, nil
}

var errNoSize = errors.New("no size in the header")

// measureISO reads the size of an image in an ISO media file: the largest size among its properties, since
// the file may contain previews and tiles. ISO/IEC 23008-12, 6.5.3.
func measureISO(content *errorTrackingReader) (width, height int, err error) {
	head := make([]byte, 64<<10)
	n, err := io.ReadFull(io.NewSectionReader(content, 0, int64(len(head))), head)
	if err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return 0, 0, err
	}
	for at := 0; at+16 <= n; at++ {
		if string(head[at:at+4]) != "ispe" {
			continue
		}
		w, h := binary.BigEndian.Uint32(head[at+8:]), binary.BigEndian.Uint32(head[at+12:])
		if w < 1<<24 && h < 1<<24 && uint64(w)*uint64(h) > uint64(width)*uint64(height) {
			width, height = int(w), int(h)
		}
	}
	if width == 0 || height == 0 {
		return 0, 0, errNoSize
	}
	return width, height, nil
}

// isRotated reports whether a JPEG is displayed rotated by 90 degrees: Exif orientation 5 to 8.
func isRotated(content *errorTrackingReader) bool {
	r := bufio.NewReaderSize(io.NewSectionReader(content, 2, maxHeaderBytes), 4096)
	for {
		var marker [4]byte
		if _, err := io.ReadFull(r, marker[:]); err != nil || marker[0] != 0xff || marker[1] == 0xda {
			return false
		}
		size := int(binary.BigEndian.Uint16(marker[2:])) - 2
		if size < 0 {
			return false
		}
		if marker[1] != 0xe1 {
			if _, err := r.Discard(size); err != nil {
				return false
			}
			continue
		}
		part := make([]byte, size)
		if _, err := io.ReadFull(r, part); err != nil {
			return false
		}
		if o := orientation(part); o != 0 {
			return o >= 5 && o <= 8
		}
	}
}

// orientation reads tag 0x0112 of the first directory of an Exif segment; 0 without one. Exif 2.32, 4.6.4.
func orientation(part []byte) uint16 {
	const prefix = "Exif\x00\x00"
	if len(part) < len(prefix)+8 || string(part[:len(prefix)]) != prefix {
		return 0
	}
	tiff := part[len(prefix):]
	var order binary.ByteOrder = binary.BigEndian
	if string(tiff[:2]) == "II" {
		order = binary.LittleEndian
	}
	at := int64(order.Uint32(tiff[4:]))
	if at+2 > int64(len(tiff)) {
		return 0
	}
	for n := int64(order.Uint16(tiff[at:])); n > 0; n-- {
		entry := at + 2 + (n-1)*12
		if entry+12 <= int64(len(tiff)) && order.Uint16(tiff[entry:]) == 0x0112 {
			return order.Uint16(tiff[entry+8:])
		}
	}
	return 0
}

// errorTrackingReader remembers read errors, to distinguish them from malformed headers.
type errorTrackingReader struct {
	from   source
	failed error
}

// Read implements io.Reader.
func (t *errorTrackingReader) Read(p []byte) (int, error) {
	n, err := t.from.Read(p)
	return n, t.track(err)
}

// ReadAt implements io.ReaderAt.
func (t *errorTrackingReader) ReadAt(p []byte, at int64) (int, error) {
	n, err := t.from.ReadAt(p, at)
	return n, t.track(err)
}

func (t *errorTrackingReader) track(err error) error {
	if err != nil && err != io.EOF { //nolint:errorlint // a wrapped EOF is not the end of the file
		t.failed = err
	}
	return err
}
