package collection

// SEOName is the group of SEO.
const SEOName = "seo"

// SEO is the group with what search engines and shared links show of a record that has a page of its own. What is missing,
// the page takes from the record: its name, its description, its first image. Rule catalog-35.
func SEO() Field {
	return Field{
		Name: SEOName, Kind: Group, Doc: "What search engines and shared links show of its page.", Fields: []Field{
			{Name: "title", Kind: Text, MaxLength: 255, Translatable: true,
				Doc: "Title of the page; the name when missing. Search engines show about 70 characters."},
			{
				Name: "description", Kind: Textarea, MaxLength: 1000, Translatable: true,
				Doc: "What the page is about; its own description when missing. Search engines show about 160 characters.",
			},
			{Name: "noIndex", Kind: Boolean, Doc: "Whether search engines are asked to leave the page out."},
			{Name: "image", Kind: Upload, Doc: "Image of shared links; the first of its own when missing."},
		},
	}
}
