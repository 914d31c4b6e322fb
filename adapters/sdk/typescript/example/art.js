// Drawings for products without a picture: a still life of what the name says, in colours that follow from it, too. The
// same name is always the same drawing.

import { BASE, dice, HEIGHT, Paper, shape, WIDTH } from './art-kit.js';
import * as kitchen from './art-kitchen.js';
import * as home from './art-home.js';
import * as wear from './art-wear.js';

const palettes = {
  celadon: { wall: '#dfe8dd', table: '#c6d4c5', glow: '#b9d3c0', main: '#8fb39c', second: '#5b8270', dark: '#294239', light: '#f2f6ef' },
  persimmon: { wall: '#f3e0cf', table: '#e6c7aa', glow: '#e39b6b', main: '#cb6c3a', second: '#983f1d', dark: '#47200f', light: '#fdf3e8' },
  indigo: { wall: '#dbe1ec', table: '#bfcadd', glow: '#7187bb', main: '#445a91', second: '#26376a', dark: '#141f40', light: '#f0f3f9' },
  barley: { wall: '#f0e8cf', table: '#dfd1a8', glow: '#dcc07b', main: '#bf9a4f', second: '#8a692a', dark: '#41320f', light: '#faf6e8' },
  plum: { wall: '#eadde1', table: '#d5bfc8', glow: '#b97e95', main: '#8d5069', second: '#5f304a', dark: '#2f1724', light: '#f8f0f3' },
  ash: { wall: '#e6e5e1', table: '#cfcdc6', glow: '#f3f1ec', main: '#d5d2c9', second: '#a09c91', dark: '#33312d', light: '#fbfaf8' },
  moss: { wall: '#e3e5cf', table: '#cbceab', glow: '#a5ae6c', main: '#7b8546', second: '#525b2b', dark: '#282d13', light: '#f5f6e9' },
  dawn: { wall: '#f1dfdc', table: '#d9c0c4', glow: '#e8b3a6', main: '#c9877f', second: '#8d5561', dark: '#402430', light: '#fbf2f0' },
};

/** Words that have a colour of their own. */
const coloured = [
  [/celadon|green|cypress|mugwort/i, 'celadon'], [/persimmon|tangerine|copper|kettle|lantern/i, 'persimmon'], [/indigo|work|sashiko|night/i, 'indigo'],
  [/honey|brass|barley|rush|beeswax|sesame|straw/i, 'barley'], [/moon|ash|porcelain|salt|paper|plate|letter/i, 'ash'], [/field|canvas|olive|bamboo/i, 'moss'],
];

/** What a name is a drawing of: the first that fits. On "wall" things hang or lie, on "table" they stand. */
const subjects = [
  [/tasting (evening|class|menu)|tasting$/i, kitchen.tasting, 'table'], [/guide|book|diary/i, home.book, 'table'], [/class|pottery|wheel/i, kitchen.wheel, 'table'],
  [/repair/i, kitchen.mended, 'table'], [/knife|sharpen/i, kitchen.knife, 'wall'], [/teapot/i, kitchen.teapot, 'table'], [/kettle/i, kitchen.kettle, 'table'],
  [/\bcup|\bmugs?\b/i, kitchen.cup, 'table'], [/keeper|crock/i, kitchen.crock, 'table'], [/moon jar|vase/i, kitchen.moonJar, 'table'], [/bowl/i, kitchen.bowls, 'table'],
  [/plate/i, kitchen.plates, 'table'], [/spoon|chopstick/i, kitchen.spoon, 'wall'], [/board/i, kitchen.board, 'wall'], [/oil|sauce|bottle/i, kitchen.bottle, 'table'],
  [/marmalade|honey|jam|jar/i, kitchen.preserve, 'table'], [/\btea\b|coffee/i, kitchen.pouch, 'table'], [/salt|spice/i, kitchen.salt, 'table'], [/cookie|biscuit/i, kitchen.cookies, 'table'],
  [/cushion|pillow/i, home.cushion, 'table'], [/throw|blanket/i, home.folded, 'table'], [/curtain/i, home.curtain, 'wall'], [/mat|rug/i, home.mat, 'table'],
  [/lantern|lamp/i, home.lantern, 'wall'], [/tray/i, home.tray, 'table'], [/candle/i, home.candles, 'table'], [/incense/i, home.incense, 'table'],
  [/pen/i, home.pens, 'wall'], [/letter|envelope/i, home.letter, 'wall'], [/ruler/i, home.ruler, 'wall'], [/ink/i, home.inkStone, 'table'],
  [/vest/i, wear.vest, 'wall'], [/shirt/i, wear.shirt, 'wall'], [/jacket|coat/i, wear.jacket, 'wall'], [/trousers|pants/i, wear.trousers, 'wall'], [/beanie|hat/i, wear.beanie, 'table'],
  [/sock/i, wear.socks, 'wall'], [/apron/i, wear.apron, 'wall'], [/sleeve|wallet/i, wear.sleeve, 'wall'], [/card/i, home.giftCard, 'wall'],
  [/cloth|wrap/i, wear.bundle, 'table'], [/tote|bag/i, wear.tote, 'table'], [/pack/i, wear.pack, 'table'],
];

/** The drawing for a name. With `alt` it is a picture of its own; without, decoration. */
export function drawing(name, alt = '') {
  const random = dice(name);
  const names = Object.keys(palettes);
  const colour = coloured.find(([word]) => word.test(name))?.[1] ?? names[Math.floor(random() * names.length)];
  const paper = new Paper(palettes[colour], random);
  const [, draw, place] = subjects.find(([word]) => word.test(name)) ?? [null, hills, 'none'];
  if (place !== 'none') room(paper, place);
  draw(paper);
  if (alt) {
    paper.element.setAttribute('role', 'img');
    paper.element.prepend(shape('title', {}, alt));
  } else {
    paper.element.setAttribute('aria-hidden', 'true');
  }
  return paper.element;
}

function room(paper, place) {
  paper.rect(0, 0, WIDTH, HEIGHT, 'wall');
  const x = 40 + paper.random() * 120;
  paper.path(`M${x} 0 H${x + 150} L${x + 40} ${HEIGHT} H${x - 110} Z`, 'light', { opacity: 0.45 }); // light of a window
  if (place === 'table') paper.rect(0, BASE - 42, WIDTH, HEIGHT, 'table');
}

/** For what has no drawing: a moon, and hills one behind the other. */
function hills(paper) {
  const { random } = paper;
  paper.rect(0, 0, WIDTH, HEIGHT, 'wall');
  paper.ellipse(110 + random() * 180, 130 + random() * 50, 62, 62, 'light');
  for (const [y, fill, opacity] of [[230, 'table', 1], [285, 'main', 0.55], [340, 'main', 1], [405, 'second', 1]]) {
    const [a, b] = [40 + random() * 80, 40 + random() * 80];
    paper.path(`M0 ${y} C90 ${y - a} 130 ${y - a} 200 ${y} S330 ${y + b} ${WIDTH} ${y - 20} V${HEIGHT} H0 Z`, fill, { opacity });
  }
}
