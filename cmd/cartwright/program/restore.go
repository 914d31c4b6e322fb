package program

import (
	"archive/tar"
	"cmp"
	"compress/gzip"
	"context"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/cartwright-dev/cartwright/adapters/sqlstore/db"
)

func (p process) restoreCommand() *cobra.Command {
	return p.jsonCommand(&cobra.Command{
		Use: "restore FILE", Short: "Restore a backup into an empty data folder.", Args: exactArgs("FILE"),
		Example: "CARTWRIGHT_DATA=/srv/shop-2 cartwright restore /backups/shop.tar.gz",
		Long: `Restore a backup into an empty data folder; - is standard input.

It never changes an existing database. Set CARTWRIGHT_DATA to a new folder, restore, run doctor and doctor --money, and
start the server. Changes made after the backup are lost: cmd/cartwright/OPERATIONS.md explains what that means for payments,
events and webhooks.`,
	}, "{data}: the folder", func(ctx context.Context, args []string) (commandResult, error) {
		c, err := p.config()
		if err == nil && c.Database != "" {
			err = errBackupPostgres
		}
		if err == nil {
			err = p.restoreFrom(ctx, c, args[0])
		}
		if err != nil {
			return commandResult{}, err
		}
		return jsonResult(map[string]string{"data": c.Data},
			textLine("Restored to %s. Run doctor and doctor --money before you start the server.", c.Data))
	})
}

func (p process) restoreFrom(ctx context.Context, c Config, file string) error {
	if file == "-" {
		if p.in == nil {
			return errors.New("standard input is empty")
		}
		return c.restore(ctx, p.in)
	}
	f, err := os.Open(file)
	if err != nil {
		return err
	}
	defer func() { _ = f.Close() }() // it was only read
	return c.restore(ctx, f)
}

// maxPadding bounds what follows the last file of a backup, in bytes: tar pads with zeros.
const maxPadding = 1 << 20

// restore unpacks a backup into empty folders. The shop's database is renamed into place last, once it is
// complete; before that there is no store.
func (c Config) restore(ctx context.Context, in io.Reader) error {
	for _, dir := range []string{c.Data, c.mediaDir()} {
		if err := requireEmptyDir(dir); err != nil {
			return err
		}
	}
	if err := c.prepareDataDir(); err != nil {
		return err
	}
	zip, err := gzip.NewReader(in)
	if err != nil {
		return fmt.Errorf("not a backup file: %w", err)
	}
	files := tar.NewReader(zip)
	fresh := c.File("." + storeFile)
	for {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("the backup is damaged and was only partly restored to %s: %w", c.Data, err)
		}
		to, err := c.restorePath(h, fresh)
		if err == nil {
			err = extractFile(to, files)
		}
		if err != nil {
			return fmt.Errorf("restore %s: %w", h.Name, err)
		}
	}
	// The archive ends before the compressed stream does: the checksum of the whole is verified at its last byte.
	if _, err := io.CopyN(io.Discard, zip, maxPadding); !errors.Is(err, io.EOF) {
		return fmt.Errorf("the backup is damaged: %w", cmp.Or(err, errors.New("it goes on after its last file")))
	}
	if err := db.CheckSQLite(ctx, fresh); err != nil {
		return fmt.Errorf("the backup is damaged: %w", err)
	}
	if err := db.AnalyzeSQLite(ctx, fresh); err != nil {
		return err
	}
	if err := os.Rename(fresh, c.File(storeFile)); err != nil {
		return err
	}
	return syncDir(c.Data)
}

// requireEmptyDir refuses a non-empty folder.
func requireEmptyDir(dir string) error {
	if dir == "" {
		return nil
	}
	entries, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(entries) > 0 {
		return fmt.Errorf("%s is not empty: a backup can only be restored into a new folder", dir)
	}
	return nil
}

// restorePath is the path that an entry is restored to.
func (c Config) restorePath(h *tar.Header, store string) (string, error) {
	if h.Typeflag != tar.TypeReg || !filepath.IsLocal(filepath.FromSlash(h.Name)) {
		return "", errors.New("unexpected entry type in the backup")
	}
	switch name, media := strings.CutPrefix(h.Name, mediaFolder+"/"); {
	case media && c.mediaDir() == "":
		return "",
			errors.New("CARTWRIGHT_MEDIA_URL names a bucket but the backup contains files: restore without the setting, then copy the files to the bucket")
	case media:
		return filepath.Join(c.mediaDir(), filepath.FromSlash(name)), nil
	case h.Name == storeFile:
		return store, nil
	case h.Name == sandboxFile, h.Name == secretsFile, h.Name == credentialsFile:
		return c.File(h.Name), nil
	}
	return "", errors.New("unexpected entry in the backup")
}

// extractFile writes a private file, synced.
func extractFile(to string, from io.Reader) error {
	if err := os.MkdirAll(filepath.Dir(to), 0o700); err != nil {
		return err
	}
	f, err := os.OpenFile(to, os.O_WRONLY|os.O_CREATE|os.O_EXCL, 0o600)
	if err != nil {
		return err
	}
	_, err = io.Copy(f, from)
	return errors.Join(err, f.Sync(), f.Close())
}

// syncDir makes the directory entries of dir durable.
func syncDir(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
