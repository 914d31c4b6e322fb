// Passkeys, as the browser has them.

/** Whether passkeys can be proven and made: by this browser, and at an address with a name, for they are bound to it. */
export function passkeysWork() {
  return !/^[\d.]+$|]$/.test(location.hostname) && 'PublicKeyCredential' in globalThis && 'parseRequestOptionsFromJSON' in PublicKeyCredential;
}

/**
 * prove asks the person for a passkey; null if they changed their mind.
 * @param {any} options what the shop says to ask
 * @returns {Promise<object | null>}
 */
export function prove(options) {
  return answerOf(() => navigator.credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options.publicKey ?? options) }));
}

/**
 * make asks the person for a new passkey; null if they changed their mind.
 * @param {any} options what the shop says to make
 * @returns {Promise<object | null>}
 */
export function make(options) {
  return answerOf(() => navigator.credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options.publicKey ?? options) }));
}

/** @param {() => Promise<Credential | null>} ask */
async function answerOf(ask) {
  try {
    const credential = /** @type {PublicKeyCredential | null} */ (await ask());
    return credential?.toJSON() ?? null;
  } catch (e) {
    if (e instanceof DOMException && (e.name === 'NotAllowedError' || e.name === 'AbortError')) return null;
    throw e;
  }
}
