import { CastellanError } from '../core/errors/castellan-error.js';
import type { SourceLocation } from '../core/findings/finding.js';
import { resolveReferences } from '../core/yaml/environment-reference.js';
import type { StackConfig } from '../policies/schemas/index.js';
import { mapTexts } from './secret-fields.js';

/** The variables of an environment. */
export type Environment = Readonly<Record<string, string | undefined>>;

type Locate = (path: readonly (string | number)[]) => SourceLocation | undefined;

/** What the providers find in their environment by themselves, so that a stack may be synthesized without it. */
const leftToProviders = { tenantId: 'ARM_TENANT_ID', subscriptionId: 'ARM_SUBSCRIPTION_ID' } as const;

/**
 * The configuration with the values of `${env:NAME}`, and `${` for `$${`. References to secrets stay as they are: a secret is never in
 * what is synthesized. Tenant and subscription may be missing, as the providers read the same variables.
 *
 * @throws CAS1002 with the place of the reference, where the environment lacks a variable.
 */
export function resolveEnvironment(config: StackConfig, env: Environment, locate: Locate = () => undefined): StackConfig {
  const known = { ...config.sandbox?.env, ...defined(env) };
  return mapTexts(withoutProviderDefaults(config, known), (text, path, isSecret) => {
    if (isSecret) return text;
    const { text: resolved, missing } = resolveReferences(text, known);
    const [name] = missing;
    if (name === undefined) return resolved;
    const location = locate(path);
    const place = location === undefined ? path.join('.') : `${location.file}:${location.line}:${location.column}`;
    throw new CastellanError('CAS1002', `${place}: \${env:${name}} is not set`, { details: { name, path, location } });
  });
}

function withoutProviderDefaults(config: StackConfig, env: Environment): StackConfig {
  if (config.azure === undefined) return config;
  const { tenantId, subscriptionId, ...azure } = config.azure;
  const kept = Object.entries({ tenantId, subscriptionId }).filter(([key, value]) => {
    const variable = leftToProviders[key as keyof typeof leftToProviders];
    return value !== undefined && !(value === `\${env:${variable}}` && env[variable] === undefined);
  });
  return { ...config, azure: { ...azure, ...Object.fromEntries(kept) } };
}

function defined(env: Environment): Environment {
  return Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined));
}
