package operation

import (
	"context"
	"encoding/base64"
	"errors"
	"slices"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/identity"
	"github.com/cartwright-dev/cartwright/domain/tenant"
)

var (
	challengeMembers = []collection.Field{
		{Name: "secondFactorRequired", Kind: collection.Boolean, OmitMissing: true, Doc: "True where there is no session yet."},
		{Name: "challenge", Kind: collection.Text, OmitMissing: true, Doc: "To send with the second factor within five minutes."},
		{Name: "methods", Kind: collection.Texts, OmitMissing: true, Doc: "How the person can prove it: totp, passkey, recovery-code."},
	}
	appCodeInput = collection.Field{
		Name: "code", Kind: collection.Text, Required: true, MaxLength: 64, Doc: "The code that the authenticator app shows.",
	}
	anyCodeInput        = collection.Field{Name: "code", Kind: collection.Text, Required: true, MaxLength: 64, Doc: "A code of the app, or a recovery code."}
	recoveryCodesMember = collection.Field{
		Name: "recoveryCodes", Kind: collection.Texts, Required: true, Doc: "Ten codes that work once each, shown now and never again.",
	}
	enrolledMembers = []collection.Field{
		{Name: "secret", Kind: collection.Text, Required: true, Doc: "The secret in base32, for apps that read no picture."},
		{Name: "url", Kind: collection.Text, Required: true, Doc: "The otpauth URL, by which an app on the same device opens."},
		{Name: "qrCode", Kind: collection.Text, Required: true, Doc: "The URL as a QR code, for a phone to read: a data URL of a PNG."},
	}
	factorStateFields = []collection.Field{
		{Name: "required", Kind: collection.Boolean, Required: true, Doc: "Whether the acting tenant requires a second factor."},
		{Name: "active", Kind: collection.Boolean, Required: true, Doc: "Whether logins of the person need one."},
		{Name: "totp", Kind: collection.Boolean, Required: true, Doc: "Whether there is an authenticator app."},
		{Name: "passkeys", Kind: collection.Integer, Required: true, Doc: "How many passkeys there are."},
		{Name: "recoveryCodesLeft", Kind: collection.Integer, Required: true, Doc: "How many recovery codes were not used yet."},
	}
	selfCareReasons = []*fault.Error{access.ErrFactorOfPerson, access.ErrTooManyLogins}
)

// challengeOf are the members of an answer to a login that needs a second factor.
func challengeOf(c access.Challenge) []reply.Member {
	return []reply.Member{
		value("message", "Send the second factor."), value("secondFactorRequired", true), value("challenge", c.Token),
		value("methods", jsonTexts(c.Methods)),
	}
}

// jsonTexts is a list of texts as a JSON value.
func jsonTexts(list []string) collection.JSONValue {
	all := make([]any, len(list))
	for i, text := range list {
		all[i] = text
	}
	return all
}

// secondFactors are the operations on the second factors of users. Rules access-44 to access-48.
type secondFactors struct{ sessions }

// enrolling is the caller and the token of an operation that is also open to users without the second factor that their
// tenant requires. Errors: fault.ErrUnauthenticated, and the reason why the credentials were not accepted.
func (s sessions) enrolling(ctx context.Context, call idempotency.Call, in *Input) (tenant.Principal, string, error) {
	if errors.Is(in.AuthError, access.ErrSecondFactorMissing) && s.kind == tenant.User {
		p, err := s.access.AuthenticateToEnroll(ctx, in.Credentials)
		if in.Credentials.Bearer != "" {
			return p, in.Credentials.Bearer, err
		}
		return p, in.Credentials.Cookie, err
	}
	token, err := s.token(call, in)
	return call.Principal, token, err
}

// login is the second step of a login.
func (s secondFactors) login() Operation {
	code, credential := anyCodeInput, credentialInput
	code.Required, credential.Required = false, false
	credential.Doc = "In place of a code, of a passkey: " + credential.Doc
	return Operation{
		Name: "users.login-second-factor", GraphQLField: s.field("secondFactor", GraphQLField{Result: "SecondFactorResult"}),
		Summary: "Prove the second factor of a login",
		Doc:     "With a code or a passkey. Five wrong ones in fifteen minutes are 429, from whatever address.",
		Path:    s.path("login/second-factor"), Credentials: CredentialsOptional, AllowedKinds: s.loginCallers(), SetsCookie: true,
		ChecksPassword: true, Output: s.wholeSession(), Input: []collection.Field{passkeyChallengeInput, code, credential},
		Reasons: append(slices.Clip(passkeyLoginReasons), access.ErrSecondFactorWrong),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			factor := access.SecondFactor{
				Challenge: in.Text("challenge"), Code: in.Text("code"), Passkey: in.credential(), ClientIP: call.Address,
			}
			switch {
			case !in.Given("code") && !in.Given("credential"):
				in.Problem("code", "This field is required, or else credential.")
			case in.Given("code") && in.Given("credential"):
				in.Problem("credential", "Send a code or a credential, not both.")
			}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			factor.UserAgent = in.Credentials.UserAgent
			session, err := s.access.LoginSecondFactor(ctx, factor)
			if err != nil {
				return idempotency.Response{}, err
			}
			return s.respondSession(ctx, in, "Authentication Passed", session)
		},
	}
}

// own are the operations by which users change their own second factors, and that which resets somebody else's.
func (s secondFactors) own() []Operation {
	list := []Operation{s.state(), s.enrollTOTP(), s.confirmTOTP(), s.disableTOTP(), s.renewRecoveryCodes(), s.beginProof(), s.prove(), s.changePassword()}
	list = append(list, s.ownPasskeys()...)
	for i := range list {
		list[i].Credentials, list[i].AllowedKinds = CredentialsOptional, []tenant.Kind{tenant.User}
	}
	return append(list, s.reset())
}

// selfCare is the input of a change of one's own second factors.
func (s secondFactors) selfCare(ctx context.Context, call idempotency.Call, in *Input, care access.SelfCare) (access.SelfCare, error) {
	err := in.Done()
	if err != nil {
		return care, err
	}
	_, care.Token, err = s.enrolling(ctx, call, in)
	care.Credentials = in.Credentials
	return care, err
}

func (s secondFactors) state() Operation {
	return Operation{
		Name: "users.second-factor", GraphQL: "userSecondFactor", Summary: "Show the own second factors", Method: get,
		Path: s.path("second-factor"), Output: factorStateFields,
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			p, token, err := s.enrolling(ctx, call, in)
			if err != nil {
				return idempotency.Response{}, err
			}
			state, err := s.access.SecondFactorState(ctx, p, token)
			return respond(factorStateFields, collection.Record{
				"required": state.Required, "active": state.Active, "totp": state.TOTP, "passkeys": int64(state.Passkeys),
				"recoveryCodesLeft": int64(state.RecoveryCodes),
			}, err)
		},
	}
}

func (s secondFactors) enrollTOTP() Operation {
	return Operation{
		Name: "users.enroll-totp", GraphQL: "userTotpEnroll", Summary: "Enroll an authenticator app",
		Doc:  "It is no second factor before it is confirmed with a code. The secret is shown only now.",
		Path: s.path("totp/enroll"), Guarded: true, Output: enrolledMembers,
		Reasons: append(slices.Clip(selfCareReasons), access.ErrTOTPActive),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			care, err := s.selfCare(ctx, call, in, access.SelfCare{})
			if err != nil {
				return idempotency.Response{}, err
			}
			made, err := s.access.EnrollTOTP(ctx, care)
			picture := "data:image/png;base64," + base64.StdEncoding.EncodeToString(made.Picture)
			return respondWith(collection.Everyone, err, value("secret", made.Secret), value("url", made.URL), value("qrCode", picture))
		},
	}
}

func (s secondFactors) confirmTOTP() Operation {
	return Operation{
		Name: "users.confirm-totp", GraphQL: "userTotpConfirm", Summary: "Make the enrolled authenticator app a second factor",
		Doc: "All other sessions end; the token of the answer continues this one. With the first factor come recovery codes; " +
			"otherwise those before stay and the list is empty.",
		Path: s.path("totp/confirm"), SetsCookie: true, Input: []collection.Field{appCodeInput},
		Output:  append(s.wholeSession(), recoveryCodesMember),
		Reasons: append(slices.Clip(selfCareReasons), access.ErrTOTPNotFound, access.ErrCodeWrong),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			care, err := s.selfCare(ctx, call, in, access.SelfCare{Code: in.Text("code")})
			if err != nil {
				return idempotency.Response{}, err
			}
			session, codes, err := s.access.ConfirmTOTP(ctx, care)
			if err != nil {
				return idempotency.Response{}, err
			}
			return s.respondSession(ctx, in, "The second factor is active.", session, value("recoveryCodes", jsonTexts(codes)))
		},
	}
}

func (s secondFactors) disableTOTP() Operation {
	return Operation{
		Name: "users.disable-totp", GraphQL: "userTotpDisable", Summary: "Remove the authenticator app",
		Doc:  "The recovery codes go with the last second factor.",
		Path: s.path("totp/disable"), Guarded: true, Input: []collection.Field{anyCodeInput},
		Output:  []collection.Field{messageMember},
		Reasons: append(slices.Clip(selfCareReasons), access.ErrTOTPNotFound, access.ErrCodeWrong),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			care, err := s.selfCare(ctx, call, in, access.SelfCare{Code: in.Text("code")})
			if err == nil {
				err = s.access.DisableTOTP(ctx, care)
			}
			return respondWith(collection.Everyone, err, value("message", "The authenticator app is no second factor any more."))
		},
	}
}

func (s secondFactors) renewRecoveryCodes() Operation {
	return Operation{
		Name: "users.renew-recovery-codes", GraphQL: "userRecoveryCodesRenew", Summary: "Replace the recovery codes",
		Doc:  "Those before work no longer.",
		Path: s.path("recovery-codes"), Guarded: true, Output: []collection.Field{recoveryCodesMember},
		Reasons: append(slices.Clip(selfCareReasons), access.ErrTOTPNotFound),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			care, err := s.selfCare(ctx, call, in, access.SelfCare{})
			if err != nil {
				return idempotency.Response{}, err
			}
			codes, err := s.access.RenewRecoveryCodes(ctx, care)
			return respondWith(collection.Everyone, err, value("recoveryCodes", jsonTexts(codes)))
		},
	}
}

func (s secondFactors) reset() Operation {
	return Operation{
		Name: "users.reset-second-factor", GraphQL: "userSecondFactorReset", Summary: "Remove the second factors of a user who lost them",
		Doc:  "All sessions of the account end. Admins do so for accounts that belong to their tenant alone, platform admins for all.",
		Path: "/users/{id}/reset-second-factor", AllowedKinds: []tenant.Kind{tenant.User}, Guarded: true,
		Params: []collection.Field{{
			Name: "id", Alias: "userId", Kind: collection.Relation, RelationTo: identity.Users.Slug, Doc: "The user.",
		}},
		Output: []collection.Field{messageMember}, Reasons: []*fault.Error{access.ErrFactorsNotYours},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			err := s.access.ResetSecondFactors(ctx, call, in.Param("id"))
			return respondWith(collection.Everyone, err, value("message", "The second factors were removed."))
		},
	}
}
