import { type Hover, MarkupKind, type Position } from 'vscode-languageserver';
import { rules } from '../../policies/index.js';
import type { Finding } from '../../core/findings/finding.js';
import { schemaAt, type SchemaNode } from '../../policies/engine/schema-paths.js';
import { cursorAt } from './cursor.js';
import { rangeOf } from './diagnostics.js';

const limitNames = [
  'minLength',
  'maxLength',
  'minItems',
  'maxItems',
  'minimum',
  'maximum',
  'default',
];

/** A text, the position of the cursor, and its schema. */
export interface HoveredText {
  readonly text: string;
  readonly offset: number;
  /** The schema of the whole document, not of the key under the cursor. */
  readonly schema: SchemaNode;
}

/** The meaning and allowed values of the key under the cursor, and the rules about this place. */
export function hoverAt(
  { text, offset, schema: root }: HoveredText,
  position: Position,
  findings: readonly Finding[],
): Hover | undefined {
  const { path, key } = keyAt(text, offset);
  const schema = schemaAt(root, path);
  const findingsHere = findings.filter(
    ({ location }) => location !== undefined && rangeContains(rangeOf(location), position),
  );
  const parts = [
    ...(schema === undefined ? [] : describeProperty(key, schema)),
    ...new Set(findingsHere.map(({ ruleId }) => describeRule(ruleId))),
  ];
  return parts.length === 0
    ? undefined
    : { contents: { kind: MarkupKind.Markdown, value: parts.join('\n\n') } };
}

/** The key under the cursor, and the path of its value. */
export function keyAt(
  text: string,
  offset: number,
): { readonly path: readonly (string | number)[]; readonly key: string | undefined } {
  const lineEnd = text.indexOf('\n', offset);
  const wordEnd =
    offset +
    (/^[\w./-]*["']?\s*:?/.exec(text.slice(offset, lineEnd === -1 ? undefined : lineEnd))?.[0]
      .length ?? 0);
  const { path, key } = cursorAt(text, Math.max(offset, wordEnd));
  return { path: key === undefined ? path : [...path, key], key };
}

/** The app whose declaration, or whose sign-in layer, a path of a configuration names. */
export function appAt(path: readonly (string | number)[]): string | undefined {
  const [section, app, part, ...deeperSteps] = path;
  const isAppOrAuth = deeperSteps.length === 0 && (part === undefined || part === 'auth');
  return section === 'containerApps' && typeof app === 'string' && isAppOrAuth ? app : undefined;
}

function describeProperty(key: string | undefined, schema: SchemaNode): string[] {
  const { description, type, enum: allowed, pattern } = schema;
  const limits = schema as Readonly<Record<string, unknown>>;
  const facts = [
    ...(type === undefined ? [] : [`type ${[type].flat().join(' or ')}`]),
    ...(allowed === undefined
      ? []
      : [`one of ${allowed.map((word) => `\`${String(word)}\``).join(', ')}`]),
    ...limitNames.flatMap((name) =>
      limits[name] === undefined ? [] : [`${name} ${JSON.stringify(limits[name])}`],
    ),
    ...(pattern === undefined ? [] : [`pattern \`${pattern}\``]),
  ];
  return [
    `**${key ?? ''}** ${description ?? ''}`.trim(),
    ...(facts.length > 0 ? [facts.join('; ')] : []),
  ];
}

function describeRule(id: string): string {
  const rule = rules.find((each) => each.id === id);
  return rule === undefined
    ? `\`${id}\``
    : `\`${id}\`: ${rule.title} ${rule.why} _(${rule.source})_`;
}

function rangeContains(
  { start, end }: ReturnType<typeof rangeOf>,
  { line, character }: Position,
): boolean {
  const isAfterStart = line > start.line || (line === start.line && character >= start.character);
  return isAfterStart && (line < end.line || (line === end.line && character <= end.character));
}
