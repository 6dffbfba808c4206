import type { EnvironmentVariables } from '../core/process/environment-variables.js';
import { CastellanError } from '../core/errors/castellan-error.js';
import type { SourceLocation } from '../core/findings/finding.js';
import type { Target } from '../core/sandbox/target.js';
import { omitUndefined } from '../core/values/omit-undefined.js';
import { referencedVariableNames } from '../core/yaml/environment-reference.js';
import type { SchemaNode } from '../policies/engine/schema-paths.js';
import { effectiveValue } from '../policies/engine/effective-value.js';
import { type StackConfig, stackSchema } from '../kinds/index.js';

type Path = readonly (string | number)[];

/**
 * Settings that the providers also read from their environment, so that a stack can be synthesized
 * without them.
 */
const providerVariables = {
  tenantId: 'ARM_TENANT_ID',
  subscriptionId: 'ARM_SUBSCRIPTION_ID',
} as const;

/**
 * The configuration with resolved `${env:NAME}`, and `${` for `$${`. References to secrets stay:
 * synthesized output never contains a secret. Tenant and subscription may be missing, since the
 * providers read the same variables.
 *
 * @param target where the stack is applied: only the sandbox takes values from `sandbox: env:`.
 * @throws CAS1002 with the location of the reference when a variable is not set.
 */
export function resolveEnvironment(
  config: StackConfig,
  env: EnvironmentVariables,
  locate: (path: Path) => SourceLocation | undefined = () => undefined,
  target: Target = 'sandbox',
): StackConfig {
  const sandboxValues = config.sandbox?.env ?? {};
  const variables = { ...(target === 'sandbox' && sandboxValues), ...omitUndefined(env) };
  const { value, unknownPaths } = effectiveValue(
    withoutProviderDefaults(config, variables),
    stackSchema as unknown as SchemaNode,
    {
      env: variables,
    },
  );
  const [path] = unknownPaths;
  if (path === undefined) return value as StackConfig;
  const name =
    referencedVariableNames(String(valueAt(config, path))).find(
      (each) => variables[each] === undefined,
    ) ?? '';
  const location = locate(path);
  const place =
    location === undefined
      ? path.join('.')
      : `${location.file}:${location.line}:${location.column}`;
  const hint = Object.hasOwn(sandboxValues, name)
    ? ' (the value in "sandbox: env:" is for the sandbox only)'
    : '';
  throw new CastellanError('CAS1002', `${place}: \${env:${name}} is not set${hint}`, {
    details: { name, path, location },
  });
}

function withoutProviderDefaults(config: StackConfig, env: EnvironmentVariables): StackConfig {
  if (config.azure === undefined) return config;
  const { tenantId, subscriptionId, ...azure } = config.azure;
  const entries = Object.entries({ tenantId, subscriptionId }).filter(([key, value]) => {
    const variable = providerVariables[key as keyof typeof providerVariables];
    return value !== undefined && !(value === `\${env:${variable}}` && env[variable] === undefined);
  });
  return { ...config, azure: { ...azure, ...Object.fromEntries(entries) } };
}

function valueAt(value: unknown, path: Path): unknown {
  return path.reduce(
    (current: unknown, step) =>
      (current as Readonly<Record<string | number, unknown>> | undefined)?.[step],
    value,
  );
}
