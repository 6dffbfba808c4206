import { CastellanError } from '../../../core/errors/castellan-error.js';
import { jsonMistake } from '../../../core/source/json-mistake.js';
import { isObject } from '../../../core/values/is-object.js';
import { SourceText } from '../../../core/source/source-text.js';
import type { YamlEntry, YamlNode } from '../../../core/yaml/node.js';
import { parseYaml } from '../../../core/yaml/parse-yaml.js';

/** The properties of a package.json that are read. */
export interface PackageJson {
  readonly type?: string;
  readonly packageManager?: unknown;
  readonly dependencies?: Readonly<Record<string, string>>;
  readonly devDependencies?: Readonly<Record<string, string>>;
}

/**
 * The object of a JSON text, with or without a byte order mark.
 *
 * @throws CAS8001 if it is not JSON, or something else than an object
 */
export function parseJsonObject<T extends object>(path: string, text: string): Partial<T> {
  const json = text.replace(/^\uFEFF/, '');
  let value: unknown;
  try {
    value = JSON.parse(json);
  } catch (cause) {
    throw new CastellanError('CAS8001', `${path} is not JSON: ${jsonMistake(json, cause)}`, {
      cause,
    });
  }
  if (!isObject(value))
    throw new CastellanError(
      'CAS8001',
      `${path} holds something else than a JSON object: it has to begin with {`,
    );
  return value as Partial<T>;
}

/** The line break that a text uses. */
export function lineBreakOf(text: string): '\n' | '\r\n' {
  return text.includes('\r\n') ? '\r\n' : '\n';
}

/** A package.json with one more dependency; every other character stays as it is. */
export function withDependency(text: string, name: string, version: string): string {
  // the offsets of nodes count from behind a byte order mark
  if (text.startsWith('\uFEFF')) return `\uFEFF${withDependency(text.slice(1), name, version)}`;
  const { dependencies: present, devDependencies } = parseJsonObject<PackageJson>(
    'package.json',
    text,
  );
  if ({ ...devDependencies, ...present }[name] !== undefined) return text;
  const entry = `${JSON.stringify(name)}: ${JSON.stringify(version)}`;
  const root = rootOf(text);
  const properties = mapEntriesOf(root);
  const section = properties.find(({ key }) => key.value === 'dependencies')?.value;
  const siblings = section === undefined ? [] : mapEntriesOf(section);
  const following = siblings.find(({ key }) => String(key.value) > name);
  if (following !== undefined) {
    const offset = following.key.start;
    return `${text.slice(0, offset)}${entry},${spaceBefore(text, offset)}${text.slice(offset)}`;
  }
  if (siblings.length > 0) return appendEntry(text, siblings, entry);
  const lineBreak = lineBreakOf(text);
  const [indentation = '  '] = /(?<=^\{\r?\n)[ \t]+/.exec(text) ?? [];
  const object = `{${lineBreak}${indentation.repeat(2)}${entry}${lineBreak}${indentation}}`;
  if (section !== undefined) return text.slice(0, section.start) + object + text.slice(section.end);
  const dependencies = `"dependencies": ${object}`;
  return properties.length > 0
    ? appendEntry(text, properties, dependencies)
    : `${text.slice(0, root.start)}{${lineBreak}${indentation}${dependencies}${lineBreak}}${text.slice(root.end)}`;
}

/** The entries of an object; its node's children are keys and values in turn. */
function mapEntriesOf({ children: keysAndValues }: YamlNode): readonly YamlEntry[] {
  return keysAndValues.flatMap((key, index) => {
    const value = keysAndValues[index + 1];
    return index % 2 === 0 && value !== undefined ? [{ key, value }] : [];
  });
}

/** The root of a JSON text, read as YAML for the offsets of its nodes. */
function rootOf(text: string): YamlNode {
  const parsed = parseYaml(new SourceText('package.json', text));
  if ('problem' in parsed) throw new CastellanError('CAS8001', parsed.problem.message);
  const root = parsed.documents[0]?.root;
  if (root === undefined) throw new CastellanError('CAS8001', 'package.json is empty');
  return root;
}

/** Puts an entry after the last, spaced as that one is. */
function appendEntry(text: string, entries: readonly YamlEntry[], entry: string): string {
  const { key, value } = entries.at(-1) as YamlEntry;
  return `${text.slice(0, value.end)},${spaceBefore(text, key.start)}${entry}${text.slice(value.end)}`;
}

function spaceBefore(text: string, offset: number): string {
  return /\s*$/.exec(text.slice(0, offset))?.[0] ?? '';
}
