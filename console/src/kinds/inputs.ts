// The inputs of writes: forms, tables and manifests are made of them. The first screen needs none of this.
import { INPUT_TYPES, INPUTS, ONE_OF } from './generated-inputs.ts';
import type { InputField, Kind } from './shape.ts';

/** The fields that a write of this kind may give. */
export const inputsOf = (kind: Kind): InputField[] => INPUTS[kind.name] ?? [];

const ofKinds = new Map(Object.entries(INPUTS).map(([name, fields]) => [`${name}Input`, Object.fromEntries(fields.map((it) => [it.name, it.type]))]));

/** The fields of an input type, each with its type. */
export function inputOf(type: string): Record<string, string> {
  return INPUT_TYPES[type] ?? ofKinds.get(type) ?? {};
}

/** True if exactly one of the type's fields must be given. */
export const isOneOf = (type: string): boolean => ONE_OF.includes(type);
