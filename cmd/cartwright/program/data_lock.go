package program

import (
	"errors"
	"fmt"
	"os"
)

// lockName is the file in the data folder whose lock a server holds while it uses the database there.
const lockName = "server.lock"

// lockDataDir takes the data folder for this server, before anything in it is read or changed. The embedded database
// has one server: another one would number events, poll payments and keep carts beside it. The system releases the
// lock when the process ends, however it ends. Instances on Postgres may share a folder: for them it is nil. Errors:
// the folder is in use, or cannot be written.
func (c Config) lockDataDir() (*os.File, error) {
	if c.Database != "" {
		return nil, nil //nolint:nilnil // there is nothing to lock
	}
	if err := os.MkdirAll(c.Data, 0o700); err != nil {
		return nil, c.unwritable(err)
	}
	f, err := os.OpenFile(c.File(lockName), os.O_RDWR|os.O_CREATE, 0o600)
	if err != nil {
		return nil, c.unwritable(err)
	}
	if err := lockFile(f); err != nil {
		return nil, errors.Join(
			fmt.Errorf("another server uses the data folder %s: stop it first, or set CARTWRIGHT_DATA to another folder. Several servers share one shop on Postgres: set CARTWRIGHT_DATABASE_URL (%w)", c.Data, err),
			f.Close())
	}
	return f, nil
}
