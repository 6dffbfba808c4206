import { CastellanError } from '../../core/errors/castellan-error.js';
import { SourceText } from '../../core/source/source-text.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import { type AnchorTable, entriesOf, type YamlNode } from '../../core/yaml/node.js';
import { parseYaml } from '../../core/yaml/parse-yaml.js';
import { type Fault, faultKinds, type FaultPlan, faultServices } from './fault.js';
import { faultPresets } from './presets.js';

/** A value's mistake, after "is" or "must"; undefined for a valid value. */
type Check = (value: unknown) => string | undefined;

const oneOf =
  (words: readonly string[]): Check =>
  (value) =>
    words.includes(String(value))
      ? undefined
      : `is ${JSON.stringify(value)}${didYouMean(nearest(String(value), words), '.')} Allowed: ${words.join(', ')}`;

const number =
  (least: number, most: number): Check =>
  (value) =>
    typeof value === 'number' && value >= least && value <= most
      ? undefined
      : `is ${JSON.stringify(value)}, but must be a number from ${String(least)} to ${String(most)}`;

const wholeNumber: Check = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0
    ? undefined
    : `is ${JSON.stringify(value)}, but must be a whole number of at least 0`;

const pattern = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|\*) \/\S*$/;

const operation: Check = (value) =>
  typeof value === 'string' && pattern.test(value)
    ? undefined
    : `is ${JSON.stringify(value)}, but must be a method and a path such as "POST /groups" or "* /groups/**"`;

const text: Check = (value) =>
  typeof value === 'string' && value !== ''
    ? undefined
    : `is ${JSON.stringify(value)}, but must be a text`;

const faultKeys: Readonly<Record<keyof Fault, Check>> = {
  fault: oneOf(Object.keys(faultKinds)),
  service: oneOf(faultServices),
  operation,
  caller: text,
  share: number(0, 1),
  times: wholeNumber,
  seconds: number(0, 86_400),
  retryAfter: number(0, 3_600),
};

/**
 * Reads a file of faults: `presets` by name, `faults` one by one, and a `seed`.
 *
 * @param file its name in messages.
 * @throws CAS4023 with file, line and column of the first mistake.
 */
export function parseFaults(content: string, file: string): FaultPlan {
  const source = new SourceText(file, content);
  const parsed = parseYaml(source);
  if ('problem' in parsed) {
    const { location, message } = parsed.problem;
    throw new CastellanError(
      'CAS4023',
      `${file}:${String(location.line)}:${String(location.column)}: ${message}`,
    );
  }
  const [document] = parsed.documents;
  if (document === undefined) return { name: file, faults: [] };
  const reader = new Reader(source, document.anchors);
  const root = reader.map(document.root, ['name', 'presets', 'faults', 'seed'], 'a file of faults');
  const presets = reader.list(root.get('presets')?.value, 'presets').map((node) => {
    reader.check(node, 'a preset', oneOf(Object.keys(faultPresets)));
    return faultPresets[String(node.value)]?.faults ?? [];
  });
  const faults = reader.list(root.get('faults')?.value, 'faults').map((node) => {
    const entries = reader.map(node, Object.keys(faultKeys), 'a fault');
    if (!entries.has('fault'))
      throw reader.mistake(node, `a fault needs "fault": ${Object.keys(faultKinds).join(', ')}`);
    for (const [key, { value }] of entries)
      reader.check(value, `"${key}"`, faultKeys[key as keyof Fault]);
    return node.value as Fault;
  });
  const seed = root.get('seed')?.value;
  if (seed !== undefined) reader.check(seed, '"seed"', wholeNumber);
  const name = root.get('name')?.value;
  if (name !== undefined) reader.check(name, '"name"', text);
  return {
    name: String(name?.value ?? file),
    ...(seed !== undefined && { seed: Number(seed.value) }),
    faults: [...presets.flat(), ...faults],
  };
}

/** Reads nodes, with the place of a mistake. */
class Reader {
  constructor(
    private readonly source: SourceText,
    private readonly anchors: AnchorTable,
  ) {}

  mistake(node: YamlNode, message: string): CastellanError {
    const { line, column } = this.source.position(node.start);
    return new CastellanError(
      'CAS4023',
      `${this.source.file}:${String(line)}:${String(column)}: ${message}`,
    );
  }

  check(node: YamlNode, name: string, check: Check): void {
    const mistake = check(node.value);
    if (mistake !== undefined) throw this.mistake(node, `${name} ${mistake}`);
  }

  map(node: YamlNode, keys: readonly string[], what: string): ReturnType<typeof entriesOf> {
    const map = this.anchors.follow(node);
    if (map.kind !== 'map') throw this.mistake(node, `${what} has the keys ${keys.join(', ')}`);
    const entries = entriesOf(map);
    for (const [name, { key }] of entries)
      if (!keys.includes(name))
        throw this.mistake(
          key,
          `"${name}" is no key of ${what}${didYouMean(nearest(name, keys), '.')} Allowed: ${keys.join(', ')}`,
        );
    return entries;
  }

  list(node: YamlNode | undefined, name: string): readonly YamlNode[] {
    if (node === undefined) return [];
    const list = this.anchors.follow(node);
    if (list.kind !== 'list') throw this.mistake(node, `"${name}" is not a list`);
    return list.children;
  }
}
