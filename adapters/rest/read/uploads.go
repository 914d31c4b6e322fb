package read

import (
	"bytes"
	"io"
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/app/querying"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// What a request of GraphQL with files may consist of, besides what a form may.
const (
	maxPlaces    = 50       // of files in variables
	maxKeptFiles = 26 << 20 // bytes of files that are kept because they came before they were needed, or are needed twice
)

// DocumentForm fills req from a form: operations, then map, then the files, as the GraphQL multipart request specification
// has it. It reads all but the files. Errors: ErrForm, ErrTooLarge, as Document, and those of the body.
func DocumentForm(f *Form, req *querying.Request) error {
	operations, err := leadingField(f, "operations")
	if err != nil {
		return err
	}
	tree, err := JSON([]byte(operations))
	if err != nil {
		return err
	}
	if err := Document(tree, req); err != nil {
		return err
	}
	text, err := leadingField(f, "map")
	if err != nil {
		return err
	}
	places, err := Object([]byte(text))
	if err != nil {
		return err
	}
	return (&uploads{form: f, files: map[string]*upload{}}).place(req.Variables, places)
}

// leadingField is the text of the next part, which must have the name.
func leadingField(f *Form, name string) (string, error) {
	p, err := f.Next()
	if err != nil {
		return "", err
	}
	if p == nil || p.Name != name || p.File {
		return "", ErrForm.Saying("The form begins with the field operations, then map, then the files.")
	}
	return p.Value()
}

// uploads is the files of a form that are still to come.
type uploads struct {
	form  *Form
	files map[string]*upload
	kept  int64
}

// upload is one file: how many places it has in the variables, and what it is once it has come.
type upload struct {
	places int
	came   bool
	given  bool
	kept   []byte
	part   *Part
}

// place puts an Upload wherever the map says, which must be null in the variables.
func (u *uploads) place(variables, places map[string]any) error {
	total := 0
	for name, v := range places {
		list, _ := v.([]any)
		if total += len(list); len(list) == 0 || total > maxPlaces {
			return fault.Invalidf("map", "Every file has a list of places, %d together at most.", maxPlaces)
		}
		u.files[name] = &upload{places: len(list)}
		for _, v := range list {
			path, _ := v.(string)
			inside, ok := strings.CutPrefix(path, "variables.")
			if !ok || !put(variables, strings.Split(inside, "."), &querying.Upload{Open: func() (querying.File, error) { return u.open(name) }}) {
				return fault.Invalidf("map", "%q is not a place in the variables that holds null.", path)
			}
		}
	}
	return nil
}

// put replaces the null at path; false when there is none.
func put(in any, path []string, file *querying.Upload) bool {
	last := len(path) == 1
	switch in := in.(type) {
	case map[string]any:
		v, there := in[path[0]]
		if last && there && v == nil {
			in[path[0]] = file
			return true
		}
		return !last && put(v, path[1:], file)
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(in) {
			return false
		}
		if last && in[i] == nil {
			in[i] = file
			return true
		}
		return !last && put(in[i], path[1:], file)
	}
	return false
}

// open waits for a file. Others that come first are kept. Errors: ErrForm, ErrTooLarge, and those of the body.
func (u *uploads) open(name string) (querying.File, error) {
	wanted := u.files[name]
	for !wanted.came {
		p, err := u.form.Next()
		if err != nil {
			return querying.File{}, err
		}
		if p == nil {
			return querying.File{}, ErrForm.Saying("The form lacks the file %q.", name)
		}
		came := u.files[p.Name]
		if came == nil || came.came || !p.File {
			return querying.File{}, ErrForm.Saying("The form has a part %q that its map does not name, or twice.", p.Name)
		}
		came.came, came.part = true, p
		if came != wanted || came.places > 1 {
			if err := u.keep(came); err != nil {
				return querying.File{}, err
			}
		}
	}
	if wanted.given && wanted.kept == nil {
		return querying.File{}, ErrForm.Saying("The document uses the file %q twice: give it two places in the map.", name)
	}
	wanted.given = true
	file := querying.File{Reader: wanted.part, Name: wanted.part.Filename}
	if wanted.kept != nil {
		file.Reader = bytes.NewReader(wanted.kept)
	}
	return file, nil
}

// keep reads a file into memory, as far as there is room.
func (u *uploads) keep(f *upload) error {
	var err error
	if f.kept, err = io.ReadAll(io.LimitReader(f.part, maxKeptFiles-u.kept+1)); err != nil {
		return err
	}
	if u.kept += int64(len(f.kept)); u.kept > maxKeptFiles {
		return ErrTooLarge.Saying("Send files in the order in which the document uses them: those that have to wait are larger than %d bytes.", maxKeptFiles)
	}
	if f.kept == nil {
		f.kept = []byte{}
	}
	return nil
}
