import { local } from './errors.js';
import type { Send } from './transport.js';
import type { Invitations } from './types.js';

/**
 * invitations is for people who are invited to manage a shop. The token they were sent is their credential. It is in no store:
 * nothing here is sent twice or kept as pending. Who has lost an answer looks at the invitation again, or logs in.
 */
export function invitations(clientKey: string, send: Send): Invitations {
  const ask = (method: string, { token, userToken, ...input }: Record<string, any>, what: string, options: object = {}) => {
    if (typeof token !== 'string' || /^\.{0,2}$/.test(token)) throw local('invalid_request', 'The input needs token.');
    const headers: Record<string, string> = { Accept: 'application/json' };
    // The client key would ask for a member of this shop, which the person is not yet.
    if (userToken) headers.Authorization = `Bearer ${userToken}`;
    else headers['X-Client-Key'] = clientKey;
    const body = method === 'GET' ? null : JSON.stringify(input);
    if (body) headers['Content-Type'] = 'application/json';
    const wire = { method, path: `/api/invitations/${encodeURIComponent(token)}${what}`, body, headers };
    return send(wire, { ...options, repeat: method === 'GET' });
  };
  return {
    retrieve: async (input, options) => ask('GET', { token: input?.token }, '', options),
    accept: async (input, options) => ask('POST', { ...input }, '/accept', options),
  };
}
