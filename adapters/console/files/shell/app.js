import { LocationProvider, Router, html, useEffect, useLocation, useState } from '../vendor/ui.js';
import { now } from '../base/route.js';
import { enter, environment, environmentOf, unproven, user } from '../base/shop.js';
import { t } from '../base/words.js';
import { Questions } from '../parts/dialog.js';
import { Empty, Loading, Notice, Page } from '../parts/state.js';
import { Button } from '../parts/button.js';
import { Toasts } from '../parts/toast.js';
import { Login } from '../screens/login/login.js';
import { Frame } from './frame.js';
import { Proof } from './proof.js';
import { enroll, entries, screens } from './screens.js';

export function App() {
  return html`<${LocationProvider} scope="/console"><${Signed} /><${Questions} /><${Proof} /><${Toasts} /><//>`;
}

/** Signed is the console for somebody who is signed in, and the way to that for all others. */
function Signed() {
  const location = useLocation();
  now(/** @type {any} */ (location));
  const named = environmentOf(location.path);
  if (named && named !== environment.value) environment.value = named;
  const entry = entries.some(({ path }) => path === location.path);
  useEffect(() => {
    if (!named && !entry) location.route(`/console/${environment.value}/`, true);
    document.documentElement.dataset.environment = environment.value;
  }, [named, location.path]);
  if (entry) return html`<${Router} screens=${entries} />`;
  if (unproven.value) return html`<${Router} screens=${[{ component: enroll }]} />`;
  if (user.value === undefined) return html`<${Unreachable} />`;
  if (user.value === null) return html`<${Login} />`;
  if (!named) return html`<${Loading} />`;
  return html`<${Frame}><${Router} screens=${inEnvironment} onLoadStart=${busy} onLoadEnd=${idle} /><//>`;
}

/** The screens by their address, and what is shown where none is. */
const inEnvironment = [...screens.map(({ path, component }) => ({ path: `/console/:env${path}`, component })), { component: Nowhere }];

function busy() {
  document.documentElement.dataset.loading = 'yes';
}

function idle() {
  delete document.documentElement.dataset.loading;
}

function Nowhere() {
  return html`<${Page} title=${t('shell.nowhere')}><${Empty} icon="map-pin" title=${t('shell.nowhereText')} /><//>`;
}

/** Unreachable stands where nobody knows yet who is signed in, because the server does not answer. */
function Unreachable() {
  const [trying, setTrying] = useState(false);
  const again = async () => {
    setTrying(true);
    await enter().catch(() => undefined);
    setTrying(false);
  };
  return html`<main class="alone"><${Notice} kind="bad" action=${html`<${Button} icon="refresh-cw" busy=${trying} onClick=${again}>${t('common.again')}<//>`}>
    ${t('shell.unreachable')}<//></main>`;
}
