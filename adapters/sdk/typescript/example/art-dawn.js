// The picture over the front page: the sun behind hills, in the colours of the theme, which the style sheet knows.

import { shape } from './art-kit.js';

export function dawn() {
  const sky = shape('linearGradient', { id: 'dawn-sky', x1: 0, y1: 0, x2: 0, y2: 1 },
    shape('stop', { offset: 0, class: 'dawn-high' }), shape('stop', { offset: 0.72, class: 'dawn-low' }));
  // All goes on to both sides: on wide screens more of it is seen.
  const far = 'M-900 230 C-600 190 -300 300 0 262 C120 232 190 250 300 214 S470 240 560 196 S760 232 850 206 S1080 246 1200 190 S1700 240 2100 200 V420 H-900 Z';
  const middle = 'M-900 280 C-640 330 -260 350 0 306 C140 262 230 312 360 276 S600 232 720 284 S960 316 1200 250 S1700 240 2100 290 V420 H-900 Z';
  const near = 'M-900 330 C-600 300 -240 400 0 352 C180 300 320 372 520 338 S860 316 980 352 S1140 350 1200 330 S1700 300 2100 340 V420 H-900 Z';
  return shape('svg', { class: 'dawn', viewBox: '0 0 1200 420', preserveAspectRatio: 'xMidYMax slice', 'aria-hidden': 'true' },
    shape('defs', {}, sky), shape('rect', { x: -900, y: -80, width: 3000, height: 500, fill: 'url(#dawn-sky)' }),
    shape('circle', { class: 'dawn-halo', cx: 820, cy: 176, r: 150 }), shape('circle', { class: 'dawn-sun', cx: 820, cy: 176, r: 74 }),
    shape('path', { class: 'dawn-far', d: far }), shape('path', { class: 'dawn-middle', d: middle }), shape('path', { class: 'dawn-near', d: near }));
}
