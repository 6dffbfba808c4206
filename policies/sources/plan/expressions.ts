import { isObject } from '../../../core/values/is-object.js';
import type { ConfigPath } from '../../../core/yaml/layers.js';

/** The arguments of a block as a plan shows them: an expression, or inner blocks, by name. */
export type Expressions = Readonly<Record<string, unknown>>;

/**
 * How the configuration sets a value: not at all, with a value that only the plan knows, or only
 * from inputs, which are known before the plan (`each.value.mail`, `var.name`); a null has none.
 */
export type Setting = 'absent' | 'set' | { readonly inputs: readonly string[] };

/** Types of repeatable blocks: if the configuration shows none, a dynamic block may set them. */
const listBlocks: ReadonlySet<unknown> = new Set([
  'container',
  'env',
  'init_container',
  'ip_security_restriction',
  'registry',
  'required_resource_access',
  'secret',
  'traffic_weight',
]);

/** How the arguments of a resource set the value at a path. */
export function settingAt(expressions: Expressions, path: ConfigPath): Setting {
  let current: unknown = expressions;
  for (const [index, step] of path.entries()) {
    const next = (current as Readonly<Record<string | number, unknown>>)[step];
    // Terraform omits dynamic blocks: if it shows no block, a dynamic one set the values
    if (next === undefined)
      return typeof step === 'number' || typeof path[index + 1] === 'number' || listBlocks.has(step)
        ? 'set'
        : 'absent';
    const isBlock = typeof step === 'number' && isObject(next) && isEmpty(next);
    const setting = isBlock ? undefined : settingBy(next);
    if (setting !== undefined) return setting;
    current = next;
  }
  return 'set';
}

/** How an expression sets its value and all values in it; undefined for blocks. */
function settingBy(expression: unknown): Setting | undefined {
  if (Array.isArray(expression)) return expression.length === 0 ? 'set' : undefined;
  if (!isObject(expression) || isEmpty(expression)) return 'set';
  const { constant_value: constant, references } = expression;
  if (constant !== undefined) return constant === null ? { inputs: [] } : 'set';
  if (!Array.isArray(references)) return undefined;
  return references.every(isInput) ? { inputs: mostSpecificReferences(references) } : 'set';
}

function isEmpty(expression: object): boolean {
  return Object.keys(expression).length === 0;
}

/** Whether Terraform knows a reference's value when it plans, as far as its own module shows. */
export function isInput(reference: unknown): boolean {
  return /^(var|each|count|path|terraform)\./.test(String(reference));
}

/** Whether an expression is an empty list. */
export function isEmptyList(expression: unknown): boolean {
  const value = isObject(expression) ? expression['constant_value'] : undefined;
  return Array.isArray(value) && value.length === 0;
}

/** The references of an expression; for blocks, those of the expressions in them. */
export function referencesIn(expression: unknown): readonly string[] {
  if (Array.isArray(expression)) return [...new Set(expression.flatMap(referencesIn))];
  if (!isObject(expression)) return [];
  const { references } = expression;
  if (Array.isArray(references)) return references.filter((each) => typeof each === 'string');
  if ('constant_value' in expression) return [];
  return [...new Set(Object.values(expression).flatMap(referencesIn))];
}

/** The references of each argument that has any. */
export function referencesByName(expressions: Expressions): ReadonlyMap<string, readonly string[]> {
  return new Map(
    Object.entries(expressions)
      .map(([name, expression]) => [name, referencesIn(expression)] as const)
      .filter(([, references]) => references.length > 0),
  );
}

/** The references that no other one continues: Terraform lists both `a.b.id` and `a.b`. */
export function mostSpecificReferences(references: readonly string[]): readonly string[] {
  return references.filter(
    (each) =>
      !references.some(
        (other) => other !== each && (other.startsWith(`${each}.`) || other.startsWith(`${each}[`)),
      ),
  );
}
