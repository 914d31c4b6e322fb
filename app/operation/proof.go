package operation

import (
	"context"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
)

var proofFields = []collection.Field{
	messageMember, {Name: "provenUntil", Kind: collection.Date, Required: true, Doc: "Until when nothing more is asked."},
}

// beginProof tells how the person of a session can prove it. Rule access-67.
func (s secondFactors) beginProof() Operation {
	options, challenge := requestOptions, passkeyChallengeMember
	options.Required, challenge.Required = false, false
	options.Doc += " Null without passkeys."
	challenge.Doc += " Null without passkeys."
	return Operation{
		Name: "users.begin-reauthentication", GraphQL: "userReauthenticationBegin", Summary: "Show how to prove the session",
		Path: s.path("reauthenticate/begin"), BeyondQuota: true,
		Output: []collection.Field{
			{Name: "methods", Kind: collection.Texts, Required: true, Doc: "How the person can prove it: password, totp, passkey, recovery-code."},
			options, challenge,
		},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			care, err := s.selfCare(ctx, call, in, access.SelfCare{})
			if err != nil {
				return idempotency.Response{}, err
			}
			methods, options, challenge, err := s.access.BeginProof(ctx, care.Token)
			if options == nil {
				return respondWith(collection.Everyone, err, value("methods", jsonTexts(methods)), value("options", nil), value("challenge", nil))
			}
			return respondWith(collection.Everyone, err, value("methods", jsonTexts(methods)), value("options", reply.JSON(options)),
				value("challenge", challenge))
		},
	}
}

// prove marks the session as that of somebody who has just proven who they are.
func (s secondFactors) prove() Operation {
	code, credential, challenge := anyCodeInput, credentialInput, passkeyChallengeInput
	code.Required, credential.Required, challenge.Required = false, false, false
	challenge.Doc = "With a credential, what users.begin-reauthentication answered."
	return Operation{
		Name: "users.reauthenticate", GraphQL: "userReauthenticate", Summary: "Prove the session",
		Doc: "By the present password, a code of the authenticator app, a recovery code or a passkey. For ten minutes the session may then do what answers " +
			"403 reauthentication_required otherwise; a login begins with them. Wrong ones are counted as those of logins.",
		Path: s.path("reauthenticate"), ChecksPassword: true, BeyondQuota: true,
		Input: []collection.Field{
			{Name: "password", Kind: collection.Text, MaxLength: 4 * identity.MaxPassword, Doc: "The present password."}, code, challenge, credential,
		},
		Output: proofFields,
		Reasons: []*fault.Error{
			access.ErrPasswordWrong, access.ErrCodeWrong, access.ErrPasskeysOff, access.ErrPasskeyMalformed, access.ErrPasskeyRefused,
			access.ErrPasskeyChallenge, access.ErrTooManyLogins,
		},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			proof := access.Proof{
				Password: in.Text("password"), Code: in.Text("code"), Challenge: in.Text("challenge"), Passkey: in.credential(),
			}
			in.checkOneProof(proof)
			care, err := s.selfCare(ctx, call, in, access.SelfCare{})
			if err != nil {
				return idempotency.Response{}, err
			}
			proof.Token, proof.Credentials = care.Token, care.Credentials
			until, err := s.access.Prove(ctx, proof)
			return respondWith(collection.Everyone, err, value("message", "The session is proven."),
				value("provenUntil", until.UTC().Format(collection.TimeFormat)))
		},
	}
}

// checkOneProof refuses none, and more than one, of a password, a code and a passkey.
func (in *Input) checkOneProof(proof access.Proof) {
	given := 0
	for _, one := range []bool{proof.Password != "", proof.Code != "", proof.Passkey != nil} {
		if one {
			given++
		}
	}
	switch {
	case given == 0:
		in.Problem("password", "This field is required, or else code or credential.")
	case given > 1:
		in.Problem("password", "Send one of password, code and credential.")
	}
}

// changePassword replaces the own password. Rule access-69.
func (s secondFactors) changePassword() Operation {
	current := passwordInput
	current.Name, current.Doc = "currentPassword", "The present password."
	next := passwordInput
	next.Doc = "The new password."
	return Operation{
		Name: "users.change-password", GraphQL: "userPasswordChange", Summary: "Change the own password",
		Doc:  "All sessions of the password end; the token of the answer is that of a new one.",
		Path: s.path("change-password"), ChecksPassword: true, SetsCookie: true, BeyondQuota: true,
		Input: []collection.Field{current, next}, Output: s.wholeSession(),
		Reasons: []*fault.Error{access.ErrPasswordWrong, access.ErrTooManyLogins},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			proof, next := access.Proof{Password: in.Text("currentPassword")}, in.Text("password")
			care, err := s.selfCare(ctx, call, in, access.SelfCare{})
			if err != nil {
				return idempotency.Response{}, err
			}
			proof.Token, proof.Credentials = care.Token, care.Credentials
			session, err := s.access.ChangeOwnPassword(ctx, proof, next)
			if err != nil {
				return idempotency.Response{}, err
			}
			return s.respondSession(ctx, in, "The password was changed.", session)
		},
	}
}
