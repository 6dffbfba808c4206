import type { Finding } from '../../../core/findings/finding.js';
import { type Locate, makeUnknown } from '../../engine/finding-maker.js';
import type { Rule } from '../../engine/rule.js';
import { authPublicApp } from '../../rules/auth-public-app.js';
import type { AuthApart } from './joined.js';

/**
 * A finding about an app without sign-in, left open where a sign-in setting is there whose app is unknown: it may be this one's.
 */
export function openWhereAuthMayBe(finding: Finding, apart: readonly AuthApart[]): Finding {
  const may = apart.filter(({ app }) => app === undefined);
  if (may.length === 0 || finding.ruleId !== authPublicApp.id || finding.messageId !== 'none') return finding;
  const addresses = may.map(({ address }) => address).join(', ');
  const message = `auth can't be judged: the app of ${addresses} is known only after apply, and may be this one`;
  return { ...finding, verdict: 'unknown', messageId: 'unknown', message };
}

/** What is said of sign-in settings whose app isn't among the resources: what they and the app say together is open. */
export function findUnjoinedAuth(
  apart: readonly AuthApart[],
  { rules, locate }: { readonly rules: readonly Rule[]; readonly locate: Locate },
): readonly Finding[] {
  const rule = rules.find(({ id }) => id === authPublicApp.id);
  if (rule === undefined) return [];
  return apart.map(({ address, app }) => {
    const subject = { path: ['containerApps', address], origin: { terraformAddress: address } };
    const finding = makeUnknown(rule, { path: ['auth'], value: undefined }, subject, locate);
    const why =
      app === undefined
        ? 'its parent_id is known only after apply and refers to no one app of this plan'
        : `its app ${app} is none of these resources`;
    return { ...finding, message: `${address} can't be judged together with its app: ${why}` };
  });
}
