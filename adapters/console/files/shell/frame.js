// The frame around every screen: where to go, what to find, whose shop it is.
import { html, signal, useLocation, useState } from '../vendor/ui.js';
import { useShortcuts } from '../base/keys.js';
import { connected } from '../base/live.js';
import { forget } from '../base/query.js';
import { go, href } from '../base/route.js';
import { narrow, theme } from '../base/screen.js';
import { can, environment, leave, shop, shops, user, workIn } from '../base/shop.js';
import { language, speak, t } from '../base/words.js';
import { Button, Keys } from '../parts/button.js';
import { Dialog } from '../parts/dialog.js';
import { Icon } from '../parts/icon.js';
import { Menu } from '../parts/menu.js';
import { complain } from '../parts/toast.js';
import { Bell } from './bell.js';
import { leaving, linked } from './leaving.js';
import { places } from './nav.js';
import { Palette } from './palette.js';
import { Sheet } from './sheet.js';

/** What is open in front of the page. @type {import('../vendor/ui.js').Signal<'palette' | 'sheet' | 'places' | 'inbox' | null>} */
export const front = signal(/** @type {any} */ (null));

/** @param {{ children?: any }} props */
export function Frame({ children }) {
  const { path } = useLocation();
  const groups = places();
  useShortcuts([
    { keys: 'mod+k', label: t('shell.palette'), everywhere: true, run: () => (front.value = 'palette') },
    { keys: '?', label: t('shell.sheet'), run: () => (front.value = 'sheet') },
    ...(can('notifications:read') ? [{ keys: 'g n', label: t('shell.inbox'), run: () => (front.value = 'inbox') }] : []),
    { keys: 'g u', label: t('shell.account'), run: () => leaving(() => go('/account')) },
    ...groups.flatMap((g) => g.places).flatMap((p) => (p.keys ? [{ keys: p.keys, label: p.label, run: () => leaving(() => go(p.screen)) }] : [])),
  ]);
  const close = () => {
    front.value = null;
  };
  return html`<div class="frame" onClickCapture=${linked}>
    <a class="skip" href="#main">${t('shell.skip')}</a>
    ${!narrow.value && html`<nav class="side" aria-label=${t('shell.places')}><${Shop} /><${Places} groups=${groups} path=${path} /><${Me} /></nav>`}
    <div class="work">
      <${Bar} />
      <div role="status">${connected.value === false && html`<div class="offline"><${Icon} name="triangle-alert" size=${16} />${t('shell.offline')}</div>`}</div>
      <main id="main" tabindex="-1">${children}</main>
    </div>
    ${narrow.value && html`<${Tabs} path=${path} />`}
    ${front.value === 'palette' && html`<${Palette} onClose=${close} />`}
    ${front.value === 'sheet' && html`<${Sheet} onClose=${close} />`}
    ${front.value === 'places' && html`<${Drawer} groups=${groups} path=${path} onClose=${close} />`}
  </div>`;
}

/** @param {{ screen: string, path: string }} at whether a place is the one that is shown */
function shownAt({ screen, path }) {
  const at = href(screen);
  return screen === '/' ? path === at || path === at.slice(0, -1) : path === at || path.startsWith(`${at}/`);
}

/** @param {{ groups: ReturnType<typeof places>, path: string, onGo?: () => void }} props */
function Places({ groups, path, onGo }) {
  return html`<div class="places">
    ${groups.map(({ label, places }) => html`<div key=${label}>
      ${label && html`<h2>${label}</h2>`}
      <ul>
        ${places.map((p) => html`<li key=${p.screen}><a href=${href(p.screen)} aria-current=${shownAt({ screen: p.screen, path }) ? 'page' : undefined} onClick=${onGo}>
          <${Icon} name=${p.icon} />${p.label}</a></li>`)}
      </ul>
    </div>`)}
  </div>`;
}

/** Shop is which shop is shown, and how to work in another one. */
function Shop() {
  const items = shops.value.map((s) => ({
    label: s.name, on: s.id === shop.value?.id,
    run: () => void leaving(() => {
      forget();
      workIn(s).then(() => go('/'), complain);
    }),
  }));
  const name = shop.value?.name ?? t('shell.noShop');
  if (items.length < 2) return html`<div class="shop"><${Icon} name="store" /><b>${name}</b></div>`;
  return html`<div class="shop"><${Menu} label=${t('shell.switchShop')} icon="store" look="quiet" side="left" items=${items}>${name}<//></div>`;
}

/** Bar is above each screen. */
function Bar() {
  const test = environment.value === 'test';
  const other = test ? 'live' : 'test';
  const switchTo = () => location.assign(`/console/${other}/`);
  return html`<header class="bar">
    ${narrow.value && html`<${Shop} />`}
    <button type="button" class="find" onClick=${() => (front.value = 'palette')}><${Icon} name="search" /><span>${t('shell.find')}</span><${Keys} keys="mod+k" /></button>
    <div class="bar-end">
      <${Bell} open=${front.value === 'inbox'} onOpen=${() => (front.value = 'inbox')} onClose=${() => (front.value = null)} />
      ${test && html`<strong class="test-mark">${t('shell.testData')}</strong>`}
      <${Button} look="quiet" class="environment" onClick=${switchTo}>${t(test ? 'shell.toLive' : 'shell.toTest')}<//>
      ${narrow.value && html`<${Me} />`}
    </div>
  </header>`;
}

/** Me is the person, and what they choose for themselves. */
function Me() {
  const me = user.value;
  const [busy, setBusy] = useState(false);
  if (!me) return null;
  const out = async () => {
    setBusy(true);
    await leave().then(forget, complain);
    setBusy(false);
  };
  const themes = /** @type {const} */ (['system', 'light', 'dark']);
  const items = [
    { label: t('shell.account'), icon: 'user', run: () => leaving(() => go('/account')) },
    /** @type {const} */ ('line'),
    ...themes.map((name) => ({ label: t(`shell.theme-${name}`), on: theme.value === name, run: () => void (theme.value = name) })),
    /** @type {const} */ ('line'),
    { label: 'English', on: language.value === 'en', run: () => void speak('en').catch(complain) },
    { label: '한국어', on: language.value === 'ko', run: () => void speak('ko').catch(complain) },
    /** @type {const} */ ('line'),
    { label: t('shell.sheet'), icon: 'command', run: () => void (front.value = 'sheet') },
    { label: t('shell.signOut'), icon: 'log-out', run: () => void leaving(() => void out(), true) },
  ];
  const name = me.name || me.email || '';
  return html`<div class="me" aria-busy=${busy}><${Menu} label=${t('shell.you')} icon="user" look="quiet" side=${narrow.value ? 'right' : 'left'} up=${!narrow.value} items=${items}>
    ${narrow.value ? undefined : name}<//></div>`;
}

/** Tabs is the navigation of a phone: the four places of a working day, and all others behind the fifth. @param {{ path: string }} props */
function Tabs({ path }) {
  const all = places().flatMap((g) => g.places);
  const four = ['/', '/orders', '/packing', '/products'].flatMap((screen) => all.filter((p) => p.screen === screen));
  return html`<nav class="tabs" aria-label=${t('shell.places')}>
    ${four.map((p) => html`<a href=${href(p.screen)} aria-current=${shownAt({ screen: p.screen, path }) ? 'page' : undefined}><${Icon} name=${p.icon} size=${22} />${p.label}</a>`)}
    <button type="button" onClick=${() => (front.value = 'places')}><${Icon} name="menu" size=${22} />${t('shell.more')}</button>
  </nav>`;
}

/** @param {{ groups: ReturnType<typeof places>, path: string, onClose: () => void }} props */
function Drawer({ groups, path, onClose }) {
  return html`<${Dialog} title=${t('shell.places')} size="side" onClose=${onClose}><${Places} groups=${groups} path=${path} onGo=${onClose} /><//>`;
}
