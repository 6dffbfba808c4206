import { type StackConfig, stackSchema } from '../kinds/index.js';
import { environmentVariableOf } from '../constructs/internal/interpolation.js';
import type { Target } from '../core/sandbox/target.js';
import type { EnvironmentVariables } from '../core/process/environment-variables.js';
import { schemaAt, type SchemaNode } from '../policies/engine/schema-paths.js';

/** A secret that a stack reads from the environment when it is applied. */
export interface RequiredVariable {
  /** The variable in castellan.yaml: `CODEHOST_SECRET`. */
  readonly name: string;
  /** The variable for Terraform: `TF_VAR_CODEHOST_SECRET`. */
  readonly terraformName: string;
}

/** The secrets that a stack reads from the environment, without duplicates, by name. */
export function secretVariables(config: StackConfig): RequiredVariable[] {
  const names = new Set(
    secretReferences(config).flatMap((reference) => environmentVariableOf(reference) ?? []),
  );
  return [...names].sort().map((name) => ({ name, terraformName: `TF_VAR_${name}` }));
}

/** Terraform's variables for the secrets of a stack, and the names of unset ones. */
export interface TerraformVariables {
  /** `TF_VAR_…` and its value. */
  readonly env: Readonly<Record<string, string>>;
  /** The unset variables, by their names in castellan.yaml. */
  readonly missing: readonly string[];
}

/**
 * The `TF_VAR_…` variables of a stack, from `CODEHOST_SECRET`, from `TF_VAR_CODEHOST_SECRET`
 * itself, or for the sandbox from `sandbox: env:` in the configuration. An empty variable counts as unset, as of a
 * CI system without that secret.
 *
 * @param fallback makes up the value of an unset secret, so that the sandbox runs without real ones.
 * @param target where the stack is applied.
 */
export function terraformVariables(
  config: StackConfig,
  env: EnvironmentVariables,
  fallback?: (name: string) => string,
  target: Target = 'sandbox',
): TerraformVariables {
  const sandboxValues = target === 'sandbox' ? config.sandbox?.env : undefined;
  const values: Record<string, string> = {};
  const missing: string[] = [];
  for (const { name, terraformName } of secretVariables(config)) {
    const value = env[name] || env[terraformName] || sandboxValues?.[name] || fallback?.(name);
    if (value === undefined) missing.push(name);
    else values[terraformName] = value;
  }
  return { env: values, missing };
}

/**
 * The names of the variables that a synthesized stack declares; Terraform reads them from
 * `TF_VAR_…`.
 *
 * @param json the text of its `cdk.tf.json`.
 */
export function declaredVariableNames(json: string): readonly string[] {
  const { variable } = JSON.parse(json) as {
    readonly variable?: Readonly<Record<string, unknown>>;
  };
  return Object.keys(variable ?? {});
}

/**
 * All references to secrets in a configuration, as written. The schema marks the fields, so that
 * new ones are found without a change here.
 */
function secretReferences(config: StackConfig): string[] {
  return secretReferencesIn(config, []);
}

function secretReferencesIn(value: unknown, path: readonly (string | number)[]): string[] {
  if (typeof value === 'string')
    return schemaAt(stackSchema as unknown as SchemaNode, path)?.['x-secret'] === true
      ? [value]
      : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) =>
    secretReferencesIn(each as unknown, [...path, Array.isArray(value) ? Number(key) : key]),
  );
}
