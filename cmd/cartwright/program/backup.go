package program

import (
	"archive/tar"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"net/url"
	"os"
	"path"
	"path/filepath"
	"time"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
)

// The contents of a data folder, and of a backup. A backup is the folder as tar.gz: unpacked into an empty
// folder, with this command or another, it is a data folder again.
const (
	storeFile   = "cartwright.db"
	sandboxFile = "sandbox.db"
	mediaFolder = "media"
)

// errBackupPostgres refuses to back up Postgres, which has its own tools.
var errBackupPostgres = errors.New("CARTWRIGHT_DATABASE_URL is set: back up Postgres with pg_dump or a base backup, and uploaded files with their bucket or folder (see cmd/cartwright/OPERATIONS.md); this command is for the embedded database only")

func (p process) backupCommand() *cobra.Command {
	return p.jsonCommand(&cobra.Command{
		Use: "backup FILE", Short: "Back up the embedded database, files and secrets to FILE; safe while the server runs.",
		Args: exactArgs("FILE"), Example: "cartwright backup /backups/shop.tar.gz\ncartwright backup - | ssh elsewhere 'cat > shop.tar.gz'",
		Long: `Back up the embedded database, uploaded files and generated secrets to FILE, a new .tar.gz; - is standard output.

The server may keep running: the backup contains everything that was acknowledged before it began. It contains secrets
and personal data, so protect it like the server. Secrets from CARTWRIGHT_SECRETS and
files in a bucket are not included.`,
	}, "{file}; nothing when writing to standard output", func(ctx context.Context, args []string) (commandResult, error) {
		c, err := p.config()
		if err == nil && c.Database != "" {
			err = errBackupPostgres
		}
		switch {
		case err != nil:
			return commandResult{}, err
		case args[0] == "-":
			return commandResult{}, c.backup(ctx, p.out)
		}
		if err := c.backupTo(ctx, args[0]); err != nil {
			return commandResult{}, err
		}
		return jsonResult(map[string]string{"file": args[0]}, textLine("Backup written to %s.", args[0]))
	})
}

// backupTo creates the file once the backup is complete.
func (c Config) backupTo(ctx context.Context, file string) error {
	return createFile(file, "backup", func(to io.Writer) error { return c.backup(ctx, to) })
}

// createFile creates a file once what is written is complete; what names it while it is written. It overwrites nothing.
func createFile(file, what string, write func(to io.Writer) error) (err error) {
	if file, err = filepath.Abs(file); err != nil {
		return err
	}
	if _, err := os.Lstat(file); !errors.Is(err, fs.ErrNotExist) {
		return fmt.Errorf("%s already exists, and files are never overwritten", file)
	}
	f, err := os.CreateTemp(filepath.Dir(file), "."+what+"-*")
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(f.Name()) }() // by then it is linked under its final name, unless something failed
	err = write(f)
	if err = errors.Join(err, f.Sync(), f.Close()); err != nil {
		return err
	}
	return os.Link(f.Name(), file) // does not replace a file created meanwhile
}

// backup writes the data folder to out. Databases come first, each as a consistent snapshot; the files that
// their records refer to existed before the records. The shop's database is the last entry, and nothing is
// restored without it.
func (c Config) backup(ctx context.Context, out io.Writer) (err error) {
	store := c.File(storeFile)
	if _, err := os.Stat(store); err != nil {
		return fmt.Errorf("nothing to back up in %s: %w", c.Data, err)
	}
	copies, err := os.MkdirTemp(c.Data, ".backup-*")
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, os.RemoveAll(copies)) }()
	for _, name := range []string{storeFile, sandboxFile} {
		if _, err := os.Stat(c.File(name)); name == sandboxFile && errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if err := db.CopySQLite(ctx, c.File(name), filepath.Join(copies, name)); err != nil {
			return err
		}
	}
	zip := gzip.NewWriter(out)
	a := archive{tar.NewWriter(zip)}
	err = errors.Join(a.add(c.File(secretsFile), secretsFile), a.add(c.File(credentialsFile), credentialsFile),
		a.addTree(ctx, c.mediaDir()),
		a.add(filepath.Join(copies, sandboxFile), sandboxFile))
	if err == nil {
		err = a.add(filepath.Join(copies, storeFile), storeFile)
	}
	return errors.Join(err, a.Close(), zip.Close())
}

// mediaDir is the folder of uploaded files, "" when they are in a bucket.
func (c Config) mediaDir() string {
	at, err := url.Parse(c.mediaURL())
	if err != nil || at.Scheme != "file" {
		return ""
	}
	return filepath.FromSlash(at.Path)
}

type archive struct{ *tar.Writer }

// add writes one file; a file that does not exist, or is deleted before it is opened, is left out.
func (a archive) add(file, name string) error {
	f, err := os.Open(file)
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	info, err := f.Stat()
	if err != nil {
		return err
	}
	err = a.WriteHeader(&tar.Header{
		Typeflag: tar.TypeReg, Name: name, Mode: 0o600, Size: info.Size(), ModTime: info.ModTime().Truncate(time.Second),
	})
	if err == nil {
		_, err = io.Copy(a, io.LimitReader(f, info.Size()))
	}
	return err
}

// addTree writes every file below dir, under media.
func (a archive) addTree(ctx context.Context, dir string) error {
	if dir == "" {
		return nil
	}
	return filepath.WalkDir(dir, func(file string, e fs.DirEntry, err error) error {
		if errors.Is(err, fs.ErrNotExist) {
			return nil // it was deleted meanwhile
		}
		if err == nil {
			err = ctx.Err()
		}
		if err != nil || !e.Type().IsRegular() {
			return err
		}
		name, err := filepath.Rel(dir, file)
		if err != nil {
			return err
		}
		return a.add(file, path.Join(mediaFolder, filepath.ToSlash(name)))
	})
}
