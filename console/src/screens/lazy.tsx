// The screens that are loaded when somebody goes there and that take nothing but the address.
import type { ComponentType } from 'preact';
import { lazy } from '../parts/lazy.tsx';
import type { RouteMatch } from '../routes.ts';

export const LAZY: Partial<Record<RouteMatch['screen'], ComponentType<object>>> = {
  impact: lazy(async () => (await import('./impact.lazy.tsx')).default),
  'single-points': lazy(async () => (await import('./single-points.lazy.tsx')).default),
  paths: lazy(async () => (await import('./paths.lazy.tsx')).default),
  'hosts-board': lazy(async () => (await import('./hosts-board.lazy.tsx')).default),
  'hardware-events': lazy(async () => (await import('./hardware-events-screen.lazy.tsx')).default),
  hardware: lazy(async () => (await import('./hardware.lazy.tsx')).default),
  enrolment: lazy(async () => (await import('./hosts-board.lazy.tsx')).EnrolmentScreen),
  parts: lazy(async () => (await import('./parts.lazy.tsx')).default),
  part: lazy(async () => (await import('./parts.lazy.tsx')).PartScreen),
  api: lazy(async () => (await import('./api.lazy.tsx')).default),
  'sources-board': lazy(async () => (await import('./sources-board.lazy.tsx')).default),
};
