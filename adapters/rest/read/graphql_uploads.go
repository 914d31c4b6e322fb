package read

import (
	"strconv"
	"strings"

	"github.com/cartwright-dev/cartwright/app/gqlrequest"
	"github.com/cartwright-dev/cartwright/domain/fault"
)

// Bounds of a GraphQL request with files, besides those of forms.
const (
	maxFilePaths    = 50       // paths in variables that files are mapped to
	maxSpooledFiles = 26 << 20 // bytes of files kept on disk, because they arrived before they were needed or are used twice
)

// DocumentForm fills req from a form of the GraphQL multipart request specification: operations, map, then
// the files. It reads everything but the files: those are read when a field opens them, and one that arrives before it
// is needed goes to spool. Call done when the files are not needed any more. Errors: ErrForm, ErrTooLarge, those of
// Document, and those of the body.
func DocumentForm(f *Form, spool *Spool, req *gqlrequest.Request) (done func(), err error) {
	files := &uploadSet{form: f, spool: spool, files: map[string]*upload{}}
	operations, err := leadingField(f, "operations")
	if err != nil {
		return files.close, err
	}
	tree, err := JSON([]byte(operations))
	if err != nil {
		return files.close, err
	}
	if err := Document(tree, req); err != nil {
		return files.close, err
	}
	text, err := leadingField(f, "map")
	if err != nil {
		return files.close, err
	}
	paths, err := Object([]byte(text))
	if err != nil {
		return files.close, err
	}
	return files.close, files.mapFiles(req.Variables, paths)
}

// leadingField is the text of the next part, which must have this name.
func leadingField(f *Form, name string) (string, error) {
	p, err := f.Next()
	if err != nil {
		return "", err
	}
	if p == nil || p.Name != name || p.File {
		return "", ErrForm.WithMessage("The form begins with the field operations, then map, then the files.")
	}
	return p.Value()
}

// uploadSet is the files of a form that are yet to arrive.
type uploadSet struct {
	form    *Form
	spool   *Spool
	files   map[string]*upload
	spooled int64 // bytes
}

// close drops what was spooled.
func (u *uploadSet) close() {
	for _, f := range u.files {
		if f.spooled != nil {
			f.spooled.close()
			f.spooled = nil
		}
	}
}

// upload is one file: how many variables it is mapped to, and its content once it arrived.
type upload struct {
	paths   int
	arrived bool
	opened  bool
	spooled *spooledFile
	part    *Part
}

// mapFiles puts an Upload at each mapped path of the variables, which must be null there.
func (u *uploadSet) mapFiles(variables, paths map[string]any) error {
	total := 0
	for name, v := range paths {
		list, _ := v.([]any)
		if total += len(list); len(list) == 0 || total > maxFilePaths {
			return fault.Invalidf("map", "Every file needs a list of paths, at most %d in total.", maxFilePaths)
		}
		u.files[name] = &upload{paths: len(list)}
		for _, v := range list {
			path, _ := v.(string)
			inside, ok := strings.CutPrefix(path, "variables.")
			if !ok || !replaceNull(variables, strings.Split(inside, "."), &gqlrequest.Upload{Open: func() (gqlrequest.File, error) {
				return u.open(name)
			}}) {
				return fault.Invalidf("map", "%q is not the path of a null in the variables.", path)
			}
		}
	}
	return nil
}

// replaceNull replaces the null at path; it returns false when there is none.
func replaceNull(in any, path []string, file *gqlrequest.Upload) bool {
	last := len(path) == 1
	switch in := in.(type) {
	case map[string]any:
		v, there := in[path[0]]
		if last && there && v == nil {
			in[path[0]] = file
			return true
		}
		return !last && replaceNull(v, path[1:], file)
	case []any:
		i, err := strconv.Atoi(path[0])
		if err != nil || i < 0 || i >= len(in) {
			return false
		}
		if last && in[i] == nil {
			in[i] = file
			return true
		}
		return !last && replaceNull(in[i], path[1:], file)
	}
	return false
}

// open reads the form up to the named file and spools the files before it. Errors: ErrForm, ErrTooLarge, and
// those of the body.
func (u *uploadSet) open(name string) (gqlrequest.File, error) {
	wanted := u.files[name]
	for !wanted.arrived {
		p, err := u.form.Next()
		if err != nil {
			return gqlrequest.File{}, err
		}
		if p == nil {
			return gqlrequest.File{}, ErrForm.WithMessage("The form lacks the file %q.", name)
		}
		next := u.files[p.Name]
		if next == nil || next.arrived || !p.File {
			return gqlrequest.File{}, ErrForm.WithMessage("The part %q of the form is not in its map, or is there twice.", p.Name)
		}
		next.arrived, next.part = true, p
		if next != wanted || next.paths > 1 {
			if err := u.keep(next); err != nil {
				return gqlrequest.File{}, err
			}
		}
	}
	if wanted.opened && wanted.spooled == nil {
		return gqlrequest.File{}, ErrForm.WithMessage("The document uses the file %q twice: give it two paths in the map.", name)
	}
	wanted.opened = true
	file := gqlrequest.File{Reader: wanted.part, Name: wanted.part.Filename}
	if wanted.spooled != nil {
		file.Reader = wanted.spooled.reader()
	}
	return file, nil
}

// keep spools a file, within maxSpooledFiles.
func (u *uploadSet) keep(f *upload) (err error) {
	if f.spooled, err = u.spool.save(f.part, maxSpooledFiles-u.spooled); err == nil {
		u.spooled += f.spooled.size
	}
	return err
}
