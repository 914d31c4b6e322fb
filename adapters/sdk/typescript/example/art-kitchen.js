// Drawings of what is used for cooking, pouring and eating.

import { BASE } from './art-kit.js';

const steam = (p, x, y) => p.stroke(`M${x} ${y} q-14 -22 0 -42 t0 -42`, 'light', 5, { opacity: 0.9 });

/** Half a ball, open at the top. */
function bowl(p, x, y, w, h, fill = 'body') {
  p.ellipse(x, y, w, w * 0.2, 'second');
  p.ellipse(x, y + 3, w * 0.9, w * 0.15, 'dark', { opacity: 0.35 });
  p.path(`M${x - w} ${y} A${w} ${w * 0.2} 0 0 0 ${x + w} ${y} C${x + w} ${y + h * 0.7} ${x + w * 0.5} ${y + h} ${x + w * 0.34} ${y + h} H${x - w * 0.34} C${x - w * 0.5} ${y + h} ${x - w} ${y + h * 0.7} ${x - w} ${y} Z`, fill);
}

export function cup(p) {
  p.shadow(200, 58);
  steam(p, 182, 236);
  steam(p, 216, 226);
  p.ellipse(200, 262, 78, 18, 'second').ellipse(200, 266, 68, 13, 'dark', { opacity: 0.5 });
  p.path(`M122 262 A78 18 0 0 0 278 262 C276 330 262 ${BASE - 8} 232 ${BASE - 6} H168 C138 ${BASE - 8} 124 330 122 262 Z`);
  p.stroke('M126 300 Q200 318 274 300', 'light', 3, { opacity: 0.4 }).path('M140 292 C140 336 150 366 166 384 C152 380 136 350 134 290 Z', 'light', { opacity: 0.45 });
  p.rect(170, BASE - 8, 60, 9, 'second', 3);
}

export function tasting(p) {
  for (const [x, y, w] of [[118, 316, 42], [286, 320, 42], [200, 334, 48]]) {
    p.shadow(x, w * 0.7, y + 62);
    steam(p, x, y - 14);
    bowl(p, x, y, w, 60);
  }
}

export function moonJar(p) {
  p.shadow(200, 76);
  p.path(`M164 146 H236 L240 168 C304 184 334 232 332 284 C330 342 290 384 244 ${BASE} H156 C110 384 70 342 68 284 C66 232 96 184 160 168 Z`);
  p.ellipse(200, 147, 36, 8, 'dark', { opacity: 0.55 });
  p.stroke('M72 292 C120 304 280 304 329 290', 'light', 3, { opacity: 0.5 });
  p.ellipse(140, 240, 30, 44, 'light', { opacity: 0.35, transform: 'rotate(18 140 240)' });
}

export function crock(p) {
  p.shadow(200, 92);
  p.path(`M122 226 C96 280 102 356 136 ${BASE} H264 C298 356 304 280 278 226 Z`);
  p.stroke('M112 268 Q200 286 288 268', 'light', 3, { opacity: 0.45 }).stroke('M108 296 Q200 314 292 296', 'light', 3, { opacity: 0.45 });
  p.rect(104, 198, 192, 30, '#b78a55', 9).rect(104, 214, 192, 14, '#8f6638', 7).rect(180, 178, 40, 22, '#8f6638', 8);
}

export function bowls(p) {
  p.shadow(200, 74);
  for (const [y, w] of [[226, 60], [254, 80], [284, 102]]) bowl(p, 200, y, w, BASE - y - (102 - w) * 0.5);
}

export function plates(p) {
  p.shadow(200, 108, BASE - 2);
  for (let i = 0; i < 6; i++) {
    const y = BASE - 14 - i * 19;
    p.ellipse(200 + (p.random() - 0.5) * 14, y + 7, 112 - i * 3, 22, 'second').ellipse(200 + (p.random() - 0.5) * 8, y, 112 - i * 3, 22);
  }
  p.ellipse(200, BASE - 110, 66, 12, 'second', { opacity: 0.4 });
}

function pot(p) {
  p.path('M116 304 C84 300 80 264 58 246 L84 236 C104 250 112 276 136 280 Z', 'main');
  p.path(`M108 322 C108 262 148 228 200 228 S292 262 292 322 C292 366 264 ${BASE} 232 ${BASE} H168 C136 ${BASE} 108 366 108 322 Z`);
  p.ellipse(200, 232, 46, 11, 'second').ellipse(200, 228, 44, 10, 'main');
  p.ellipse(200, 212, 11, 11, 'second');
}

export function teapot(p) {
  p.shadow(200, 76);
  p.stroke('M284 276 C340 262 344 352 282 354', 'second', 15);
  pot(p);
  p.path('M122 268 C150 240 176 244 196 262 C176 286 140 300 112 336 C106 308 108 284 122 268 Z', 'light', { opacity: 0.35 });
}

export function kettle(p) {
  p.shadow(200, 76);
  p.stroke('M128 262 C116 130 284 130 272 262', 'dark', 9);
  pot(p);
  for (let i = 0; i < 40; i++) p.ellipse(126 + p.random() * 148, 276 + p.random() * 100, 4, 3, 'light', { opacity: 0.22 });
}

export function spoon(p) {
  p.path('M148 112 C116 116 112 202 146 210 L150 400 H162 L166 210 C200 202 196 116 164 112 Z', 'body', { transform: 'rotate(-4 156 260)' });
  p.ellipse(152, 158, 18, 32, 'second', { opacity: 0.4, transform: 'rotate(-4 156 260)' });
  for (const [x, turn] of [[226, 2], [256, 5]]) p.path(`M${x} 108 h11 l-2 296 h-6 Z`, 'body', { transform: `rotate(${turn} ${x} 260)` });
}

export function board(p) {
  const tilt = { transform: 'rotate(7 200 240)' };
  p.rect(134, 96, 148, 300, 'dark', 30, { ...tilt, opacity: 0.16 });
  p.rect(124, 88, 148, 300, 'body', 30, tilt);
  for (const x of [150, 172, 190, 214, 238, 252]) p.stroke(`M${x} 120 C${x - 14} 200 ${x + 16} 280 ${x} 372`, 'second', x % 4 ? 3 : 7, { ...tilt, opacity: 0.5 });
  p.ellipse(198, 120, 14, 14, 'wall', tilt);
}

export function bottle(p) {
  p.shadow(200, 62);
  p.path(`M180 128 H220 V188 C220 220 262 224 262 270 V${BASE} H138 V270 C138 224 180 220 180 188 Z`);
  p.rect(174, 96, 52, 36, 'dark', 6);
  label(p, 150, 280, 100, 84);
}

/** A paper label with a leaf, a sun or a wave. */
function label(p, x, y, w, h) {
  p.rect(x, y, w, h, 'light', 3);
  const [cx, cy] = [x + w / 2, y + h * 0.42];
  const kind = p.random();
  if (kind < 0.34) p.path(`M${cx} ${cy - 18} C${cx + 24} ${cy - 6} ${cx + 18} ${cy + 16} ${cx} ${cy + 20} C${cx - 18} ${cy + 16} ${cx - 24} ${cy - 6} ${cx} ${cy - 18} Z`, 'main');
  else if (kind < 0.67) p.ellipse(cx, cy, 15, 15, 'main');
  else p.stroke(`M${cx - 24} ${cy} q12 -14 24 0 t24 0`, 'main', 4).stroke(`M${cx - 24} ${cy + 12} q12 -14 24 0 t24 0`, 'main', 4);
  p.rect(x + w * 0.25, y + h - 18, w * 0.5, 4, 'second', 2);
}

export function preserve(p) {
  p.shadow(200, 80);
  p.rect(122, 214, 156, BASE - 214, 'body', 26);
  p.rect(132, 226, 14, 130, 'light', 7, { opacity: 0.4 });
  p.rect(130, 180, 140, 38, 'dark', 8).rect(130, 204, 140, 6, 'light', 0, { opacity: 0.2 });
  label(p, 156, 262, 88, 92);
}

export function pouch(p) {
  p.shadow(200, 82);
  p.path(`M128 176 H272 L286 ${BASE} H114 Z`);
  p.path('M128 176 H272 L274 212 H126 Z', 'second');
  p.stroke('M140 196 H260', 'light', 2, { opacity: 0.6, 'stroke-dasharray': '5 6' });
  label(p, 152, 252, 96, 100);
}

export function salt(p) {
  p.shadow(200, 70);
  p.path('M108 304 C130 264 168 226 200 226 S270 264 292 304 Z', 'light');
  for (let i = 0; i < 30; i++) p.ellipse(136 + p.random() * 128, 262 + p.random() * 40, 2.4, 2.4, 'second', { opacity: 0.5 });
  p.path(`M98 300 A102 20 0 0 0 302 300 C302 350 262 ${BASE} 236 ${BASE} H164 C138 ${BASE} 98 350 98 300 Z`, 'main');
  p.path(`M98 300 A102 20 0 0 0 302 300 C302 350 262 ${BASE} 236 ${BASE} H164 C138 ${BASE} 98 350 98 300 Z`);
}

export function cookies(p) {
  p.shadow(200, 96);
  for (let i = 0; i < 5; i++) {
    const [x, y] = [200 + (p.random() - 0.5) * 30, BASE - 20 - i * 34];
    p.rect(x - 92, y - 16, 184, 34, 'body', 17).ellipse(x, y - 12, 84, 10, 'glow', { opacity: 0.5 });
    for (let j = 0; j < 6; j++) p.ellipse(x - 66 + j * 26 + p.random() * 8, y + 2, 4, 3, 'dark', { opacity: 0.3 });
  }
}

export function mended(p) {
  p.shadow(200, 64);
  bowl(p, 200, 256, 116, BASE - 256);
  p.stroke('M164 278 L182 312 L170 338 L196 366 M182 312 L222 326 L244 306 L262 316 M222 326 L230 360', '#d9a93a', 6);
}

export function knife(p) {
  const tilt = { transform: 'rotate(28 200 240)' };
  p.path('M182 70 C238 130 238 230 232 270 H182 Z', 'light', tilt).path('M182 70 C200 130 200 230 200 270 H182 Z', 'table', { ...tilt, opacity: 0.7 });
  p.rect(180, 268, 54, 16, 'second', 3, tilt).rect(186, 284, 42, 126, 'dark', 12, tilt);
}

export function wheel(p) {
  p.shadow(200, 120, BASE + 6);
  p.ellipse(200, BASE - 8, 130, 26, 'dark').ellipse(200, BASE - 20, 130, 26, 'table').ellipse(200, BASE - 20, 104, 19, 'wall', { opacity: 0.6 });
  p.path(`M150 206 H250 C266 246 296 290 270 338 C258 362 244 ${BASE - 22} 232 ${BASE - 18} H168 C156 ${BASE - 22} 142 362 130 338 C104 290 134 246 150 206 Z`);
  p.ellipse(200, 206, 50, 12, 'dark', { opacity: 0.6 });
  for (const y of [250, 280, 310, 338]) p.stroke(`M128 ${y} Q200 ${y + 14} 274 ${y}`, 'light', 2.5, { opacity: 0.4 });
}
