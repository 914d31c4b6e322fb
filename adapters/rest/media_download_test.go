package rest_test

import (
	"fmt"
	"strings"
	"testing"
)

// The type of a file follows from its content, not from its name; files that may contain scripts are downloaded.
func TestFilesAreServedByTheirContent(t *testing.T) {
	b := newSQLiteHarness(t)
	for name, c := range map[string]struct{ given, content, filename, kind, how string }{
		"an image named as a page": {"x.html", pngImage(t, 1, 1), "x.png", "image/png", "inline"},
		"a drawing": {
			"x.svg", `<?xml version="1.0"?><!-- x --><svg xmlns="http://www.w3.org/2000/svg"><script>alert(1)</script></svg>`, "x.svg",
			"image/svg+xml", "attachment",
		},
		"text":                       {"x", "hello\nworld", "x.txt", "text/plain; charset=utf-8", "attachment"},
		"a table":                    {"../../x.csv", "a,b\n1,2", "x.csv", "text/csv; charset=utf-8", "attachment"},
		"a script named as an image": {"x.js.png", "alert(1)", "x.js.txt", "text/plain; charset=utf-8", "attachment"},
		"a document":                 {`C:\docs\x.pdf`, "%PDF-1.7\n", "x.pdf", "application/pdf", "attachment"},
		"a film":                     {"x.mp4", "\x00\x00\x00\x18ftypisom\x00\x00\x02\x00isomiso2", "x.mp4", "video/mp4", "inline"},
	} {
		t.Run(name, func(t *testing.T) {
			doc := b.upload(c.given, c.content)
			got := b.request("GET", doc["url"].(string), "")
			how, _, _ := strings.Cut(got.header.Get("Content-Disposition"), ";")
			if doc["filename"] != c.filename || got.header.Get("Content-Type") != c.kind || how != c.how || got.raw != c.content ||
				got.header.Get("X-Content-Type-Options") != "nosniff" || !strings.HasSuffix(got.header.Get("Content-Security-Policy"), "; sandbox") {
				t.Errorf("%v %d %v", doc, got.status, got.header)
			}
		})
	}
}

func TestFileRangeRequests(t *testing.T) {
	b := newSQLiteHarness(t)
	url := b.upload("x.txt", "0123456789")["url"].(string)
	tag := b.request("GET", url, "").header.Get("ETag")
	for name, c := range map[string]struct {
		headers []string
		status  int
		body    string
		within  string
	}{
		"whole":                    {nil, 200, "0123456789", ""},
		"a part":                   {[]string{"Range", "bytes=2-4"}, 206, "234", "bytes 2-4/10"},
		"one byte":                 {[]string{"Range", "bytes=0-0"}, 206, "0", "bytes 0-0/10"},
		"to the end":               {[]string{"Range", "bytes=7-"}, 206, "789", "bytes 7-9/10"},
		"beyond the end":           {[]string{"Range", "bytes=7-99999999999999999999999"}, 206, "789", "bytes 7-9/10"},
		"the last":                 {[]string{"Range", "bytes=-3"}, 206, "789", "bytes 7-9/10"},
		"more of the last":         {[]string{"Range", "bytes=-99"}, 206, "0123456789", "bytes 0-9/10"},
		"after the end":            {[]string{"Range", "bytes=10-"}, 416, "", "bytes */10"},
		"the last none":            {[]string{"Range", "bytes=-0"}, 416, "", "bytes */10"},
		"several":                  {[]string{"Range", "bytes=0-1,4-5"}, 200, "0123456789", ""},
		"backwards":                {[]string{"Range", "bytes=4-2"}, 200, "0123456789", ""},
		"another unit":             {[]string{"Range", "lines=1-2"}, 200, "0123456789", ""},
		"nonsense":                 {[]string{"Range", "bytes=a-b"}, 200, "0123456789", ""},
		"signs":                    {[]string{"Range", "bytes=+1-+2"}, 200, "0123456789", ""},
		"of what it has":           {[]string{"Range", "bytes=2-4", "If-Range", tag}, 206, "234", "bytes 2-4/10"},
		"of something else":        {[]string{"Range", "bytes=2-4", "If-Range", `"old"`}, 200, "0123456789", ""},
		"of a date":                {[]string{"Range", "bytes=2-4", "If-Range", "Sat, 31 Jan 2026 09:00:00 GMT"}, 200, "0123456789", ""},
		"known":                    {[]string{"If-None-Match", `"x", ` + tag}, 304, "", ""},
		"known, whatever it is":    {[]string{"If-None-Match", "*"}, 304, "", ""},
		"known, weakly":            {[]string{"If-None-Match", "W/" + tag, "Range", "bytes=2-4"}, 304, "", ""},
		"known in another version": {[]string{"If-None-Match", `"x"`}, 200, "0123456789", ""},
	} {
		t.Run(name, func(t *testing.T) {
			a := b.request("GET", url, "", c.headers...)
			if a.status != c.status || a.status < 300 && a.raw != c.body || a.header.Get("Content-Range") != c.within ||
				a.status < 400 && a.header.Get("ETag") != tag {
				t.Errorf("%d %q %v", a.status, a.raw, a.header)
			}
			h := b.request("HEAD", url, "", c.headers...)
			if h.status != c.status || h.raw != "" || a.status < 300 && h.header.Get("Content-Length") != fmt.Sprint(len(c.body)) {
				t.Errorf("HEAD: %d %q %v", h.status, h.raw, h.header)
			}
		})
	}
	for name, path := range map[string]string{
		"another shop":  strings.Replace(url, string(b.shop.Tenant.ID), string(b.other.Tenant.ID), 1),
		"no shop":       strings.Replace(url, string(b.shop.Tenant.ID), "x", 1),
		"no such file":  strings.Replace(url, "/file/"+string(b.shop.Tenant.ID)+"/", "/file/"+string(b.shop.Tenant.ID)+"/0", 1),
		"half a path":   "/api/media/file/" + string(b.shop.Tenant.ID),
		"a file folder": "/api/media/file",
	} {
		if a := b.request("GET", path, "", "X-API-Key", b.shop.SecretKey); a.status != 404 {
			t.Errorf("%s: %d %.100s", name, a.status, a.raw)
		}
	}
}
