// Guests have no account: they are erased by the address they bought with.
import { html, useState } from '../../vendor/ui.js';
import { useQuery } from '../../base/query.js';
import { href, screenOf } from '../../base/route.js';
import { api, environment } from '../../base/shop.js';
import { collectionLabel, fieldLabel, t } from '../../base/words.js';
import { Button } from '../../parts/button.js';
import { TextField } from '../../parts/field.js';
import { List } from '../../parts/list.js';
import { Card, Empty, Notice, Page, Refused } from '../../parts/state.js';
import { tell } from '../../parts/toast.js';
import { Time } from '../../parts/value.js';
import { mayErase } from './customers.js';
import { Erase } from './erase.js';
import { Blocking, HeldTable } from './held.js';

/** @type {Record<string, Partial<import('../../parts/table.js').Column>>} */
const cells = {
  email: { width: 'minmax(14rem, 2fr)' },
  erasingSince: { cell: (e) => html`<${Time} at=${e.erasingSince} />` },
  erasedAt: { cell: (e) => html`<${Time} at=${e.erasedAt} />` },
};

/** @param {any} e */
const card = (e) => html`<span class="person-card"><b>${e.email}</b><span>${e.erasedAt ? t('customers.erasedAt') : t('customers.erasingSince')} <${Time}
  at=${e.erasedAt ?? e.erasingSince} /></span></span>`;

export default function Guests() {
  const [text, setText] = useState('');
  const [email, setEmail] = useState('');
  const [begun, setBegun] = useState(0);
  const back = { href: href('/customers'), label: collectionLabel('customers') };
  if (!mayErase()) return html`<${Page} title=${t('customers.guests')} back=${back}><${Empty} icon="lock" title=${t('common.notYours')} /><//>`;
  const look = (/** @type {Event} */ e) => {
    e.preventDefault();
    setEmail(text.trim());
  };
  const empty = html`<${Empty} icon="ban" title=${t('customers.noGuests')} text=${t('customers.noGuestsText')} />`;
  return html`<${Page} title=${t('customers.guests')} back=${back} class="full guests">
    <${Card}><p>${t(`customers.guestsText-${environment.value}`)}</p>
      <form class="with-button" onSubmit=${look}>
        <${TextField} label=${fieldLabel('guest-erasures', 'email')} type="email" value=${text} autocomplete="off" required onInput=${setText} />
        <${Button} type="submit" icon="search" disabled=${!text.trim()}>${t('customers.lookUp')}<//>
      </form>
      ${email && html`<${Guest} key=${email} email=${email} onBegun=${() => setBegun((n) => n + 1)} />`}
    <//>
    <${List} key=${begun} slug="guest-erasures" label=${collectionLabel('guest-erasures')}
      link=${(/** @type {any} */ e) => href(`/orders?email=${encodeURIComponent(e.email)}`)}
      columns=${['email', 'erasingSince', 'erasedAt', 'erasureReason', 'createdAt']} cells=${cells} card=${card} empty=${empty} />
  <//>`;
}

/** Guest is what is held of somebody who bought without an account. @param {{ email: string, onBegun: () => void }} props */
function Guest({ email, onBegun }) {
  const [open, setOpen] = useState(false);
  const { data, refusal, reload } = useQuery(`guest ${email}`, (signal) => api.preview('POST /api/guest-erasures/preview', { email }, { signal }),
    { live: ['orders', 'guest-erasures'] });
  if (refusal) return html`<${Refused} refusal=${refusal} again=${reload} />`;
  if (!data) return null;
  const held = data.collections.some((c) => c.records > 0);
  const begun = () => {
    setOpen(false);
    reload();
    onBegun();
    tell(t('customers.erasureBegun'));
  };
  return html`<div class="stack">
    ${data.customer && html`<${Notice}><a href=${href(screenOf('customers', data.customer))}>${t('customers.hasAccount')}</a><//>`}
    ${data.erasure && html`<${Notice}>${t('customers.erasingSince')} <${Time} at=${data.erasure.erasingSince} /><//>`}
    <${Blocking} blocking=${data.blocking} /><${HeldTable} held=${data} />
    ${held && !data.erasure && html`<div><${Button} look="danger" icon="trash" disabled=${data.blocking.length > 0}
      onClick=${() => setOpen(true)}>${t('customers.erase')}<//></div>`}
    ${open && html`<${Erase} name=${`erase guest ${email}`} email=${email} title=${t('customers.eraseNamed', { name: email })} held=${data}
      refusal=${undefined} onClose=${() => setOpen(false)}
      onBegun=${begun} send=${(/** @type {string | null} */ reason, /** @type {any} */ options) => api.call('POST /api/guest-erasures/begin', { email,
        reason }, options)} />`}
  </div>`;
}
