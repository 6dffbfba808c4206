import type { AuthorizationPolicy } from '../config/settings.js';
import { Refusal } from '../http/refusal.js';

/**
 * Applies the directory provider's policy to a token's claims: which applications may call, which principals may come in, which groups and
 * client applications the token must name. An empty list doesn't restrict.
 *
 * @param clientId stands for the calling application in ID tokens, which name none.
 * @throws Refusal 403
 */
export function authorize(claims: Readonly<Record<string, unknown>>, policy: AuthorizationPolicy, clientId: string): void {
  const application = text(claims['azp']) ?? text(claims['appid']) ?? clientId;
  for (const allowed of [policy.applications, policy.claimApplications])
    if (allowed.length > 0 && !includes(allowed, [application])) throw denied('The calling application is not let in here.');
  const groups = texts(claims['groups']);
  if (policy.claimGroups.length > 0 && !includes(policy.claimGroups, groups))
    throw denied('Only members of certain groups are let in here.');
  if (policy.identities.length === 0 && policy.groups.length === 0) return;
  const principal = text(claims['oid']) ?? text(claims['sub']);
  const byIdentity = principal !== undefined && includes(policy.identities, [principal]);
  if (!byIdentity && !includes(policy.groups, groups)) throw denied('This account is not among those that are let in here.');
}

/** Object ids are the same in any letter case. */
function includes(allowed: readonly string[], given: readonly string[]): boolean {
  const lower = new Set(allowed.map((each) => each.toLowerCase()));
  return given.some((each) => lower.has(each.toLowerCase()));
}

function text(value: unknown): string | undefined {
  return typeof value === 'string' && value !== '' ? value : undefined;
}

function texts(value: unknown): string[] {
  return Array.isArray(value) ? value.filter((each): each is string => typeof each === 'string') : typeof value === 'string' ? [value] : [];
}

function denied(message: string): Refusal {
  return new Refusal(403, message, { code: 'access_denied' });
}
