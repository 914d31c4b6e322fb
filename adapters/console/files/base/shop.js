// Who is signed in, where they are at work and what they may: what the whole page shares.
import { CommerceSDKError, createOperatorClient } from '../vendor/sdk.js';
import { batch, computed, signal } from '../vendor/ui.js';
import { keepWorkOf, recall, remember } from './memory.js';
import { schemas } from './schema.js';
import { bringing, language } from './words.js';
import { askProof } from './proof.js';

/** @typedef {import('../vendor/sdk.js').Schemas} Schemas */
/** @typedef {Schemas['User']} User */
/** @typedef {Schemas['Tenant']} Tenant */
/** @typedef {'live' | 'test'} Environment */

/** The user who is signed in; null for nobody, undefined while that is not known. @type {import('../vendor/ui.js').Signal<User | null | undefined>} */
export const user = signal(/** @type {User | null | undefined} */ (undefined));

/** The acting shop. @type {import('../vendor/ui.js').Signal<Tenant | null>} */
export const shop = signal(/** @type {Tenant | null} */ (null));

/** All shops of the user. @type {import('../vendor/ui.js').Signal<Tenant[]>} */
export const shops = signal(/** @type {Tenant[]} */ ([]));

/** Which records are seen: the address of the page says it. @type {import('../vendor/ui.js').Signal<Environment>} */
export const environment = signal(environmentOf(location.pathname) ?? 'live');

/** @type {import('../vendor/ui.js').Signal<Set<string>>} */
const permissions = signal(new Set(/** @type {string[]} */ ([])));

/** Whether a permission is the user's, such as `orders:cancel`. The server decides; this only hides what it would refuse. */
export const can = (/** @type {string} */ permission) => permissions.value.has(permission);

/** readable is the slugs of the collections that the user may read, in the order of the alphabet. */
export const readable = () => [...permissions.value].flatMap((p) => (p.endsWith(':read') ? [p.slice(0, -':read'.length)] : [])).sort();

/** The time zone of the shop. */
export const timeZone = computed(() => shop.value?.settings.timeZone ?? 'Asia/Seoul');

/** Id of the acting shop, from before its record is known. */
let acting = /** @type {string | undefined} */ (undefined);

/**
 * operatorIn is the way to the server, acting in a shop that is asked for before each call.
 * @param {() => string | undefined} tenant
 * @param {() => Environment} [where] the acting one, if it is not said
 * @param {() => string} [speaking] the language of the page, if it is not said
 */
const operatorIn = (tenant, where = () => environment.value, speaking = () => language.value) =>
  createOperatorClient({
    baseUrl: location.origin,
    via: 'console',
    language: speaking,
    workplace: () => ({ user: user.value?.id, tenant: tenant(), environment: where() }),
    onSignedOut: () => {
      user.value = null;
    },
    onUnproven: askProof,
  });

/** The way to the server, in the acting shop. */
export const api = operatorIn(() => acting);

/** operatorHere is the way to the shop and the environment of now, for what takes longer than people stay in them. */
export function operatorHere() {
  const [tenant, where] = [acting, environment.value];
  return operatorIn(() => tenant, () => where);
}

/**
 * environmentOf reads the environment that an address of the console names.
 * @param {string} path
 * @returns {Environment | undefined}
 */
export function environmentOf(path) {
  const [, , name] = path.split('/');
  return name === 'live' || name === 'test' ? name : undefined;
}

/** Whether somebody is signed in to whom the shop shows nothing before they have a second factor. */
export const unproven = signal(false);

/**
 * enter looks who is signed in, and brings what the page needs to know of them. Errors: CommerceSDKError, but none for nobody.
 * @param {string} [wanted] id of the shop to work in: the present one, or at first the one that was chosen last at this machine
 */
export async function enter(wanted = acting ?? recall('shop') ?? undefined) {
  try {
    await recognize(wanted);
    unproven.value = false;
  } catch (e) {
    if (!(e instanceof CommerceSDKError) || e.reason !== 'second_factor_required') throw e;
    unproven.value = true;
  }
}

/** Counts who came and went: what was asked for before the last of them is not shown after it. */
let turns = 0;

/** recognize is enter, refused to those who have to add a second factor first. @param {string | undefined} wanted id of the shop */
async function recognize(wanted) {
  const turn = ++turns;
  // Of whichever shop the server takes for theirs: other calls go on in the acting one meanwhile.
  const { user: me } = await operatorIn(() => undefined).ask('GET /api/users/me');
  if (!me) {
    if (turn === turns) user.value = null;
    return;
  }
  const own = [...new Set([idOf(me.tenant), ...(me.memberships ?? []).map((m) => idOf(m.tenant))])].filter((id) => id !== undefined);
  const all = own.length > 0 ? await namesOf(own) : await everyShop();
  const next = all.find((t) => t.id === wanted) ?? all[0] ?? null;
  const there = operatorIn(() => next?.id);
  let said = language.value;
  let [may, described] = await Promise.all([there.call('GET /api/permissions'), describe(there)]);
  while (said !== language.value) {
    said = language.value;
    described = await describe(there);
  }
  if (turn !== turns) return;
  keepWorkOf(me.id);
  batch(() => {
    acting = next?.id; // not before: what is on the screen until now is of the shop before
    shops.value = all;
    shop.value = next;
    permissions.value = new Set(may.own);
    schemas.value = described;
    user.value = me;
  });
}

/**
 * describe is what the collections are like, in the language of the client.
 * @param {typeof api} from
 * @returns {Promise<Map<string, import('./schema.js').Schema>>}
 */
async function describe(from) {
  const { collections } = await from.call('GET /api/schemas');
  return new Map(collections.map((c) => [c.slug, /** @type {any} */ (c)]));
}

bringing(async (next) => {
  const from = operatorIn(() => acting, undefined, () => next);
  let [of, described] = [acting, user.value ? await describe(from) : schemas.value];
  while (of !== acting) {
    of = acting;
    described = await describe(from);
  }
  return () => {
    if (of === acting) schemas.value = described; // else a switch of shops has brought its own
  };
});

/** namesOf reads shops, each acting in it: no shop sees another. One that lets nobody in now is left out. @param {string[]} ids @returns {Promise<Tenant[]>} */
async function namesOf(ids) {
  const read = await Promise.allSettled(ids.map((id) => operatorIn(() => id).collections.from('tenants').findById(id)));
  return read.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
}

/** everyShop is for who runs the installation, and is in no shop. @returns {Promise<Tenant[]>} */
async function everyShop() {
  return (await operatorIn(() => undefined).collections.from('tenants').find({ limit: 200, sort: 'name' })).docs;
}

/** leave signs the user out. */
export async function leave() {
  turns++;
  await api.ask('POST /api/users/logout');
  unproven.value = false;
  keepWorkOf('');
  user.value = null;
}

/** workIn is the switch to another shop. @param {Tenant} other */
export async function workIn(other) {
  remember('shop', other.id);
  await enter(other.id);
}

/**
 * idOf is the id of what a relation refers to, whether it is shown as an id or as a record.
 * @param {string | { id: string } | null | undefined} relation
 * @returns {string | undefined}
 */
export function idOf(relation) {
  return typeof relation === 'string' ? relation : relation?.id;
}

/**
 * @typedef {object} Writer
 * @property {(data: Record<string, unknown>, options?: import('../vendor/sdk.js').MutationOptions) => Promise<any>} create
 * @property {(id: string, data: Record<string, unknown>, options?: import('../vendor/sdk.js').MutationOptions) => Promise<any>} update
 * @property {(id: string, options?: import('../vendor/sdk.js').MutationOptions) => Promise<any>} remove
 */

/**
 * writer writes what people may write and secret keys may not, such as users: the SDK has types for what keys may.
 * @param {'api-keys' | 'roles' | 'shop-profiles' | 'user-invitations' | 'users'} slug
 * @returns {Writer}
 */
export const writer = (slug) => /** @type {any} */ (api.collections.from(/** @type {any} */ (slug)));
