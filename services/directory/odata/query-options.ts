import { omitUndefined } from '../../../core/values/omit-undefined.js';
import { type FilterNode, parseFilter } from './filter-parser.js';
import { invalidOption, syntaxError } from './odata-error.js';
import { odataLimits } from './odata-limits.js';
import { parseOrder } from '../../common/filter/order.js';
import { readPageToken } from '../../common/page-token.js';
import { parseSearch, type SearchNode } from './search.js';

/** One key of `$orderby`. */
export interface OrderKey {
  readonly property: string;
  readonly descending: boolean;
}

/** An expanded relationship with its nested options. */
export interface ExpandItem {
  /** Its name, or `*` for all. */
  readonly relationship: string;
  readonly select?: readonly string[];
  /** A nested relationship. */
  readonly expand?: string;
  /** How many objects to follow the relationship through. */
  readonly levels?: number;
}

/** The largest `$levels`; `max` means it too. */
const maximumLevels = 1000;

/** The query options of one request, parsed. */
export interface QueryOptions {
  readonly filter?: FilterNode;
  readonly search?: SearchNode;
  readonly orderby?: readonly OrderKey[];
  readonly select?: readonly string[];
  readonly expand?: readonly ExpandItem[];
  readonly top?: number;
  readonly count: boolean;
  /** As sent, not yet decoded. */
  readonly skiptoken?: string;
  /** As sent: not yet decoded, or `latest`. */
  readonly deltatoken?: string;
}

const optionNames = [
  'filter',
  'search',
  'orderby',
  'select',
  'expand',
  'top',
  'count',
  'skiptoken',
  'deltatoken',
] as const;
type OptionName = (typeof optionNames)[number];

/**
 * Parses the query options, with or without `$`, in any letter case.
 *
 * @throws ODataError Request_BadRequest for a malformed, repeated or unknown option, for `$skip`,
 *   and for `$top` outside 1 to 999.
 */
export function parseQueryOptions(query: URLSearchParams): QueryOptions {
  const texts = textsByOption(query);
  const options: Record<string, unknown> = { count: false };
  for (const name of optionNames) {
    const text = texts.get(name);
    if (text !== undefined) options[name] = parsers[name](text);
  }
  return options as unknown as QueryOptions;
}

/** The parser of each option. */
const parsers: Readonly<Record<OptionName, (text: string) => unknown>> = {
  filter: parseFilter,
  search: parseSearch,
  orderby: parseOrderby,
  select: parseSelect,
  expand: parseExpand,
  top: parseTop,
  count: parseCount,
  skiptoken: (text) => text,
  deltatoken: (text) => text,
};

function textsByOption(query: URLSearchParams): ReadonlyMap<OptionName, string> {
  const texts = new Map<OptionName, string>();
  for (const [key, value] of query) {
    const name = (key.startsWith('$') ? key.slice(1) : key).toLowerCase();
    if (name === 'skip') throw invalidOption("'$skip' is not supported by the service.");
    if (name === 'format') continue;
    if (!isOptionName(name)) {
      if (key.startsWith('$'))
        throw invalidOption(`The query parameter '${key}' is not supported.`);
      continue;
    }
    if (value.includes('\u0000'))
      throw invalidOption(`The query parameter '$${name}' contains a null character.`);
    if (texts.has(name))
      throw invalidOption(`The query parameter '$${name}' is given more than once.`);
    texts.set(name, value);
  }
  return texts;
}

function isOptionName(name: string): name is OptionName {
  return Object.hasOwn(parsers, name);
}

function parseTop(text: string): number {
  const { minimum, maximum } = odataLimits.top;
  const top = /^\d{1,9}$/.test(text) ? Number(text) : Number.NaN;
  if (top >= minimum && top <= maximum) return top;
  throw invalidOption(
    `Invalid page size specified: '${text.slice(0, 40)}'. Must be between ${minimum} and ${maximum} inclusive.`,
  );
}

function parseCount(text: string): boolean {
  const word = text.toLowerCase();
  if (word === 'true' || word === 'false') return word === 'true';
  throw invalidOption("Invalid value for '$count': it must be true or false.");
}

/** @throws ODataError for an empty list, an empty entry, or an invalid name. */
function parseSelect(text: string): readonly string[] {
  const names = text.split(',').map((name) => name.trim());
  const invalidName = names.find((name) => !/^(\*|[A-Za-z_@][\w.@/]*)$/.test(name));
  if (invalidName !== undefined || text.length > odataLimits.length)
    throw syntaxError('select', `'${(invalidName ?? '').slice(0, 40)}' is not a property`, 0);
  return [...new Set(names)];
}

function parseOrderby(text: string): readonly OrderKey[] {
  const fail = (reason: string, position: number): Error =>
    syntaxError('orderby', reason, position);
  if (text.length > odataLimits.length) throw fail('it is too long', odataLimits.length);
  return parseOrder(text, fail).map(({ name: property, isDescending, position }) => {
    if (!/^[A-Za-z_][\w/]*$/.test(property)) throw fail('a property is expected', position);
    return { property, descending: isDescending };
  });
}

/**
 * Parses `$expand`: relationships, optionally with a nested `$select`
 * (`members($select=id,displayName)`), or a nested `$expand`, which few types support
 * (`policy($expand=rules)`), or `$levels` of `manager`.
 *
 * @throws ODataError Request_BadRequest for malformed text or another nested option.
 */
function parseExpand(text: string): readonly ExpandItem[] {
  if (text.length > odataLimits.length)
    throw syntaxError('expand', 'it is too long', odataLimits.length);
  return splitOutsideParentheses(text).map(({ part, position }) => parseExpandItem(part, position));
}

function parseExpandItem(part: string, position: number): ExpandItem {
  const match = /^([A-Za-z]\w*|\*)(?:\(([^()]*)\))?$/.exec(part);
  if (!match?.[1])
    throw syntaxError('expand', 'expected a relationship, with options in parentheses', position);
  if (match[2] === undefined) return { relationship: match[1] };
  let select: readonly string[] | undefined;
  let expand: string | undefined;
  let levels: number | undefined;
  for (const option of match[2].split(';')) {
    const [name = '', value] = option.split('=', 2).map((each) => each.trim());
    if (/^\$?expand$/i.test(name) && /^([A-Za-z]\w*|\*)$/.test(value ?? '')) {
      expand = value;
      continue;
    }
    if (match[1] === 'manager' && /^\$?levels$/i.test(name)) {
      levels = value === 'max' ? maximumLevels : Number(/^\d{1,4}$/.exec(value ?? '')?.[0] ?? 0);
      if (levels < 1 || levels > maximumLevels)
        throw syntaxError('expand', `$levels is 1 to ${maximumLevels}, or max`, position);
      continue;
    }
    if (!/^\$?select$/i.test(name) || value === undefined)
      throw invalidOption(
        `Invalid expand clause: the nested option '${name.slice(0, 40)}' is not supported, only $select is.`,
      );
    select = value.split(',').map((each) => each.trim());
    if (!select.every((each) => /^[A-Za-z_][\w.]*$/.test(each)))
      throw syntaxError('expand', 'the nested $select is not a list of properties', position);
  }
  return {
    relationship: match[1],
    ...omitUndefined({ select, expand, levels }),
  };
}

/** Splits at the commas outside parentheses. */
function splitOutsideParentheses(text: string): { part: string; position: number }[] {
  const parts: { part: string; position: number }[] = [];
  let [depth, start] = [0, 0];
  for (let index = 0; index <= text.length; index++) {
    const character = text[index];
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === undefined || (character === ',' && depth === 0)) {
      parts.push({ part: text.slice(start, index).trim(), position: start });
      start = index + 1;
    }
  }
  return parts;
}

/**
 * The position after the last row of a page: its sort value, if the list is sorted, and its number.
 */
export type SkipPosition = readonly (string | number | null)[];

/**
 * Parses a `$skiptoken`.
 *
 * @param length the number of values in the tokens of this query.
 * @throws ODataError Request_BadRequest for a token that does not fit the query.
 */
export function decodeSkipToken(token: string, length: number): SkipPosition {
  const position = readPageToken(token);
  const isValid =
    Array.isArray(position) &&
    position.length === length &&
    position.every((each) => each === null || ['string', 'number'].includes(typeof each));
  if (!isValid) throw invalidOption('Invalid $skiptoken: it was not given out for this query.');
  return position as SkipPosition;
}
