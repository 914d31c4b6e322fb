// Package media is pictures, films and other files: records that name where the bytes are, and the rules for bytes that
// are uploaded.
//
// Decisions beyond the contract: the type is that of the bytes, and the file's name gets an ending that fits it; besides
// images, films and sound, PDF and text are taken; markup other than SVG is not. Two files may have the same name, since
// their addresses differ. An address is a path without a host, as in Payload without a server address, so that it holds
// behind every host; it works without credentials, in an <img> for example, and changes with the bytes. Width and height
// are those a viewer sees, after the turn that the camera noted.
package media

import "github.com/cartwright-dev/cartwright/domain/collection"

var (
	all  = []collection.Verb{collection.Read, collection.Create, collection.Update, collection.Delete}
	read = []collection.Verb{collection.Read}
)

func access() collection.Access {
	return collection.Access{Viewer: read, Editor: all, Admin: all, SecretKey: all, Public: true}
}

// Schema is the collection of uploaded or linked files. Everything but alt is found out by the server. Contract 3.
var Schema = &collection.Schema{
	Slug: "media", Singular: "Media", Plural: "allMedia", Doc: "A file, mostly an image.", Access: access(),
	Fields: []collection.Field{
		{Name: "filename", Kind: collection.Text, Owned: true, Indexed: true, MaxLength: 255, Doc: "Name of the file."},
		{Name: "mimeType", Kind: collection.Text, Owned: true, Indexed: true, MaxLength: 255, Doc: "Type as sniffed from the bytes."},
		{Name: "filesize", Kind: collection.Integer, Owned: true, Doc: "Size in bytes."},
		{Name: "width", Kind: collection.Integer, Owned: true, Doc: "Width in pixels."},
		{Name: "height", Kind: collection.Integer, Owned: true, Doc: "Height in pixels."},
		{Name: "url", Kind: collection.Text, Owned: true, MaxLength: 2048, Doc: "Where the bytes are: a path of this server that needs no credentials, or an address elsewhere."},
		{Name: "blob", Kind: collection.Text, Owned: true, Read: collection.Nobody, MaxLength: 255, Doc: "Key of the bytes in the blob store; none when they are elsewhere."},
		{Name: "checksum", Kind: collection.Text, Owned: true, Read: collection.Nobody, MaxLength: 64, Doc: "SHA-256 of the bytes."},
		{Name: "alt", Kind: collection.Text, MaxLength: 1000, Doc: "Description for those who cannot see it."},
	},
}

// Videos is the collection of films beside products. Contract 3.
var Videos = &collection.Schema{
	Slug: "videos", Singular: "Video", Plural: "Videos", Doc: "A film, uploaded or at another place.", Access: access(),
	Fields: []collection.Field{
		{Name: "title", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 500, Doc: "Title."},
		{Name: "url", Kind: collection.Text, Web: collection.WebPage, MaxLength: 2048, Doc: "Address of a film elsewhere: http or https."},
		{Name: "media", Kind: collection.Upload, Doc: "The uploaded film."},
		{Name: "provider", Kind: collection.Text, MaxLength: 100, Doc: "Who serves it."},
		{Name: "poster", Kind: collection.Upload, Doc: "Still image."},
		{Name: "duration", Kind: collection.Number, Min: collection.At(0), Doc: "Length in seconds."},
	},
}

// Schemas lists the collections of this package.
func Schemas() []*collection.Schema { return []*collection.Schema{Schema, Videos} }
