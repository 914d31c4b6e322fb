package rest

import (
	"net/url"
	"strconv"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/adapters/rest/static"
	"github.com/cartwright-dev/cartwright/app/uploads"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

// ErrRange refuses a range that begins beyond the end of a file. It is answered with its own status, 416.
var ErrRange = fault.NewInvalid("Range", "range_not_satisfiable", "The requested range is beyond the end of the file.")

// How long browsers and proxies may cache a file: forever under a URL with its version.
const (
	cacheImmutable = "public, max-age=31536000, immutable"
	cacheOneMinute = "public, max-age=60"
)

// Media registers the download of media files. Everything else about media is an operation or generic.
type Media struct{ Uploads *uploads.Service }

// Mount implements Area.
func (a Media) Mount(r fiber.Router) { r.Get("/"+media.Schema.Slug+"/file/:tenant/:id/:name", a.file) }

// file sends a file, or a part of it. It takes no credentials, because pages embed its URL.
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
	if header := c.Get(fiber.HeaderRange); header != "" && rangeApplies(c, tag) {
		switch from, length, err = parseRange(header, f.Size); {
		case err != nil:
			return outOfRange(c, f.Size)
		case length >= 0:
			status = fiber.StatusPartialContent
			c.Set(fiber.HeaderContentRange,
				"bytes "+strconv.FormatInt(from, 10)+"-"+strconv.FormatInt(from+length-1, 10)+"/"+strconv.FormatInt(f.Size, 10))
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
	c.Response().SetBodyStream(file{r}, int(length))
	return nil
}

// rangeApplies reports whether If-Range is missing or matches the file. A date never matches, being too imprecise.
func rangeApplies(c *fiber.Ctx, tag string) bool {
	given := c.Get(fiber.HeaderIfRange)
	return given == "" || given == tag
}

// setFileHeaders sets the headers of a response with f. Browsers must not guess another type nor run scripts
// in the file; pages of other sites may embed it.
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
	c.Set(fiber.HeaderContentSecurityPolicy, "default-src 'none'; style-src 'unsafe-inline'; sandbox")
	c.Set(fiber.HeaderAccessControlAllowOrigin, "*")
	c.Set("Cross-Origin-Resource-Policy", "cross-origin")
	c.Set(fiber.HeaderAcceptRanges, "bytes")
	c.Set(fiber.HeaderETag, tag)
	c.Set(fiber.HeaderCacheControl, cacheOneMinute)
	if c.Query("v") == f.Version() {
		c.Set(fiber.HeaderCacheControl, cacheImmutable)
	}
}

// clearFileHeaders removes the headers that do not apply to an error.
func clearFileHeaders(c *fiber.Ctx) {
	for _, name := range []string{fiber.HeaderContentDisposition, fiber.HeaderETag, fiber.HeaderContentSecurityPolicy} {
		c.Response().Header.Del(name)
	}
	c.Set(fiber.HeaderCacheControl, "no-store")
}

// outOfRange answers with ErrRange and the size of the file.
func outOfRange(c *fiber.Ctx, size int64) error {
	clearFileHeaders(c)
	c.Set(fiber.HeaderContentRange, "bytes */"+strconv.FormatInt(size, 10))
	writeFault(c, ErrRange, requestInfoOf(c).id)
	c.Status(fiber.StatusRequestedRangeNotSatisfiable)
	return nil
}

// asciiFilename is name for clients that support ASCII only.
func asciiFilename(name string) string {
	return strings.Map(func(r rune) rune {
		if r < ' ' || r > '~' || r == '"' || r == '\\' {
			return '_'
		}
		return r
	}, name)
}

// parseRange parses a Range of one part: its start and length. length < 0 means that the header is ignored:
// it has several parts or another unit, or is malformed. RFC 9110, 14.2. Errors: ErrRange.
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

// parsePosition parses a number of digits only; one that is too large is treated as beyond any end.
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
