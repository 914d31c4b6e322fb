package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/records"
	"github.com/cartwright-dev/cartwright/app/uploads"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/media"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var mediaParam = collection.Field{Name: "id", Alias: "id", Kind: collection.Relation, RelationTo: media.Schema.Slug, Doc: "The record."}

// altInput is the only field of media that a form may have as a field of its own.
var altInput = collection.Field{Name: "alt", Kind: collection.Text, Doc: "Value of the record's field alt."}

// Media are the writes of media records with a file. Rule media-1. All other operations of the collection are
// generic.
func Media(u *uploads.Service, r *records.Service) []Operation {
	list := []Operation{
		{
			Name: "media.create", Summary: "Create a media record with a file", Method: "POST", Path: "/media",
			Upload: mediaUpload(u, collection.Create, "The file."),
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				file, sent := in.Received.(stagedFile)
				if !sent {
					return idempotency.Response{}, media.ErrNoFile
				}
				return u.Create(ctx, call, file.StagedUpload, in.Raw(), in.Projection)
			},
		},
		{
			Name: "media.update", Summary: "Change a media record, or replace its file", Method: patch, Path: "/media/{id}",
			Params: []collection.Field{mediaParam}, Upload: mediaUpload(u, collection.Update, "A file that replaces the current one."),
			Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
				if file, sent := in.Received.(stagedFile); sent {
					return u.Replace(ctx, call, in.Param("id"), file.StagedUpload, in.Raw(), in.Projection)
				}
				return r.Update(ctx, call, media.Schema, in.Param("id"), in.Raw(), in.Projection)
			},
		},
	}
	for i := range list {
		list[i].Mutates, list[i].Surfaces, list[i].KeyPolicy = true, Root, KeyOptional
		list[i].AllowedKinds = []tenant.Kind{tenant.User, tenant.SecretKey}
		list[i].Input, list[i].RawInput = []collection.Field{altInput}, true
		list[i].Output = []collection.Field{
			messageMember, {
				Name: "doc", Kind: collection.Relation, RelationTo: media.Schema.Slug, Required: true, Doc: "The record as stored.",
			},
		}
	}
	return list
}

func mediaUpload(u *uploads.Service, verb collection.Verb, doc string) *Upload {
	return &Upload{
		Doc: doc, Required: verb == collection.Create, EmptyIsNone: true, TooLarge: media.ErrTooLarge, Writes: media.Schema, Verb: verb,
		Authorize: func(p tenant.Principal) error {
			_, err := access.Allowed(p, media.Schema, verb)
			return err
		},
		Receive: func(ctx context.Context, p tenant.Principal, f File) (ReceivedFile, error) {
			staged, err := u.Stage(ctx, p, verb, uploads.Upload{Filename: f.Name, Content: f})
			if err != nil {
				return nil, err
			}
			return stagedFile{staged, u, p}, nil
		},
	}
}

// stagedFile is a file whose bytes are stored but whose record is not written yet.
type stagedFile struct {
	*uploads.StagedUpload

	uploads *uploads.Service
	owner   tenant.Principal
}

// Discard implements ReceivedFile.
func (f stagedFile) Discard() error {
	f.uploads.Discard(context.Background(), f.owner, f.StagedUpload)
	return nil
}
