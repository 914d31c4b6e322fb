// Package passkey makes and checks what browsers exchange with passkeys, with go-webauthn.
package passkey

import (
	"encoding/json"
	"errors"
	"fmt"
	"net"
	"net/url"
	"slices"
	"time"

	"github.com/go-webauthn/webauthn/protocol"
	"github.com/go-webauthn/webauthn/protocol/webauthncose"
	"github.com/go-webauthn/webauthn/webauthn"
	"golang.org/x/net/idna"

	"github.com/cartwright-dev/cartwright/ports"
)

const (
	// answerTime is how long the browser lets the person take. The challenge says for itself until when it counts.
	answerTime = 5 * time.Minute
	// maxPublicKey is more than keys take that a device can make in the time that a person waits, in bytes: RSA of 4096 bits takes half.
	maxPublicKey = 1024
)

// algorithms are those of all devices that people have.
var algorithms = []protocol.CredentialParameter{
	{Type: protocol.PublicKeyCredentialType, Algorithm: webauthncose.AlgES256},
	{Type: protocol.PublicKeyCredentialType, Algorithm: webauthncose.AlgEdDSA},
	{Type: protocol.PublicKeyCredentialType, Algorithm: webauthncose.AlgRS256},
}

// transports are those that the specification names: nothing else is stored.
var transports = []protocol.AuthenticatorTransport{
	protocol.USB, protocol.NFC, protocol.BLE, protocol.SmartCard, protocol.Hybrid, protocol.Internal,
}

// ErrOrigin is the refusal of an origin that can have no passkeys.
var ErrOrigin = errors.New("passkeys need an origin with a domain name, and https but on localhost")

// Passkeys is a ports.Passkeys.
type Passkeys struct{ party *webauthn.WebAuthn }

var _ ports.Passkeys = Passkeys{}

// New are the passkeys of an origin: scheme and host[:port], under which browsers reach the server. Passkeys belong to its
// host; browsers know none of a network address, so that a loopback address stands for localhost. Errors: ErrOrigin.
func New(origin string) (Passkeys, error) {
	u, err := url.Parse(origin)
	if err != nil || u.Host == "" {
		return Passkeys{}, ErrOrigin
	}
	host := u.Hostname()
	if ip := net.ParseIP(host); ip != nil && ip.IsLoopback() {
		host = "localhost"
	}
	if host, err = idna.Lookup.ToASCII(host); err != nil { // as browsers write it, in small letters
		return Passkeys{}, ErrOrigin
	}
	if u.Scheme != "https" && (u.Scheme != "http" || host != "localhost") {
		return Passkeys{}, ErrOrigin
	}
	at := url.URL{Scheme: u.Scheme, Host: host}
	if port := u.Port(); port != "" {
		at.Host = net.JoinHostPort(host, port)
	}
	timeout := webauthn.TimeoutConfig{Timeout: answerTime, TimeoutUVD: answerTime}
	party, err := webauthn.New(&webauthn.Config{
		RPID: host, RPDisplayName: host, RPOrigins: []string{at.String()},
		AttestationPreference: protocol.PreferNoAttestation,
		AuthenticatorSelection: protocol.AuthenticatorSelection{
			ResidentKey: protocol.ResidentKeyRequirementPreferred, UserVerification: protocol.VerificationRequired,
		},
		Timeouts: webauthn.TimeoutsConfig{Login: timeout, Registration: timeout},
		// Some password managers answer what nobody asked them.
		ExtensionsUnsolicitedOutputPolicy: protocol.UnsolicitedOutputPolicyIgnore,
	})
	if err != nil {
		return Passkeys{}, fmt.Errorf("%w: %w", ErrOrigin, err)
	}
	return Passkeys{party}, nil
}

// Creation implements ports.Passkeys.
func (p Passkeys) Creation(challenge []byte, owner ports.PasskeyOwner, existing []ports.Passkey) ([]byte, error) {
	creation, _, err := p.party.BeginRegistration(person{owner.Account, owner.Name, existing},
		webauthn.WithCredentialParameters(algorithms), webauthn.WithExclusions(descriptors(existing)),
		func(o *protocol.PublicKeyCredentialCreationOptions) error {
			o.Challenge = challenge
			return nil
		})
	if err != nil {
		return nil, err
	}
	return json.Marshal(creation.Response)
}

// Created implements ports.Passkeys. Of attestations, which we do not ask for, it takes those that browsers leave.
func (p Passkeys) Created(challenge []byte, owner ports.PasskeyOwner, answer []byte) (ports.Passkey, error) {
	parsed, err := protocol.ParseCredentialCreationResponseBytes(answer)
	if err != nil {
		return ports.Passkey{}, because(ports.ErrPasskeyMalformed, err)
	}
	switch format := protocol.AttestationFormat(parsed.Response.AttestationObject.Format); format {
	case protocol.AttestationFormatNone, protocol.AttestationFormatPacked:
	default:
		return ports.Passkey{}, fmt.Errorf("%w: an attestation of the format %q", ports.ErrPasskeyRefused, format)
	}
	session := p.session(challenge)
	session.UserID, session.CredParams = []byte(owner.Account), algorithms
	made, err := p.party.CreateCredential(person{id: owner.Account}, session, parsed)
	if err != nil {
		return ports.Passkey{}, because(ports.ErrPasskeyRefused, err)
	}
	if len(made.PublicKey) > maxPublicKey {
		return ports.Passkey{}, fmt.Errorf("%w: a public key of %d bytes", ports.ErrPasskeyRefused, len(made.PublicKey))
	}
	out := ports.Passkey{
		Credential: made.ID, PublicKey: made.PublicKey, SignCount: made.Authenticator.SignCount, BackupEligible: made.Flags.BackupEligible,
	}
	for _, known := range transports {
		if slices.Contains(made.Transport, known) {
			out.Transports = append(out.Transports, string(known))
		}
	}
	return out, nil
}

// Request implements ports.Passkeys.
func (p Passkeys) Request(challenge []byte, of []ports.Passkey) ([]byte, error) {
	request, _, err := p.party.BeginDiscoverableLogin(webauthn.WithChallenge(challenge), webauthn.WithAllowedCredentials(descriptors(of)))
	if err != nil {
		return nil, err
	}
	return json.Marshal(request.Response)
}

// Account implements ports.Passkeys.
func (Passkeys) Account(answer []byte) (string, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return "", because(ports.ErrPasskeyMalformed, err)
	}
	return string(parsed.Response.UserHandle), nil
}

// Used implements ports.Passkeys.
func (p Passkeys) Used(challenge []byte, account string, of []ports.Passkey, answer []byte) (ports.Passkey, error) {
	parsed, err := protocol.ParseCredentialRequestResponseBytes(answer)
	if err != nil {
		return ports.Passkey{}, because(ports.ErrPasskeyMalformed, err)
	}
	session := p.session(challenge)
	session.UserID = []byte(account)
	used, err := p.party.ValidateLogin(person{id: account, passkeys: of}, session, parsed)
	if err != nil {
		return ports.Passkey{}, because(ports.ErrPasskeyRefused, err)
	}
	i := slices.IndexFunc(of, func(k ports.Passkey) bool { return string(k.Credential) == string(used.ID) })
	if i < 0 {
		return ports.Passkey{}, ports.ErrPasskeyRefused
	}
	out := of[i]
	out.SignCount = parsed.Response.AuthenticatorData.Counter // used keeps the old one if it went backwards
	return out, nil
}

// session is what go-webauthn knows of a challenge that it did not make.
func (p Passkeys) session(challenge []byte) webauthn.SessionData {
	return webauthn.SessionData{
		Challenge: protocol.URLEncodedBase64(challenge).String(), RelyingPartyID: p.party.Config.RPID,
		UserVerification: protocol.VerificationRequired,
	}
}

// because is a refusal with what go-webauthn says of it, whose details are in a field of the error.
func because(refusal, err error) error {
	if detailed, ok := errors.AsType[*protocol.Error](err); ok {
		return fmt.Errorf("%w: %s (%s)", refusal, detailed.Details, detailed.DevInfo)
	}
	return fmt.Errorf("%w: %w", refusal, err)
}

// person is an account as go-webauthn sees it.
type person struct {
	id, name string
	passkeys []ports.Passkey
}

// WebAuthnID implements webauthn.User.
func (p person) WebAuthnID() []byte { return []byte(p.id) }

// WebAuthnName implements webauthn.User.
func (p person) WebAuthnName() string { return p.name }

// WebAuthnDisplayName implements webauthn.User.
func (p person) WebAuthnDisplayName() string { return p.name }

// WebAuthnCredentials implements webauthn.User.
func (p person) WebAuthnCredentials() []webauthn.Credential {
	out := make([]webauthn.Credential, len(p.passkeys))
	for i, k := range p.passkeys {
		out[i] = webauthn.Credential{
			ID: k.Credential, PublicKey: k.PublicKey, Flags: webauthn.CredentialFlags{BackupEligible: k.BackupEligible, UserVerified: true},
			Authenticator: webauthn.Authenticator{SignCount: k.SignCount},
		}
	}
	return out
}

func descriptors(of []ports.Passkey) []protocol.CredentialDescriptor {
	out := make([]protocol.CredentialDescriptor, len(of))
	for i, k := range of {
		out[i] = protocol.CredentialDescriptor{Type: protocol.PublicKeyCredentialType, CredentialID: k.Credential}
		for _, t := range k.Transports {
			out[i].Transport = append(out[i].Transport, protocol.AuthenticatorTransport(t))
		}
	}
	return out
}
