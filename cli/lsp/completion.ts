import { isObject } from '../../core/values/is-object.js';
import { type CompletionItem, CompletionItemKind } from 'vscode-languageserver';
import { schemaAt, type SchemaNode } from '../../policies/engine/schema-paths.js';
import { rules, type StackConfig, stackSchema } from '../../policies/index.js';
import { enabledProviders } from '../../policies/model/auth-providers.js';
import type { AuthProps } from '../../kinds/auth/auth.js';
import { policySchema } from '../../kinds/policy/schema.js';
import { cursorAt } from './cursor.js';

/** What a document is, and what it declares. */
export interface CompletionContext {
  /** The configuration as it was when it last parsed: where names come from. */
  readonly config: StackConfig | undefined;
  /** Whether the document is a policy. */
  readonly isPolicy: boolean;
}

/**
 * What may be written at an offset: the keys that are allowed and not there yet, the words of an enumeration, yes and no, and the names
 * that a reference may take; in a policy the ids of rules.
 */
export function completionsAt(text: string, offset: number, { config, isPolicy }: CompletionContext): CompletionItem[] {
  const cursor = cursorAt(text, offset);
  const root = (isPolicy ? policySchema : stackSchema) as unknown as SchemaNode;
  if (isPolicy && cursor.writes === 'key' && cursor.path.at(-1) === 'rules') return ruleIds(`: `);
  if (isPolicy && cursor.writes === 'value' && cursor.key === 'rule') return ruleIds('');
  if (cursor.writes === 'key') return keysOf(schemaAt(root, cursor.path), valueAt(config, cursor.path));
  const path = cursor.key === undefined ? cursor.path : [...cursor.path, /^\d+$/.test(cursor.key) ? Number(cursor.key) : cursor.key];
  if (path[0] === 'containerApps' && path.at(-1) === 'redirectTo') return providersOf(valueAt(config, path.slice(0, -1)));
  return valuesOf(schemaAt(root, path), config, path);
}

/** The providers that an app's sign-in layer offers, as far as they are written. */
function providersOf(auth: unknown): CompletionItem[] {
  if (!isObject(auth) || !isObject(auth['providers'])) return [];
  const { openIdConnect, ...providers } = auth['providers'];
  const openIdProviders = isObject(openIdConnect)
    ? Object.fromEntries(Object.entries(openIdConnect).filter(([, each]) => isObject(each)))
    : {};
  // half-written providers count as well: their names are what is asked for
  const settings = { providers: { ...providers, openIdConnect: openIdProviders } } as unknown as AuthProps;
  return enabledProviders(settings).map((label) => ({ label, kind: CompletionItemKind.Reference, detail: 'providers' }));
}

function keysOf(schema: SchemaNode | undefined, there: unknown): CompletionItem[] {
  const present = there !== null && typeof there === 'object' ? Object.keys(there) : [];
  return Object.entries(schema?.properties ?? {})
    .filter(([key]) => !present.includes(key))
    .map(([key, { description }]) => ({
      label: key,
      kind: CompletionItemKind.Property,
      insertText: `${key}: `,
      ...(description === undefined ? {} : { documentation: description }),
      ...(schema?.required?.includes(key) ? { detail: 'required', sortText: `0${key}` } : { sortText: `1${key}` }),
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

function valuesOf(schema: SchemaNode | undefined, config: StackConfig | undefined, path: readonly (string | number)[]): CompletionItem[] {
  if (schema === undefined) return [];
  const words = (schema.enum ?? []).map((word) => ({ label: String(word), kind: CompletionItemKind.EnumMember }));
  const flags = schema.type === 'boolean' ? ['true', 'false'].map((label) => ({ label, kind: CompletionItemKind.Keyword })) : [];
  const names = (schema['x-references'] ?? []).flatMap((section) => {
    const declared = section === 'secrets' ? valueAt(config, [...path.slice(0, 2), 'secrets']) : config?.[section];
    return Object.keys(declared ?? {}).map((label) => ({ label, kind: CompletionItemKind.Reference, detail: section }));
  });
  const secrets =
    schema['x-secret'] === true ? [{ label: '${env:NAME}', kind: CompletionItemKind.Snippet, detail: 'a secret of the environment' }] : [];
  return [...words, ...flags, ...names, ...secrets];
}

function valueAt(config: unknown, path: readonly (string | number)[]): unknown {
  return path.reduce<unknown>(
    (value, step) => (value !== null && typeof value === 'object' ? (value as Record<string | number, unknown>)[step] : undefined),
    config,
  );
}
