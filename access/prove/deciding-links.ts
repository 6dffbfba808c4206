import type { ChainLink } from '../answer/chain-link.js';
import type { Visit } from '../answer/visit.js';

/** The links of a chain that decide, as text: rules, groups and roles, otherwise what refuses. */
export function decidingLinksText({ chain }: Visit): string {
  const text = ({ kind, name, value }: ChainLink): string => `${kind} ${name}: ${value}`;
  const decidingLinks = chain.filter(
    ({ kind }) => kind === 'rule' || kind === 'group' || kind === 'role' || kind === 'requirement',
  );
  const failingLinks = chain.filter(({ verdict }) => verdict === 'fail');
  const isRefused =
    failingLinks.length > 0 && !decidingLinks.some(({ verdict }) => verdict === 'pass');
  const links =
    decidingLinks.length > 0 ? decidingLinks : isRefused ? failingLinks : chain.slice(0, 1);
  return [...new Set(links.map(text))].join('; ');
}

/** The rule, group or role that lets somebody in. */
export function describeAdmission({ chain, answer: { requirements = [] } }: Visit): string {
  const [pathRequirement] = requirements;
  if (pathRequirement !== undefined)
    return `what ${pathRequirement.requirement.path || '/'} requires`;
  const passedLinks = chain.filter(({ verdict }) => verdict === 'pass');
  const rule = passedLinks.find(({ kind }) => kind === 'rule');
  if (rule !== undefined) return `the rule of ${rule.name}`;
  const group = passedLinks.find(({ kind }) => kind === 'group');
  if (group?.name === 'allowedPrincipals') return 'named in allowedPrincipals';
  if (group !== undefined) return `the group ${group.name}`;
  const role = passedLinks.find(({ kind }) => kind === 'role');
  return role === undefined ? 'anyone who can sign in' : `a role of ${role.name}`;
}
