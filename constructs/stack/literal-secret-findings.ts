import type { Finding } from '../../core/findings/finding.js';
import { makeFinding } from '../../policies/engine/finding-maker.js';
import type { PlannedResource } from '../../policies/engine/planned-resource.js';
import { secretLiteral } from '../../policies/rules/declaration/schema-rules.js';
import { declarationOf } from '../../policies/sources/plan/declarations.js';

/** The type of the resources whose secrets are judged as they are written. */
export const appType = 'azurerm_container_app';

/**
 * Finds secrets of an app that would be in the synthesized JSON: of plain bindings, of overrides and
 * of `Lazy` values. Only a tree shows this: in a plan, the value of a variable looks the same.
 */
export function literalSecretFindings(resource: PlannedResource): readonly Finding[] {
  if (resource.type !== appType) return [];
  const declaration = declarationOf(resource);
  if (declaration === undefined) return [];
  const subject = { path: [declaration.section, declaration.name], origin: declaration.origin };
  const unknowns = secretsOf(resource.afterUnknown);
  return secretsOf(resource.after).flatMap(({ name, value }, index) => {
    if (typeof value !== 'string' || value === '' || unknowns[index]?.value !== false) return [];
    const report = { messageId: 'bound', path: ['secrets', String(name)], parameters: { name } };
    return [makeFinding(secretLiteral, report, subject, () => undefined)];
  });
}

/** A `secret` block of an app, or what is unknown in it. */
interface SecretBlock {
  readonly name?: unknown;
  readonly value?: unknown;
}

/**
 * The blocks of an app that contain secrets; a list with one block may be given as the block alone.
 */
function secretsOf(app: unknown): readonly SecretBlock[] {
  const { secret } = (app ?? {}) as {
    readonly secret?: SecretBlock | readonly SecretBlock[] | null;
  };
  if (secret === undefined || secret === null) return [];
  return Array.isArray(secret) ? (secret as readonly SecretBlock[]) : [secret as SecretBlock];
}
