package tenantexport

import (
	"archive/zip"
	"crypto/sha256"
	"encoding/hex"
	"hash"
	"io"
	"time"

	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// manifestVersion is raised when readers of an archive have to know of a change.
const manifestVersion = 1

// Manifest says what an archive has.
type Manifest struct {
	Version  int64
	Tenant   collection.Record // the record of the tenant, as it was when the export began
	At       time.Time         // when the export began
	Events   int64             // changes of the tenant until then
	Complete bool              // the tenant was suspended, and nothing of it changed meanwhile
	Files    []File            // in the order of the archive
	LeftOut  []LeftOut
}

// LeftOut is what an archive has not.
type LeftOut struct {
	From string   // slug of a collection, or words
	What []string // fields, or words
}

// File is one file of an archive.
type File struct {
	Name     string
	Records  int64  // lines of a .ndjson file, 1 for other files
	Size     int64  // bytes
	Checksum string // SHA-256 in hex
}

// text is the manifest as JSON.
func (m Manifest) text() []byte {
	files := make(reply.List, len(m.Files))
	for i, f := range m.Files {
		files[i] = reply.Object{
			{Name: "name", Value: f.Name}, {Name: "records", Value: f.Records}, {Name: "bytes", Value: f.Size}, {Name: "sha256", Value: f.Checksum},
		}
	}
	left := make(reply.List, len(m.LeftOut))
	for i, l := range m.LeftOut {
		what := make(reply.List, len(l.What))
		for j, one := range l.What {
			what[j] = one
		}
		left[i] = reply.Object{{Name: "from", Value: l.From}, {Name: "what", Value: what}}
	}
	return reply.OfObject(collection.Staff, reply.Object{
		{Name: "version", Value: m.Version},
		{Name: "tenant", Value: reply.Object{
			{Name: "id", Value: m.Tenant.ID()}, {Name: "slug", Value: m.Tenant.Text("slug")}, {Name: "name", Value: m.Tenant.Text("name")},
			{Name: "status", Value: m.Tenant.Text("status")},
		}},
		{Name: "exportedAt", Value: m.At}, {Name: "events", Value: m.Events}, {Name: "complete", Value: m.Complete},
		{Name: "files", Value: files}, {Name: "leftOut", Value: left},
	}).Bytes()
}

// archive writes the files of a ZIP archive one after the other.
type archive struct {
	*zip.Writer

	now     time.Time
	files   []File
	missing []string // ids of files whose bytes are not there
}

// add writes one file. Whoever writes it counts its records.
func (a *archive) add(name string, method uint16, write func(to io.Writer) (records int64, err error)) error {
	to, err := a.CreateHeader(&zip.FileHeader{Name: name, Method: method, Modified: a.now})
	if err != nil {
		return err
	}
	counted := counter{to: to, sum: sha256.New()}
	records, err := write(&counted)
	a.files = append(a.files, File{name, records, counted.size, hex.EncodeToString(counted.sum.Sum(nil))})
	return err
}

// finish writes the manifest and the end of the archive, and returns the manifest's SHA-256 in hex.
func (a *archive) finish(m Manifest) (checksum string, err error) {
	err = a.add("manifest.json", zip.Deflate, func(to io.Writer) (int64, error) {
		_, err := to.Write(m.text())
		return 1, err
	})
	if err != nil {
		return "", err
	}
	return a.files[len(a.files)-1].Checksum, a.Close()
}

// counter sums up what passes.
type counter struct {
	to   io.Writer
	sum  hash.Hash
	size int64
}

// Write implements io.Writer.
func (c *counter) Write(p []byte) (int, error) {
	n, err := c.to.Write(p)
	_, _ = c.sum.Write(p[:n]) // never fails
	c.size += int64(n)
	return n, err
}
