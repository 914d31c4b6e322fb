import type { Call, Route } from './core.js';

/** reader is the reading helpers of one collection. */
export function reader(call: Call, slug: string) {
  const at = `/api/${encodeURIComponent(slug)}`;
  return {
    find: (input?: object, options?: object) => call('collections.find', `GET ${at}`, input, options),
    findById: (id: string, input?: object, options?: object) => call('collections.findById', `GET ${at}/{id}`, { ...input, id }, options),
    count: (input?: object, options?: object) => call('collections.count', `GET ${at}/count`, input, options),
  };
}

/** Which records of a collection are meant. */
interface Many {
  where: object;
  data?: object;
}

/** writer is the writing helpers of one collection, for servers. */
export function writer(call: Call, slug: string) {
  const at = `/api/${encodeURIComponent(slug)}`;
  const where = (input: Many): Route => `PATCH ${at}?where=${encodeURIComponent(JSON.stringify(input.where))}`;
  return {
    create: (data: object, options?: object) => call('collections.create', `POST ${at}`, data, options),
    update: (id: string, data: object, options?: object) => call('collections.update', `PATCH ${at}/${encodeURIComponent(id)}`, data, options),
    remove: (id: string, options?: object) => call('collections.remove', `DELETE ${at}/{id}`, { id }, options),
    updateMany: (input: Many, options?: object) => call('collections.updateMany', where(input), input.data, options),
    removeMany: (input: Many, options?: object) => call('collections.removeMany', `DELETE ${at}`, { where: input.where }, options),
  };
}
