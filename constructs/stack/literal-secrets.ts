import type { Finding } from '../../core/findings/finding.js';
import { makeFinding } from '../../policies/engine/finding-maker.js';
import { secretLiteral } from '../../policies/rules/secret-literal.js';
import { declarationOf } from '../../policies/sources/plan/declarations.js';
import type { PlannedResource } from '../../policies/engine/planned-resource.js';

interface WrittenSecret {
  readonly name?: unknown;
  readonly value?: unknown;
}

/**
 * Secrets of an app that the plain bindings write down: they would be in the synthesized JSON. Only a tree shows this: in a plan the
 * value of a variable looks the same.
 */
export function literalSecrets(resource: PlannedResource): readonly Finding[] {
  if (resource.type !== 'azurerm_container_app') return [];
  const declaration = declarationOf(resource);
  if (declaration === undefined) return [];
  const subject = { path: [declaration.section, declaration.name], origin: declaration.origin };
  const open = secretsOf(resource.afterUnknown);
  return secretsOf(resource.after).flatMap(({ name, value }, index) => {
    if (typeof value !== 'string' || value === '' || open[index]?.value !== false) return [];
    const report = { messageId: 'bound', path: ['secrets', String(name)], parameters: { name } };
    return [makeFinding(secretLiteral, report, subject, () => undefined)];
  });
}

/** The blocks of an app that hold secrets; one may stand for a list of one. */
function secretsOf(app: unknown): readonly WrittenSecret[] {
  const { secret } = (app ?? {}) as { readonly secret?: WrittenSecret | readonly WrittenSecret[] | null };
  if (secret === undefined || secret === null) return [];
  return Array.isArray(secret) ? (secret as readonly WrittenSecret[]) : [secret as WrittenSecret];
}
