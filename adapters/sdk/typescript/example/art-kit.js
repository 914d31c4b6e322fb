// A sheet of paper to draw on: the few SVG shapes that drawings of products are made of.

const NS = 'http://www.w3.org/2000/svg';

/** The size of every drawing; objects stand on BASE. */
export const WIDTH = 400;
export const HEIGHT = 480;
export const BASE = 398;

let papers = 0;

/** Makes an SVG element. */
export function shape(name, attributes = {}, ...children) {
  const element = document.createElementNS(NS, name);
  for (const [key, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(key, value);
  element.append(...children);
  return element;
}

export class Paper {
  #body;

  /** Colours are wall, table, glow, main, second, dark and light; random answers numbers from 0 to 1. */
  constructor(colours, random) {
    this.colours = colours;
    this.random = random;
    this.element = shape('svg', { class: 'art', viewBox: `0 0 ${WIDTH} ${HEIGHT}`, preserveAspectRatio: 'xMidYMid slice' });
    this.#body = `art-${++papers}`;
    this.element.append(shape('defs', {}, shape('linearGradient', { id: this.#body },
      shape('stop', { offset: 0, 'stop-color': colours.glow }), shape('stop', { offset: 0.38, 'stop-color': colours.main }),
      shape('stop', { offset: 1, 'stop-color': colours.second }))));
  }

  /** What a colour is called: one of the palette, "body" for what is round and lit from the left, or any of CSS. */
  #paint(name) { return name === 'body' ? `url(#${this.#body})` : this.colours[name] ?? name; }

  #add(name, attributes) {
    this.element.append(shape(name, attributes));
    return this;
  }

  path(d, fill = 'body', more = {}) { return this.#add('path', { d, fill: this.#paint(fill), ...more }); }

  ellipse(cx, cy, rx, ry, fill = 'body', more = {}) { return this.#add('ellipse', { cx, cy, rx, ry, fill: this.#paint(fill), ...more }); }

  rect(x, y, width, height, fill = 'body', rx = 0, more = {}) { return this.#add('rect', { x, y, width, height, rx, fill: this.#paint(fill), ...more }); }

  /** A line of some width. */
  stroke(d, colour = 'dark', width = 4, more = {}) {
    return this.#add('path', {
      d, fill: 'none', stroke: this.#paint(colour), 'stroke-width': width, 'stroke-linecap': 'round', 'stroke-linejoin': 'round', ...more,
    });
  }

  /** What stands on the table throws a shadow to the right. */
  shadow(cx, rx, cy = BASE) { return this.ellipse(cx + rx * 0.22, cy, rx * 1.12, 13, 'dark', { opacity: 0.2 }); }
}

/** Throws dice that fall the same for the same text. */
export function dice(text) {
  let state = 2166136261;
  for (const letter of text) state = Math.imul(state ^ letter.codePointAt(0), 16777619);
  return () => {
    state = Math.imul(state ^ (state >>> 15), 2246822519) + 0x9e3779b9 | 0;
    return ((state ^ (state >>> 13)) >>> 0) / 2 ** 32;
  };
}
