package operation

import (
	"context"
	"slices"
	"strings"

	"github.com/cartwright-dev/cartwright/app/access"
	"github.com/cartwright-dev/cartwright/app/idempotency"
	"github.com/cartwright-dev/cartwright/app/reply"
	"github.com/cartwright-dev/cartwright/domain/collection"
	"github.com/cartwright-dev/cartwright/domain/fault"
	"github.com/cartwright-dev/cartwright/domain/tenant"
	"github.com/cartwright-dev/cartwright/ports"
)

var (
	passkeyFields = []collection.Field{
		{Name: "id", Kind: collection.Text, Required: true, Doc: "Id of the passkey."},
		{Name: "name", Kind: collection.Text, Required: true, Doc: "The name that the person gave it."},
		{Name: "createdAt", Kind: collection.Date, Required: true, Doc: "When it was added."},
		{Name: "lastUsedAt", Kind: collection.Date, Required: true, Doc: "When it was last used, or else added."},
	}
	passkeyMember   = collection.Field{Name: "passkey", Kind: collection.Group, Required: true, Fields: passkeyFields, Doc: "The passkey."}
	passkeysMembers = []collection.Field{
		{Name: "passkeys", Kind: collection.Array, Required: true, Fields: passkeyFields, Doc: "The passkeys, the oldest first."},
	}
	passkeyParam     = collection.Field{Name: "passkey", Alias: "passkeyId", Kind: collection.Text, Doc: "The passkey."}
	passkeyNameInput = collection.Field{
		Name: "name", Kind: collection.Text, Required: true, MaxLength: access.MaxPasskeyName, Doc: "A name by which the person knows it.",
	}
	passkeyChallengeInput = collection.Field{Name: "challenge", Kind: collection.Text, Required: true, Doc: "What the first step answered."}
	credentialInput       = collection.Field{
		Name: "credential", Kind: collection.JSON, Required: true,
		Doc: "What the browser answers (PublicKeyCredential.toJSON), at most 16 KiB.",
	}
	creationOptions = collection.Field{
		Name: "options", Kind: collection.JSON, Required: true,
		Doc: "For navigator.credentials.create, by PublicKeyCredential.parseCreationOptionsFromJSON.",
	}
	requestOptions = collection.Field{
		Name: "options", Kind: collection.JSON, Required: true,
		Doc: "For navigator.credentials.get, by PublicKeyCredential.parseRequestOptionsFromJSON.",
	}
	passkeyChallengeMember = collection.Field{
		Name: "challenge", Kind: collection.Text, Required: true, Doc: "To send with what the browser answers, once, within five minutes.",
	}
	passkeyLoginReasons = []*fault.Error{
		access.ErrPasskeysOff, access.ErrChallengeInvalid, access.ErrPasskeyMalformed, access.ErrPasskeyWrong, access.ErrTooManyLogins,
	}
)

// credential is the text of what a browser answered of a passkey; nil when it is missing.
func (in *Input) credential() []byte {
	_, v := in.declaredMember(credentialInput.Name, collection.JSON)
	if v == nil {
		return nil
	}
	text := collection.AppendJSONValue(nil, v)
	if _, isObject := v.(map[string]any); !isObject || len(text) > access.MaxPasskeyAnswer {
		in.Problem(credentialInput.Name, "This field takes the object that a browser answers, of at most 16 KiB.")
	}
	return text
}

// passkeyName is the name of a passkey, which is not blank.
func (in *Input) passkeyName() string {
	name := in.Text("name")
	if in.Given("name") && in.faultless() && strings.TrimSpace(name) == "" {
		in.Problem("name", "This field is required.")
	}
	return name
}

func passkeyRecord(k ports.Passkey) collection.Record {
	return collection.Record{"id": k.ID, "name": k.Name, "createdAt": k.Created, "lastUsedAt": k.LastUsed}
}

// respondPasskey is the answer with one passkey.
func respondPasskey(k ports.Passkey, err error) (idempotency.Response, error) {
	return respond([]collection.Field{passkeyMember}, collection.Record{"passkey": passkeyRecord(k)}, err)
}

// passkeyLogins are the operations of a login with a passkey. Rules access-55, access-56.
func (s secondFactors) passkeyLogins() []Operation {
	return []Operation{s.passkeyOptions(), s.beginPasskeyLogin(), s.passkeyLogin()}
}

func (s secondFactors) passkeyOptions() Operation {
	return Operation{
		Name: "users.login-passkey-options", GraphQL: "userLoginPasskeyOptions", Summary: "Ask the browser for the second factor of a login",
		Doc:  "Where the login tells the method passkey. Send what the browser answers as the credential of the second factor.",
		Path: s.path("login/passkey-options"), Credentials: CredentialsOptional, AllowedKinds: s.loginCallers(),
		Input: []collection.Field{passkeyChallengeInput}, Output: []collection.Field{requestOptions},
		Reasons: []*fault.Error{access.ErrPasskeysOff, access.ErrChallengeInvalid},
		Run: func(ctx context.Context, _ idempotency.Call, in *Input) (idempotency.Response, error) {
			challenge := in.Text("challenge")
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			options, err := s.access.PasskeyOptions(ctx, challenge)
			return respondWith(collection.Everyone, err, value("options", reply.JSON(options)))
		},
	}
}

func (s secondFactors) beginPasskeyLogin() Operation {
	return Operation{
		Name: "users.begin-passkey-login", GraphQL: "userPasskeyLoginBegin", Summary: "Ask the browser for a passkey to log in with",
		Doc:  "Any passkey of this server, without an email address: the answer says nothing about who has one.",
		Path: s.path("login/passkey/begin"), NoBody: true, Credentials: CredentialsOptional, AllowedKinds: s.loginCallers(),
		Output: []collection.Field{requestOptions, passkeyChallengeMember}, Reasons: []*fault.Error{access.ErrPasskeysOff},
		Run: func(_ context.Context, _ idempotency.Call, in *Input) (idempotency.Response, error) {
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			options, challenge, err := s.access.BeginPasskeyLogin()
			return respondWith(collection.Everyone, err, value("options", reply.JSON(options)), value("challenge", challenge))
		},
	}
}

func (s secondFactors) passkeyLogin() Operation {
	headers, doc := s.namedTenant("to log in to.")
	return Operation{
		Name: "users.login-passkey", GraphQL: "userPasskeyLogin", Summary: "Log a user in with a passkey alone",
		Doc:     "The device checks the person, so that the passkey counts as both factors. " + doc,
		Headers: headers, Path: s.path("login/passkey"), Credentials: CredentialsOptional, AllowedKinds: s.loginCallers(), SetsCookie: true,
		ChecksPassword: true, Input: []collection.Field{passkeyChallengeInput, credentialInput}, Output: s.wholeSession(),
		Reasons: append(slices.Clip(passkeyLoginReasons), access.ErrNotMember, tenant.ErrSuspended),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			login := access.PasskeyLogin{Challenge: in.Text("challenge"), Answer: in.credential()}
			if err := in.Done(); err != nil {
				return idempotency.Response{}, err
			}
			p, err := s.keyPrincipal(ctx, in)
			if err != nil {
				return idempotency.Response{}, err
			}
			login.Login = access.Login{Principal: p, ClientIP: call.Address, UserAgent: in.Credentials.UserAgent, Tenant: in.Credentials.Tenant}
			session, err := s.access.LoginPasskey(ctx, login)
			if err != nil {
				return idempotency.Response{}, err
			}
			return s.respondSession(ctx, in, "Authentication Passed", session)
		},
	}
}

// ownPasskeys are the operations by which users change their own passkeys. Rule access-55.
func (s secondFactors) ownPasskeys() []Operation {
	return []Operation{s.beginPasskey(), s.addPasskey(), s.listPasskeys(), s.renamePasskey(), s.removePasskey()}
}

func (s secondFactors) beginPasskey() Operation {
	return Operation{
		Name: "users.begin-passkey", GraphQL: "userPasskeyBegin", Summary: "Ask the browser for a new passkey", Path: s.path("passkeys/begin"),
		Guarded: true, Output: []collection.Field{creationOptions, passkeyChallengeMember},
		Reasons: append(slices.Clip(selfCareReasons), access.ErrPasskeysOff, access.ErrTooManyPasskeys),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			care, err := s.selfCare(ctx, call, in, access.SelfCare{})
			if err != nil {
				return idempotency.Response{}, err
			}
			options, challenge, err := s.access.BeginPasskey(ctx, care)
			return respondWith(collection.Everyone, err, value("options", reply.JSON(options)), value("challenge", challenge))
		},
	}
}

func (s secondFactors) addPasskey() Operation {
	return Operation{
		Name: "users.add-passkey", GraphQL: "userPasskeyAdd", Summary: "Add a passkey",
		Doc: "It is a second factor, and logs the person in by itself. All other sessions end with the first factor; the token of the answer " +
			"continues this one. With the first factor come recovery codes; otherwise those before stay and the list is empty.",
		Path: s.path("passkeys"), SetsCookie: true, Input: []collection.Field{passkeyChallengeInput, credentialInput, passkeyNameInput},
		Output: append(s.wholeSession(), recoveryCodesMember, passkeyMember),
		Reasons: append(slices.Clip(selfCareReasons), access.ErrPasskeysOff, access.ErrPasskeyChallenge, access.ErrPasskeyMalformed,
			access.ErrPasskeyRefused, access.ErrPasskeyTaken, access.ErrTooManyPasskeys),
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			added := access.NewPasskey{Challenge: in.Text("challenge"), Answer: in.credential(), Name: in.passkeyName()}
			care, err := s.selfCare(ctx, call, in, access.SelfCare{})
			if err != nil {
				return idempotency.Response{}, err
			}
			added.SelfCare = care
			session, made, codes, err := s.access.AddPasskey(ctx, added)
			if err != nil {
				return idempotency.Response{}, err
			}
			return s.respondSession(ctx, in, "The passkey was added.", session, value("recoveryCodes", jsonTexts(codes)),
				reply.Member{Name: "passkey", Fields: passkeyFields, Record: passkeyRecord(made)})
		},
	}
}

func (s secondFactors) listPasskeys() Operation {
	return Operation{
		Name: "users.passkeys", GraphQL: "userPasskeys", Summary: "List the own passkeys", Method: get, Path: s.path("passkeys"),
		Output: passkeysMembers, Reasons: []*fault.Error{access.ErrFactorOfPerson},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			care, err := s.selfCare(ctx, call, in, access.SelfCare{})
			if err != nil {
				return idempotency.Response{}, err
			}
			all, err := s.access.OwnPasskeys(ctx, care)
			list := make([]collection.Record, len(all))
			for i, k := range all {
				list[i] = passkeyRecord(k)
			}
			return respond(passkeysMembers, collection.Record{"passkeys": list}, err)
		},
	}
}

func (s secondFactors) renamePasskey() Operation {
	return Operation{
		Name: "users.rename-passkey", GraphQL: "userPasskeyRename", Summary: "Rename a passkey", Method: patch, Path: s.path("passkeys/{passkey}"),
		Params: []collection.Field{passkeyParam}, Input: []collection.Field{passkeyNameInput}, Output: []collection.Field{passkeyMember},
		Reasons: []*fault.Error{access.ErrFactorOfPerson},
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			name := in.passkeyName()
			care, err := s.selfCare(ctx, call, in, access.SelfCare{})
			if err != nil {
				return idempotency.Response{}, err
			}
			return respondPasskey(s.access.RenamePasskey(ctx, care, in.Param("passkey"), name))
		},
	}
}

func (s secondFactors) removePasskey() Operation {
	return Operation{
		Name: "users.remove-passkey", GraphQL: "userPasskeyRemove", Summary: "Remove a passkey",
		Doc:  "The recovery codes go with the last second factor.",
		Path: s.path("passkeys/{passkey}/remove"), Guarded: true, Params: []collection.Field{passkeyParam},
		Output: []collection.Field{messageMember}, Reasons: selfCareReasons,
		Run: func(ctx context.Context, call idempotency.Call, in *Input) (idempotency.Response, error) {
			care, err := s.selfCare(ctx, call, in, access.SelfCare{})
			if err == nil {
				err = s.access.RemovePasskey(ctx, care, in.Param("passkey"))
			}
			return respondWith(collection.Everyone, err, value("message", "The passkey was removed."))
		},
	}
}
