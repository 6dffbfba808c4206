import { isObject } from '../../core/values/is-object.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { schemaAt, type SchemaNode } from '../../policies/engine/schema-paths.js';
import { type StackConfig, stackSchema } from '../../kinds/stack/schema.js';
import { rules } from '../../policies/index.js';
import { enabledProviders } from '../../policies/model/sign-in.js';
import type { AuthProps } from '../../kinds/auth/auth.js';
import { policySchema } from '../../kinds/policy/schema.js';
import { cursorAt } from './cursor.js';

/** The context of completion: what a document is, and what it declares. */
export interface CompletionContext {
  /** The configuration when it was last parsed, for names. */
  readonly config: StackConfig | undefined;
  /** Whether the document is a policy. */
  readonly isPolicy: boolean;
}

/**
 * Completes at an offset: allowed keys that are missing, enumerated words, booleans, and the names
 * for a reference; in a policy the ids of rules.
 */
export function completionsAt(
  text: string,
  offset: number,
  { config, isPolicy }: CompletionContext,
): CompletionItem[] {
  const cursor = cursorAt(text, offset);
  const root = (isPolicy ? policySchema : stackSchema) as unknown as SchemaNode;
  if (isPolicy && cursor.writes === 'key' && cursor.path.at(-1) === 'rules') return ruleIds(`: `);
  if (isPolicy && cursor.writes === 'value' && cursor.key === 'rule') return ruleIds('');
  if (cursor.writes === 'key')
    return keysOf(schemaAt(root, cursor.path), valueAt(config, cursor.path));
  const path =
    cursor.key === undefined
      ? cursor.path
      : [...cursor.path, /^\d+$/.test(cursor.key) ? Number(cursor.key) : cursor.key];
  if (path[0] === 'containerApps' && path.at(-1) === 'redirectTo')
    return providersOf(valueAt(config, path.slice(0, -1)));
  return valuesOf(schemaAt(root, path), config, path);
}

/** The identity providers of an app's sign-in layer, as far as they are written. */
function providersOf(auth: unknown): CompletionItem[] {
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

function keysOf(schema: SchemaNode | undefined, there: unknown): CompletionItem[] {
  const present = there !== null && typeof there === 'object' ? Object.keys(there) : [];
  return Object.entries(schema?.properties ?? {})
    .filter(([key]) => !present.includes(key))
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

function ruleIds(end: string): CompletionItem[] {
  return rules.map(({ id, title, severity }) => ({
    label: id,
    kind: CompletionItemKind.Constant,
    detail: severity,
    documentation: title,
    insertText: id + end,
  }));
}

function valuesOf(
  schema: SchemaNode | undefined,
  config: StackConfig | undefined,
  path: readonly (string | number)[],
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
  const names = (schema['x-references'] ?? []).flatMap((section) => {
    const declared =
      section === 'secrets' ? valueAt(config, [...path.slice(0, 2), 'secrets']) : config?.[section];
    return Object.keys(declared ?? {}).map((label) => ({
      label,
      kind: CompletionItemKind.Reference,
      detail: section,
    }));
  });
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

function valueAt(config: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, step) =>
      value !== null && typeof value === 'object'
        ? (value as Record<string | number, unknown>)[step]
        : undefined,
    config,
  );
}
