// The modules with which lazily loaded screens write, show differences, and export. They share this one copy.
export * from '../kinds/compare.ts';
export * from '../kinds/csv-cells.ts';
export * from '../kinds/csv-write.ts';
export * from '../kinds/inputs.ts';
export * from '../kinds/items.ts';
export * from '../kinds/yaml.ts';
export * from '../parts/diff.tsx';
export * from './all.ts';
export * from './conflict.ts';
export * from './manifests.ts';
export * from './present.ts';
export * from './review.ts';
export * from './undo.ts';
export * from './write.ts';
