// Package media declares media files, which are records that refer to blobs, and the rules for uploads.
//
// Details that the rules leave open: the type is detected from the bytes, and the file name gets an extension
// that fits it. Images, video, audio, PDF and text are accepted; markup other than SVG is not. Two files may
// have the same name, since their URLs differ. A URL is a path without a host, as in Payload without a server
// URL, so that it works behind every host; it needs no credentials, so that it works in an <img>, and changes
// with the bytes. Width and height are those a viewer sees, after the rotation that the camera recorded.
package media

import "github.com/cartwright-dev/cartwright/domain/collection"

var (
	all  = []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete}
	read = []collection.Verb{collection.Read}
)

func access() collection.Access {
	return collection.Access{Viewer: read, Editor: all, Admin: all, SecretKey: all, Public: true}
}

// Schema is the collection of uploaded or linked files. The server detects everything but alt. Rules media-1,
// media-2.
var Schema = &collection.Schema{
	Slug: "media", Singular: "Media", Plural: "allMedia", Doc: "A file, mostly an image.", Access: access(),
	Fields: collection.WithTranslations([]collection.Field{
		{Name: "filename", Kind: collection.Text, ReadOnly: true, Indexed: true, MaxLength: 255, Doc: "Name of the file."},
		{Name: "mimeType", Kind: collection.Text, ReadOnly: true, Indexed: true, MaxLength: 255, Doc: "Type as sniffed from the bytes."},
		{Name: "filesize", Kind: collection.Integer, ReadOnly: true, Doc: "Size in bytes."},
		{Name: "width", Kind: collection.Integer, ReadOnly: true, Doc: "Width in pixels."},
		{Name: "height", Kind: collection.Integer, ReadOnly: true, Doc: "Height in pixels."},
		{
			Name: "url", Kind: collection.Text, ReadOnly: true, MaxLength: 2048,
			Doc: "Where the bytes are: a path of this server that needs no credentials, or an address elsewhere.",
		},
		{
			Name: "blob", Kind: collection.Text, ReadOnly: true, VisibleTo: collection.ServerOnly, MaxLength: 255,
			Doc: "Key of the bytes in the blob store; none when they are elsewhere.",
		},
		{
			Name: "checksum", Kind: collection.Text, ReadOnly: true, VisibleTo: collection.ServerOnly, MaxLength: 64,
			Doc: "SHA-256 of the bytes.",
		},
		{Name: "alt", Kind: collection.Text, MaxLength: 1000, Translatable: true, Doc: "Alternative text."},
	}...),
}

// Videos is the collection of product videos. Rule collections-20.
var Videos = &collection.Schema{
	Slug: "videos", Singular: "Video", Plural: "Videos", Doc: "A video, uploaded or hosted elsewhere.", Access: access(),
	Fields: collection.WithTranslations([]collection.Field{
		{Name: "title", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 500, Translatable: true, Doc: "Title."},
		{
			Name: "url", Kind: collection.Text, URLKind: collection.PageURL, MaxLength: 2048,
			Doc: "URL of a video hosted elsewhere: http or https.",
		},
		{Name: "media", Kind: collection.Upload, Doc: "The uploaded video."},
		{Name: "provider", Kind: collection.Text, MaxLength: 100, Doc: "The video host."},
		{Name: "poster", Kind: collection.Upload, Doc: "Still image."},
		{Name: "duration", Kind: collection.Number, Min: collection.Bound(0), Doc: "Length in seconds."},
	}...),
}

// Schemas lists the collections of this package.
func Schemas() []*collection.Schema { return []*collection.Schema{Schema, Videos} }
