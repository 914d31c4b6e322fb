// Drawings of what is worn and carried.

import { BASE } from './art-kit.js';

const peg = (p) => p.rect(192, 58, 16, 34, 'dark', 7).stroke('M150 122 Q200 66 250 122', 'dark', 4);

const TORSO = 'M152 112 C168 130 232 130 248 112 L286 128 Q306 136 314 166 L330 252 L288 264 L276 214 V396 H124 V214 L112 264 L70 252 L86 166 Q94 136 114 128 Z';

export function shirt(p) {
  peg(p);
  p.path(TORSO, 'dark', { opacity: 0.15, transform: 'translate(10 8)' }).path(TORSO);
  p.path('M152 112 C168 130 232 130 248 112 L232 146 L200 130 L168 146 Z', 'second').stroke('M200 132 V396', 'second', 2.5);
  for (const y of [170, 214, 258, 302, 346]) p.ellipse(200, y, 4, 4, 'light');
  for (const x of [136, 216]) p.rect(x, 196, 48, 54, 'second', 4, { opacity: 0.55 }).stroke(`M${x} 208 h48`, 'light', 1.6, { opacity: 0.5 });
}

export function jacket(p) {
  peg(p);
  p.path(TORSO, 'dark', { opacity: 0.15, transform: 'translate(10 8)' }).path(TORSO);
  p.path('M152 112 L200 214 L248 112 L232 108 L200 150 L168 108 Z', 'second').stroke('M200 214 V396', 'dark', 3, { opacity: 0.7 });
  for (let y = 226; y < 390; y += 11) p.stroke(`M130 ${y} H270`, 'light', 1.3, { opacity: 0.4, 'stroke-dasharray': '5 7', 'stroke-dashoffset': y % 22 ? 0 : 6 });
  for (const x of [136, 214]) p.rect(x, 298, 50, 62, 'second', 4);
}

export function vest(p) {
  peg(p);
  const body = 'M150 112 C166 132 234 132 250 112 L282 132 Q270 190 284 230 V392 H116 V230 Q130 190 118 132 Z';
  p.path(body, 'dark', { opacity: 0.15, transform: 'translate(10 8)' }).path(body);
  for (let x = 130; x < 280; x += 14) p.stroke(`M${x} 232 V388`, 'dark', 1.4, { opacity: 0.35, 'stroke-dasharray': '4 4' });
  p.path('M150 112 L200 206 L250 112 L236 122 L200 178 L164 122 Z', 'second').stroke('M200 206 V392', 'dark', 3, { opacity: 0.7 });
  for (const y of [234, 286, 338]) p.ellipse(208, y, 6, 6, 'light');
}

export function apron(p) {
  p.rect(192, 30, 16, 26, 'dark', 7);
  const body = 'M152 150 H248 L260 220 Q300 232 304 262 L312 420 H88 L96 262 Q100 232 140 220 Z';
  p.stroke('M156 152 C150 60 250 60 244 152', 'second', 12);
  p.path(body, 'dark', { opacity: 0.15, transform: 'translate(10 8)' }).path(body);
  p.rect(138, 280, 124, 84, 'second', 6, { opacity: 0.6 }).stroke('M200 280 V364', 'light', 1.6, { opacity: 0.6, 'stroke-dasharray': '5 5' });
  p.rect(268, 262, 8, 60, 'light', 4, { opacity: 0.6 });
}

export function trousers(p) {
  peg(p);
  const body = 'M134 108 H266 L298 420 H212 L200 226 L188 420 H102 Z';
  p.path(body, 'dark', { opacity: 0.15, transform: 'translate(10 8)' }).path(body);
  p.rect(132, 106, 136, 28, 'second', 4).stroke('M190 132 C172 172 176 184 168 196 M208 132 C214 160 222 176 218 190', 'light', 4);
  p.stroke('M200 134 V226', 'second', 2.5).stroke('M150 150 q-10 24 -26 30 M250 150 q10 24 26 30', 'second', 2.5);
}

export function beanie(p) {
  p.shadow(200, 104, BASE - 6);
  p.path('M104 320 C98 150 302 150 296 320 Z');
  for (let x = 130; x < 290; x += 20) p.stroke(`M${200 + (x - 205) * 0.35} 200 Q${x} 250 ${x} 314`, 'dark', 1.8, { opacity: 0.3 });
  p.rect(92, 306, 216, BASE - 312, 'second', 22);
  for (let x = 108; x < 302; x += 13) p.stroke(`M${x} 316 V${BASE - 16}`, 'light', 2, { opacity: 0.3 });
}

export function socks(p) {
  for (const [x, y, turn] of [[36, 14, 6], [0, 0, -3]]) {
    const at = { transform: `translate(${x} ${y}) rotate(${turn} 200 240)` };
    p.path('M132 84 H212 V256 C212 280 226 288 246 304 L286 334 C314 358 298 404 254 396 C232 392 204 372 176 350 C146 328 132 306 132 274 Z', 'body', at);
    p.rect(128, 78, 88, 44, 'second', 6, at);
    for (let i = 140; i < 212; i += 10) p.stroke(`M${i} 84 V116`, 'light', 1.8, { ...at, opacity: 0.45 });
    p.path('M246 304 L286 334 C314 358 298 404 254 396 C262 370 256 330 232 294 Z', 'second', at).rect(132, 150, 80, 12, 'light', 0, { ...at, opacity: 0.55 });
  }
}

export function bundle(p) {
  p.shadow(200, 100);
  p.path(`M98 ${BASE} C70 330 106 262 170 244 H230 C294 262 330 330 302 ${BASE} Z`);
  p.path('M200 252 C150 262 110 230 118 186 C154 176 192 206 200 246 Z', 'main').path('M200 252 C250 262 290 230 282 186 C246 176 208 206 200 246 Z', 'second');
  p.path(`M186 250 H214 L250 ${BASE} H216 Z`, 'light', { opacity: 0.3 }).path(`M176 250 L118 ${BASE} H98 C84 350 112 290 176 250 Z`, 'glow', { opacity: 0.4 });
  p.rect(180, 232, 40, 28, 'dark', 12, { opacity: 0.8 });
}

export function tote(p) {
  p.shadow(200, 96);
  p.stroke('M152 216 C146 92 254 92 248 216', 'second', 11);
  p.path(`M108 212 H292 L302 ${BASE} H98 Z`);
  p.rect(110, 212, 180, 16, 'second', 0, { opacity: 0.6 }).stroke('M116 236 H284', 'light', 1.6, { opacity: 0.6, 'stroke-dasharray': '6 6' });
  p.ellipse(200, 314, 34, 34, 'light', { opacity: 0.75 }).path('M150 344 Q200 306 250 344 V352 H150 Z', 'second');
}

export function pack(p) {
  p.shadow(200, 84);
  p.rect(116, 150, 168, BASE - 150, 'body', 28);
  p.rect(106, 122, 188, 52, 'second', 24).stroke('M122 148 H278', 'light', 1.6, { opacity: 0.5, 'stroke-dasharray': '6 6' });
  p.rect(190, 118, 20, 130, 'dark', 4).rect(184, 226, 32, 20, '#d9a93a', 4);
  p.rect(140, 282, 120, 90, 'second', 14, { opacity: 0.75 }).stroke('M140 306 H260', 'dark', 2.5, { opacity: 0.5 });
}

export function sleeve(p) {
  const tilt = { transform: 'rotate(-7 200 240)' };
  p.rect(112, 130, 176, 120, 'light', 10, tilt).rect(112, 150, 176, 26, 'dark', 0, { ...tilt, opacity: 0.7 });
  p.rect(104, 196, 204, 176, 'dark', 14, { ...tilt, opacity: 0.16 }).path('M98 202 Q98 188 112 188 H168 Q200 226 232 188 H288 Q302 188 302 202 V350 Q302 364 288 364 H112 Q98 364 98 350 Z', 'body', tilt);
  p.stroke('M108 350 Q108 354 116 354 H284 Q292 354 292 350 V206', 'light', 1.8, { ...tilt, opacity: 0.55, 'stroke-dasharray': '6 6' });
  for (const x of [116, 284]) p.ellipse(x, 344, 6, 6, '#d9a93a', tilt);
}
