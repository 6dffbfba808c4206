import { isObject } from '../../core/values/is-object.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { YamlNode } from '../../core/yaml/node.js';
import type { YamlDocument } from '../../core/yaml/parse-yaml.js';
import { sections, stackSchema } from '../../kinds/stack/schema.js';
import { schemaAt, type SchemaNode } from '../../policies/engine/schema-paths.js';
import type { LoadedStack } from '../../policies/index.js';

/** The target of a name: a declaration, a secret of an app, or a node of an eventstream. */
export interface NamedDeclaration {
  /** The name of the stack that declares it. */
  readonly stack: string;
  /** The map or list that declares it: `groups`, `containerApps.shop.secrets`. */
  readonly within: string;
  readonly name: string;
}

/** A place in a file where a name is written. */
export interface Occurrence {
  readonly target: NamedDeclaration;
  readonly document: YamlDocument;
  /** Offsets of the name alone, without quotes. */
  readonly start: number;
  readonly end: number;
  readonly role: 'declaration' | 'reference';
}

/** Whether two names have the same target. */
export function isSameTarget(one: NamedDeclaration, other: NamedDeclaration): boolean {
  return one.stack === other.stack && one.within === other.within && one.name === other.name;
}

/** All places where stacks name something that they declare; each place once. */
export function occurrencesIn(stacks: readonly LoadedStack[]): readonly Occurrence[] {
  const occurrences = new Map<string, Occurrence>();
  for (const stack of stacks)
    for (const document of stack.layers.documents)
      for (const each of new OccurrenceFinder(stack, document).find())
        occurrences.set(
          `${document.source.file} ${String(each.start)} ${each.target.stack} ${each.target.within}`,
          each,
        );
  return [...occurrences.values()];
}

const nodeLists: ReadonlySet<string> = new Set(['sources', 'streams', 'operators', 'destinations']);

/** Finds the names in one document of a stack. */
class OccurrenceFinder {
  readonly #occurrences: Occurrence[] = [];

  constructor(
    private readonly stack: LoadedStack,
    private readonly document: YamlDocument,
  ) {}

  find(): readonly Occurrence[] {
    this.#visit(this.document.root, []);
    return this.#occurrences;
  }

  #visit(node: YamlNode, path: ConfigPath): void {
    if (node.kind === 'list') {
      for (const [index, child] of node.children.entries()) this.#visit(child, [...path, index]);
      return;
    }
    if (node.kind === 'scalar') return this.#visitScalar(node, path);
    if (node.kind !== 'map') return;
    for (let index = 0; index + 1 < node.children.length; index += 2) {
      const [key, value] = [node.children[index], node.children[index + 1]];
      if (key === undefined || value === undefined) continue;
      const childPath = [...path, String(key.value)];
      const isDeclaration =
        (path.length === 1 && Object.hasOwn(sections, String(path[0]))) ||
        (path.length === 3 && path[0] === 'containerApps' && path[2] === 'secrets');
      // null in an overlay removes a declaration, and so refers to it
      const role = value.value === null ? 'reference' : 'declaration';
      if (isDeclaration) this.#add(key, path.join('.'), { name: String(key.value), role });
      this.#visit(value, childPath);
    }
  }

  #visitScalar(node: YamlNode, path: ConfigPath): void {
    const { value } = node;
    if (typeof value !== 'string') return;
    if (path[0] === 'moved') return this.#visitMovedEntry(node, value);
    if (path[0] === 'eventstreams' && path[2] === 'definition')
      this.#visitNodeName(node, value, path);
    const kinds = schemaAt(stackSchema as unknown as SchemaNode, path)?.['x-references'];
    for (const kind of kinds ?? []) {
      const within = kind === 'secrets' ? [...path.slice(0, 2), 'secrets'] : [kind];
      if (this.#declares(within, value))
        return this.#add(node, within.join('.'), { name: value, role: 'reference' });
    }
  }

  /** A name of a node, in the list that declares it or in `inputNodes`. */
  #visitNodeName(node: YamlNode, name: string, path: ConfigPath): void {
    const [, stream = '', , list = '', , property, , inner] = path;
    if (!nodeLists.has(String(list))) return;
    const within = `eventstreams.${stream}.definition`;
    if (property === 'name' && path.length === 6)
      return this.#add(node, within, { name, role: 'declaration' });
    if (property !== 'inputNodes' || (inner !== undefined && inner !== 'name')) return;
    const definition = valueAt(this.stack.config, ['eventstreams', stream, 'definition']);
    const isNode = [...nodeLists].some((each) =>
      listAt(definition, each).some((entry) => isObject(entry) && entry['name'] === name),
    );
    if (isNode) return this.#add(node, within, { name, role: 'reference' });
    // the stream that takes all sources, by the key of the eventstream
    if (name === `${stream}-stream`)
      this.#add(node, 'eventstreams', { name: String(stream), role: 'reference' });
  }

  /** What an entry of `moved` names, if it is in this stack. */
  #visitMovedEntry(node: YamlNode, text: string): void {
    const [, stack = this.#stackName, section = '', name = ''] =
      /^(?:([A-Za-z0-9-]+)\/)?([A-Za-z]+)\.(.+)$/.exec(text) ?? [];
    if (stack === this.#stackName && this.#declares([section], name))
      this.#add(node, section, { name, role: 'reference', offset: text.length - name.length });
  }

  /** Adds the place of a name, which begins at `offset` in the text of the node. */
  #add(
    node: YamlNode,
    within: string,
    { name, role, offset = 0 }: { name: string; role: Occurrence['role']; offset?: number },
  ): void {
    const { source } = this.document;
    const quote = /["']/.test(source.text[node.start] ?? '') ? 1 : 0;
    const start = node.start + quote + offset;
    const end = start + name.length;
    // in a quoted text with escapes, the offsets of the name are not known
    if (source.text.slice(start, end) !== name) return;
    const target = { stack: this.#stackName, within, name };
    this.#occurrences.push({ target, document: this.document, start, end, role });
  }

  #declares(within: ConfigPath, name: string): boolean {
    const declared = valueAt(this.stack.config, within);
    return isObject(declared) && declared[name] !== undefined;
  }

  get #stackName(): string {
    return String((this.stack.config as { stack?: unknown } | null)?.stack);
  }
}

function listAt(value: unknown, key: string): readonly unknown[] {
  const list = valueAt(value, [key]);
  return Array.isArray(list) ? list : [];
}

function valueAt(value: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>(
    (current, step) => (isObject(current) ? current[String(step)] : undefined),
    value,
  );
}
