/** What a line of an access test expects, as it is written. */
export interface Expectation {
  readonly app?: string;
  readonly person?: string;
  readonly anonymous?: boolean;
  /** @default / */
  readonly path?: string;
  readonly group?: string;
  /** Groups, or people, to whom everyone who gets in has to belong. */
  readonly only?: readonly string[];
  readonly expect?: unknown;
}

const words = ['allowed', 'denied', 'unknown'] as const;

/** What an expectation asks for, and undefined where it makes no sense. */
export type Demand =
  | {
      readonly kind: 'visit';
      readonly app: string;
      readonly person: string | undefined;
      readonly path: string;
      readonly expect: (typeof words)[number];
    }
  | {
      readonly kind: 'size';
      readonly group?: string;
      readonly app?: string;
      readonly atMost: number | undefined;
      readonly atLeast: number | undefined;
    }
  | { readonly kind: 'only'; readonly app: string; readonly only: readonly string[] };

const keys = ['app', 'person', 'anonymous', 'path', 'group', 'only', 'expect', 'name'];

/** Reads an expectation. @returns what is wrong with it, as a sentence, where it can't be read */
export function demandOf(given: unknown): Demand | string {
  if (given === null || typeof given !== 'object' || Array.isArray(given))
    return 'an expectation is a map such as { app: shop, person: ada, expect: allowed }';
  const stray = Object.keys(given).find((key) => !keys.includes(key));
  if (stray !== undefined) return `"${stray}" is no part of an expectation: allowed are ${keys.join(', ')}`;
  const { app, person, anonymous, path = '/', group, only, expect } = given as Expectation;
  if (only !== undefined) {
    if (app === undefined || !Array.isArray(only)) return 'only needs an app and a list: { app: admin, only: [staff] }';
    return { kind: 'only', app, only };
  }
  if (expect !== null && typeof expect === 'object') return sizeOf({ app, group }, expect as Readonly<Record<string, unknown>>);
  if (app === undefined || (person === undefined) === (anonymous !== true))
    return 'an expectation names an app and a person, or anonymous: true; or a group and { at most: 500 }';
  const word = words.find((each) => each === expect);
  if (word === undefined) return `expect is ${words.join(', ')}, not ${JSON.stringify(expect)}`;
  return { kind: 'visit', app, person, path, expect: word };
}

function sizeOf(
  { app, group }: { readonly app: string | undefined; readonly group: string | undefined },
  expect: Readonly<Record<string, unknown>>,
): Demand | string {
  const { 'at most': atMost, 'at least': atLeast, ...others } = expect;
  const isNumber = (value: unknown): value is number | undefined =>
    value === undefined || (typeof value === 'number' && Number.isInteger(value) && value >= 0);
  if (Object.keys(others).length > 0 || !isNumber(atMost) || !isNumber(atLeast) || (atMost === undefined && atLeast === undefined))
    return 'a number of people is expected by { at most: 500 } and { at least: 1 }';
  if ((app === undefined) === (group === undefined)) return 'a number of people is expected of one group or of one app';
  return { kind: 'size', atMost, atLeast, ...(app === undefined ? {} : { app }), ...(group === undefined ? {} : { group }) };
}
