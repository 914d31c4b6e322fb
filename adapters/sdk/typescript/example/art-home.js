// Drawings of what is lived with, and of what lies on a desk.

import { BASE, HEIGHT } from './art-kit.js';

export function cushion(p) {
  p.shadow(200, 110);
  p.path(`M92 206 Q200 172 308 206 Q332 302 310 ${BASE - 6} Q200 ${BASE + 22} 90 ${BASE - 6} Q68 302 92 206 Z`);
  for (let y = 226; y < BASE - 20; y += 30) {
    for (let x = 116; x < 300; x += 30) p.path(`M${x} ${y - 7} l7 7 l-7 7 l-7 -7 Z`, 'light', { opacity: 0.55 });
  }
}

export function folded(p) {
  p.shadow(200, 116);
  for (let i = 0; i < 4; i++) {
    const y = BASE - 46 - i * 46;
    p.rect(84 + i * 3, y, 232 - i * 6, 44, i % 2 ? 'second' : 'body', 20);
    for (const dy of [12, 22, 32]) p.stroke(`M${98 + i * 3} ${y + dy} H${302 - i * 3}`, 'light', 1.6, { opacity: 0.45, 'stroke-dasharray': '4 5' });
  }
}

export function curtain(p) {
  p.rect(60, 58, 280, 10, 'dark', 5);
  const fills = ['main', 'light', 'table', 'glow', 'second', 'light', 'table'];
  const rows = [68, 150, 210, 300, 352, 420];
  for (let r = 0; r < 5; r++) {
    const columns = [90, 140 + p.random() * 40, 220 + p.random() * 40, 310];
    for (let c = 0; c < 3; c++) {
      p.rect(columns[c], rows[r], columns[c + 1] - columns[c], rows[r + 1] - rows[r], fills[Math.floor(p.random() * fills.length)], 0, { opacity: 0.85 });
    }
    p.stroke(`M90 ${rows[r]} H310`, 'dark', 1.2, { opacity: 0.35 });
  }
}

export function mat(p) {
  p.shadow(200, 130);
  p.rect(66, BASE - 92, 260, 92, 'body', 44);
  for (let x = 100; x < 280; x += 12) p.stroke(`M${x} ${BASE - 90} V${BASE - 2}`, 'dark', 1.4, { opacity: 0.28, 'stroke-dasharray': x % 24 ? '3 5' : '5 3' });
  p.rect(88, BASE - 92, 18, 92, 'dark', 0, { opacity: 0.5 });
  p.ellipse(284, BASE - 46, 44, 46, 'glow');
  p.stroke(`M284 ${BASE - 46} m-3 0 a8 8 0 1 1 9 9 a18 18 0 1 1 -22 -16 a28 28 0 1 1 20 42 a36 36 0 0 1 -40 -32`, 'second', 4);
}

export function lantern(p) {
  p.stroke('M200 0 V112', 'dark', 2.5);
  p.ellipse(200, 240, 176, 186, 'light', { opacity: 0.35 }).ellipse(200, 240, 130, 142, 'light', { opacity: 0.5 });
  p.ellipse(200, 240, 96, 116);
  p.ellipse(188, 244, 56, 86, 'light', { opacity: 0.35 });
  for (let i = -4; i <= 4; i++) {
    const half = 96 * Math.sqrt(1 - (i / 4.6) ** 2);
    p.stroke(`M${200 - half} ${240 + i * 24} Q200 ${250 + i * 24} ${200 + half} ${240 + i * 24}`, 'second', 1.8, { opacity: 0.6 });
  }
  p.rect(166, 112, 68, 18, 'dark', 4).rect(172, 350, 56, 14, 'dark', 4).stroke('M200 364 V412', 'dark', 3);
}

export function tray(p) {
  p.shadow(200, 130, BASE - 4);
  p.ellipse(200, BASE - 26, 142, 40, 'dark').ellipse(200, BASE - 38, 142, 40).ellipse(200, BASE - 36, 118, 30, 'second');
  p.ellipse(176, BASE - 90, 40, 9, 'dark');
  p.path(`M136 ${BASE - 90} A40 9 0 0 0 216 ${BASE - 90} C214 ${BASE - 60} 206 ${BASE - 36} 192 ${BASE - 34} H160 C146 ${BASE - 36} 138 ${BASE - 60} 136 ${BASE - 90} Z`, 'light');
  p.ellipse(248, BASE - 44, 30, 9, 'light').ellipse(248, BASE - 48, 18, 10, 'glow');
}

export function candles(p) {
  for (const [x, top] of [[146, 214], [222, 166]]) {
    p.ellipse(x + 16, top - 30, 60, 70, 'light', { opacity: 0.4 });
    p.path(`M${x + 16} ${top - 62} C${x + 36} ${top - 34} ${x + 30} ${top - 12} ${x + 16} ${top - 10} C${x + 2} ${top - 12} ${x - 4} ${top - 34} ${x + 16} ${top - 62} Z`, '#f0b548');
    p.stroke(`M${x + 16} ${top - 12} V${top + 4}`, 'dark', 2.5);
    p.shadow(x + 16, 26);
    p.rect(x, top, 32, BASE - top, 'body', 5);
  }
}

export function incense(p) {
  p.stroke('M262 168 C232 130 292 104 258 66 S272 10 250 -10', 'light', 6, { opacity: 0.9 });
  p.shadow(200, 96);
  p.stroke(`M150 ${BASE - 20} L262 170`, 'second', 6).ellipse(262, 170, 4, 4, '#d2572c');
  p.path(`M96 ${BASE - 26} H304 C300 ${BASE - 6} 280 ${BASE} 262 ${BASE} H138 C120 ${BASE} 100 ${BASE - 6} 96 ${BASE - 26} Z`);
}

export function book(p) {
  p.shadow(206, 100);
  p.path(`M112 128 H272 V${BASE} H112 Z`, 'body').rect(112, 128, 22, BASE - 128, 'dark', 0, { opacity: 0.45 });
  p.path(`M272 132 L286 140 V${BASE - 4} L272 ${BASE} Z`, 'light').stroke(`M279 138 V${BASE - 4}`, 'second', 1, { opacity: 0.5 });
  p.rect(160, 172, 88, 116, 'light', 2);
  if (p.random() < 0.5) p.ellipse(226, 200, 9, 9, 'main').path('M168 268 L196 212 L212 240 L222 226 L242 268 Z', 'second', { opacity: 0.8 });
  else p.stroke('M204 268 V220', 'second', 3).path('M204 236 C184 236 178 218 178 206 C196 206 204 218 204 236 Z', 'main').path('M204 224 C222 224 230 208 230 194 C212 196 204 208 204 224 Z', 'second');
  for (const y of [150, 200, 250, 300, 350]) p.stroke(`M116 ${y} h14`, 'light', 2.5, { opacity: 0.7 });
}

export function pens(p) {
  for (const [x, turn, tip] of [[140, -9, 7], [200, 0, 11], [260, 9, 16]]) {
    const tilt = { transform: `rotate(${turn} ${x} 240)` };
    p.rect(x - 12, 92, 24, 210, 'body', 10, tilt).rect(x - 12, 220, 24, 10, 'light', 0, { ...tilt, opacity: 0.6 });
    p.path(`M${x - 11} 300 H${x + 11} L${x + tip / 2} 336 H${x - tip / 2} Z`, 'second', tilt).path(`M${x - tip / 2} 334 H${x + tip / 2} L${x} 380 Z`, 'dark', tilt);
  }
}

export function letter(p) {
  const tilt = { transform: 'rotate(-5 200 250)' };
  p.rect(112, 110, 190, 240, 'light', 2, { transform: 'rotate(5 200 250)' });
  for (const y of [150, 172, 194]) p.stroke(`M138 ${y} H276`, 'second', 2, { transform: 'rotate(5 200 250)', opacity: 0.5 });
  p.rect(80, 214, 244, 162, 'dark', 4, { ...tilt, opacity: 0.14 }).rect(76, 208, 244, 162, 'main', 4, tilt);
  p.path('M76 212 L198 304 L320 212 V208 H76 Z', 'glow', tilt).stroke('M76 212 L198 304 L320 212', 'second', 2.5, tilt);
  p.ellipse(198, 300, 20, 20, '#b4472f', tilt).ellipse(198, 300, 12, 12, '#963820', tilt);
}

export function ruler(p) {
  const tilt = { transform: 'rotate(-32 200 240)' };
  p.rect(168, 30, 72, HEIGHT - 50, 'dark', 4, { ...tilt, opacity: 0.15 }).rect(162, 22, 72, HEIGHT - 50, 'body', 4, tilt);
  for (let i = 0; i < 38; i++) p.stroke(`M234 ${36 + i * 11} h-${i % 5 ? 12 : 24}`, 'dark', 1.8, tilt);
  p.ellipse(184, 46, 7, 7, 'wall', tilt);
}

export function inkStone(p) {
  p.shadow(200, 104);
  p.rect(92, 304, 216, BASE - 304, 'dark', 18).rect(92, 298, 216, 70, 'dark', 18).ellipse(206, 330, 84, 22, '#000', { opacity: 0.45 });
  p.ellipse(250, 330, 34, 12, 'second', { opacity: 0.5 }).stroke('M100 312 Q150 300 190 306', 'light', 2, { opacity: 0.4 });
  p.rect(128, 206, 34, 118, 'body', 4, { transform: 'rotate(14 145 264)' }).rect(136, 224, 18, 44, '#d9a93a', 2, { transform: 'rotate(14 145 264)', opacity: 0.9 });
}

export function giftCard(p) {
  const tilt = { transform: 'rotate(-8 200 240)' };
  p.rect(82, 172, 244, 152, 'dark', 16, { ...tilt, opacity: 0.16 }).rect(76, 164, 244, 152, 'body', 16, tilt);
  p.ellipse(140, 232, 40, 40, 'light', { ...tilt, opacity: 0.9 }).path('M76 286 Q150 246 214 282 T320 268 V300 Q320 316 304 316 H92 Q76 316 76 300 Z', 'second', tilt);
  p.rect(262, 164, 14, 152, 'light', 0, { ...tilt, opacity: 0.55 }).path('M269 190 q-34 -34 -40 -6 q6 18 40 6 q34 12 40 -6 q-6 -28 -40 6 Z', 'light', tilt);
}
