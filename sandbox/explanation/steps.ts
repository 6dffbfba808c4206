import type { ChainLink } from '../../access/answer/chain-link.js';
import { decidingConditions, type RuleCondition } from '../../access/answer/deciding-conditions.js';
import type { Visit } from '../../access/answer/visit.js';
import type { AccessModel } from '../../access/model.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { traceMembershipRule } from '../../services/directory/membership-rule/index.js';
import type { SourceLink, SourceLinks } from './source-links.js';

/** One step from a person to an app. */
export interface Step {
  readonly kind: ChainLink['kind'];
  /** What it is about: `Member of Shoppers`. */
  readonly title: string;
  /** What was found about it, in words. */
  readonly detail: string;
  /** Whether the person gets past it. */
  readonly verdict: ChainLink['verdict'];
  /** Whether the answer follows from this step. */
  readonly decides: boolean;
  /** The line that declares it. */
  readonly place?: SourceLink;
  /** The page of its object in the console. */
  readonly href?: string;
}

/**
 * The conditions of a group's membership rule that decided about the only person of a model.
 *
 * @param groupName its display name; there are none for a group without a rule
 */
export function ruleConditions(model: AccessModel, groupName: string): readonly RuleCondition[] {
  const { memberships } = model;
  const group = memberships.groups.find(({ record }) => record.displayName === groupName);
  if (group?.rule === undefined || model.directory.people.length === 0) return [];
  const person = memberships.person(0);
  const { parsed } = group.rule;
  const trace = traceMembershipRule(parsed, person, memberships.ruleContext(group.rule, person));
  return decidingConditions(trace.membershipRuleEvaluationDetails);
}

/** The chain of a visit as steps, the deciding one marked. */
export function stepsOf(
  visit: Visit,
  model: AccessModel,
  sourceLinks: SourceLinks,
): readonly Step[] {
  const deciding = decidingLink(visit);
  const steps = withoutRepetition(visit.chain, deciding).map((link) => ({
    ...describeLink(link, visit, model, sourceLinks),
    kind: link.kind,
    verdict: link.verdict,
    decides: link === deciding,
  }));
  // The other providers, at which the person did not sign in, come last.
  return [...steps.filter((step) => !isOtherProvider(step)), ...steps.filter(isOtherProvider)];
}

/** Whether a step is another provider, at which the person was not asked to sign in. */
export function isOtherProvider({ kind, verdict }: Pick<Step, 'kind' | 'verdict'>): boolean {
  return kind === 'provider' && verdict === 'unknown';
}

/**
 * Leaves out links that tell nothing new: the tenant and the audience of a sign-in that works, and
 * the membership of a group whose rule has a link of its own.
 */
function withoutRepetition(
  chain: readonly ChainLink[],
  deciding: ChainLink | undefined,
): readonly ChainLink[] {
  const groupsWithRule = new Set(
    chain.flatMap(({ kind, name }) => (kind === 'rule' ? [name] : [])),
  );
  return chain.filter((link) => {
    if (link === deciding) return true;
    if (link.kind === 'tenant' || link.kind === 'audience') return link.verdict !== 'pass';
    return link.kind !== 'group' || !groupsWithRule.has(link.name);
  });
}

/** The link of the chain that the answer follows from. */
export function decidingLink({ chain, answer }: Visit): ChainLink | undefined {
  const firstLink = (verdict: ChainLink['verdict'], ...kinds: readonly ChainLink['kind'][]) =>
    chain.find(
      (link) => link.verdict === verdict && (kinds.length === 0 || kinds.includes(link.kind)),
    );
  const path = chain.find(({ kind }) => kind === 'path');
  const action = chain.find(({ kind }) => kind === 'action');
  switch (answer.decidedBy) {
    case 'policy':
      return firstLink('fail', 'rule') ?? firstLink('fail', 'group', 'audience') ?? action;
    case 'challenge':
      return firstLink('fail', 'provider', 'role') ?? action;
    case 'session':
      return firstLink('pass', 'rule') ?? firstLink('pass', 'group') ?? action;
    case 'requirement':
      return firstLink('fail', 'requirement') ?? firstLink('unknown', 'requirement') ?? path;
    case 'action':
      return action;
    case 'unknown':
      return firstLink('unknown', 'tenant', 'rule', 'group', 'audience') ?? firstLink('unknown');
    default:
      return path;
  }
}

type Description = Pick<Step, 'title' | 'detail' | 'place' | 'href'>;

/** A link in words, with the line that declares it and the page of its object in the console. */
function describeLink(
  link: ChainLink,
  { app, path }: Visit,
  model: AccessModel,
  sourceLinks: SourceLinks,
): Description {
  const { kind, name, value, verdict } = link;
  const withPlace = (place: SourceLink | undefined) => omitUndefined({ place });
  const placeInAuth = (...keys: readonly string[]) =>
    withPlace(sourceLinks.ofApp(app.name, 'auth', ...keys));
  const group = model.memberships.groups.find(({ record }) => record.displayName === name)?.record;
  const groupLink = group === undefined ? {} : { href: `#/groups/${group.id}` };
  switch (kind) {
    case 'provider':
      return name === 'directory'
        ? {
            title: verdict === 'fail' ? 'The account' : 'Sign-in with the directory',
            detail: value,
            ...withPlace(sourceLinks.ofRegistration(app.name)),
            href: `#/registrations/${app.directorySignIn?.application.clientId ?? ''}`,
          }
        : { title: `Or sign-in with ${name}`, detail: value, ...placeInAuth('providers', name) };
    case 'tenant':
      return {
        title: 'Tenant',
        detail: `${name}, ${value}`,
        ...placeInAuth('providers', 'directory'),
      };
    case 'audience':
      return {
        title: 'Token for the app',
        detail: `${name}, ${value}`,
        ...withPlace(sourceLinks.ofRegistration(app.name)),
        href: `#/registrations/${app.directorySignIn?.application.clientId ?? ''}`,
      };
    case 'role':
      return {
        title: `Role of ${name}`,
        detail: value,
        ...withPlace(sourceLinks.ofRegistration(app.name)),
      };
    case 'rule':
      return {
        title: `Member of ${name}`,
        detail: ruleDetail(ruleConditions(model, name), verdict, value),
        ...withPlace(sourceLinks.ofGroup(name, 'dynamicMembership', 'rule')),
        ...groupLink,
      };
    case 'group':
      return group === undefined
        ? { title: name, detail: value, ...placeInAuth('providers', 'directory', name) }
        : {
            title: `Member of ${name}`,
            detail: value,
            ...withPlace(sourceLinks.ofGroup(name)),
            ...groupLink,
          };
    case 'path':
      return {
        title: `Path ${path}`,
        detail: value,
        ...placeInAuth('excludedPaths'),
        href: `#/container-apps/${encodeURIComponent(app.name)}`,
      };
    case 'requirement':
      return { title: `What ${name} needs`, detail: value, ...placeInAuth('requirements') };
    case 'action':
      return { title: 'Answer', detail: value, ...placeInAuth('unauthenticatedAction') };
  }
}

/** The conditions of a rule in words, with the person's values where they fail; else the text. */
function ruleDetail(
  conditions: readonly RuleCondition[],
  verdict: ChainLink['verdict'],
  text: string,
): string {
  if (conditions.length === 0) return text;
  return conditions
    .map(({ needs, has }) =>
      verdict === 'pass' ? needs : `needs ${needs}; it is ${has ?? 'not set'}`,
    )
    .join(', ');
}
