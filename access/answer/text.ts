import type { AccessModel } from '../model.js';
import type { ChainLink } from './chain.js';
import { marks } from './chain.js';
import type { AppOverview } from './overview.js';
import type { CloudDifference } from '../decide/cloud.js';
import { cloudDifferences } from '../decide/cloud.js';
import type { OverviewOptions } from './json.js';
import type { Visit } from './visit.js';

/** One visit for people: the answer, then the chain that leads to it. */
export function visitText({ app, path, person, answer, chain, differences }: Visit): string {
  const who = person ?? 'a browser without a session';
  const word = answer.allowed === true ? 'yes' : answer.allowed === false ? 'no' : 'it depends';
  const status = answer.status === undefined ? '' : `: the browser gets ${String(answer.status)}`;
  return `${app.name}${path}: ${word}, ${who}${status}\n${chainText(chain)}${differencesText(differences)}`;
}

function differencesText(differences: readonly CloudDifference[]): string {
  return differences.map(({ what }) => `  in the cloud: ${what}\n`).join('');
}

/** A chain, a line for each link. */
export function chainText(chain: readonly ChainLink[]): string {
  return chain.map(({ kind, name, value, verdict }) => `  ${marks[verdict].padEnd(3)}  ${kind.padEnd(11)} ${name}: ${value}\n`).join('');
}

/** Who gets into an app for people: numbers first. */
export function overviewText(each: AppOverview, model: AccessModel, { listed, target }: OverviewOptions): string {
  const { app, entrants, guests, groups, applications } = each;
  const lines = [`${app.name}${app.reach === 'environment' ? ' (reached inside its environment only)' : ''}`];
  if (each.public.includes('/*')) lines.push('  public: everything');
  else lines.push(`  public: ${each.public.join(', ') || 'nothing'}`);
  for (const provider of each.anyone) lines.push(`  anyone with an account at ${provider}`);
  if (app.directory !== undefined) {
    const unknown = entrants.unknown.count;
    const parts = [
      counted(entrants.in.count, 'person', 'people'),
      ...(guests === 0 ? [] : [`${counted(guests, 'guest', 'guests')} among them`]),
    ];
    lines.push(`  by the directory: ${parts.join(', ')}${unknown === 0 ? '' : `; of ${String(unknown)} it is not known`}`);
    for (const { name, people } of groups)
      lines.push(`    group ${name}: ${people === undefined ? 'not known' : counted(people, 'person', 'people')}`);
    for (const name of applications) lines.push(`    application ${name}`);
    if (listed) for (const place of entrants.in) lines.push(`    ${nameOf(place, model)}`);
  }
  return `${lines.join('\n')}\n${differencesText(target === 'azure' ? cloudDifferences(app) : [])}`;
}

/** A number with its noun. */
export function counted(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
}

function nameOf(place: number, { memberships }: AccessModel): string {
  const { body, id } = memberships.person(place);
  return `${body.userPrincipalName ?? id}${body.userType === 'Guest' ? ' (guest)' : ''}`;
}
