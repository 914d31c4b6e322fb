package main

import (
	"archive/tar"
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

	"github.com/cartwright-dev/cartwright/adapters/sqlstore"
)

func (p process) restoreCommand() *cobra.Command {
	return p.answering(&cobra.Command{
		Use: "restore FILE", Short: "Put what backup saved into an empty data folder.", Args: takes("FILE"),
		Example: "CARTWRIGHT_DATA=/srv/shop-2 cartwright restore /backups/shop.tar.gz",
		Long: `Put what backup saved into an empty data folder; - is standard input.

It never touches a store that is there. Set CARTWRIGHT_DATA to a new folder, restore, run doctor and doctor --money, and
start the server. What happened after the backup is gone: cmd/cartwright/OPERATIONS.md says what that means for payments,
events and webhooks.`,
	}, "{data}: the folder", func(ctx context.Context, args []string) (answer, error) {
		c, err := loadConfig(p.getenv)
		if err == nil && c.Database != "" {
			err = errPostgres
		}
		if err == nil {
			err = p.restoreFrom(ctx, c, args[0])
		}
		if err != nil {
			return answer{}, err
		}
		return valued(map[string]string{"data": c.Data}, sentence("Restored to %s. Check it with doctor and doctor --money before the server starts.", c.Data))
	})
}

func (p process) restoreFrom(ctx context.Context, c Config, file string) error {
	if file == "-" {
		if p.in == nil {
			return errors.New("there is nothing on standard input")
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

// restore unpacks a backup into empty folders. The shop's database gets its name last, once it is found whole: until then
// there is no store.
func (c Config) restore(ctx context.Context, in io.Reader) error {
	for _, dir := range []string{c.Data, c.mediaDir()} {
		if err := vacant(dir); err != nil {
			return err
		}
	}
	if err := c.openData(); err != nil {
		return err
	}
	zip, err := gzip.NewReader(in)
	if err != nil {
		return fmt.Errorf("this is no backup: %w", err)
	}
	files := tar.NewReader(zip)
	fresh := c.File("." + storeFile)
	for {
		h, err := files.Next()
		if errors.Is(err, io.EOF) {
			break
		}
		if err != nil {
			return fmt.Errorf("the backup is damaged, and %s holds a part of it: %w", c.Data, err)
		}
		to, err := c.place(h, fresh)
		if err == nil {
			err = unpack(to, files)
		}
		if err != nil {
			return fmt.Errorf("restore %s: %w", h.Name, err)
		}
	}
	if err := sqlstore.CheckSQLite(ctx, fresh); err != nil {
		return fmt.Errorf("the backup is damaged: %w", err)
	}
	if err := os.Rename(fresh, c.File(storeFile)); err != nil {
		return err
	}
	return syncFolder(c.Data)
}

// vacant refuses a folder that has something in it.
func vacant(dir string) error {
	if dir == "" {
		return nil
	}
	there, err := os.ReadDir(dir)
	if err != nil && !errors.Is(err, fs.ErrNotExist) {
		return err
	}
	if len(there) > 0 {
		return fmt.Errorf("%s is not empty: a backup is restored into a new folder, never over what is there", dir)
	}
	return nil
}

// place is where an entry goes.
func (c Config) place(h *tar.Header, store string) (string, error) {
	if h.Typeflag != tar.TypeReg || !filepath.IsLocal(filepath.FromSlash(h.Name)) {
		return "", errors.New("a backup holds nothing of that kind")
	}
	switch name, media := strings.CutPrefix(h.Name, mediaFolder+"/"); {
	case media && c.mediaDir() == "":
		return "", errors.New("CARTWRIGHT_MEDIA_URL names a bucket, and the backup has files for a folder: restore without it, and copy them to the bucket")
	case media:
		return filepath.Join(c.mediaDir(), filepath.FromSlash(name)), nil
	case h.Name == storeFile:
		return store, nil
	case h.Name == sandboxFile, h.Name == secretsFile, h.Name == credentialsFile:
		return c.File(h.Name), nil
	}
	return "", errors.New("a backup holds nothing of that name")
}

// unpack writes a private file, synced.
func unpack(to string, from io.Reader) error {
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

// syncFolder makes the names in dir durable.
func syncFolder(dir string) error {
	d, err := os.Open(dir)
	if err != nil {
		return err
	}
	return errors.Join(d.Sync(), d.Close())
}
