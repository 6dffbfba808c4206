import type { ChainLink } from '../../access/answer/chain-link.js';
import { decidingConditions, type RuleCondition } from '../../access/answer/deciding-conditions.js';
import type { Visit } from '../../access/answer/visit.js';
import type { AccessModel } from '../../access/model.js';
import { traceMembershipRule } from '../../services/directory/membership-rule/index.js';
import type { SourceLink, SourceLinks } from './source-links.js';

/** One step from a person to an app. */
export interface Step {
  readonly kind: ChainLink['kind'];
  readonly title: string;
  readonly detail: string;
  readonly verdict: ChainLink['verdict'];
  /** Whether the answer follows from this step. */
  readonly decides: boolean;
  /** The line that declares it. */
  readonly place?: SourceLink;
  /** The page of its object in the console. */
  readonly href?: string;
}

/** The conditions of a group's rule that decided about the only person of a model. */
export function conditionsOf(model: AccessModel, name: string): readonly RuleCondition[] {
  const { memberships } = model;
  const group = memberships.groups.find(({ record }) => record.displayName === name);
  if (group?.rule === undefined || model.directory.people.length === 0) return [];
  const person = memberships.person(0);
  const { rule } = group.rule;
  const trace = traceMembershipRule(rule, person, memberships.ruleContext(group.rule, person));
  return decidingConditions(trace.membershipRuleEvaluationDetails);
}

/** The chain of a visit as steps, the deciding one marked. */
export function stepsOf(seen: Visit, model: AccessModel, places: SourceLinks): readonly Step[] {
  const decides = decidingLink(seen);
  const steps = withoutRepetition(seen.chain, decides).map((link) => ({
    ...describe(link, seen, model, places),
    kind: link.kind,
    verdict: link.verdict,
    decides: link === decides,
  }));
  // Another way in is beside the chain that was walked.
  return [...steps.filter((step) => !isOtherProvider(step)), ...steps.filter(isOtherProvider)];
}

/** Whether a step is another provider, at which the person was not asked to sign in. */
export function isOtherProvider({ kind, verdict }: Pick<Step, 'kind' | 'verdict'>): boolean {
  return kind === 'provider' && verdict === 'unknown';
}

/**
 * Leaves out what goes without saying: the tenant and the audience of a sign-in that works, and
 * the membership that a rule beside it decides.
 */
function withoutRepetition(
  chain: readonly ChainLink[],
  decides: ChainLink | undefined,
): readonly ChainLink[] {
  const byRule = new Set(chain.flatMap(({ kind, name }) => (kind === 'rule' ? [name] : [])));
  return chain.filter((link) => {
    if (link === decides) return true;
    if (link.kind === 'tenant' || link.kind === 'audience') return link.verdict !== 'pass';
    return link.kind !== 'group' || !byRule.has(link.name);
  });
}

/** The link of the chain that the answer follows from. */
export function decidingLink({ chain, answer }: Visit): ChainLink | undefined {
  const first = (verdict: ChainLink['verdict'], ...kinds: readonly ChainLink['kind'][]) =>
    chain.find(
      (link) => link.verdict === verdict && (kinds.length === 0 || kinds.includes(link.kind)),
    );
  const path = chain.find(({ kind }) => kind === 'path');
  const action = chain.find(({ kind }) => kind === 'action');
  switch (answer.by) {
    case 'policy':
      return first('fail', 'rule') ?? first('fail', 'group', 'audience') ?? action;
    case 'challenge':
      return first('fail', 'provider', 'role') ?? action;
    case 'session':
      return first('pass', 'rule') ?? first('pass', 'group') ?? action;
    case 'requirement':
      return first('fail', 'requirement') ?? first('unknown', 'requirement') ?? path;
    case 'action':
      return action;
    case 'unknown':
      return first('unknown', 'tenant', 'rule', 'group', 'audience') ?? first('unknown');
    default:
      return path;
  }
}

type Description = Pick<Step, 'title' | 'detail' | 'place' | 'href'>;

function describe(
  link: ChainLink,
  { app, path }: Visit,
  model: AccessModel,
  places: SourceLinks,
): Description {
  const { kind, name, value, verdict } = link;
  const at = (place: SourceLink | undefined): { place?: SourceLink } =>
    place === undefined ? {} : { place };
  const auth = (...steps: readonly string[]) => at(places.app(app.name, 'auth', ...steps));
  const group = model.memberships.groups.find(({ record }) => record.displayName === name)?.record;
  const toGroup = group === undefined ? {} : { href: `#/groups/${group.id}` };
  switch (kind) {
    case 'provider':
      return name === 'directory'
        ? {
            title: verdict === 'fail' ? 'The account' : 'Sign-in with the directory',
            detail: value,
            ...at(places.registration(app.name)),
            href: `#/registrations/${app.directory?.application.clientId ?? ''}`,
          }
        : { title: `Or sign-in with ${name}`, detail: value, ...auth('providers', name) };
    case 'tenant':
      return { title: 'Tenant', detail: `${name}, ${value}`, ...auth('providers', 'directory') };
    case 'audience':
      return {
        title: 'Token for the app',
        detail: `${name}, ${value}`,
        ...at(places.registration(app.name)),
        href: `#/registrations/${app.directory?.application.clientId ?? ''}`,
      };
    case 'role':
      return { title: `Role of ${name}`, detail: value, ...at(places.registration(app.name)) };
    case 'rule':
      return {
        title: `Member of ${name}`,
        detail: ruleDetail(conditionsOf(model, name), verdict, value),
        ...at(places.group(name, 'dynamicMembership', 'rule')),
        ...toGroup,
      };
    case 'group':
      return group === undefined
        ? { title: name, detail: value, ...auth('providers', 'directory', name) }
        : { title: `Member of ${name}`, detail: value, ...at(places.group(name)), ...toGroup };
    case 'path':
      return {
        title: `Path ${path}`,
        detail: value,
        ...auth('excludedPaths'),
        href: `#/container-apps/${encodeURIComponent(app.name)}`,
      };
    case 'requirement':
      return { title: `What ${name} needs`, detail: value, ...auth('requirements') };
    case 'action':
      return { title: 'Answer', detail: value, ...auth('unauthenticatedAction') };
  }
}

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
