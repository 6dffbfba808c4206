import { nearest } from '../../../core/text/nearest.js';
import type { ObjectShape, Shape } from './shape.js';

/** A mistake in a definition and where it stands. */
export interface DefinitionMistake {
  /** From the document's root: `['operators', 0, 'properties', 'conditions', 1, 'operatorType']`. */
  readonly path: readonly (string | number)[];
  /** What was given, what is allowed. */
  readonly message: string;
}

/** How documents are read. */
export interface ShapeOptions {
  /** Texts with a Terraform reference (`${…}`) stand for a value known later and fit everywhere. @default false */
  readonly references?: boolean;
}

/** Where the check is: steps are added and taken away while it goes on, so that nothing is copied where nothing is wrong. */
type Path = (string | number)[];
type Report = (path: readonly (string | number)[], message: string) => void;

const uuidPattern = /^[0-9a-f]{8}-([0-9a-f]{4}-){3}[0-9a-f]{12}$/i;

/** Holds a value against a shape and reports every mistake, not just the first. */
export function checkShape(
  value: unknown,
  shape: Shape,
  path: readonly (string | number)[],
  report: Report,
  options: ShapeOptions = {},
): void {
  checkAt(value, shape, [...path], (at, message) => report([...at], message), options);
}

function checkAt(value: unknown, shape: Shape, path: Path, report: Report, options: ShapeOptions): void {
  if (options.references === true && typeof value === 'string' && value.includes('${')) return;
  switch (shape.kind) {
    case 'any':
      return;
    case 'boolean':
      if (typeof value !== 'boolean') report(path, `must be true or false, not ${show(value)}`);
      return;
    case 'text':
      return checkText(value, shape, path, report);
    case 'number':
      return checkNumber(value, shape, path, report);
    case 'list':
      if (!Array.isArray(value)) return report(path, `must be a list, not ${show(value)}`);
      if (value.length < (shape.least ?? 0))
        report(path, `must have at least ${shape.least ?? 0} ${shape.least === 1 ? 'entry' : 'entries'}`);
      for (let index = 0; index < value.length; index++) below(value[index], shape.of, index, path, report, options);
      return;
    case 'object':
      return checkObject(value, shape, path, report, options);
    case 'choice': {
      if (!isObject(value)) return report(path, `must be an object, not ${show(value)}`);
      const word = value[shape.by];
      const found = typeof word === 'string' ? mergedCase(shape, word) : undefined;
      if (found) return checkObject(value, found, path, report, options);
      if (word === undefined) report([...path, shape.by], 'is missing');
      else report([...path, shape.by], notOneOf(word, Object.keys(shape.cases)));
      return checkObject(
        value,
        { ...shape.common, optional: { ...shape.common.optional, [shape.by]: { kind: 'any' } } },
        path,
        report,
        options,
      );
    }
  }
}

function below(value: unknown, shape: Shape, step: string | number, path: Path, report: Report, options: ShapeOptions): void {
  path.push(step);
  checkAt(value, shape, path, report, options);
  path.pop();
}

function checkText(value: unknown, shape: Extract<Shape, { kind: 'text' }>, path: Path, report: Report): void {
  if (typeof value !== 'string') report(path, `must be a text, not ${show(value)}`);
  else if (shape.oneOf !== undefined && !shape.oneOf.includes(value)) report(path, notOneOf(value, shape.oneOf));
  else if (shape.uuid && !uuidPattern.test(value)) report(path, `must be a UUID, not ${show(value)}`);
  else if (value === '' && shape.mayBeEmpty === undefined && shape.oneOf === undefined) report(path, 'must not be empty');
}

function checkNumber(value: unknown, shape: Extract<Shape, { kind: 'number' }>, path: Path, report: Report): void {
  const { integer, minimum = -Infinity, maximum = Infinity } = shape;
  if (typeof value !== 'number' || !Number.isFinite(value)) report(path, `must be a number, not ${show(value)}`);
  else if (integer && !Number.isInteger(value)) report(path, `must be a whole number, not ${value}`);
  else if (value < minimum || value > maximum)
    report(
      path,
      maximum === Infinity ? `must be at least ${minimum}, not ${value}` : `must be from ${minimum} to ${maximum}, not ${value}`,
    );
}

function checkObject(value: unknown, shape: ObjectShape, path: Path, report: Report, options: ShapeOptions): void {
  if (!isObject(value)) return report(path, `must be an object, not ${show(value)}`);
  const { required, optional, known } = propertiesOf(shape);
  for (const [name, form] of required) {
    if (value[name] === undefined || value[name] === null) report([...path, name], 'is missing');
    else below(value[name], form, name, path, report, options);
  }
  let unknown: string[] | undefined;
  for (const name of Object.keys(value)) {
    const form = optional.get(name);
    // Explicit nulls stand for "not given": the service itself writes them.
    if (form !== undefined && value[name] !== undefined && value[name] !== null) below(value[name], form, name, path, report, options);
    else if (!known.has(name)) (unknown ??= []).push(name);
  }
  for (const name of unknown ?? []) unknownProperty(value, shape, name, path, report);
}

function unknownProperty(value: Readonly<Record<string, unknown>>, shape: ObjectShape, name: string, path: Path, report: Report): void {
  const { known } = propertiesOf(shape);
  const meant = nearest(
    name,
    [...known].filter((each) => value[each] === undefined),
  );
  if (meant !== undefined) report([...path, name], `is not known; did you mean "${meant}"?`);
  else if (shape.closed) report([...path, name], `is not known; allowed are ${[...known].join(', ')}`);
}

interface Properties {
  readonly required: readonly (readonly [string, Shape])[];
  readonly optional: ReadonlyMap<string, Shape>;
  readonly known: ReadonlySet<string>;
}

const properties = new WeakMap<ObjectShape, Properties>();

/** The properties of a shape, listed once. */
function propertiesOf(shape: ObjectShape): Properties {
  const listed = properties.get(shape);
  if (listed !== undefined) return listed;
  const known = new Set(Object.keys({ ...shape.optional, ...shape.required }));
  const own = { required: Object.entries(shape.required), optional: new Map(Object.entries(shape.optional)), known };
  properties.set(shape, own);
  return own;
}

type Choice = Extract<Shape, { kind: 'choice' }>;

const cases = new WeakMap<Choice, Map<string, ObjectShape>>();

/** The shape of one case of a choice with what all cases share, made once. */
function mergedCase(shape: Choice, word: string): ObjectShape | undefined {
  const known = cases.get(shape) ?? new Map<string, ObjectShape>();
  cases.set(shape, known);
  const merged = known.get(word);
  const found = Object.hasOwn(shape.cases, word) ? shape.cases[word] : undefined;
  if (merged !== undefined || found === undefined) return merged;
  const own: ObjectShape = {
    kind: 'object',
    required: { ...shape.common.required, ...found.required },
    optional: { ...shape.common.optional, ...found.optional, [shape.by]: { kind: 'any' } },
  };
  known.set(word, own);
  return own;
}

function notOneOf(value: unknown, words: readonly string[]): string {
  if (typeof value !== 'string') return `must be one of ${words.join(', ')}, not ${show(value)}`;
  const meant = nearest(value, words);
  return `must be one of ${words.join(', ')}, not ${show(value)}${meant === undefined ? '' : `; did you mean "${meant}"?`}`;
}

/** Whether a value is an object with properties. */
export function isObject(value: unknown): value is Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function show(value: unknown): string {
  if (value === null || value === undefined) return 'nothing';
  if (Array.isArray(value)) return 'a list';
  if (typeof value === 'object') return 'an object';
  return JSON.stringify(value).slice(0, 80);
}
