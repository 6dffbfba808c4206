import type { ConfigPath } from '../../core/yaml/layers.js';
import { isObject } from '../../core/values/is-object.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { schemaAt, type SchemaNode } from '../../policies/engine/schema-paths.js';
import { type StackConfig, stackSchema } from '../../kinds/stack/schema.js';
import { type LoadedStack, rules } from '../../policies/index.js';
import { enabledProviders } from '../../policies/model/sign-in.js';
import type { AuthProps } from '../../kinds/auth/auth.js';
import { policySchema } from '../../kinds/policy/schema.js';
import { cursorAt } from './cursor.js';
import { isPolicy, uriOf } from './workspace.js';

/** The context of completion: what a document is, and what it declares. */
export interface CompletionContext {
  /** The configurations that the document belongs to, for names. */
  readonly configs: readonly StackConfig[];
  /** The values of the document itself, as it was when it was last readable. */
  readonly documentValues: readonly unknown[];
  /** Whether the document is a policy. */
  readonly isPolicy: boolean;
}

/** The context at an offset of a file: of the stack that its document names, otherwise of all. */
export function completionContext(
  { uri, text, offset }: { uri: string; text: string; offset: number },
  stacks: readonly LoadedStack[],
): CompletionContext {
  if (isPolicy(uri)) return { configs: [], documentValues: [], isPolicy: true };
  const [, name] = /^stack:[ \t]*["']?([\w-]+)/m.exec(documentAt(text, offset)) ?? [];
  const stacksOfName = stacks.filter(
    ({ config }) => (config as { stack?: unknown } | null)?.stack === name,
  );
  const candidates = stacksOfName.length > 0 ? stacksOfName : stacks;
  return {
    configs: candidates.map(({ config }) => config),
    documentValues: candidates
      .flatMap(({ layers }) => layers.documents)
      .filter(({ source }) => uriOf(source.file) === uri)
      .map(({ root }) => root.value),
    isPolicy: false,
  };
}

/** The text of the YAML document around an offset. */
function documentAt(text: string, offset: number): string {
  const separator = /^---(?=\s|$)/gm;
  const starts = [...text.matchAll(separator)].map(({ index }) => index);
  const start = starts.findLast((each) => each <= offset) ?? 0;
  return text.slice(
    start,
    starts.find((each) => each > offset),
  );
}

/**
 * Completes at an offset: allowed keys that are missing, enumerated words, booleans, and the names
 * for a reference; in a policy the ids of rules.
 */
export function completionsAt(
  text: string,
  offset: number,
  context: CompletionContext,
): CompletionItem[] {
  const cursor = cursorAt(text, offset);
  const { isPolicy, configs } = context;
  const root = (isPolicy ? policySchema : stackSchema) as unknown as SchemaNode;
  if (isPolicy && cursor.writes === 'key' && cursor.path.at(-1) === 'rules')
    return ruleIdCompletions(`: `);
  if (isPolicy && cursor.writes === 'value' && cursor.key === 'rule') return ruleIdCompletions('');
  if (cursor.writes === 'key')
    return keyCompletions(schemaAt(root, cursor.path), writtenKeys(context, cursor.path));
  const path =
    cursor.key === undefined
      ? cursor.path
      : [...cursor.path, /^\d+$/.test(cursor.key) ? Number(cursor.key) : cursor.key];
  if (path[0] === 'containerApps' && path.at(-1) === 'redirectTo')
    return uniqueByLabel(
      configs.flatMap((each) => providerCompletions(valueAt(each, path.slice(0, -1)))),
    );
  return valueCompletions(schemaAt(root, path), configs, path);
}

/** The keys that the document has at a path; none in a list, whose entry is not known. */
function writtenKeys({ documentValues }: CompletionContext, path: ConfigPath): ReadonlySet<string> {
  if (path.some((step) => typeof step === 'number')) return new Set();
  return new Set(documentValues.flatMap((each) => Object.keys(valueAt(each, path) ?? {})));
}

/** The items without those whose label another one has. */
function uniqueByLabel(items: readonly CompletionItem[]): CompletionItem[] {
  return [...new Map(items.map((item) => [item.label, item])).values()];
}

/** The identity providers of an app's sign-in layer, as far as they are written. */
function providerCompletions(auth: unknown): CompletionItem[] {
  if (!isObject(auth) || !isObject(auth['providers'])) return [];
  const { openIdConnect, ...providers } = auth['providers'];
  const openIdProviders = isObject(openIdConnect)
    ? Object.fromEntries(Object.entries(openIdConnect).filter(([, each]) => isObject(each)))
    : {};
  // incomplete providers count as well, since only their names are needed
  const settings = {
    providers: { ...providers, openIdConnect: openIdProviders },
  } as unknown as AuthProps;
  return enabledProviders(settings).map((label) => ({
    label,
    kind: CompletionItemKind.Reference,
    detail: 'providers',
  }));
}

function keyCompletions(
  schema: SchemaNode | undefined,
  writtenKeyNames: ReadonlySet<string>,
): CompletionItem[] {
  return Object.entries(schema?.properties ?? {})
    .filter(([key]) => !writtenKeyNames.has(key))
    .map(([key, { description }]) => ({
      label: key,
      kind: CompletionItemKind.Property,
      insertText: `${key}: `,
      ...omitUndefined({ documentation: description }),
      ...(schema?.required?.includes(key)
        ? { detail: 'required', sortText: `0${key}` }
        : { sortText: `1${key}` }),
    }));
}

function ruleIdCompletions(suffix: string): CompletionItem[] {
  return rules.map(({ id, title, severity }) => ({
    label: id,
    kind: CompletionItemKind.Constant,
    detail: severity,
    documentation: title,
    insertText: id + suffix,
  }));
}

function valueCompletions(
  schema: SchemaNode | undefined,
  configs: readonly StackConfig[],
  path: ConfigPath,
): CompletionItem[] {
  if (schema === undefined) return [];
  const words = (schema.enum ?? []).map((word) => ({
    label: String(word),
    kind: CompletionItemKind.EnumMember,
  }));
  const flags =
    schema.type === 'boolean'
      ? ['true', 'false'].map((label) => ({ label, kind: CompletionItemKind.Keyword }))
      : [];
  const names = uniqueByLabel(
    (schema['x-references'] ?? []).flatMap((section) =>
      configs.flatMap((config) => {
        const declared =
          section === 'secrets'
            ? valueAt(config, [...path.slice(0, 2), 'secrets'])
            : config?.[section];
        return Object.keys(declared ?? {}).map((label) => ({
          label,
          kind: CompletionItemKind.Reference,
          detail: section,
        }));
      }),
    ),
  );
  const secrets =
    schema['x-secret'] === true
      ? [
          {
            label: '${env:NAME}',
            kind: CompletionItemKind.Snippet,
            detail: 'a secret of the environment',
          },
        ]
      : [];
  return [...words, ...flags, ...names, ...secrets];
}

function valueAt(config: unknown, path: ConfigPath): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      value !== null && typeof value === 'object'
        ? (value as Record<string | number, unknown>)[step]
        : undefined,
    config,
  );
}
