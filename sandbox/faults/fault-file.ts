import { CastellanError } from '../../core/errors/castellan-error.js';
import { SourceText } from '../../core/source/source-text.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import { type AnchorTable, entriesOf, type YamlNode } from '../../core/yaml/node.js';
import { parseYaml } from '../../core/yaml/parse-yaml.js';
import { type Fault, faultKinds, type FaultPlan, faultServices } from './fault.js';
import { faultPresets } from './presets.js';

/** The rest of a message about a value, after the name of its key; undefined for a valid value. */
type Check = (value: unknown) => string | undefined;

const enumOf =
  (words: readonly string[]): Check =>
  (value) =>
    words.includes(String(value))
      ? undefined
      : `is ${JSON.stringify(value)}${didYouMean(nearest(String(value), words), '.')} Allowed: ${words.join(', ')}`;

const numberBetween =
  (min: number, max: number): Check =>
  (value) =>
    typeof value === 'number' && value >= min && value <= max
      ? undefined
      : `is ${JSON.stringify(value)}, but must be a number from ${String(min)} to ${String(max)}`;

const nonNegativeInteger: Check = (value) =>
  Number.isSafeInteger(value) && Number(value) >= 0
    ? undefined
    : `is ${JSON.stringify(value)}, but must be a whole number of at least 0`;

const operationPattern = /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|\*) \/\S*$/;

const operation: Check = (value) =>
  typeof value === 'string' && operationPattern.test(value)
    ? undefined
    : `is ${JSON.stringify(value)}, but must be a method and a path such as "POST /groups" or "* /groups/**"`;

const nonEmptyString: Check = (value) =>
  typeof value === 'string' && value !== ''
    ? undefined
    : `is ${JSON.stringify(value)}, but must be a string`;

const [hourSeconds, daySeconds] = [3_600, 86_400];

/** The keys of a fault, with the checks of their values. */
const faultKeys: Readonly<Record<keyof Fault, Check>> = {
  fault: enumOf(Object.keys(faultKinds)),
  service: enumOf(faultServices),
  operation,
  caller: nonEmptyString,
  share: numberBetween(0, 1),
  times: nonNegativeInteger,
  seconds: numberBetween(0, daySeconds),
  retryAfter: numberBetween(0, hourSeconds),
};

/**
 * Reads a file of faults: `presets` by name, `faults` one by one, and the `seed` of random choices.
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
  const reader = new FaultFileReader(source, document.anchors);
  const root = reader.readMap(
    document.root,
    ['name', 'presets', 'faults', 'seed'],
    'a file of faults',
  );
  const presets = reader.readList(root.get('presets')?.value, 'presets').map((node) => {
    reader.check(node, 'a preset', enumOf(Object.keys(faultPresets)));
    return faultPresets[String(node.value)]?.faults ?? [];
  });
  const faults = reader.readList(root.get('faults')?.value, 'faults').map((node) => {
    const entries = reader.readMap(node, Object.keys(faultKeys), 'a fault');
    if (!entries.has('fault'))
      throw reader.errorAt(node, `a fault needs "fault": ${Object.keys(faultKinds).join(', ')}`);
    for (const [key, { value }] of entries)
      reader.check(value, `"${key}"`, faultKeys[key as keyof Fault]);
    return node.value as Fault;
  });
  const seed = root.get('seed')?.value;
  if (seed !== undefined) reader.check(seed, '"seed"', nonNegativeInteger);
  const name = root.get('name')?.value;
  if (name !== undefined) reader.check(name, '"name"', nonEmptyString);
  return {
    name: String(name?.value ?? file),
    ...(seed !== undefined && { seed: Number(seed.value) }),
    faults: [...presets.flat(), ...faults],
  };
}

/** Reads YAML nodes; its errors name file, line and column. */
class FaultFileReader {
  constructor(
    private readonly source: SourceText,
    private readonly anchors: AnchorTable,
  ) {}

  errorAt(node: YamlNode, message: string): CastellanError {
    const { line, column } = this.source.position(node.start);
    return new CastellanError(
      'CAS4023',
      `${this.source.file}:${String(line)}:${String(column)}: ${message}`,
    );
  }

  check(node: YamlNode, name: string, check: Check): void {
    const mistake = check(node.value);
    if (mistake !== undefined) throw this.errorAt(node, `${name} ${mistake}`);
  }

  readMap(node: YamlNode, keys: readonly string[], what: string): ReturnType<typeof entriesOf> {
    const map = this.anchors.follow(node);
    if (map.kind !== 'map') throw this.errorAt(node, `${what} has the keys ${keys.join(', ')}`);
    const entries = entriesOf(map);
    for (const [name, { key }] of entries)
      if (!keys.includes(name))
        throw this.errorAt(
          key,
          `"${name}" is no key of ${what}${didYouMean(nearest(name, keys), '.')} Allowed: ${keys.join(', ')}`,
        );
    return entries;
  }

  readList(node: YamlNode | undefined, name: string): readonly YamlNode[] {
    if (node === undefined) return [];
    const list = this.anchors.follow(node);
    if (list.kind !== 'list') throw this.errorAt(node, `"${name}" is not a list`);
    return list.children;
  }
}
