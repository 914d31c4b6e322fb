// One draft: composed on the phone, or read once it is an order or discarded.
import { html, useEffect, useRef, useRoute, useState } from '../../vendor/ui.js';
import { useShortcuts } from '../../base/keys.js';
import { go, href, screenOf } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { useAttempt } from '../../parts/acts.js';
import { Button } from '../../parts/button.js';
import { confirm } from '../../parts/dialog.js';
import { Menu } from '../../parts/menu.js';
import { Absent, Notice, Page, Refused } from '../../parts/state.js';
import { Timeline } from '../../parts/timeline.js';
import { complain, tell } from '../../parts/toast.js';
import { Status } from '../../parts/value.js';
import { Address, Buyer, useBuyer } from './buyer.js';
import { Closed } from './closed.js';
import { Agree } from './agree.js';
import { goodsOf, nameOfGoods, trialTag } from './find.js';
import { Finalize } from './finalize.js';
import { Items } from './items.js';
import { MakeLink } from './link.js';
import { useDraft } from './store.js';
import { Terms } from './terms.js';
import { TotalsCard, needs, useTotals } from './totals.js';

/** @typedef {import('./store.js').Draft} Draft */

export default function DraftScreen() {
  const { id = '' } = useRoute().params;
  // A new draft that gets its id while somebody types stays the same screen.
  const mine = useRef({ id: '', n: 0 });
  if (id === 'new' && mine.current.id) mine.current = { id: '', n: mine.current.n + 1 };
  const key = id === 'new' || id === mine.current.id ? `new ${mine.current.n}` : id;
  const created = (/** @type {string} */ made) => {
    mine.current.id = made;
    go(screenOf('draft-orders', made), { replace: true });
  };
  return html`<${Opened} key=${key} id=${id} onCreated=${created} />`;
}

/** titleOf is how a draft is called: by its buyer. @param {any} draft @returns {string} */
export function titleOf(draft) {
  return draft?.customerSnapshot?.name || draft?.customerSnapshot?.email || t('drafts.nobody');
}

/** @param {{ id: string, onCreated: (id: string) => void }} props */
function Opened({ id, onCreated }) {
  const draft = useDraft(id, onCreated);
  const { values, record, refusal, restart } = draft;
  const back = { href: href('/drafts'), label: collectionLabel('draft-orders') };
  const title = record ? titleOf(values) : id === 'new' ? t('drafts.new') : collectionLabel('draft-orders', 'one');
  if (!values) return html`<${Absent} ...${{ title, back, refusal }} again=${restart} gone=${t('drafts.gone')} goneText=${t('drafts.goneText')} />`;
  // Nobody ordered what discount codes are tried on.
  if (record?.tags.includes(trialTag)) return html`<${Page} title=${title} back=${back}><${Notice}>${t('drafts.isTrial')}<//><//>`;
  const badges = record && html`<${Status} slug="draft-orders" path="status" value=${record.status} />`;
  if (!draft.open) return html`<${Page} title=${title} back=${back} badges=${badges} top=${html`<${Again} values=${values} />`}><${Closed}
    draft=${draft} /><//>`;
  return html`<${Composer} ...${{ draft, title, back, badges }} />`;
}

/** @param {{ draft: Draft, title: string, back: { href: string, label: string }, badges: any }} props */
function Composer({ draft, title, back, badges }) {
  const { values, record } = draft;
  const [next, setNext] = useState(/** @type {'' | 'order' | 'link'} */ (''));
  const [unclear, setUnclear] = useState(false);
  const [agreeing, setAgreeing] = useState(-1);
  const items = useRef(/** @type {HTMLInputElement | null} */ (null));
  const buyer = useRef(/** @type {HTMLInputElement | null} */ (null));
  const address = useRef(/** @type {HTMLElement | null} */ (null));
  const asked = useTotals(draft);
  const customer = useBuyer(draft);
  const totals = record ? asked.data : undefined;
  useEffect(() => void (!record && buyer.current?.focus()), []);
  const needed = [...needs(draft, totals), ...(unclear ? [t('drafts.needs-fee')] : [])];
  const ready = Boolean(record && values?.lines.length && totals && !asked.refusal && draft.state !== 'refused' && needed.length === 0);
  const proceed = async (/** @type {'order' | 'link'} */ step) => {
    if (!ready || !(await draft.flush())) return;
    asked.reload();
    setNext(step);
  };
  const close = () => setNext('');
  const finalize = () => void proceed('order');
  const link = () => void proceed('link');
  const paid = ready && totals?.total !== 0;
  useShortcuts([
    { keys: '/', label: t('drafts.addItem'), run: () => items.current?.focus() },
    { keys: 'c', label: t('drafts.findBuyer'), run: () => buyer.current?.focus() },
    { keys: 'a', label: t('drafts.address'), run: () => address.current?.querySelector('input')?.focus() },
    ...(ready ? [{ keys: 'mod+Enter', label: t('drafts.finalize'), everywhere: true, run: finalize }] : []),
    ...(paid ? [{ keys: 'l', label: t('drafts.link'), run: link }] : []),
  ]);
  const top = record && html`<${Menu} label=${t('common.more')}
    items=${[{ label: t('drafts.discard'), icon: 'trash', danger: true, run: () => void discard(draft) }]} />`;
  const action = html`<${Button} look="primary" icon="shopping-cart" disabled=${!ready} onClick=${finalize} keys="mod+Enter">${t('drafts.finalize')}<//>
    <${Button} icon="link" disabled=${!paid} onClick=${link} keys="l">${t('drafts.link')}<//>`;
  return html`<${Page} title=${title} back=${back} badges=${badges} top=${top}>
    <${Told} draft=${draft} />
    <div class="columns">
      <div>
        <${Buyer} draft=${draft} input=${buyer} customer=${customer} />
        <${Items} lines=${values?.lines ?? []} onChange=${(/** @type {any} */ lines) => draft.change({ lines })} totals=${totals} input=${items}
          error=${draft.error('lines')} foreign=${Boolean(values?.market)} onAgree=${record && can('draft-orders:price') ? setAgreeing : undefined} />
        <${Address} draft=${draft} customer=${customer} input=${address} />
        <${Terms} draft=${draft} totals=${totals} onUnclear=${setUnclear} />
        ${record && html`<${Timeline} slug="draft-orders" id=${record.id} live=${['comments']} currency=${values?.currency} />`}
      </div>
      <aside><${TotalsCard} draft=${draft} asked=${asked} needed=${needed} action=${action} /></aside>
    </div>
    ${agreeing >= 0 && html`<${AgreeOn} draft=${draft} at=${agreeing} totals=${totals} onClose=${() => setAgreeing(-1)} />`}
    ${next === 'order' && totals && html`<${Finalize} draft=${draft} totals=${totals} asked=${asked} onClose=${close} />`}
    ${next === 'link' && totals && html`<${MakeLink} draft=${draft} totals=${totals} asked=${asked} onClose=${close} />`}
  <//>`;
}

/** @param {{ draft: Draft, at: number, totals: import('./items.js').Totals | undefined, onClose: () => void }} props */
function AgreeOn({ draft, at, totals, onClose }) {
  const line = draft.values?.lines[at];
  const priced = totals?.lines[at];
  const catalog = priced?.terms ? priced.terms.catalogPrice : priced?.unitPrice;
  return line && html`<${Agree} ...${{ draft, at, catalog, onClose }} name=${nameOfGoods(goodsOf(line.variant))}
    currency=${totals?.currency ?? draft.values?.currency ?? ''} />`;
}

/** Told is what happened to what was typed. @param {{ draft: Draft }} props */
function Told({ draft }) {
  const { restored, overtaken, restart, refusal, state } = draft;
  const drop = state === 'refused' && !overtaken && html`<${Button} onClick=${restart}>${t('common.discard')}<//>`;
  return html`${restored && html`<${Notice} action=${drop}>${t('common.restored')}<//>`}
    ${overtaken && html`<${Notice} kind="warn" action=${html`<${Button} icon="refresh-cw"
      onClick=${restart}>${t('drafts.takeTheirs')}<//>`}>${t('drafts.overtaken')}<//>`}
    ${refusal && !overtaken && html`<${Refused} refusal=${refusal} again=${() => void draft.flush()} />`}`;
}

/** discard ends a draft that becomes no order. @param {Draft} draft */
async function discard({ settle, restart }) {
  const question = { title: t('drafts.discard'), text: t('drafts.discardText'), action: t('drafts.discard'), danger: true };
  if (!(await confirm(question))) return;
  // What the server refuses to keep must not keep anybody from discarding it.
  const record = await settle();
  if (!record) return;
  try {
    await api.call('POST /api/draft-orders/{id}/discard', { id: record.id, expectedRevision: record.revision });
    tell(t('drafts.discarded'));
    go('/drafts');
  } catch (e) {
    complain(e);
    restart();
  }
}

/** What a draft takes over from another. */
const copied = ['customer', 'customerSnapshot', 'shippingAddress', 'market', 'currency', 'customerNotes', 'operatorNotes', 'tags'];

/** Again begins another draft with the same content. @param {{ values: import('./store.js').Values }} props */
function Again({ values }) {
  const [busy, attempt] = useAttempt();
  if (!can('draft-orders:create')) return null;
  const copy = () => attempt(async () => {
    const lines = values.lines.map(({ variant, quantity }) => ({ variant, quantity }));
    const same = Object.fromEntries(copied.filter((name) => values[name]).map((name) => [name, values[name]]));
    const { doc } = await api.collections.from('draft-orders').create(/** @type {any} */ ({ ...same, lines }));
    go(screenOf('draft-orders', doc.id));
  });
  return html`<${Button} icon="copy" busy=${busy} onClick=${copy}>${t('drafts.again')}<//>`;
}
