import type { ChainLink } from '../answer/chain-link.js';
import type { Visit } from '../answer/visit.js';

/** The links of a chain that decide, as text: rules, groups and roles, otherwise what refuses. */
export function decidingLinksText({ chain }: Visit): string {
  const text = ({ kind, name, value }: ChainLink): string => `${kind} ${name}: ${value}`;
  const deciding = chain.filter(
    ({ kind }) => kind === 'rule' || kind === 'group' || kind === 'role' || kind === 'requirement',
  );
  const failing = chain.filter(({ verdict }) => verdict === 'fail');
  const isRefused = failing.length > 0 && !deciding.some(({ verdict }) => verdict === 'pass');
  const links = deciding.length > 0 ? deciding : isRefused ? failing : chain.slice(0, 1);
  return [...new Set(links.map(text))].join('; ');
}

/** The rule or group that lets somebody in. */
export function describeAdmission({ chain, answer: { requirements = [] } }: Visit): string {
  const [needed] = requirements;
  if (needed !== undefined) return `what ${needed.requirement.path || '/'} requires`;
  const passed = chain.filter(({ verdict }) => verdict === 'pass');
  const rule = passed.find(({ kind }) => kind === 'rule');
  if (rule !== undefined) return `the rule of ${rule.name}`;
  const group = passed.find(({ kind }) => kind === 'group');
  if (group?.name === 'allowedPrincipals') return 'named in allowedPrincipals';
  return group === undefined ? 'anyone who can sign in' : `the group ${group.name}`;
}
