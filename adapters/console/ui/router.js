// Which screen is shown follows from the address. The console needs no more of what preact-iso can do, and this is a third of its size.
import { createContext, h } from 'preact';
import { useContext, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';

/**
 * Where the page is.
 * @typedef {object} Here
 * @property {string} url the address from its path on
 * @property {string} path without a slash at its end
 * @property {Record<string, string>} query
 * @property {(url: string, replace?: boolean) => void} route goes to another address
 * @property {boolean} pushed whether a link or the like led there, and not the way back
 */

/** @typedef {{ path: string, query: Record<string, string>, params: Record<string, string>, component: Screen }} Shown */
/**
 * A component, or one that is brought when it is needed: bring answers with a promise while it is not there.
 * @typedef {((props: any) => any) & { bring?: () => Promise<unknown> | undefined }} Screen
 */

const Location = createContext(/** @type {Here} */ (/** @type {unknown} */ ({})));
const Route = createContext(/** @type {Shown} */ (/** @type {unknown} */ ({})));

/** useLocation is where the page is. */
export const useLocation = () => useContext(Location);

/** useRoute is the address of the screen that is shown: the page may be on its way to another one. */
export const useRoute = () => useContext(Route);

const address = () => location.pathname + location.search;

/** LocationProvider follows the links of the page below a path. @param {{ scope: string, children?: any }} props */
export function LocationProvider({ scope, children }) {
  const [url, show] = useState(address);
  const pushed = useRef(false);
  const here = useMemo(() => {
    const { pathname, searchParams } = new URL(url, location.origin);
    const route = (/** @type {string} */ next, replace = false) => {
      pushed.current = !replace;
      history[replace ? 'replaceState' : 'pushState'](null, '', next);
      show(next);
    };
    return { url, path: pathname.replace(/\/+$/, '') || '/', query: Object.fromEntries(searchParams), route, pushed: pushed.current };
  }, [url]);
  useLayoutEffect(() => {
    const click = (/** @type {MouseEvent} */ e) => {
      const link = /** @type {HTMLAnchorElement | undefined} */ (e.composedPath().find((el) => el instanceof HTMLAnchorElement && el.href));
      const to = link?.getAttribute('href');
      if (!link || !to?.startsWith(scope) || !/^(_?self)?$/i.test(link.target) || link.download) return;
      if (e.ctrlKey || e.metaKey || e.altKey || e.shiftKey || e.button !== 0) return; // the browser's own
      e.preventDefault();
      here.route(to);
    };
    const back = () => {
      pushed.current = false;
      show(address());
    };
    addEventListener('click', click);
    addEventListener('popstate', back);
    return () => {
      removeEventListener('click', click);
      removeEventListener('popstate', back);
    };
  }, []);
  return h(Location.Provider, { value: here }, children);
}

const segments = (/** @type {string} */ path) => path.split('/').filter(Boolean);

/** decoded is a segment as it was meant; undefined where a % begins nothing, as in an address that was cut. @param {string} segment */
function decoded(segment) {
  try {
    return decodeURIComponent(segment);
  } catch {
    return undefined;
  }
}

/** matching is what an address has at the names of a path, such as `:id`; undefined where it is another. @param {string} pattern @param {string} path */
export function matching(pattern, path) {
  const [wanted, there] = [segments(pattern), segments(path).map(decoded)];
  /** @type {Record<string, string>} */
  const params = {};
  const same = wanted.every((one, i) => {
    const at = there[i];
    if (one.startsWith(':') && at) params[one.slice(1)] = at;
    else return one === at;
    return true;
  });
  return same && wanted.length === there.length ? params : undefined;
}

/**
 * Router shows the first screen whose path is that of the page, or the one without a path. What was shown stays until the next one can be.
 * @param {{ screens: { path?: string, component: Screen }[], onLoadStart?: () => void, onLoadEnd?: () => void }} props
 */
export function Router({ screens, onLoadStart, onLoadEnd }) {
  const { path, query, pushed } = useLocation();
  const [, again] = useReducer((/** @type {number} */ n) => n + 1, 0);
  const shown = useRef(/** @type {Shown | undefined} */ (undefined));
  const before = useRef(path);
  const loading = useRef(false);
  const found = screens.find((one) => one.path === undefined || matching(one.path, path));
  const component = found?.component;
  const brought = component?.bring?.();
  if (component && !brought) shown.current = { path, query, params: matching(found.path ?? '', path) ?? {}, component };
  useLayoutEffect(() => {
    let left = false;
    if (brought) {
      loading.current = true;
      onLoadStart?.();
      void brought.then(() => left || again(0));
    }
    return () => {
      left = true;
    };
  }, [component]);
  useLayoutEffect(() => {
    if (brought) return;
    if (before.current !== path && pushed) scrollTo(0, 0);
    before.current = path;
    if (loading.current) onLoadEnd?.();
    loading.current = false;
  });
  const at = shown.current;
  return at && h(Route.Provider, { value: at }, h(at.component, null));
}

/** lazy is a screen that is brought when it is first shown. @param {() => Promise<{ default: (props: any) => any }>} load @returns {Screen} */
export function lazy(load) {
  /** @type {Promise<unknown> | undefined} */
  let coming;
  /** @type {((props: any) => any) | undefined} */
  let there;
  return Object.assign((/** @type {any} */ props) => there && h(there, props), {
    bring: () => {
      coming ??= load().then((module) => {
        there = module.default;
      });
      return there ? undefined : coming;
    },
  });
}
