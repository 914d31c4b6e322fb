import type { Call, Route } from './core.js';
import { local } from './errors.js';

/** address is where a collection is. Errors: `invalid_request` for what is no slug. */
function address(slug: string): string {
  if (typeof slug !== 'string' || !/^[a-z][a-z0-9-]*$/.test(slug)) throw local('invalid_request', 'This is no slug of a collection.');
  return `/api/${slug}`;
}

/** reader is the reading helpers of one collection. */
export function reader(call: Call, slug: string) {
  const at = address(slug);
  return {
    find: (input?: object, options?: object) => call('collections.find', `GET ${at}`, input, options),
    findById: (id: string, input?: object, options?: object) => call('collections.findById', `GET ${at}/{_id}`, { ...input, _id: id }, options),
    count: (input?: object, options?: object) => call('collections.count', `GET ${at}/count`, input, options),
  };
}

/** Which records of a collection are meant. */
interface Many {
  where: object;
  data?: object;
}

/** filter is the records that are meant, as JSON. Leaving it out never means all of them. Errors: `invalid_request`. */
function filter(input: Many): string {
  const { where } = input ?? {};
  if (!where || typeof where !== 'object') throw local('invalid_request', 'The input needs where.');
  return encodeURIComponent(JSON.stringify(where));
}

/** writer is the writing helpers of one collection, for servers. */
export function writer(call: Call, slug: string) {
  const at = address(slug);
  const many = async (name: string, method: 'PATCH' | 'DELETE', input: Many, options?: object) =>
    call(name, `${method} ${at}?where=${filter(input)}` as Route, input.data, options);
  return {
    create: (data: object, options?: object) => call('collections.create', `POST ${at}`, data, options),
    update: (id: string, data: object, options?: object) => call('collections.update', `PATCH ${at}/{_id}`, { ...data, _id: id }, options),
    remove: (id: string, options?: object) => call('collections.remove', `DELETE ${at}/{_id}`, { _id: id }, options),
    updateEach: (input: object, options?: object) => call('collections.updateEach', `POST ${at}/bulk`, input, options),
    updateMany: (input: Many, options?: object) => many('collections.updateMany', 'PATCH', input, options),
    removeMany: (input: Many, options?: object) => many('collections.removeMany', 'DELETE', { where: input?.where }, options),
  };
}
