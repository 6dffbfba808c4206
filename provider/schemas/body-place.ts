import type { Value } from '../values/value.js';

/** How a value is spelled in the service's body where that differs from the configuration's. */
export type ValueFormat =
  /** A flag with the opposite meaning. */
  | 'not'
  /** A flag that the body has as `Enabled` or `Disabled`. */
  | 'Enabled'
  /** A flag that the body has as `enabled` or `disabled`. */
  | 'enabled'
  /** The host of a URL that the body has; only read. */
  | 'host'
  /** A list that the body has as one text, separated by commas. */
  | 'commas'
  /** A list that the body has as one text, separated by semicolons. */
  | 'semicolons'
  /** A time that the body has in seconds since 1970. */
  | 'epoch'
  /** A text that the body has as a number. */
  | 'number'
  /** A size in gibibytes that the body has in bytes. */
  | 'gibibytes'
  /** A size in mebibytes that the body has in gibibytes. */
  | 'mebibytes'
  /** A value that the body has as a list with this one entry. */
  | 'oneOfList'
  /** A SKU such as `GP_Standard_D2s_v3` that the body has as name and tier. */
  | 'flexibleSku'
  /** A list of texts that the body has as objects with this member. */
  | { readonly each: string }
  /** A flag that the body has as a word of a list. */
  | { readonly member: string }
  /** The body's words for those of the configuration; others are the same. */
  | { readonly words: Readonly<Record<string, string>> };

/** Where an attribute or block of a data file is in the bodies of the resource manager. */
export interface BodyPlace {
  /** Its path; empty if it has none. @default its name in camel case, below `properties` */
  readonly at?: string;
  /** The spelling of the value there. @default as configured */
  readonly as?: ValueFormat;
  /**
   * The child document or the list action that has it, below the resource's id:
   * `blobServices/default`, `listKeys`; `{name}` is the block's own name.
   */
  readonly of?: string;
  /** The value in the state if the service has none. */
  readonly stateDefault?: Value;
  /** Sent, but never returned: the state keeps it. */
  readonly kept?: true;
  /** A template that makes the value from others: `{path}/versions/{version}`. */
  readonly value?: string;
  /** A random GUID if it is not configured. */
  readonly generated?: true;
  /** Castellan's provider refuses it. */
  readonly unserved?: true;
  /** What the body has beside the attributes of the block. */
  readonly constants?: Readonly<Record<string, unknown>>;
}

const placeKeys: ReadonlySet<string> = new Set<keyof BodyPlace>([
  'at',
  'as',
  'of',
  'stateDefault',
  'kept',
  'value',
  'generated',
  'unserved',
  'constants',
]);

/** An entry of a data file without its place in the body: its schema. */
export function withoutPlace<T extends object>(entry: T): Omit<T, keyof BodyPlace> {
  return Object.fromEntries(Object.entries(entry).filter(([key]) => !placeKeys.has(key))) as Omit<
    T,
    keyof BodyPlace
  >;
}
