import { isCastellanError } from '../../core/errors/castellan-error.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import { findPerson } from '../answer/find-person.js';
import { overview } from '../answer/overview.js';
import { chainText, counted } from '../answer/text.js';
import { visit } from '../answer/visit.js';
import type { Group } from '../directory/memberships.js';
import type { AccessModel } from '../model.js';
import type { AppAccess } from '../stack/apps.js';
import type { Demand } from './expectation.js';

/** What an expectation that doesn't hold comes to: a sentence, and the chain where there is one. */
export interface Disappointment {
  readonly message: string;
  readonly chain?: string;
}

/** Holds an expectation against who gets in; undefined where it holds. */
export function judge(demand: Demand, model: AccessModel, configs: readonly StackConfig[]): Disappointment | undefined {
  try {
    switch (demand.kind) {
      case 'visit':
        return judgeVisit(demand, model, configs);
      case 'size':
        return judgeSize(demand, model, configs);
      case 'only':
        return judgeOnly(demand, model, configs);
    }
  } catch (error) {
    if (!isCastellanError(error)) throw error;
    return { message: error.message };
  }
}

function judgeVisit(
  { app, person, path, expect }: Extract<Demand, { kind: 'visit' }>,
  model: AccessModel,
  configs: readonly StackConfig[],
): Disappointment | undefined {
  const found = appNamed(app, model);
  if (found === undefined) return noApp(app, model);
  const place = person === undefined ? undefined : findPerson(person, model.memberships, configs);
  const { answer, chain } = visit(model, found, path, place);
  const got = answer.allowed === true ? 'allowed' : answer.allowed === false ? 'denied' : 'unknown';
  if (got === expect) return undefined;
  const who = person ?? 'a browser without a session';
  const status = answer.status === undefined ? '' : ` (${String(answer.status)})`;
  return { message: `${who} at ${app}${path}: expected ${expect}, is ${got}${status}`, chain: chainText(chain) };
}

function judgeSize(
  { app, group, atMost, atLeast }: Extract<Demand, { kind: 'size' }>,
  model: AccessModel,
  configs: readonly StackConfig[],
): Disappointment | undefined {
  let count: number;
  if (group !== undefined) {
    const found = groupNamed(group, model, configs);
    if (found === undefined) return { message: `there is no group "${group}"` };
    count = model.memberships.inside(found).count;
  } else {
    const found = appNamed(app ?? '', model);
    if (found === undefined) return noApp(app ?? '', model);
    count = overview(model, [found])[0]?.entrants.in.count ?? 0;
  }
  const what = group === undefined ? `${app ?? ''} lets in` : `the group ${group} has`;
  if (atMost !== undefined && count > atMost)
    return { message: `${what} ${counted(count, 'person', 'people')}, expected at most ${String(atMost)}` };
  if (atLeast !== undefined && count < atLeast)
    return { message: `${what} ${counted(count, 'person', 'people')}, expected at least ${String(atLeast)}` };
  return undefined;
}

function judgeOnly(
  { app, only }: Extract<Demand, { kind: 'only' }>,
  model: AccessModel,
  configs: readonly StackConfig[],
): Disappointment | undefined {
  const found = appNamed(app, model);
  if (found === undefined) return noApp(app, model);
  const [answer] = overview(model, [found]);
  if (answer === undefined) return undefined;
  const { memberships } = model;
  const groups: Group[] = [];
  const people = new Set<number>();
  for (const each of only) {
    const group = groupNamed(each, model, configs);
    if (group === undefined) people.add(findPerson(each, memberships, configs));
    else groups.push(group);
  }
  const outside = answer.public.includes('/*')
    ? 'a browser without a session'
    : answer.anyone.length > 0
      ? `anyone with an account at ${answer.anyone.join(' or ')}`
      : undefined;
  if (outside !== undefined) return { message: `${app} lets in ${outside}, expected only ${only.join(', ')}` };
  if (answer.entrants.unknown.count > 0)
    return {
      message: `of ${counted(answer.entrants.unknown.count, 'person', 'people')} it is not known whether ${app} lets them in, expected only ${only.join(', ')}`,
    };
  const others = [...answer.entrants.in].filter(
    (place) => !people.has(place) && !groups.some((group) => memberships.inside(group).has(place)),
  );
  const [first] = others;
  if (first === undefined) return undefined;
  const { chain, person } = visit(model, found, '/', first);
  const more = others.length > 1 ? ` and ${String(others.length - 1)} more` : '';
  return { message: `${app} lets in ${person ?? ''}${more}, expected only ${only.join(', ')}`, chain: chainText(chain) };
}

function appNamed(name: string, { apps }: AccessModel): AppAccess | undefined {
  return apps.find((app) => app.name === name);
}

function noApp(name: string, { apps }: AccessModel): Disappointment {
  return { message: `there is no app "${name}": there are ${apps.map((app) => app.name).join(', ') || 'none'}` };
}

/** A group by the stack's name, by display name or by id. */
function groupNamed(name: string, { memberships }: AccessModel, configs: readonly StackConfig[]): Group | undefined {
  const declared = memberships.groups.find(({ record }) => record.declared === name);
  if (declared !== undefined) return declared;
  const principal = configs.map(({ principals }) => principals?.[name]?.group).find((group) => group !== undefined) ?? name;
  return (
    memberships.group(principal) ?? memberships.groups.find(({ record }) => record.displayName.toLowerCase() === principal.toLowerCase())
  );
}
