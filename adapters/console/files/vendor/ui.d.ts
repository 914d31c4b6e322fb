import type { VNode } from 'preact';

export const html: (strings: TemplateStringsArray, ...values: any[]) => VNode;
export { render } from 'preact';
export type { ComponentChildren, RefObject, VNode } from 'preact';
export { useCallback, useEffect, useId, useLayoutEffect, useMemo, useReducer, useRef, useState } from 'preact/hooks';
export { batch, computed, effect, signal } from '../../ui/signals.js';
export type { Signal } from '../../ui/signals.js';
export { LocationProvider, Router, lazy, useLocation, useRoute } from '../../ui/router.js';
