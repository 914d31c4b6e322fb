// Package library keeps the files people upload: their bytes in a blob store, and what is known of them in records.
//
// Bytes come before the record and go after it, and the database accounts for those that have none. An upload is stored
// under a fresh key that is noted first; the transaction that writes the record strikes the note out. Replacing or
// deleting a record notes the old key in its transaction. A sweep removes what is noted and due, so that a process may
// die anywhere: no record names bytes that are not there, and nothing stays that no record names.
package library

import (
	"bytes"
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"hash"
	"io"
	"time"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

// How long bytes without a record stay.
const (
	stay  = time.Hour       // while they and their record are on the way; far longer than any upload may take
	grace = time.Minute     // once their record is gone, for those who have just looked it up
	again = 5 * time.Minute // until another sweep tries what one could not remove
	batch = 100             // removed per sweep
)

// ErrTooLate says that an upload took so long that its bytes were given up.
var ErrTooLate = fault.New(fault.Conflict, "upload_expired", "The upload took too long. Send the file again.").Retry(time.Second)

// Library is the use cases of uploaded files.
type Library struct {
	Content   *content.Content
	Store     ports.Store
	Orphanage ports.Orphanage
	Blobs     ports.Blobs
	Pictures  ports.Pictures
	Now       func() time.Time
}

// Upload is a file as a client sends it. Neither part is trusted.
type Upload struct {
	Filename string
	Content  io.Reader // read once, to its end or to the first refusal
}

// Staged is an upload whose bytes are stored, and whose record is not written yet.
type Staged struct{ media.File }

// Fingerprint is what distinguishes the upload from another one under the same idempotency key.
func (s *Staged) Fingerprint() collection.Tree {
	return map[string]any{"name": s.Name, "sum": s.Sum}
}

// Stage stores the bytes of an upload for a record that p is going to create or update, streaming them. It must be
// followed by Create or Replace, or by Discard. ctx bounds the whole upload. Errors: fault.ErrForbidden and its kin,
// media.ErrEmpty, media.ErrType, media.ErrTooLarge, media.ErrPixels, media.ErrUnreadable, fault.ErrUnavailable, and what
// reading the content answers.
func (l *Library) Stage(ctx context.Context, p tenant.Principal, verb collection.Verb, up Upload) (*Staged, error) {
	if _, err := access.Allowed(p, media.Schema, verb); err != nil {
		return nil, err
	}
	head := make([]byte, media.HeadSize)
	n, err := io.ReadFull(up.Content, head)
	if err != nil && !short(err) {
		return nil, err
	}
	mimeType, err := media.Sniff(head[:n], up.Filename)
	if err != nil {
		return nil, err
	}
	s := &Staged{media.File{Name: media.Filename(up.Filename, mimeType), MimeType: mimeType, Key: media.Key(p.Tenant.ID, random())}}
	err = l.Store.Atomically(ctx, ports.For(p), func(ctx context.Context, tx ports.Tx) error {
		return tx.Orphans.Add(ctx, p.Tenant.ID, s.Key, l.Now().Add(stay))
	})
	if err != nil {
		return nil, err
	}
	if err := l.store(ctx, s, io.MultiReader(bytes.NewReader(head[:n]), up.Content)); err != nil {
		l.Discard(ctx, p, s)
		return nil, err
	}
	return s, nil
}

// short reports whether a file ended before its head did. A cut connection is told by another error than these two.
func short(err error) bool {
	return err == io.EOF || err == io.ErrUnexpectedEOF //nolint:errorlint // wrapped, they are somebody else's end
}

// store brings the bytes to the blob store and finds out what they are.
func (l *Library) store(ctx context.Context, s *Staged, from io.Reader) error {
	counted := &counted{from: from, sum: sha256.New()}
	if err := l.Blobs.Put(ctx, s.Key, s.MimeType, counted); err != nil {
		return err
	}
	s.Size, s.Sum = counted.size, hex.EncodeToString(counted.sum.Sum(nil))
	w := &window{ctx: ctx, blobs: l.Blobs, key: s.Key, size: s.Size}
	var err error
	if s.Width, s.Height, err = l.Pictures.Measure(s.MimeType, w); err != nil {
		return err
	}
	return media.CheckPixels(s.Width, s.Height)
}

func random() string {
	b := make([]byte, 20)
	_, _ = rand.Read(b) // never fails
	return hex.EncodeToString(b)
}

// Discard gives up an upload that became no record; if it did all the same, nothing happens. It is best effort: what is
// not discarded is swept later.
func (l *Library) Discard(ctx context.Context, p tenant.Principal, s *Staged) {
	ctx, cancel := context.WithTimeout(context.WithoutCancel(ctx), 5*time.Second)
	defer cancel()
	_ = l.Store.Atomically(ctx, ports.For(p), func(ctx context.Context, tx ports.Tx) error {
		return tx.Orphans.Hurry(ctx, p.Tenant.ID, s.Key, l.Now())
	})
}

// Create makes the record of an upload. Input holds what the client says about it, such as alt. Errors: as
// content.Create, ErrTooLate.
func (l *Library) Create(ctx context.Context, call once.Call, s *Staged, input map[string]any, show content.Show) (once.Answer, error) {
	answer, err := l.Content.CreateWith(ctx, call, media.Schema, input, show, s)
	return l.settle(ctx, call, s, answer, err)
}

// Replace puts an upload in the place of a record's file. Errors: as content.Update, ErrTooLate.
func (l *Library) Replace(ctx context.Context, call once.Call, id string, s *Staged, input map[string]any, show content.Show) (once.Answer, error) {
	answer, err := l.Content.UpdateWith(ctx, call, media.Schema, id, input, show, s)
	return l.settle(ctx, call, s, answer, err)
}

// settle gives the bytes up when they became no record: the write failed, or had been answered before.
func (l *Library) settle(ctx context.Context, call once.Call, s *Staged, answer once.Answer, err error) (once.Answer, error) {
	if err != nil || answer.Replayed {
		l.Discard(ctx, call.Principal, s)
	}
	return answer, err
}

// Hooks are those of the collection of media.
func (l *Library) Hooks() content.Hooks {
	return content.Hooks{Within: l.within, Reasons: []*fault.Error{
		media.ErrNoFile, media.ErrEmpty, media.ErrTooLarge, media.ErrType, media.ErrPixels, media.ErrUnreadable, ErrTooLate,
	}}
}

// within brings the record and the account of blobs into step.
func (l *Library) within(ctx context.Context, tx ports.Tx, w *content.Write) error {
	staged, _ := w.Note.(*Staged)
	if w.Create && staged == nil && w.Principal.Kind != tenant.System { // our own imports name files that are elsewhere
		return media.ErrNoFile
	}
	t := w.Principal.Tenant.ID
	if staged != nil {
		if err := tx.Orphans.Adopt(ctx, t, staged.Key); err != nil {
			if errors.Is(err, ports.ErrAbsent) {
				return ErrTooLate
			}
			return err
		}
		staged.In(w.After)
	}
	old, had := media.Of(w.Before)
	if had && (staged != nil || w.After == nil) {
		return tx.Orphans.Add(ctx, t, old.Key, w.Now.Add(grace))
	}
	return nil
}

// File finds what stands behind the address of a record's bytes. Whoever knows the address may have them, as with the
// record itself. Errors: ports.ErrAbsent.
func (l *Library) File(ctx context.Context, t tenant.ID, id string) (media.File, error) {
	r, err := l.Store.Read(ports.Of(t)).Get(ctx, media.Schema, id)
	if err != nil {
		return media.File{}, err
	}
	f, ok := media.Of(r)
	if !ok || !media.Owns(t, f.Key) {
		return media.File{}, ports.ErrAbsent
	}
	return f, nil
}

// Bytes reads length bytes of f from offset. The reader outlives ctx. Errors: ports.ErrAbsent when the record went in
// between, fault.ErrUnavailable.
func (l *Library) Bytes(ctx context.Context, f media.File, offset, length int64) (io.ReadCloser, error) {
	return l.Blobs.Open(ctx, f.Key, offset, length)
}

// Sweep removes bytes that no record names any more, or ever did; more says that there may be more of them.
// Errors: fault.ErrUnavailable; what is left is tried again.
func (l *Library) Sweep(ctx context.Context) (more bool, err error) {
	now := l.Now()
	all, err := l.Orphanage.Overdue(ctx, now, now.Add(again), batch)
	if err != nil {
		return false, err
	}
	for _, o := range all {
		if err := l.Blobs.Delete(ctx, o.Key); err != nil {
			return false, err
		}
		if err := l.Orphanage.Removed(ctx, o); err != nil {
			return false, err
		}
	}
	return len(all) == batch, nil
}

// counted sums up what passes, and refuses what is too much.
type counted struct {
	from io.Reader
	sum  hash.Hash
	size int64
}

// Read implements io.Reader.
func (c *counted) Read(p []byte) (int, error) {
	n, err := c.from.Read(p)
	c.size += int64(n)
	if c.size > media.MaxSize {
		return 0, media.ErrTooLarge
	}
	c.sum.Write(p[:n])
	return n, err
}
