// The breadcrumb of the screen: what contains the object, and the object.
import { signal } from '@preact/signals';

export interface Step {
  name: string;
  path: string;
}

export const trail = signal<Step[]>([]);
