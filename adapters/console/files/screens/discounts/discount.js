// One discount: what it takes and when, in a form and in sentences, and how it works on an order.
import { html, useMemo, useRoute } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { useQuery } from '../../base/query.js';
import { go, href, screenOf } from '../../base/route.js';
import { api, can } from '../../base/shop.js';
import { collectionLabel, t } from '../../base/words.js';
import { FormFoot } from '../../parts/form.js';
import { Icon } from '../../parts/icon.js';
import { Remove } from '../../parts/remove.js';
import { Absent, Card, Page } from '../../parts/state.js';
import { Timeline } from '../../parts/timeline.js';
import { tell } from '../../parts/toast.js';
import { StateOf } from './discounts.js';
import { DiscountForm } from './form.js';
import { numbersIn, sentences } from './told.js';
import { Trial } from './trial.js';

/** @typedef {import('./told.js').Discount} Discount */

const discounts = () => /** @type {any} */ (api.collections.from('discounts'));

/** What a new discount is unless it is said otherwise. */
const usual = { type: 'percentage', isActive: true, combinable: false };

export default function DiscountScreen() {
  const { id = '' } = useRoute().params;
  const fresh = id === 'new';
  const read = (/** @type {AbortSignal} */ signal) => discounts().findById(id, { depth: 0 }, { signal });
  const { data, refusal, reload } = useQuery(fresh ? '' : `discount ${id}`, read, { live: ['discounts'], record: id });
  const back = { href: href('/discounts'), label: collectionLabel('discounts') };
  if (!fresh && !data) return html`<${Absent} title=${collectionLabel('discounts', 'one')} back=${back} refusal=${refusal} again=${reload} gone=${t('discounts.gone')} />`;
  return html`<${Editor} key=${id} discount=${fresh ? null : data} back=${back} reload=${reload} />`;
}

/** @param {{ discount: any, back: { href: string, label: string }, reload: () => void }} props */
function Editor({ discount, back, reload }) {
  const may = can(discount ? 'discounts:update' : 'discounts:create');
  const initial = useMemo(() => discount ?? usual, [discount]);
  const form = useForm({
    name: `discounts ${discount?.id ?? 'new'}`, initial, refresh: reload,
    send: async (typed, { revision, ...options }) => {
      const changes = numbersIn(typed);
      const { doc } = discount ? await discounts().update(discount.id, { ...changes, expectedRevision: revision },
        options) : await discounts().create({ ...usual, ...changes }, options);
      tell(t('common.saved'));
      if (discount) reload();
      else go(screenOf('discounts', doc.id), { replace: true });
    },
  });
  const submit = form.send;
  const top = discount && can('discounts:delete') && html`<${Remove} from=${discounts()} id=${discount.id} title=${t('discounts.delete', { code: discount.code })}
    text=${t('discounts.deleteText')} said=${t('discounts.deleted', { code: discount.code })} then=${() => go('/discounts')} />`;
  return html`<${Page} title=${discount?.code ?? t('discounts.new')} back=${back} badges=${discount && html`<${StateOf} discount=${discount} />`} top=${top}>
    <div class="columns">
      <div>
        ${may && html`<form id="discount" class="cards" onSubmit=${submit}><${DiscountForm} form=${form} fresh=${!discount} /></form><${Card}><${FormFoot}
          form=${form} slug="discounts" id="discount" saves /><//>`}
        ${discount && html`<${Timeline} slug="discounts" id=${discount.id} live=${['discounts', 'comments']} />`}
      </div>
      <aside>
        <${Card} title=${t('discounts.inWords')}>
          <ul class="rules" aria-live="polite">${sentences(numbersIn(form.values)).map((line) => html`<li key=${line}><${Icon} name="check"
            size=${14} /><span>${line}</span></li>`)}</ul>
          ${discount && html`<p class="help">${t('discounts.used', { n: discount.usageCount ?? 0 })}</p>`}
        <//>
        ${discount && can('draft-orders:create') && can('draft-orders:update') && html`<${Trial} discount=${discount} dirty=${form.dirty} />`}
      </aside>
    </div>
  <//>`;
}
