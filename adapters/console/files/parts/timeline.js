// What happened to a record and its parts, with what the team says about it.
import { html, useCallback, useEffect, useState } from '../vendor/ui.js';
import { fieldAt, useSchema } from '../base/schema.js';
import { useEvents } from '../base/live.js';
import { money, number } from '../base/format.js';
import { refusalOf } from '../base/refusal.js';
import { api, can } from '../base/shop.js';
import { collectionWord, fieldLabel, optionLabel, t } from '../base/words.js';
import { Button } from './button.js';
import { TextField } from './field.js';
import { Icon } from './icon.js';
import { Called } from './relation.js';
import { Card, Refused } from './state.js';
import { complain } from './toast.js';
import { Time, nameOf } from './value.js';

/** @typedef {import('../vendor/sdk.js').OperatorAnswer<'GET /api/{collection}/{id}/timeline'>['docs'][number]} Entry */

/** Collections on whose records the team comments. */
const commented = ['orders', 'draft-orders', 'return-requests', 'customers', 'products'];

/** @param {{ slug: string, id: string, live: string[], currency?: string | null }} props currency: of the record */
export function Timeline({ slug, id, live, currency }) {
  const [entries, setEntries] = useState(/** @type {Entry[]} */ ([]));
  const [next, setNext] = useState(/** @type {string | null} */ (null));
  const [refusal, setRefusal] = useState(/** @type {any} */ (undefined));
  const read = useCallback(async (/** @type {string | null} */ before) => {
    try {
      const page = await api.call('GET /api/{collection}/{id}/timeline', { collection: slug, id, limit: 20, ...(before && { before }) });
      setEntries((old) => (before ? [...old, ...page.docs] : page.docs));
      setNext(page.nextBefore);
      setRefusal(undefined);
    } catch (e) {
      setRefusal(refusalOf(e));
    }
  }, [slug, id]);
  const reload = useCallback(() => void read(null), [read]);
  useEffect(reload, [reload]);
  useEvents(live, reload, { record: id });
  return html`<${Card} title=${t('common.timeline')}>
    ${can('comments:create') && commented.includes(slug) && html`<${Comment} slug=${slug} id=${id} onDone=${reload} />`}
    ${refusal && html`<${Refused} refusal=${refusal} again=${reload} />`}
    <ol class="timeline">${entries.map((entry) => html`<${Told} key=${entry.id} entry=${entry} currency=${currency} />`)}</ol>
    ${next && html`<${Button} onClick=${() => void read(next)}>${t('common.more')}<//>`}
  <//>`;
}

/** @param {{ slug: string, id: string, onDone: () => void }} props */
function Comment({ slug, id, onDone }) {
  const [text, setText] = useState('');
  const [busy, setBusy] = useState(false);
  const send = async (/** @type {Event} */ e) => {
    e.preventDefault();
    if (!text.trim()) return;
    setBusy(true);
    try {
      await api.collections.from('comments').create(/** @type {any} */ ({ collection: slug, record: id, text }));
      setText('');
      onDone();
    } catch (e) {
      complain(e);
    }
    setBusy(false);
  };
  return html`<form class="comment" onSubmit=${send}>
    <${TextField} label=${t('common.comment')} hideLabel placeholder=${t('common.comment')} value=${text} onInput=${setText} rows=${2} />
    <${Button} type="submit" icon="send" busy=${busy} disabled=${!text.trim()}>${t('common.say')}<//>
  </form>`;
}

/** @param {{ entry: Entry, currency?: string | null | undefined }} props */
function Told({ entry, currency }) {
  const { actor, comment, collection, operation, occurredAt } = entry;
  const changes = entry.changes.filter(tells);
  const who = actor?.name ?? (actor?.kind ? optionLabel('timeline', 'actor.kind', actor.kind) : t('common.somebody'));
  const via = actor?.via && actor.via !== 'api' && actor.via !== 'console' ? ` · ${optionLabel('timeline', 'actor.via', actor.via)}` : '';
  return html`<li class=${comment ? 'said' : ''}>
    <${Icon} name=${comment ? 'message-square' : operation === 'create' ? 'circle-dot' : 'circle'} size=${14} />
    <div>
      <p><b>${who}</b>${via} <small><${Time} at=${occurredAt} relative /></small></p>
      ${comment ? html`<p class="quote">${comment.text}</p>` : html`<p>${summary(collection, operation)}</p>`}
      ${!comment && changes.length > 0 && html`<ul class="changes">${changes.slice(0, 12).map((c) => html`<${Changed} key=${c.path} slug=${collection}
        change=${c} made=${operation === 'create'} currency=${currency} />`)}</ul>`}
    </div>
  </li>`;
}

/**
 * @param {string} slug
 * @param {Entry['operation']} operation
 */
function summary(slug, operation) {
  return t(`common.did-${operation}`, { what: collectionWord(slug, 'one') });
}

/** blank is whether a value says nothing. @param {any} value */
const blank = (value) => [null, undefined, ''].includes(value) || (Array.isArray(value) && value.length === 0);

/**
 * tells is false where nothing was and nothing is, and for lists of which nothing but their length is shown, and that is as it was.
 * @param {{ from?: any, to?: any }} change
 */
const tells = ({ from, to }) => !(blank(from) && blank(to)) && !(Array.isArray(from) && Array.isArray(to) && from.length === to.length);

/** Names that the shop gives to reasons and the like, also where any text may stand. */
const named = /^[a-z]+(_[a-z]+)+$/;

/**
 * Changed is a field with what it was, unless its record was made with it, and what it is.
 * @param {{ slug: string, change: { path: string, from?: any, to?: any }, made?: boolean, currency?: string | null | undefined }} props currency: of
 *   amounts, if it is known
 */
export function Changed({ slug, change, made = false, currency }) {
  const path = change.path.replace(/\.\d+\b/g, '');
  const schema = useSchema(slug);
  const field = schema && fieldAt(schema, path);
  const told = (/** @type {any} */ value) => {
    if (blank(value)) return '—';
    if (typeof value === 'string' && (field?.options || named.test(value))) return optionLabel(slug, path, value);
    if (field?.relationTo && typeof value === 'string') return html`<${Called} to=${field.relationTo} id=${value} />`;
    if (field?.kind === 'money' && typeof value === 'number') return currency ? money(value, currency) : number(value);
    if (field?.kind === 'date') return html`<${Time} at=${value} />`;
    if (typeof value === 'boolean') return t(value ? 'common.yes' : 'common.no');
    return typeof value === 'object' ? (Array.isArray(value) ? t('common.items', { n: value.length }) : nameOf(value)) : String(value);
  };
  const was = (change.from ?? null) !== null || !made;
  return html`<li>${fieldLabel(slug, path)}: ${was && html`<del>${told(change.from)}</del> → `}<ins>${told(change.to)}</ins></li>`;
}
