package rest

import (
	"bufio"
	"errors"
	"io"
	"os"
	"slices"
	"strings"

	"github.com/gofiber/fiber/v2"

	"github.com/cartwright-dev/cartwright/app/operation"
)

// serveProduced answers a call of an operation whose answer is not JSON: a file, or a stream of events.
func serveProduced(c *fiber.Ctx, o *operation.Operation, at operation.Surface, route string) error {
	call, err := caller(c)
	if err != nil {
		return err
	}
	input, err := queryInput(c, o)
	if err == nil {
		err = operationContent(c, o, &call.Principal)
	}
	if err != nil {
		return err
	}
	r := operation.Request{
		Call: call, Surface: at, Route: route, Params: pathParams(c, o), Body: input,
		Transport: &operation.Transport{Session: operation.Session{Credentials: credentials(c)}},
	}
	if slices.Contains(o.Produces, operation.EventStream) {
		return serveEventStream(c, o, r)
	}
	return serveFile(c, o, r)
}

// serveFile answers with a file. It is written completely, on disk, before its first byte is sent, because a
// client might take a truncated file for a complete one. Writing and sending it may each take as long as an
// upload.
func serveFile(c *fiber.Ctx, o *operation.Operation, r operation.Request) error {
	body := bodyOf(c)
	if o.Slow {
		body.timeout = uploadTotal
		body.restartTimeout()
	}
	f, err := os.CreateTemp("", "cartwright-export-")
	if err != nil {
		return err
	}
	_ = os.Remove(f.Name()) // the file exists until it is closed, or the process ends
	to := bufio.NewWriter(f)
	r.Download = &operation.Download{Writer: to}
	answer, err := o.Do(c.UserContext(), r)
	if err == nil {
		err = to.Flush()
	}
	var size int64
	if err == nil {
		size, err = rewind(f)
	}
	if err != nil {
		return errors.Join(err, f.Close())
	}
	setDownloadHeaders(c, r.Download)
	tellLanguageOf(c, o, r.Call.Language, answer)
	if c.Method() == fiber.MethodHead {
		c.Response().Header.SetContentLength(int(size))
		return f.Close()
	}
	c.Response().SetBodyStream(file{f}, int(size))
	return nil
}

// rewind goes back to the start of a file that was written, and returns its size.
func rewind(f *os.File) (size int64, err error) {
	if size, err = f.Seek(0, io.SeekCurrent); err != nil {
		return 0, err
	}
	_, err = f.Seek(0, io.SeekStart)
	return size, err
}

func setDownloadHeaders(c *fiber.Ctx, d *operation.Download) {
	kind := d.ContentType
	if strings.HasPrefix(kind, "text/") {
		kind += "; charset=utf-8"
	}
	c.Set(fiber.HeaderContentType, kind)
	c.Set(fiber.HeaderContentDisposition, `attachment; filename="`+d.Filename+`"`)
	c.Set(fiber.HeaderXContentTypeOptions, "nosniff")
	c.Set(fiber.HeaderCacheControl, cachePrivate)
}
