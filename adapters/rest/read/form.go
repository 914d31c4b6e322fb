package read

import (
	"errors"
	"io"
	"mime"
	"mime/multipart"
)

// Bounds of a form.
const (
	maxParts  = 64       // fields and files together
	maxHeader = 16 << 10 // bytes of the lines before a part
	maxName   = 200      // bytes of a part's name
)

// MaxFormText bounds the bytes of all fields of a form together, files excluded.
const MaxFormText = 1 << 20

// Form walks through a multipart/form-data body part by part as it arrives; only what the caller reads is
// kept in memory. The number of parts and the length of their headers and fields are bounded; the caller
// bounds the length of files.
type Form struct {
	// Reserve, if any, is told of so many more bytes of fields that are kept in memory. Its error ends the form.
	Reserve func(bytes int64) error

	r       *multipart.Reader
	headers *headerLimiter
	parts   int
	text    int64 // bytes left for fields
	last    *Part
	failed  error
}

// Part is one field or file of a form. It can be read until the next call of Next.
type Part struct {
	io.Reader

	Name     string
	File     bool
	Filename string // as sent; "" for a file without a name

	form *Form
}

// NewForm starts reading body as the form that contentType describes. Errors: ErrMediaType, ErrForm.
func NewForm(contentType string, body io.Reader) (*Form, error) {
	kind, params, err := mime.ParseMediaType(contentType)
	if err != nil || kind != "multipart/form-data" {
		return nil, ErrMediaType.WithMessage("The body must be a form: send Content-Type: multipart/form-data.")
	}
	boundary := params["boundary"]
	if boundary == "" || len(boundary) > 70 {
		return nil, ErrForm.WithMessage("The Content-Type needs the boundary of the form.")
	}
	lines := &headerLimiter{from: body}
	return &Form{r: multipart.NewReader(lines, boundary), headers: lines, text: MaxFormText}, nil
}

// Next is the next part, nil after the last one. It skips what is left of the previous part. Errors: ErrForm,
// and those of the body.
func (f *Form) Next() (*Part, error) {
	if f.failed != nil {
		return nil, f.failed
	}
	p, err := f.advance()
	if err != nil {
		f.failed = err
		return nil, err
	}
	return p, nil
}

func (f *Form) advance() (*Part, error) {
	if f.last != nil {
		if _, err := io.Copy(io.Discard, f.last); err != nil {
			return nil, err
		}
	}
	f.headers.begin(maxHeader)
	raw, err := f.r.NextRawPart()
	if err == io.EOF && f.parts > 0 { //nolint:errorlint // a wrapped EOF means that the last boundary is missing
		return nil, nil
	}
	if err != nil {
		return nil, f.translate(err)
	}
	if f.parts++; f.parts > maxParts {
		return nil, ErrForm.WithMessage("The form has more than %d parts.", maxParts)
	}
	if f.last, err = partOf(raw); err != nil {
		return nil, err
	}
	f.headers.end()
	f.last.form, f.last.Reader = f, partBody{raw, f}
	return f.last, nil
}

// Value is the text of a field. Errors: ErrTooLarge, those of Form.Reserve, and those of the body.
func (p *Part) Value() (string, error) {
	from := io.Reader(p)
	if p.form.Reserve != nil {
		from = reservingReader{p, p.form.Reserve}
	}
	text, err := io.ReadAll(io.LimitReader(from, p.form.text+1))
	if err != nil {
		return "", err
	}
	if p.form.text -= int64(len(text)); p.form.text < 0 {
		return "", ErrTooLarge.WithMessage("The fields of the form are larger than %d bytes.", MaxFormText)
	}
	return string(text), nil
}

// reservingReader reserves what it has read.
type reservingReader struct {
	from    io.Reader
	reserve func(bytes int64) error
}

// Read implements io.Reader.
func (r reservingReader) Read(p []byte) (int, error) {
	n, err := r.from.Read(p)
	if full := r.reserve(int64(n)); full != nil {
		return 0, full
	}
	return n, err
}

// Object is the JSON object in a field. Errors: those of Value, and fault.ErrMalformed.
func (p *Part) Object() (map[string]any, error) {
	text, err := p.Value()
	if err != nil {
		return nil, err
	}
	return Object([]byte(text))
}

// partOf reads the header of a part: its name, which is required, and its filename. A part is a file when it
// has a filename, even an empty one.
func partOf(raw *multipart.Part) (*Part, error) {
	kind, params, err := mime.ParseMediaType(raw.Header.Get("Content-Disposition"))
	if err != nil || kind != "form-data" {
		return nil, ErrForm.WithMessage("A part of the form lacks its Content-Disposition: form-data.")
	}
	name := params["name"]
	if name == "" || len(name) > maxName {
		return nil, ErrForm.WithMessage("Every part of the form needs a name of at most %d bytes.", maxName)
	}
	if encoding := raw.Header.Get("Content-Transfer-Encoding"); encoding != "" && !plainEncodings[encoding] {
		return nil, ErrForm.WithMessage("Parts of the form must not be encoded.")
	}
	filename, file := params["filename"]
	return &Part{Name: name, File: file, Filename: filename}, nil
}

var plainEncodings = map[string]bool{"7bit": true, "8bit": true, "binary": true}

// translate turns an error of the multipart reader into ErrForm; faults of the body below pass through.
func (f *Form) translate(err error) error {
	switch {
	case f.headers.failed != nil:
		return f.headers.failed
	case errors.Is(err, io.EOF) && f.parts == 0:
		return ErrForm.WithMessage("The form has no parts.")
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF):
		return ErrForm.WithMessage("The form ends in the middle of a part.").WithCause(err)
	}
	return ErrForm.WithCause(err)
}

// partBody reads the content of a part and translates its errors.
type partBody struct {
	raw  *multipart.Part
	form *Form
}

// Read implements io.Reader.
func (b partBody) Read(p []byte) (int, error) {
	n, err := b.raw.Read(p)
	if err != nil && err != io.EOF { //nolint:errorlint // a wrapped EOF is not the end
		err = b.form.translate(err)
	}
	return n, err
}

// headerLimiter limits how many bytes the multipart reader may take for the lines between two parts.
type headerLimiter struct {
	from   io.Reader
	active bool
	left   int
	failed error // an error of the source, or that the limit was reached
}

func (r *headerLimiter) begin(n int) { r.active, r.left = true, n }
func (r *headerLimiter) end()        { r.active = false }

// Read implements io.Reader.
func (r *headerLimiter) Read(p []byte) (int, error) {
	if r.active && len(p) > r.left {
		p = p[:r.left]
	}
	if len(p) == 0 {
		r.failed = ErrForm.WithMessage("The lines between the parts of the form are longer than %d bytes.", maxHeader)
		return 0, r.failed
	}
	n, err := r.from.Read(p)
	if r.active {
		r.left -= n
	}
	if err != nil && !errors.Is(err, io.EOF) {
		r.failed = err
	}
	return n, err
}
