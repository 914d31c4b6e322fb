package program

import (
	"crypto/rand"
	"encoding/base64"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"
	"strconv"
	"strings"
)

const (
	secretsFile     = "secrets.json"
	minSecretLength = 32
)

// parseSecrets parses "version:secret" items. Versions are whole numbers from 1; the highest is used for new
// values, and the others to read values made with them.
func parseSecrets(items []string) (map[int]string, error) {
	out := map[int]string{}
	for _, item := range items {
		number, secret, _ := strings.Cut(strings.TrimSpace(item), ":")
		version, err := strconv.Atoi(number)
		switch {
		case err != nil || version < 1:
			return nil, errors.New("each item must be version:secret, with versions from 1.")
		case len(secret) < minSecretLength:
			return nil, fmt.Errorf("secret %d is shorter than %d characters.", version, minSecretLength)
		case out[version] != "":
			return nil, fmt.Errorf("version %d is given twice.", version)
		}
		out[version] = secret
	}
	return out, nil
}

// secrets are the configured ones; a development machine without any generates one and stores it in the data
// folder.
func (c Config) secrets() (map[int]string, error) {
	if len(c.Secrets) > 0 {
		return parseSecrets(c.Secrets)
	}
	stored, err := readSecrets(c.File(secretsFile))
	if !errors.Is(err, fs.ErrNotExist) {
		return stored, err
	}
	var raw [32]byte
	_, _ = rand.Read(raw[:]) // never fails
	generated := map[int]string{1: base64.RawURLEncoding.EncodeToString(raw[:])}
	text, err := json.Marshal(generated)
	if err != nil {
		return nil, fmt.Errorf("encode secrets: %w", err)
	}
	if err := writeFileOnce(c.File(secretsFile), text); err != nil {
		return nil, fmt.Errorf("store the generated secrets: %w", err)
	}
	return readSecrets(c.File(secretsFile)) // another process may have been faster
}

func readSecrets(path string) (map[int]string, error) {
	text, err := os.ReadFile(path)
	if err != nil {
		return nil, fmt.Errorf("read secrets: %w", err)
	}
	out := map[int]string{}
	if err := json.Unmarshal(text, &out); err != nil || len(out) == 0 {
		return nil, fmt.Errorf("%s is damaged: restore it from a backup, or everything encrypted with it is lost", path)
	}
	return out, nil
}

// writeFileOnce writes a private file atomically, unless it exists.
func writeFileOnce(path string, content []byte) error {
	tmp, err := writeTempFile(path, content)
	if err != nil {
		return err
	}
	defer func() { _ = os.Remove(tmp) }() // whether it was linked or not
	if err := os.Link(tmp, path); err != nil && !errors.Is(err, fs.ErrExist) {
		return err
	}
	return nil
}

// writeFileAtomic replaces a private file atomically.
func writeFileAtomic(path string, content []byte) error {
	tmp, err := writeTempFile(path, content)
	if err != nil {
		return err
	}
	return os.Rename(tmp, path)
}

// writeTempFile puts content, synced, into a new file of mode 0600 in the folder of path.
func writeTempFile(path string, content []byte) (name string, err error) {
	f, err := os.CreateTemp(dirOf(path), ".new-*")
	if err != nil {
		return "", err
	}
	_, err = f.Write(content)
	return f.Name(), errors.Join(err, f.Sync(), f.Close())
}

func dirOf(path string) string { return path[:strings.LastIndexByte(path, os.PathSeparator)+1] }
