import type { ChainLink } from '../../access/answer/chain-link.js';
import type { Visit } from '../../access/answer/visit.js';
import type { PersonRecord } from '../../access/directory/records.js';
import type { AccessModel } from '../../access/model.js';
import { decidingLink, ruleConditions } from './steps.js';

/** The first name of a person, for a sentence. */
export function firstNameOf({ body }: PersonRecord): string {
  const { givenName, displayName, userPrincipalName } = body;
  if (typeof givenName === 'string' && givenName !== '') return givenName;
  return displayName?.split(' ')[0] ?? userPrincipalName ?? 'Somebody';
}

/** Why a visitor gets in or not, in one sentence. */
export function outcomeSentence(
  visit: Visit,
  model: AccessModel,
  person: PersonRecord | undefined,
): string {
  const { app, path, answer } = visit;
  const who = person === undefined ? 'A browser without a session' : firstNameOf(person);
  const link = decidingLink(visit);
  switch (answer.decidedBy) {
    case 'no-layer':
      return `Everybody reaches ${app.name}: it has no sign-in layer${app.settings === undefined ? '' : ' that is on'}.`;
    case 'own-path':
      return `${path} is answered by the sign-in layer itself.`;
    case 'bad-path':
      return `${path} is refused: ${answer.reason ?? 'it is not a valid path'}.`;
    case 'path':
      return `${path} is public: nobody has to sign in.`;
    case 'action':
      return `${app.name} is open to everybody: requests without a session pass.`;
    case 'challenge':
      if (link?.kind === 'role') return `${who} has no role of ${link.name}, and one is required.`;
      if (person !== undefined && link?.kind === 'provider')
        return `The account of ${who} is disabled: the directory issues no token.`;
      return answer.status === 302
        ? `${who} is sent to the sign-in.`
        : `${who} gets ${String(answer.status)}.`;
    case 'policy':
      return refusalSentence(visit, model, who);
    case 'requirement': {
      const groupNames = requiredGroups(visit, model).map(({ record }) => record.displayName);
      if (groupNames.length > 0)
        return `${who} is signed in, but not in ${groupNames.join(' or ')}, which ${path} needs.`;
      return answer.allowed === false
        ? `${who} is signed in, but lacks what ${path} needs${requirementText(link)}.`
        : `It is not known whether ${who} has what ${path} needs${requirementText(link)}.`;
    }
    case 'session': {
      const conditions = link?.kind === 'rule' ? ruleConditions(model, link.name) : [];
      const why = conditions.map(({ needs }) => needs).join(' and ');
      if (link === undefined || (link.kind !== 'rule' && link.kind !== 'group'))
        return `${who} gets in: everybody who signs in does.`;
      if (link.name === 'allowedPrincipals') return `${who} gets in by name.`;
      return `${who} is in ${link.name}${why === '' ? '' : `: ${why}`}.`;
    }
    case 'unknown':
      return `It is not known whether ${who} gets in${link === undefined ? '' : `: ${link.value}`}.`;
  }
}

/** The groups one of which a path requires, if the visitor was refused for being in none of them. */
export function requiredGroups({ answer }: Visit, { memberships }: AccessModel) {
  const refusedRequirement = answer.requirements?.find(({ allowed }) => allowed === false);
  if (refusedRequirement?.decidedBy !== 'groups') return [];
  const ids = new Set(refusedRequirement.requirement.groups.map((id) => id.toLowerCase()));
  return memberships.groups.filter(({ record }) => ids.has(record.id.toLowerCase()));
}

function requirementText(link: ChainLink | undefined): string {
  return link?.kind === 'requirement' ? `: ${link.value}` : '';
}

/** Why the policy of the directory's provider refuses a person. */
function refusalSentence({ chain }: Visit, model: AccessModel, who: string): string {
  const groups = chain.filter(
    ({ kind, verdict, name }) =>
      kind === 'group' && verdict === 'fail' && name !== 'allowedPrincipals',
  );
  const [group] = groups;
  if (group === undefined) return `${who} is not among those who are let in.`;
  if (groups.length > 1)
    return `${who} is in none of ${groups.map(({ name }) => name).join(', ')}.`;
  if (group.value !== 'not a member') return `${who}: ${group.value} (${group.name}).`;
  const conditions = ruleConditions(model, group.name);
  if (conditions.length === 0)
    return `${who} is not in ${group.name}: its members are listed one by one.`;
  const needs = conditions.map(({ needs: each }) => each).join(' and ');
  const has = conditions.map(({ has: each }) => each ?? 'not set').join(' and ');
  return `${who} is not in ${group.name}: the rule needs ${needs}; ${who}'s is ${has}.`;
}
