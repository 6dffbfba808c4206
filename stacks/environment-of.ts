import { type StackConfig, stackSchema } from '../kinds/index.js';
import { environmentVariableOf } from '../constructs/internal/literal-text.js';
import type { Environment } from './resolve-environment.js';
import { schemaAt, type SchemaNode } from '../policies/engine/schema-paths.js';

/** A secret that a stack takes from the environment when it is applied. */
export interface RequiredVariable {
  /** The variable that castellan.yaml names: `CODEHOST_SECRET`. */
  readonly name: string;
  /** The variable that feeds it to Terraform: `TF_VAR_CODEHOST_SECRET`. */
  readonly terraformName: string;
}

/** The secrets that a stack takes from the environment, each once, by name. */
export function environmentOf(config: StackConfig): RequiredVariable[] {
  const names = new Set(secretReferences(config).flatMap((reference) => environmentVariableOf(reference) ?? []));
  return [...names].sort().map((name) => ({ name, terraformName: `TF_VAR_${name}` }));
}

/** What Terraform must be given for the secrets of a stack, and the names of those that are set nowhere. */
export interface TerraformVariables {
  /** `TF_VAR_…` and its value. */
  readonly env: Readonly<Record<string, string>>;
  /** The variables that are set nowhere, by the names that castellan.yaml uses. */
  readonly missing: readonly string[];
}

/**
 * The `TF_VAR_…` variables of a stack, taken from `CODEHOST_SECRET`, from `TF_VAR_CODEHOST_SECRET` itself, or from the `sandbox: env:`
 * of the configuration.
 *
 * @param fallback the value of a secret that is set nowhere: the sandbox runs without any.
 */
export function terraformVariables(config: StackConfig, env: Environment, fallback?: (name: string) => string): TerraformVariables {
  const values: Record<string, string> = {};
  const missing: string[] = [];
  for (const { name, terraformName } of environmentOf(config)) {
    const value = env[name] ?? env[terraformName] ?? config.sandbox?.env?.[name] ?? fallback?.(name);
    if (value === undefined) missing.push(name);
    else values[terraformName] = value;
  }
  return { env: values, missing };
}

/**
 * Every reference to a secret that a configuration holds, as it is written. The schema says which fields hold one, so that new fields are
 * found without a change here.
 */
function secretReferences(config: StackConfig): string[] {
  return collect(config, []);
}

function collect(value: unknown, path: readonly (string | number)[]): string[] {
  if (typeof value === 'string') return schemaAt(stackSchema as unknown as SchemaNode, path)?.['x-secret'] === true ? [value] : [];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, each]) => collect(each as unknown, [...path, Array.isArray(value) ? Number(key) : key]));
}
