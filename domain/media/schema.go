// Package media is pictures and films: records that name where the bytes are.
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
		{Name: "url", Kind: collection.Text, Owned: true, MaxLength: 2048, Doc: "Where the bytes are."},
		{Name: "alt", Kind: collection.Text, MaxLength: 1000, Doc: "Description for those who cannot see it."},
	},
}

// Videos is the collection of films beside products. Contract 3.
var Videos = &collection.Schema{
	Slug: "videos", Singular: "Video", Plural: "Videos", Doc: "A film, uploaded or at another place.", Access: access(),
	Fields: []collection.Field{
		{Name: "title", Kind: collection.Text, Required: true, Indexed: true, MaxLength: 500, Doc: "Title."},
		{Name: "url", Kind: collection.Text, MaxLength: 2048, Doc: "Address of a film elsewhere."},
		{Name: "media", Kind: collection.Upload, Doc: "The uploaded film."},
		{Name: "provider", Kind: collection.Text, MaxLength: 100, Doc: "Who serves it."},
		{Name: "poster", Kind: collection.Upload, Doc: "Still image."},
		{Name: "duration", Kind: collection.Number, Min: collection.At(0), Doc: "Length in seconds."},
	},
}

// Schemas lists the collections of this package.
func Schemas() []*collection.Schema { return []*collection.Schema{Schema, Videos} }
