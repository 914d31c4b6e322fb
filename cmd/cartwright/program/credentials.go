package program

import (
	"context"
	"crypto/sha256"
	"encoding/json"
	"errors"
	"fmt"
	"io/fs"
	"os"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/onboarding"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/ports"
)

// credentialsFile shows a shop's owner the first credentials. Rule running-2.
const credentialsFile = "credentials.json"

// credentials are the first login and keys of a tenant, in the file and in the output of `tenant create
// --json`.
type credentials struct {
	BaseURL       string `json:"baseUrl"`
	AdminEmail    string `json:"adminEmail"`
	AdminPassword string `json:"adminPassword,omitempty"`
	TenantID      string `json:"tenantId"`
	ClientKey     string `json:"clientKey"`
	SecretKey     string `json:"secretKey"`
	TestClientKey string `json:"testClientKey"`
	TestSecretKey string `json:"testSecretKey"`

	// of an admin who is known and was invited: they have a password already
	Invited         bool   `json:"invited,omitempty"`
	InvitationToken string `json:"invitationToken,omitempty"`
	ExpiresAt       string `json:"expiresAt,omitempty"` // of the invitation
}

func newCredentials(f onboarding.PreparedTenant, baseURL string) credentials {
	return credentials{
		BaseURL: baseURL, AdminEmail: f.AdminEmail, AdminPassword: f.AdminPassword, TenantID: string(f.Tenant.ID),
		ClientKey: f.ClientKey, SecretKey: f.SecretKey, TestClientKey: f.TestClientKey, TestSecretKey: f.TestSecretKey,
	}
}

// invite replaces the password by an invitation.
func (c *credentials) invite(issued access.EmailToken) {
	c.AdminPassword, c.Invited, c.InvitationToken = "", true, issued.Token
	c.ExpiresAt = issued.Expires.UTC().Format(collection.TimeFormat)
}

// logInWith is how people are told to log in as the admin.
func (c credentials) logInWith() string {
	if !c.Invited {
		return "password         " + c.AdminPassword
	}
	return fmt.Sprintf(`invited          until %s; the admin has an account already, and is admin after
                   POST %s/api/invitations/%s/accept
                   logged in with it. cartwright user create prints another invitation.`, c.ExpiresAt, c.BaseURL, c.InvitationToken)
}

func (c credentials) encode() []byte {
	text, _ := json.MarshalIndent(c, "", "  ") //nolint:gosec,errchkjson // strings always encode
	return append(text, '\n')
}

func readCredentials(path string) (credentials, error) {
	var c credentials
	text, err := os.ReadFile(path)
	if err == nil {
		err = json.Unmarshal(text, &c)
	}
	return c, err
}

// pendingCredentialsFile has the credentials of a shop that is about to be created, so that a crash does not
// lose them.
func (k *core) pendingCredentialsFile() string { return k.config.File(".credentials-draft.json") }

// recoverPendingCredentials moves the pending file of a crashed start into place if its shop was created, and
// deletes it otherwise.
func (k *core) recoverPendingCredentials(ctx context.Context) error {
	c, err := readCredentials(k.pendingCredentialsFile())
	if errors.Is(err, fs.ErrNotExist) {
		return nil
	}
	if err == nil {
		_, err = k.store.APIKeys().ByHash(ctx, sha256.Sum256([]byte(c.SecretKey)))
	}
	switch {
	case err == nil:
		return os.Rename(k.pendingCredentialsFile(), k.config.File(credentialsFile))
	case errors.Is(err, ports.ErrNotFound):
		return os.Remove(k.pendingCredentialsFile())
	}
	return fmt.Errorf("recover pending credentials: %w", err)
}

// refreshBaseURL writes the URL of this start into the credentials file, if there is one.
func (k *core) refreshBaseURL(baseURL string) error {
	path := k.config.File(credentialsFile)
	c, err := readCredentials(path)
	if errors.Is(err, fs.ErrNotExist) || err == nil && c.BaseURL == baseURL {
		return nil
	}
	if err != nil {
		return fmt.Errorf("read %s: %w", path, err)
	}
	c.BaseURL = baseURL
	return writeFileAtomic(path, c.encode())
}
