package graphql

import (
	"context"
	"maps"

	"github.com/cartwright-dev/cartwright/app/content"
	"github.com/cartwright-dev/cartwright/app/library"
	"github.com/cartwright-dev/cartwright/app/once"
	"github.com/cartwright-dev/cartwright/app/querying"
	"github.com/cartwright-dev/cartwright/domain/collection"
)

// fileField is the member of data that holds the file of a media record. Spec 4.5.
const fileField = "file"

// createMedia answers createMedia: the bytes are stored before the record that names them.
func (b *builder) createMedia(s *collection.Schema) root {
	return b.writeMedia(s, collection.Create, func(ctx context.Context, r *run, w mediaWrite) (once.Answer, error) {
		return r.library.Create(ctx, w.call, w.staged, w.data, content.Show{})
	})
}

// updateMedia answers updateMedia: with a file, it takes the place of the old one.
func (b *builder) updateMedia(s *collection.Schema) root {
	return b.writeMedia(s, collection.Update, func(ctx context.Context, r *run, w mediaWrite) (once.Answer, error) {
		if w.staged == nil {
			return r.content.Update(ctx, w.call, s, w.id, w.data, content.Show{})
		}
		return r.library.Replace(ctx, w.call, w.id, w.staged, w.data, content.Show{})
	})
}

// mediaWrite is a write with its file, nil without one.
type mediaWrite struct {
	call   once.Call
	id     string
	data   map[string]any
	staged *library.Staged
}

func (b *builder) writeMedia(s *collection.Schema, verb collection.Verb, do func(context.Context, *run, mediaWrite) (once.Answer, error)) root {
	return func(ctx context.Context, r *run, f *planned) (any, error) {
		data, _ := f.args["data"].(map[string]any)
		w := mediaWrite{data: maps.Clone(data)}
		w.id, _ = f.args["id"].(string)
		delete(w.data, fileField)
		told := maps.Clone(w.data)
		if up, ok := data[fileField].(*querying.Upload); ok {
			file, err := up.Open()
			if err != nil {
				return nil, err
			}
			if w.staged, err = r.library.Stage(ctx, r.Call.Principal, verb, library.Upload{Filename: file.Name, Content: file}); err != nil {
				return nil, err
			}
			told[fileField] = w.staged.Fingerprint()
		}
		w.call = r.once(s, verb, f, told)
		answer, err := do(ctx, r, w)
		return written(answer, err)
	}
}
