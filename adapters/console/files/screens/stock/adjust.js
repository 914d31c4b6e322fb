// Stock of a variant, by what arrived, left, was counted, or was moved to another location. It never overwrites a sale that happened meanwhile.
import { html, useEffect } from '../../vendor/ui.js';
import { amountIn } from '../../base/amount.js';
import { number } from '../../base/format.js';
import { useForm } from '../../base/form.js';
import { useQuery } from '../../base/query.js';
import { href } from '../../base/route.js';
import { api, idOf } from '../../base/shop.js';
import { fieldLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { Dialog } from '../../parts/dialog.js';
import { NumberField, SelectField, TextField } from '../../parts/field.js';
import { FormDialog } from '../../parts/form.js';
import { Loading, Notice, Refused } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';

/** How stock is adjusted; where there are locations, it is moved too. */
const ways = /** @type {const} */ (['add', 'remove', 'count', 'move']);

/** Reasons that are given most, in the words that are stored. */
const reasons = /** @type {const} */ (['received', 'damaged', 'recount', 'lost']);

/**
 * @typedef {{ location: string, name: string, units: number }} Place
 * @typedef {{ stock: number, reserved: number, unplaced: number, places: Place[] }} Lying where the units of a variant lie
 */

/**
 * AdjustStock changes the units on hand of a variant, and where they lie. at: the location that is offered first.
 * @param {{ id: string, name: string, at?: string, onClose: () => void, onDone?: () => void }} props
 */
export function AdjustStock({ id, onClose, ...rest }) {
  const read = (/** @type {AbortSignal} */ signal) =>
    Promise.all([
      api.collections.from('product-variants').findById(id, { depth: 0 }, { signal }), api.call('GET /api/product-variants/{id}/stock', { id }, { signal }),
    ]);
  const { data, refusal, reload } = useQuery(`variant ${id}`, read);
  if (!data) return html`<${Dialog} title=${t('stock.adjust')} onClose=${onClose}>${refusal ? html`<${Refused} refusal=${refusal}
    again=${reload} />` : html`<${Loading} />`}<//>`;
  const [variant, lying] = data;
  // It is not read anew by itself: what was decided on stays what it was, until the shop says that it has changed.
  return html`<${Adjust} ...${{ ...rest, onClose, reload, variant, lying }} />`;
}

/** @param {{ variant: any, lying: Lying, name: string, at?: string, onClose: () => void, onDone?: () => void, reload: () => void }} props */
function Adjust({ variant, lying, name, at = '', onClose, onDone, reload }) {
  const form = useForm({
    name: `stock ${variant.id}`,
    initial: { way: 'add', units: '', reason: '', note: '', at, to: '' },
    keep: false,
    send: async (_, options) => {
      const { movement } = await change(variant.id, form.values, lying.stock, options);
      const moves = form.values.way === 'move';
      // What is taken back is taken back by another movement: what happened stays written down.
      const undo = async (/** @type {object} */ again) => {
        await oppose(movement, form.values, again);
        onDone?.();
        tell(t('stock.undone', { name }));
        return false;
      };
      tell(t('stock.adjusted', { name }), movement && (moves || movement.delta !== 0) && undo);
    },
    onSent: () => {
      onClose();
      onDone?.();
    },
  });
  const { way, units } = form.values;
  const would = outcome(lying, form.values);
  const { reason = '', facts } = form.refusal ?? {};
  useEffect(() => {
    if (/^(stock_changed|not_at_location)$/.test(reason)) reload();
  }, [form.refusal]);
  const moves = way === 'move';
  const few = would.left < 0 ? would.there : reason === 'not_at_location' ? facts?.units : undefined;
  const wrong = ['delta', 'count', 'units'].map(form.error).find(Boolean) ?? (few === undefined ? '' : t('stock.onlyHere', { n: few }));
  return html`<${FormDialog} form=${form} id="adjust-stock" title=${t('stock.adjust')} action=${t(moves ? 'stock.move' : 'stock.adjust')}
    ready=${units !== '' && (moves || form.values.reason !== '')} onClose=${onClose}>
    <p><b>${name}</b> ${variant.sku && html`<code>${variant.sku}</code>`}</p>
    <div class="segments" role="group" aria-label=${t('stock.way')}>
      ${ways.slice(0, lying.places.length ? 4 : 3).map((one) => html`<button type="button" key=${one} aria-pressed=${way === one}
        onClick=${() => form.set('way', one)}>${t(`stock.by-${one}`)}</button>`)}
    </div>
    ${lying.places.length > 0 && html`<${Where} ...${{ form, lying }} />`}
    <${NumberField} label=${t(way === 'count' ? 'stock.counted' : 'stock.change')} help=${way === 'count' ? t('stock.countedHelp') : ''}
      value=${units} error=${wrong} onInput=${(/** @type {string} */ v) => form.set('units', v)} required autofocus />
    ${!moves && html`<${Reason} form=${form} />`}
    <${TextField} label=${fieldLabel('stock-movements', 'note')} ...${form.input('note')} />
    <${Sums} ...${{ lying, would }} />
    ${would.after >= 0 && would.after < lying.reserved && html`<${Notice} kind="warn">${t('stock.belowReserved', { n: lying.reserved })}<//>`}
    ${variant.trackInventory === false && html`<${Notice}>${t('stock.untracked')}<//>`}
    <p><a href=${href(`/stock?tab=movements&variant=${variant.id}`)}>${t('stock.history')}</a></p>
  <//>`;
}

/**
 * change sends what was typed. What is on hand is what was shown: a sale in between is told, not undone.
 * @param {string} id of the variant
 * @param {import('../../base/form.js').Values} typed
 * @param {number} expected
 * @param {object} options
 */
function change(id, { way, units, reason, note, at, to }, expected, options) {
  const n = wholeOf(units) ?? units;
  const same = { id, ...(note && { note }) };
  if (way === 'move') return move({ ...same, units: n }, at, to, options);
  const by = way === 'count' ? { count: n } : { delta: way === 'remove' && typeof n === 'number' ? -n : n };
  return adjust({ ...same, ...by, reason, expected }, at, options);
}

/**
 * oppose takes a movement back by another one.
 * @param {any} movement
 * @param {import('../../base/form.js').Values} typed what was sent
 * @param {object} options
 */
function oppose({ variant, delta, stockAfter, reason }, { way, units, at, to }, options) {
  const id = idOf(variant);
  if (way === 'move') return move({ id, units: wholeOf(units) }, to, at, options);
  return adjust({ id, delta: -delta, expected: stockAfter, reason: t('stock.opposite', { reason }).slice(0, 200) }, at, options);
}

/** adjust changes the units on hand, at a location. @param {object} input @param {string} location '' for none @param {object} options */
const adjust = (input, location, options) =>
  api.call('POST /api/product-variants/{id}/stock', /** @type {any} */ ({ ...input, ...(location && { location }) }), options);

/** move brings units elsewhere. @param {object} input @param {string} from '' for no location @param {string} to as from @param {object} options */
const move = (input, from, to, options) =>
  api.call('POST /api/product-variants/{id}/stock/move', /** @type {any} */ ({ ...input, ...(from && { from }), ...(to && { to }) }), options);

/**
 * Where is the choice of the location, and of where units are moved to.
 * @param {{ form: import('../../base/form.js').Form, lying: Lying }} props
 */
function Where({ form, lying: { unplaced, places } }) {
  const { way } = form.values;
  const moves = way === 'move';
  const some = moves || way === 'add';
  const options = places.map(({ location, name, units }) => ({ value: location, label: `${name} · ${number(units)}` }));
  const nowhere = `${t('stock.nowhere')} · ${number(unplaced)}`;
  return html`<div class=${moves ? 'two' : ''}>
    <${SelectField} label=${fieldLabel('stock-movements', moves ? 'from' : 'location')} ...${form.input('at')}
      error=${form.error('location') ?? form.error('from')} help=${way === 'remove' && !form.values.at ? t('stock.takenHelp') : ''}
      options=${options} empty=${some ? nowhere : t('stock.everywhere')} />
    ${moves && html`<${SelectField} label=${t('stock.to')} ...${form.input('to')} options=${options} empty=${nowhere} />`}
  </div>`;
}

/** @param {{ form: import('../../base/form.js').Form }} props */
function Reason({ form }) {
  return html`<div class="stack tight">
    <${TextField} label=${fieldLabel('stock-movements', 'reason')} ...${form.input('reason')} required maxLength=${200} />
    <div class="suggestions" role="group" aria-label=${t('stock.suggestions')}>${reasons.map((one) => {
      const word = t(`stock.reason-${one}`);
      return html`<${Button} key=${one} look="quiet" aria-pressed=${form.values.reason === word} onClick=${() => form.set('reason', word)}>${word}<//>`;
    })}</div>
  </div>`;
}

/**
 * outcome is what would come of what is typed: how many units there are where they change, and are left there; how many are on hand
 * after it; and by place, with the one of units at no location last, those that lie there and would. What is not known yet is NaN.
 * @param {Lying} lying
 * @param {import('../../base/form.js').Values} values
 */
function outcome({ stock, unplaced, places }, { way, units, at, to }) {
  const n = wholeOf(units) ?? NaN;
  const moves = way === 'move';
  const spread = places.length ? [...places, { location: '', name: t('stock.nowhere'), units: unplaced }] : [];
  // Without a location, units are removed from all that is there, and all of it is counted.
  const whole = !at && !moves;
  const there = whole ? stock : (spread.find((p) => p.location === at)?.units ?? 0);
  const left = { add: there + n, remove: there - n, count: n, move: there - n }[/** @type {'add'} */ (way)];
  const then = (/** @type {Place} */ { location, units }) => {
    if (location === at && (!whole || way === 'add')) return way === 'add' ? units + n : left;
    return moves && location === to ? units + n : NaN;
  };
  return { there, left, after: moves ? NaN : stock + left - there, spread: spread.map((p) => ({ ...p, then: then(p) })) };
}

/**
 * Sums is where units lie and what is on hand, before and after, and what of it is promised already.
 * @param {{ lying: Lying, would: ReturnType<typeof outcome> }} props
 */
function Sums({ lying: { stock, reserved }, would: { after, spread } }) {
  const row = (/** @type {string} */ name, /** @type {number} */ now, /** @type {number} */ then = NaN) => html`<div key=${name}><dt>${name}</dt>
    <dd>${number(now)}${!isNaN(then) && html` → <b>${number(then)}</b>`}</dd></div>`;
  return html`<dl class="sums preview" aria-live="polite">
    ${spread.filter((p) => p.units > 0 || !isNaN(p.then)).map((p) => row(p.name, p.units, p.then))}
    ${row(t('stock.onHand'), stock, after)}
    ${row(fieldLabel('product-variants', 'reserved'), reserved)}
    <div class="whole"><dt>${t('stock.free')}</dt><dd>${number((isNaN(after) ? stock : after) - reserved)}</dd></div>
  </dl>`;
}

/** wholeOf is the whole number that was typed; undefined for none. @param {string} text */
function wholeOf(text) {
  const n = amountIn(text);
  return Number.isInteger(n) ? /** @type {number} */ (n) : undefined;
}
