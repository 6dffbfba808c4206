import type { TSchema } from '@sinclair/typebox';
import { metadataOf } from '../../../kinds/schema/property-metadata.js';
import { isAcceptedByApiOnly, mistakeIn } from '../../../kinds/schema/find-mistake.js';
import {
  type SchemaKeywords,
  oddities,
  range,
  sampleOf,
  samples,
  sampleText,
  typesOf,
} from './sample-values.js';

/** A declaration with one value at a limit of its description, or beyond it. */
export interface Candidate {
  /** The value, for messages. */
  readonly valueText: string;
  readonly path: readonly string[];
  readonly declaration: unknown;
  /**
   * What makes the value one that Terraform never carries as it is: it has another type, or
   * something is missing.
   */
  readonly isOnlyDeclared: boolean;
  /** The declaration without the property. */
  readonly without: unknown;
  /** The value. */
  readonly value: unknown;
  /** Whether the value is an allowed word in another letter case. */
  readonly hasOtherCase: boolean;
  /**
   * Whether the service takes the value although it may not be declared: the description says why.
   */
  readonly isTaken: boolean;
  /** Whether the description says where Terraform has the property. */
  readonly isInTerraform: boolean;
}

/**
 * The values at each limit of a schema and just beyond it, some that only look right, and one of
 * each wrong type.
 *
 * @param walkedSchemas schemas that were walked whole: in another place, two of their values show
 *   whether they hold there, too.
 */
export function candidatesOf(
  schema: TSchema,
  base: unknown,
  isInTerraform: boolean,
  walkedSchemas = new Set<string>(),
): readonly Candidate[] {
  return [
    ...new Walk(walkedSchemas).walk({
      schema,
      base,
      path: [],
      isInTerraform,
      without: base,
      put: (declaration) => declaration,
    }),
  ];
}

/** A place in a declaration: its schema, what is there, and how another value gets there. */
interface Place {
  readonly schema: TSchema;
  readonly base: unknown;
  readonly path: readonly string[];
  readonly isInTerraform: boolean;
  readonly without: unknown;
  readonly put: (value: unknown) => unknown;
}

class Walk {
  constructor(private readonly walkedSchemas: Set<string>) {}

  *walk(place: Place): Generator<Candidate> {
    const { schema, base, path } = place;
    const node = schema as SchemaKeywords;
    const types = typesOf(node);
    const wrong = [7, 'text', true, ['text'], { thing: 'text' }].filter(
      (value) => !types.some((type) => isOf(value, type)),
    );
    if (path.length > 0 && types.length > 0)
      yield* this.#firstOrFew(
        { wrong: types } as unknown as TSchema,
        wrong.map((value) => candidate(place, value, { isOnlyDeclared: true })),
      );
    if (types.includes('object'))
      yield* this.#insideObject(place, isOf(base, 'object') ? base : sampleOf(schema, 0, 'object'));
    if (types.includes('array')) yield* this.#insideList(place);
    if (types.includes('boolean')) yield* [candidate(place, true), candidate(place, false)];
    for (const each of node.anyOf ?? [])
      yield* this.walk({ ...place, schema: each, base: isOf(base, 'object') ? base : undefined });
    const words = wordsOf(node).map(({ word, hasOtherCase }) =>
      candidate(place, word, { hasOtherCase }),
    );
    yield* this.#firstOrFew(schema, [
      ...words,
      ...[...textsOf(schema), ...numbersOf(schema)].map((value) =>
        candidate(place, value, {
          isOnlyDeclared: types.includes('integer') && !Number.isInteger(value),
        }),
      ),
    ]);
  }

  #firstOrFew(schema: TSchema, candidates: readonly Candidate[]): readonly Candidate[] {
    const { description: _words, ...limits } = schema;
    const key = JSON.stringify(limits) + String(metadataOf(schema).validate);
    const isKnown = candidates.length > 2 && this.walkedSchemas.has(key);
    this.walkedSchemas.add(key);
    return isKnown
      ? [candidates.at(0), candidates.at(-1)].filter((each) => each !== undefined)
      : candidates;
  }

  *#insideObject(place: Place, base: unknown): Generator<Candidate> {
    const { path, put } = place;
    const own = base as Readonly<Record<string, unknown>>;
    const {
      properties = {},
      patternProperties = {},
      required = [],
    } = place.schema as SchemaKeywords;
    for (const name of required) {
      const { [name]: _missing, ...rest } = own;
      yield { ...candidate(place, rest, { isOnlyDeclared: true }), valueText: `without ${name}` };
    }
    if (Object.keys(properties).length > 0)
      yield candidate(place, { ...own, nonsense: 1 }, { isOnlyDeclared: true });
    for (const [name, schema] of Object.entries(properties))
      yield* this.walk(
        inside(place, {
          schema,
          base: own[name],
          path: [...path, name],
          put: (value) => put({ ...own, [name]: value }),
        }),
      );
    for (const [names, schema] of Object.entries(patternProperties)) {
      yield* this.#firstOrFew({ names } as unknown as TSchema, [
        ...entryCandidates(place, names, schema, own),
      ]);
      const key =
        samples.find((each) => new RegExp(names, 'u').test(each) && !Object.hasOwn(own, each)) ??
        'other';
      yield* this.walk(
        inside(place, {
          schema,
          base: undefined,
          path: [...path, key],
          put: (value) => put({ ...own, [key]: value }),
        }),
      );
    }
  }

  *#insideList(place: Place): Generator<Candidate> {
    const { items, minItems, maxItems } = place.schema as SchemaKeywords;
    if (items === undefined) return;
    const item = {
      schema: items,
      base: undefined,
      path: place.path,
      put: (value: unknown) => place.put([value]),
    };
    yield* this.walk({ ...inside(place, item), without: place.without });
    const least = minItems === undefined ? [] : [minItems - 1, minItems];
    const most = maxItems === undefined ? [] : [maxItems, maxItems + 1];
    for (const count of new Set([0, ...least, ...most]))
      if (count >= 0)
        yield {
          ...candidate(
            place,
            range(count).map((index) => sampleOf(items, index)),
          ),
          valueText: `${count} entries`,
        };
  }
}

function inside(place: Place, inner: Pick<Place, 'schema' | 'base' | 'path' | 'put'>): Place {
  const { terraform, body, notInApi } = metadataOf(inner.schema);
  const isInTerraform =
    notInApi !== true && (place.isInTerraform || terraform !== undefined || body !== undefined);
  return { ...inner, isInTerraform, without: inner.put(undefined) };
}

function candidate(
  place: Place,
  value: unknown,
  { isOnlyDeclared = false, hasOtherCase = false } = {},
): Candidate {
  const { path, put, without, isInTerraform } = place;
  const text = JSON.stringify(value);
  const valueText =
    text.length > 60 ? `${text.slice(0, 50)}… of ${text.length - 2} characters` : text;
  return {
    valueText,
    path,
    value,
    declaration: put(value),
    without,
    isOnlyDeclared,
    hasOtherCase,
    isTaken: isAcceptedByApiOnly(place.schema, value),
    isInTerraform,
  };
}

/**
 * Entries of a map whose names the author chooses: names of every form, and as many as are allowed.
 */
function* entryCandidates(
  place: Place,
  names: string,
  schema: TSchema,
  own: object,
): Generator<Candidate> {
  const { maxProperties } = place.schema as SchemaKeywords;
  const withEntries = (keys: readonly string[]): Candidate =>
    candidate(place, { ...own, ...Object.fromEntries(keys.map((key) => [key, sampleOf(schema)])) });
  const lengths = [63, 64, 65, 512, 513].map((length) => 'a'.repeat(length));
  const keys = [
    ...lengths,
    ...chosen([...samples, ...oddities], (key) => new RegExp(names, 'u').test(key)),
  ];
  for (const key of keys)
    if (!Object.hasOwn(own, key) && key !== '//')
      yield { ...withEntries([key]), valueText: `an entry named ${key.slice(0, 40)}` };
  for (const count of maxProperties === undefined ? [] : [maxProperties, maxProperties + 1])
    yield {
      ...withEntries(range(count).map((index) => `thing${index}`)),
      valueText: `${count} entries`,
    };
}

function wordsOf({
  const: only,
  enum: words = only === undefined ? [] : [only],
}: SchemaKeywords): readonly { readonly word: unknown; readonly hasOtherCase: boolean }[] {
  const texts = words.filter((word) => typeof word === 'string');
  const others = texts
    .flatMap((word) => [word.toLowerCase(), word.toUpperCase()])
    .filter((word) => !words.includes(word));
  return [
    ...words.map((word) => ({ word, hasOtherCase: false })),
    ...others.slice(0, 2).map((word) => ({ word, hasOtherCase: true })),
    ...(texts.length > 0 ? [{ word: 'Mauve', hasOtherCase: false }] : []),
  ];
}

function textsOf(schema: TSchema): readonly string[] {
  const { enum: words, pattern, minLength, maxLength } = schema as SchemaKeywords;
  if (
    words !== undefined ||
    'const' in schema ||
    !typesOf(schema as SchemaKeywords).includes('string')
  )
    return [];
  const sample = sampleText(schema, 0);
  if ('x-references' in schema) return [sample, ''];
  const lengths = [minLength, maxLength].flatMap((limit) =>
    limit === undefined ? [] : [limit - 1, limit, limit + 1],
  );
  const sized = lengths
    .filter((length) => length >= 0)
    .map((length) => sample.slice(0, length).padEnd(length, 'a'));
  if (pattern === undefined && metadataOf(schema).validate === undefined)
    return [...new Set([sample, 'ä b', ...sized])];
  const near = [
    '',
    ` ${sample}`,
    `${sample} `,
    `${sample}\n`,
    `${sample}${sample}`,
    sample.toUpperCase(),
    `${sample}ä`,
    `${sample}0`,
  ];
  return chosen(
    [...sized, ...near, ...samples, ...oddities],
    (text) => mistakeIn(schema, text) === undefined,
    sized.length,
  );
}

/**
 * How many texts beside those at the limits are tried of each kind: `npm run test:long` tries more.
 */
const [fitting, wrong] = process.env['CASTELLAN_PROPERTY_RUNS'] === undefined ? [1, 2] : [4, 8];

/** Some texts that fit, and some that don't; the last is one that doesn't. */
function chosen(
  texts: readonly string[],
  fits: (text: string) => boolean,
  more = 0,
): readonly string[] {
  const all = [...new Set(texts)];
  return [
    ...all.filter(fits).slice(0, fitting + more),
    ...all.filter((text) => !fits(text)).slice(0, wrong + more),
  ];
}

function numbersOf(schema: TSchema): readonly number[] {
  const node = schema as SchemaKeywords;
  if (
    !typesOf(node).some((type) => type === 'number' || type === 'integer') ||
    node.enum !== undefined ||
    'const' in schema
  )
    return [];
  const allowed = (metadataOf(schema).allowedNumbers ?? []).flat();
  const limits = [node.minimum, node.maximum, ...allowed].filter((limit) => limit !== undefined);
  return [...new Set(limits.flatMap((limit) => [limit, limit + 1, limit + 0.5, limit - 1]))];
}

function isOf(value: unknown, type: string): boolean {
  if (Array.isArray(value)) return type === 'array';
  return typeof value === (type === 'integer' ? 'number' : type);
}
