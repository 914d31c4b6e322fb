// An input that finds things while one types: arrows move among them, Enter takes one.
import { html, useEffect, useId, useRef, useState } from '../vendor/ui.js';
import { t } from '../base/words.js';
import { complain } from './toast.js';

/**
 * @typedef {object} FinderProps
 * @property {Record<string, any>} attributes those of a Field
 * @property {(text: string, signal: AbortSignal) => Promise<any[]>} find
 * @property {(found: any) => any} show
 * @property {(found: any) => void} onChoose
 * @property {string} [placeholder]
 * @property {boolean} [eager] also without a text
 * @property {{ current: HTMLInputElement | null }} [input] hears of the element
 * @property {string} [none] said where nothing is found
 * @property {boolean} [brief] what was typed and not taken goes when the input is left: it would look like a value
 */

/**
 * useFound is what is found by the text that stands in a Finder.
 * @param {FinderProps} props
 */
function useFound({ find, onChoose, eager = true }) {
  const [text, setText] = useState('');
  const [open, setOpen] = useState(false);
  const [found, setFound] = useState(/** @type {{ of: string, all: any[] } | null} */ (null));
  const [at, setAt] = useState(0);
  const taking = useRef(false);
  const take = (/** @type {any} */ one) => {
    taking.current = false;
    setText('');
    setFound(null);
    setOpen(false);
    onChoose(one);
  };
  useEffect(() => {
    if (!open || (!eager && !text.trim())) return undefined;
    const stop = new AbortController();
    const answer = (/** @type {any[]} */ docs) => {
      if (stop.signal.aborted) return;
      if (taking.current && docs.length > 0 && !docs[0].adds) return take(docs[0]);
      taking.current = false;
      setFound({ of: text, all: docs });
      setAt(0);
    };
    // What has neither a letter nor a digit finds nothing, and is refused by the search.
    const empty = text.trim() !== '' && !/[\p{L}\p{N}]/u.test(text);
    const ask = () => (empty ? Promise.resolve([]) : find(text.trim(), stop.signal)).then(answer, (e) => stop.signal.aborted || complain(e));
    const timer = setTimeout(ask, 120);
    return () => {
      clearTimeout(timer);
      stop.abort();
    };
  }, [text, open]);
  return { text, setText, open, setOpen, found, at, setAt, take, taking };
}

/** Finder finds things by a text. Enter that comes before the answer, as a scanner sends it, takes the first that is found. @param {FinderProps} props */
export function Finder(props) {
  const { attributes, show, placeholder = t('common.find'), eager = true, input, none = t('list.nothingFound'), brief = false } = props;
  const { text, setText, open, setOpen, found, at, setAt, take, taking } = useFound(props);
  const list = useId();
  const all = found?.all ?? [];
  const current = found?.of === text;
  const enter = () => {
    if (current && all[at]) take(all[at]);
    else if (!current && text.trim()) taking.current = true;
  };
  const keys = (/** @type {KeyboardEvent} */ e) => {
    if (e.isComposing) return;
    const move = { ArrowDown: 1, ArrowUp: -1 }[e.key];
    if (move && open) setAt((i) => (i + move + all.length) % Math.max(1, all.length));
    else if (move) setOpen(true);
    else if (e.key === 'Enter' && open && !e.ctrlKey && !e.metaKey) enter();
    else if (e.key === 'Escape' && open) setOpen(false);
    else return;
    e.preventDefault();
    e.stopPropagation();
  };
  const leave = () => {
    setOpen(false);
    if (brief) setText('');
  };
  const shown = open && found !== null && (eager || text.trim() !== '');
  return html`<input ...${attributes} ref=${input} required=${false} type="text" role="combobox" aria-expanded=${shown}
    aria-controls=${shown ? list : undefined} aria-autocomplete="list"
      autocomplete="off" aria-activedescendant=${shown && all.length ? `${list}-${at}` : undefined} value=${text} placeholder=${placeholder} onKeyDown=${keys}
      onFocus=${() => setOpen(true)} onBlur=${leave}
      onInput=${(/** @type {any} */ e) => {
        setText(e.currentTarget.value);
        setOpen(true);
      }} />
    ${shown && html`<ul class="options-list" role="listbox" id=${list} aria-label=${t('list.found')}>
      ${all.map((one, i) => html`<li key=${one.id} role="option" id=${`${list}-${i}`} aria-selected=${i === at}
        onMouseDown=${(/** @type {Event} */ e) => e.preventDefault()}
        onClick=${() => take(one)}>${show(one)}</li>`)}
      ${all.length === 0 && html`<li class="none" role="option" aria-selected="false" aria-disabled="true">${none}</li>`}
    </ul>`}`;
}
