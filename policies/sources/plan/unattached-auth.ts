import type { Finding } from '../../../core/findings/finding.js';
import { abbreviateList } from '../../../core/text/abbreviated-list.js';
import { type Locate, makeUnknownFinding } from '../../engine/finding-maker.js';
import type { Rule } from '../../engine/rule.js';
import { authPublicApp } from '../../rules/declaration/auth-public-app.js';
import type { UnattachedAuth } from './joined-declarations.js';

/**
 * A function that marks a finding about an app without sign-in as unknown, if there are sign-in
 * settings whose app is unknown: they may be this one's. Other findings it returns as they are.
 */
export function unknownAuthMarker(
  unattached: readonly UnattachedAuth[],
): (finding: Finding) => Finding {
  const addresses = unattached
    .filter(({ app, otherAuth }) => app === undefined && otherAuth === undefined)
    .map(({ address }) => address);
  if (addresses.length === 0) return (finding) => finding;
  const message = `auth can't be judged: the app of ${abbreviateList(addresses)} is known only after apply, and may be this one`;
  return (finding) =>
    finding.ruleId === authPublicApp.id && finding.messageId === 'none'
      ? { ...finding, verdict: 'unknown', messageId: 'unknown', message }
      : finding;
}

/**
 * The findings about sign-in settings whose app is not among the resources, or has others already:
 * rules about both cannot decide.
 */
export function unattachedAuthFindings(
  unattached: readonly UnattachedAuth[],
  { rules, locate }: { readonly rules: readonly Rule[]; readonly locate: Locate },
): readonly Finding[] {
  const rule = rules.find(({ id }) => id === authPublicApp.id);
  if (rule === undefined) return [];
  return unattached.map(({ address, app, otherAuth }) => {
    const subject = { path: ['containerApps', address], origin: { terraformAddress: address } };
    const finding = makeUnknownFinding(rule, { path: ['auth'], value: undefined }, subject, locate);
    const why =
      otherAuth !== undefined
        ? `the app has the settings of ${otherAuth}, too, and an app has only one; remove one of the two`
        : app === undefined
          ? 'its parent_id is known only after apply and refers to no one app of this plan'
          : `its app ${app} is none of these resources`;
    return { ...finding, message: `${address} can't be judged together with its app: ${why}` };
  });
}
