// The log of what happened in the shop: who changed what, newest first.
import { html, useLocation, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { useMore } from '../../base/more.js';
import { search, searched } from '../../base/route.js';
import { api, readable } from '../../base/shop.js';
import { collectionLabel, collectionWord, optionLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { SelectField } from '../../parts/field.js';
import { Icon } from '../../parts/icon.js';
import { Card, Empty, Loading, Page, Refused } from '../../parts/state.js';
import { Time, nameOf } from '../../parts/value.js';
import { EventDialog } from './event.js';

/** @typedef {import('../../vendor/sdk.js').ShopEvent} ShopEvent */

const kinds = ['user', 'secret-key', 'customer', 'anonymous', 'provider', 'system'];

/** Events that are read at a time, unless a number of parts of the log has fewer. */
const atLeast = 50;
const parts = 10;

export default function Events() {
  useLocation();
  const query = search();
  const asked = { collection: query.get('collection') ?? '', record: query.get('record') ?? '', actor: query.get('actor') ?? '' };
  const log = useLog(asked);
  const [open, setOpen] = useState(/** @type {ShopEvent | null} */ (null));
  const set = (/** @type {Record<string, string>} */ values) => {
    const next = search();
    for (const [name, value] of Object.entries(values)) value ? next.set(name, value) : next.delete(name);
    searched(next);
    setOpen(null);
  };
  useShortcuts([{ keys: 'r', label: t('list.reload'), run: log.reload }]);
  const { docs: events, refusal, next } = log;
  return html`<${Page} title=${t('shell.events')}>
    <${Filters} asked=${asked} set=${set} />
    ${refusal && html`<${Refused} refusal=${refusal} again=${log.reload} />`}
    ${!events && !refusal && html`<${Loading} lines=${10} />`}
    ${events && html`<${Card}>
      ${events.length === 0 && next === null && html`<${Empty} icon="clock" title=${t('events.none')} text=${t('events.noneText')} />`}
      <ol class="log">${events.map((e) => html`<${Line} key=${e.id} event=${e} onOpen=${() => setOpen(e)} />`)}</ol>
      ${next !== null && html`<div><${Button} busy=${log.busy} onClick=${log.more}>${t('common.more')}<//></div>`}
    <//>`}
    ${open && html`<${EventDialog} event=${open} onClose=${() => setOpen(null)} onFilter=${set} />`}
  <//>`;
}

/**
 * useLog reads the log from its end backwards, and again when something happens.
 * @param {{ collection: string, record: string, actor: string }} asked
 */
function useLog({ collection, record, actor }) {
  /** @param {number | null} before @param {AbortSignal} signal */
  const read = async (before, signal) => {
    const filters = { ...(collection && { collection }), ...(record && { record }), ...(actor && { actor }) };
    /** @type {ShopEvent[]} */
    const docs = [];
    let next = before;
    // A part may be empty though more follows: what the user may not read is between.
    for (let part = 0; part < parts && docs.length < atLeast; part++) {
      const page = await api.call('GET /api/events', { order: 'desc', limit: part === 0 ? 50 : 200, ...filters, ...(next && { before: next }) }, { signal });
      docs.push(...page.docs);
      next = page.hasMore ? (page.nextBefore ?? null) : null;
      if (next === null) break;
    }
    return { docs, next };
  };
  return useMore(['events', collection, record, actor].join(' '), read, collection ? [collection] : readable());
}

/** @param {{ asked: { collection: string, record: string, actor: string }, set: (values: Record<string, string>) => void }} props */
function Filters({ asked, set }) {
  const slugs = readable().map((value) => ({ value, label: collectionLabel(value) })).sort((a, b) => a.label.localeCompare(b.label));
  const own = asked.actor && !kinds.includes(asked.actor);
  const chip = (/** @type {string} */ name, /** @type {string} */ label, /** @type {string} */ value) => html`<span
    class="chip filter"><b>${label}</b> <code>${value.slice(-8)}</code>
    <button type="button" aria-label=${t('common.removeNamed', { name: label })} onClick=${() => set({ [name]: '' })}><${Icon} name="x"
      size=${14} /></button></span>`;
  return html`<div class="log-filters">
    <${SelectField} label=${t('events.collection')} value=${asked.collection} empty=${t('events.all')} options=${slugs}
      onInput=${(/** @type {string} */ v) => set({ collection: v })} />
    <${SelectField} label=${t('events.actor')} value=${own ? '' : asked.actor} empty=${t('events.anybody')}
      options=${kinds.map((value) => ({ value, label: optionLabel('timeline', 'actor.kind', value) }))}
        onInput=${(/** @type {string} */ v) => set({ actor: v })} />
    ${asked.record && chip('record', t('events.record'), asked.record)}
    ${own && chip('actor', t('events.actor'), asked.actor)}
  </div>`;
}

/** @param {{ event: ShopEvent, onOpen: () => void }} props */
function Line({ event, onOpen }) {
  const { actor, collection, operation, occurredAt } = event;
  const record = /** @type {any} */ (event.doc ?? event.data);
  const icon = { create: 'plus', update: 'pencil', delete: 'trash' }[operation];
  return html`<li><button type="button" onClick=${onOpen}>
    <${Icon} name=${icon} size=${16} />
    <span class="what"><b>${nameIn(record)}</b> <span>${t(`common.did-${operation}`, { what: collectionWord(collection, 'one') })}</span></span>
    <span class="who">${whoOf(actor)}</span>
    <${Time} at=${occurredAt} relative />
  </button></li>`;
}

/** nameIn is how a record is called in a line: the end of its id where it has no name. @param {any} record */
export const nameIn = (record) => (nameOf(record) === record.id ? `…${record.id.slice(-8)}` : nameOf(record));

/** whoOf is the name of who made a change. @param {ShopEvent['actor']} actor */
export function whoOf(actor) {
  return actor?.name ?? (actor?.kind ? optionLabel('timeline', 'actor.kind', actor.kind) : t('common.somebody'));
}
