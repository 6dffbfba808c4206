/** A reference `${env:NAME}`, or `$${`, which stands for a literal `${`. */
const environmentReference = /\$\$\{|\$\{env:([A-Za-z_][A-Za-z0-9_]*)\}/g;
/** Any other `${…}`, or `$${`. */
const otherReference = /\$\$\{|\$\{(?!env:[A-Za-z_][A-Za-z0-9_]*\})[^}]*\}?/g;

/** The names of the environment variables that a text refers to. */
export function referencedVariableNames(text: string): readonly string[] {
  if (!text.includes('${')) return [];
  return [...text.matchAll(environmentReference)].flatMap(([, name]) =>
    name === undefined ? [] : [name],
  );
}

/** The first `${…}` in a text that is not a reference to the environment, such as `${NAME}`. */
export function brokenReference(text: string): string | undefined {
  if (!text.includes('${')) return undefined;
  return [...text.matchAll(otherReference)].map(([word]) => word).find((word) => word !== '$${');
}

/** A text with its references resolved, and the names that are not set. */
export interface ResolvedText {
  readonly text: string;
  /** The names of environment variables that are not set. */
  readonly missing: readonly string[];
}

/**
 * Replaces `${env:NAME}` by the values of environment variables.
 *
 * @example resolveReferences('rg-${env:STAGE}', { STAGE: 'prod' }).text // 'rg-prod'
 */
export function resolveReferences(
  text: string,
  env: Readonly<Record<string, string | undefined>>,
): ResolvedText {
  if (!text.includes('${')) return { text, missing: [] };
  const missing: string[] = [];
  const resolved = text.replace(environmentReference, (word, name: string | undefined) => {
    if (name === undefined) return '${';
    const value = env[name];
    if (value === undefined) missing.push(name);
    return value ?? word;
  });
  return { text: resolved, missing };
}
