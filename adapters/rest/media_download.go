package rest

import (
	"io"
	"net"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/static"
	"github.com/cartwright-dev/cartwright/app/uploads"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ErrRange says that a file is shorter than where the client wants to go on. HTTP has a status for this alone, 416.
var ErrRange = fault.New(fault.Invalid, "range_not_satisfiable", "The file does not have the bytes asked for.")

// How long browsers and proxies keep bytes: for ever behind an address that names their version.
const (
	cacheImmutable = "public, max-age=31536000, immutable"
	cacheOneMinute = "public, max-age=60"
)

// Media registers the addresses of the bytes of media. Everything else about them is an operation or generic.
type Media struct{ Uploads *uploads.Service }

// Mount implements Area.
func (a Media) Mount(r fiber.Router) { r.Get("/"+media.Schema.Slug+"/file/:tenant/:id/:name", a.file) }

// file answers with the bytes of a file, or a part of them. It takes no credentials: the address stands in pages.
func (a Media) file(c *fiber.Ctx) error {
	f, err := a.Uploads.File(c.UserContext(), tenant.ID(c.Params("tenant")), c.Params("id"))
	if err != nil {
		return err
	}
	tag := `"` + f.Checksum + `"`
	setFileHeaders(c, f, tag)
	if static.Matches(c.Get(fiber.HeaderIfNoneMatch), tag) {
		return c.SendStatus(fiber.StatusNotModified)
	}
	status, from, length := fiber.StatusOK, int64(0), f.Size
	if asked := c.Get(fiber.HeaderRange); asked != "" && rangeApplies(c, tag) {
		switch from, length, err = parseRange(asked, f.Size); {
		case err != nil:
			return outOfRange(c, f.Size)
		case length >= 0:
			status = fiber.StatusPartialContent
			c.Set(fiber.HeaderContentRange, "bytes "+strconv.FormatInt(from, 10)+"-"+strconv.FormatInt(from+length-1, 10)+"/"+strconv.FormatInt(f.Size, 10))
		default:
			from, length = 0, f.Size
		}
	}
	c.Status(status)
	if c.Method() == fiber.MethodHead {
		c.Response().Header.SetContentLength(int(length))
		return nil
	}
	r, err := a.Uploads.Open(c.UserContext(), f, from, length)
	if err != nil {
		clearFileHeaders(c)
		return err
	}
	c.Response().SetBodyStream(&pacedBody{ReadCloser: r, conn: c.Context().Conn()}, int(length))
	return nil
}

// rangeApplies reports whether the bytes are still those of which the client has a part. A date says too little for that.
func rangeApplies(c *fiber.Ctx, tag string) bool {
	given := c.Get(fiber.HeaderIfRange)
	return given == "" || given == tag
}

// setFileHeaders sets what the answer says about f. Whatever the bytes are, a browser takes them for nothing else, runs nothing
// in them, and may show them in pages of other sites.
func setFileHeaders(c *fiber.Ctx, f media.File, tag string) {
	kind, how := f.MimeType, "attachment"
	if strings.HasPrefix(kind, "text/") {
		kind += "; charset=utf-8"
	}
	if media.Inline(f.MimeType) {
		how = "inline"
	}
	c.Set(fiber.HeaderContentType, kind)
	c.Set(fiber.HeaderContentDisposition, how+`; filename="`+asciiFilename(f.Name)+`"; filename*=UTF-8''`+url.PathEscape(f.Name))
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	if f.MimeType != "application/pdf" { // viewers inside of browsers do not work in a sandbox
		c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	}
	c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
	c.Set("Cross-Origin-Resource-Policy", "cross-origin")
	c.Set(fiber.HeaderAcceptRanges, "bytes")
	c.Set(fiber.HeaderETag, tag)
	c.Set(fiber.HeaderCacheControl, cacheOneMinute)
	if c.Query("v") == f.Version() {
		c.Set(fiber.HeaderCacheControl, cacheImmutable)
	}
}

// clearFileHeaders takes back what an error is not.
func clearFileHeaders(c *fiber.Ctx) {
	for _, name := range []string{fiber.HeaderContentDisposition, fiber.HeaderETag, fiber.HeaderContentSecurityPolicy} {
		c.Response().Header.Del(name)
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
}

// outOfRange answers ErrRange with how long the file is.
func outOfRange(c *fiber.Ctx, size int64) error {
	clearFileHeaders(c)
	c.Set(fiber.HeaderContentRange, "bytes */"+strconv.FormatInt(size, 10))
	writeFault(c, ErrRange, requestInfoOf(c).id)
	c.Status(fiber.StatusRequestedRangeNotSatisfiable)
	return nil
}

// asciiFilename is name for clients that know no other letters.
func asciiFilename(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' {
			return '_'
		}
		return r
	}, name)
}

// parseRange reads a Range of one part: where it begins and how long it is, length < 0 when it does not apply, being
// of several parts, of another unit or malformed. RFC 9110, 14.2. Errors: ErrRange.
func parseRange(text string, size int64) (from, length int64, err error) {
	first, last, ok := strings.Cut(strings.TrimSpace(strings.TrimPrefix(text, "bytes=")), "-")
	if !ok || !strings.HasPrefix(text, "bytes=") || strings.Contains(text, ",") {
		return 0, -1, nil
	}
	if first == "" {
		n, ok := parsePosition(last)
		switch {
		case !ok:
			return 0, -1, nil
		case n == 0 || size == 0:
			return 0, 0, ErrRange
		}
		return max(0, size-n), min(n, size), nil
	}
	from, ok = parsePosition(first)
	end := size - 1
	if ok && last != "" {
		end, ok = parsePosition(last)
	}
	switch {
	case !ok || end < from && last != "":
		return 0, -1, nil
	case from >= size:
		return 0, 0, ErrRange
	}
	return from, min(end, size-1) - from + 1, nil
}

// parsePosition reads digits and nothing else; more of them than fit are as good as the end.
func parsePosition(text string) (n int64, ok bool) {
	if text == "" || strings.Trim(text, "0123456789") != "" {
		return 0, false
	}
	n, err := strconv.ParseInt(text, 10, 64)
	if err != nil {
		n = 1<<62 - 1
	}
	return n, true
}

// pacedBody is a file on its way to a client, which has to keep up.
type pacedBody struct {
	io.ReadCloser

	conn net.Conn
}

// chunkTimeout is how long a client may take for one chunk of a file.
const chunkTimeout = 30 * time.Second

// WriteTo implements io.WriterTo.
func (o *pacedBody) WriteTo(w io.Writer) (total int64, err error) {
	buf := make([]byte, 64<<10)
	for {
		n, err := o.Read(buf)
		if n > 0 {
			_ = o.conn.SetWriteDeadline(time.Now().Add(chunkTimeout)) // a connection that is gone shows at the write
			written, failed := w.Write(buf[:n])
			total += int64(written)
			if failed != nil {
				return total, failed
			}
		}
		if err == io.EOF { //nolint:errorlint // wrapped, it is the end of something else
			return total, nil
		}
		if err != nil {
			return total, err
		}
	}
}

// Close implements io.Closer.
func (o *pacedBody) Close() error {
	_ = o.conn.SetWriteDeadline(time.Time{}) // as above
	return o.ReadCloser.Close()
}
