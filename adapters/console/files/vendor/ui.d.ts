import type { VNode } from 'preact';

export const html: (strings: TemplateStringsArray, ...values: any[]) => VNode;
export { Fragment, cloneElement, createContext, h, render, toChildArray } from 'preact';
export type { ComponentChildren, ComponentChild, FunctionComponent, JSX, RefObject, VNode } from 'preact';
export {
  useCallback, useContext, useEffect, useErrorBoundary, useId, useLayoutEffect, useMemo, useReducer, useRef, useState,
} from 'preact/hooks';
export { batch, computed, effect, signal, untracked, useComputed, useSignal, useSignalEffect } from '@preact/signals';
export type { ReadonlySignal, Signal } from '@preact/signals';
export { ErrorBoundary, LocationProvider, Route, Router, lazy, useLocation, useRoute } from 'preact-iso';
