// One product with all that belongs to it, saved in one piece.
import { html, useEffect, useMemo, useRoute } from '../../vendor/ui.js';
import { useForm } from '../../base/form.js';
import { useQuery } from '../../base/query.js';
import { go, href } from '../../base/route.js';
import { api, can, environment } from '../../base/shop.js';
import { replaced } from '../../base/undo.js';
import { collectionLabel, fieldLabel, t } from '../../base/words.js';
import { FormFoot } from '../../parts/form.js';
import { Seo } from '../../parts/seo.js';
import { Absent, Card, Empty, Page, Refused } from '../../parts/state.js';
import { Timeline } from '../../parts/timeline.js';
import { tell } from '../../parts/toast.js';
import { Translations } from '../../parts/translations.js';
import { Status } from '../../parts/value.js';
import { ProductActions } from './actions.js';
import { Basics, Pricing } from './basics.js';
import { teller, together } from './meanwhile.js';
import { MediaCard } from './media.js';
import { Options } from './options.js';
import { Organize } from './organize.js';
import { Variants } from './variants.js';
import { blank, bodyOf, draftOf } from './draft.js';

/** @typedef {import('./draft.js').Draft} Draft */
/** @typedef {import('../../base/form.js').Form} Form */

/** What the timeline of a product is made of. */
const parts = ['products', 'product-variants', 'product-options', 'market-prices', 'comments'];

export default function ProductScreen() {
  const { id = '' } = useRoute().params;
  const fresh = id === 'new';
  const read = (/** @type {AbortSignal} */ signal) => api.call('GET /api/products/{id}/complete', { id }, { signal });
  const { data, refusal, reload, set } = useQuery(fresh ? '' : `product ${id}`, read, { live: ['products', 'stock-movements'], record: id, pause: 1000 });
  const back = { href: href('/products'), label: collectionLabel('products') };
  const one = { title: collectionLabel('products', 'one'), back };
  if (fresh && !can('products:create')) return html`<${Page} ...${one}><${Empty} icon="lock" title=${t('common.notYours')} /><//>`;
  if (!fresh && !data) return html`<${Absent} ...${one} refusal=${refusal} again=${reload} gone=${t('products.gone')} goneText=${t('products.goneText')} />`;
  return html`<${Editor} key=${`${environment.value} ${id}`} id=${id} whole=${data?.product ?? null} back=${back} refusal=${refusal} reload=${reload}
    onSaved=${(/** @type {any} */ product) => set({ product })} />`;
}

/**
 * @param {{ id: string, whole: import('./draft.js').Whole | null, back: { href: string, label: string }, refusal: any, reload: () => void,
 *   onSaved: (product: import('./draft.js').Whole) => void }} props
 */
function Editor({ id, whole, back, refusal, reload, onSaved }) {
  const initial = useMemo(() => (whole ? draftOf(whole) : blank), [whole]);
  const form = useProductForm(id, initial, onSaved, reload);
  const may = can(whole ? 'products:update' : 'products:create');
  // What is wrong is where the work goes on; the sheet finds its own place.
  useEffect(() => {
    if (form.refusal && !form.error('variants')) /** @type {HTMLElement | null} */ (document.querySelector('main [aria-invalid="true"]'))?.focus();
  }, [form.refusal]);
  const title = form.values.name || (whole ? collectionLabel('products', 'one') : t('products.add'));
  const badges = whole && html`<span class="badges"><${Status} slug="products" path="status" value=${whole.status} /></span>`;
  const top = whole && html`<${ProductActions} product=${whole} dirty=${form.dirty} />`;
  const foot = may && (form.dirty || !whole) && html`<div class="save-bar"><${FormFoot} form=${form} id="product" slug="products"
    onCancel=${whole ? form.reset : undefined} told=${teller(/** @type {any} */ (form.base))} saves /></div>`;
  return html`<${Page} title=${title} back=${back} badges=${badges} top=${top}>
    ${refusal && html`<${Refused} refusal=${refusal} again=${reload} />`}
    <form id="product" hidden onSubmit=${form.send}></form>
    <div class="columns">
      <div>
        <fieldset class="stack card-stack" disabled=${!may}>
          <${Basics} form=${form} fresh=${!whole} />
          <${MediaCard} form=${form} may=${may} />
          <${Options} form=${form} />
          <${Card} title=${fieldLabel('products', 'seo')}><${Seo} slug="products" form=${form} name=${form.values.name} text=${form.values.description ?? ''} /><//>
          <${Translations} form=${form} parts=${[{ slug: 'products' }, ...form.values.options.map((/** @type {any} */ o, /** @type {number} */ i) =>
            ({ slug: 'product-options', at: `options.${i}`, name: o.name }))]} />
        </fieldset>
      </div>
      <aside><fieldset class="stack card-stack" disabled=${!may}><${Pricing} form=${form} /><${Organize} form=${form} /></fieldset></aside>
    </div>
    <${Variants} form=${form} initial=${initial} may=${may} onStock=${reload} />
    ${foot}
    ${whole && html`<${Timeline} slug="products" id=${whole.id} live=${parts} />`}
  <//>`;
}

/**
 * useProductForm is the form of a product.
 * @param {string} id
 * @param {Draft} initial
 * @param {(product: import('./draft.js').Whole) => void} onSaved
 * @param {() => void} reload
 * @returns {Form}
 */
function useProductForm(id, initial, onSaved, reload) {
  const form = useForm({
    name: `product ${id}`,
    initial,
    refresh: reload,
    send: async (changes, { revision, ...options }) => {
      // Titles of variants follow the names of their values, which are another part of the form.
      const renamed = changes.options && { variants: form.values.variants };
      const all = initial.id ? { ...changes, ...renamed } : { ...initial, ...changes };
      const body = /** @type {any} */ (bodyOf(all, form.values.options, /** @type {Draft} */ (form.base)));
      const { product } = initial.id
        ? await api.call('PUT /api/products/{id}/complete', { ...body, id: initial.id, expectedRevision: revision }, options)
        : await api.call('POST /api/products/complete', body, options);
      // What became of variants, their stock and their names is more than the form has.
      const old = initial.id === undefined ? undefined : replaced(changes, form.base, ['options', 'variants']);
      tell(t('common.saved'), old && (async (again) => {
        const back = /** @type {any} */ ({ ...bodyOf(old, [], blank), id: product.id, expectedRevision: product.revision });
        onSaved((await api.call('PUT /api/products/{id}/complete', back, again)).product);
      }));
      if (initial.id) onSaved(product);
      else go(`/products/${product.id}`, { replace: true });
    },
  });
  return together(form, initial);
}
