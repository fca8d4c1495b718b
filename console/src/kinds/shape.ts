// The shape of the registry that generate.mjs writes.

/** An object, or a part of one, as a query returned it. */
export type Row = Record<string, unknown>;

export interface Field {
  name: string;
  is: 'scalar' | 'enum' | 'one' | 'many' | 'union' | 'value';
  /** The scalar, enum, kind, union or value type. */
  of: string;
  required?: boolean;
  list?: boolean;
}

export interface InputField {
  name: string;
  /** The type in the schema's notation, such as `[String!]`. */
  type: string;
  /** True if an existing object's field can be changed. */
  patch: boolean;
  needed: boolean;
}

export interface Kind {
  name: string;
  /** The query for one object by its key, such as `rack`. */
  one: string;
  /** The query for the list, such as `racks`. */
  list: string;
  fields: Field[];
  orders: string[];
  create: boolean;
  change: boolean;
  remove: boolean;
  /** True if `apply` takes objects of this kind. */
  apply: boolean;
}
