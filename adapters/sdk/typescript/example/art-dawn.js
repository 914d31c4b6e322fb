// The picture over the front page: the sun behind hills, in the colours of the theme, which the style sheet knows.

import { shape } from './art-kit.js';

export function dawn() {
  const sky = shape('linearGradient', { id: 'dawn-sky', x1: 0, y1: 0, x2: 0, y2: 1 },
    shape('stop', { offset: 0, class: 'dawn-high' }), shape('stop', { offset: 0.72, class: 'dawn-low' }));
  const far = 'M0 262 C120 232 190 250 300 214 S470 240 560 196 S760 232 850 206 S1080 246 1200 190 V420 H0 Z';
  const middle = 'M0 306 C140 262 230 312 360 276 S600 232 720 284 S960 316 1200 250 V420 H0 Z';
  const near = 'M0 352 C180 300 320 372 520 338 S860 316 980 352 S1140 350 1200 330 V420 H0 Z';
  return shape('svg', { class: 'dawn', viewBox: '0 0 1200 420', preserveAspectRatio: 'xMidYMax slice', 'aria-hidden': 'true' },
    shape('defs', {}, sky), shape('rect', { width: 1200, height: 420, fill: 'url(#dawn-sky)' }),
    shape('circle', { class: 'dawn-halo', cx: 820, cy: 176, r: 150 }), shape('circle', { class: 'dawn-sun', cx: 820, cy: 176, r: 74 }),
    shape('path', { class: 'dawn-far', d: far }), shape('path', { class: 'dawn-middle', d: middle }), shape('path', { class: 'dawn-near', d: near }));
}
