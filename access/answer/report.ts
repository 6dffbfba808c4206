import { omitUndefined } from '../../core/values/omit-undefined.js';
import { plainOutput, styled, type Style, type TerminalOutput } from '../../core/text/terminal.js';
import { escapeControlCharacters } from '../../core/text/control-characters.js';
import type { AccessModel } from '../model.js';
import { describeAccountsAt } from './provider-accounts.js';
import { type ChainLink, verdictOf, verdictWords } from './chain-link.js';
import type { AppOverview } from './overview.js';
import { type CloudDifference, cloudDifferences } from '../decide/cloud-differences.js';
import type { Visit, AccessTarget } from './visit.js';

const styleOf: Readonly<Record<ChainLink['verdict'], Style>> = {
  pass: 'added',
  fail: 'error',
  unknown: 'unknown',
};

/** One visit as text: the answer, then the chain that leads to it. */
export function visitText(
  { app, path, person, answer, chain, differences }: Visit,
  screen: TerminalOutput = plainOutput,
): string {
  const who = person ?? 'a browser without a session';
  const verdict = verdictOf(answer.allowed);
  const word = verdict === 'unknown' ? 'it depends' : verdictWords[verdict];
  const status = answer.status === undefined ? '' : `: the browser gets ${String(answer.status)}`;
  const subject = styled(escapeControlCharacters(`${app.name}${path}`), 'bold', screen);
  const rest = escapeControlCharacters(`, ${who}${status}`);
  return `${subject}: ${styled(word, styleOf[verdict], screen)}${rest}\n${chainText(chain, screen)}${differencesText(differences)}`;
}

function differencesText(differences: readonly CloudDifference[]): string {
  return differences.map(({ what }) => `  in the cloud: ${what}\n`).join('');
}

/** A chain, one line per link. */
export function chainText(
  chain: readonly ChainLink[],
  screen: TerminalOutput = plainOutput,
): string {
  return chain
    .map(({ kind, name, value, verdict }) => {
      const mark = styled(verdictWords[verdict].padEnd(3), styleOf[verdict], screen);
      return `  ${mark}  ${escapeControlCharacters(`${kind.padEnd(11)} ${name}: ${value}`)}\n`;
    })
    .join('');
}

/** Who gets into an app, as text: numbers first. */
export function overviewText(
  overview: AppOverview,
  model: AccessModel,
  { listsAllPeople, target }: OverviewOptions,
  screen: TerminalOutput = plainOutput,
): string {
  const { app, entrants, guestCount, groups, applications } = overview;
  const reach = app.reach === 'environment' ? ' (reached inside its environment only)' : '';
  const { domains = [] } = app;
  const required = app.settings?.requirements ?? [];
  const headerLines = [
    styled(escapeControlCharacters(app.name), 'bold', screen) + reach,
    ...(domains.length === 0 ? [] : [escapeControlCharacters(`  also at ${domains.join(', ')}`)]),
    overview.publicPaths.includes('/*')
      ? `  ${emphasized('public: everything', screen)}`
      : escapeControlCharacters(`  public: ${overview.publicPaths.join(', ') || 'nothing'}`),
    ...(required.length === 0
      ? []
      : [
          escapeControlCharacters(
            `  needs more than a sign-in: ${required.map(({ path }) => path || '/').join(', ')}`,
          ),
        ]),
    ...overview.providersOpenToAnyone.map(
      (provider) =>
        `  ${emphasized(escapeControlCharacters(describeAccountsAt(app, provider)), screen)}`,
    ),
  ];
  const directoryLines: string[] = [];
  if (app.directorySignIn !== undefined) {
    const unknown = entrants.unknown.count;
    const parts = [
      countNoun(entrants.admitted.count, 'person', 'people'),
      ...(guestCount === 0 ? [] : [`${countNoun(guestCount, 'guest', 'guests')} among them`]),
    ];
    directoryLines.push(
      `  by the directory: ${parts.join(', ')}${unknown === 0 ? '' : `; of ${String(unknown)} it is not known`}`,
    );
    for (const { name, peopleCount } of groups)
      directoryLines.push(
        `    group ${name}: ${peopleCount === undefined ? 'not known' : countNoun(peopleCount, 'person', 'people')}`,
      );
    for (const name of applications) directoryLines.push(`    application ${name}`);
    if (listsAllPeople)
      for (const personIndex of entrants.admitted)
        directoryLines.push(`    ${personName(personIndex, model)}`);
  }
  return `${[...headerLines, ...directoryLines.map(escapeControlCharacters)].join('\n')}\n${differencesText(target === 'azure' ? cloudDifferences(app) : [])}`;
}

/** Style of what lets in people whom nobody can list, since it must not be overlooked. */
function emphasized(text: string, screen: TerminalOutput): string {
  return styled(styled(text, 'bold', screen), 'error', screen);
}

/** A number with its noun. */
export function countNoun(number: number, one: string, many: string): string {
  return `${number.toLocaleString('en-US')} ${number === 1 ? one : many}`;
}

function personName(personIndex: number, { memberships }: AccessModel): string {
  const { body, id } = memberships.person(personIndex);
  return `${body.userPrincipalName ?? id}${body.userType === 'Guest' ? ' (guest)' : ''}`;
}

/** The longest list of people that is printed without `--people`. */
export const maxListedPeople = 10_000;

/** One visit as JSON. */
export function visitData({ app, path, person, answer, chain, differences }: Visit): object {
  return {
    app: app.name,
    ...(person === undefined ? { anonymous: true } : { person }),
    path,
    allowed: answer.allowed,
    status: answer.status ?? null,
    chain,
    ...(differences.length !== 0 && { differences }),
  };
}

/** Options of printing an overview. */
interface OverviewOptions {
  /** Whether to list all people, regardless of their number. */
  readonly listsAllPeople: boolean;
  readonly target: AccessTarget;
}

/** Who gets into an app, as JSON. */
export function overviewData(
  overview: AppOverview,
  { memberships }: AccessModel,
  { listsAllPeople, target }: OverviewOptions,
): object {
  const { app, entrants, groups } = overview;
  const count = entrants.admitted.count;
  const nameAt = (personIndex: number): string =>
    memberships.person(personIndex).body.userPrincipalName ?? memberships.person(personIndex).id;
  const listedIndexes = listsAllPeople || count <= maxListedPeople ? [...entrants.admitted] : [];
  const people = listedIndexes.map((personIndex) => ({
    person: nameAt(personIndex),
    provider: 'directory',
  }));
  const required = (app.settings?.requirements ?? []).map(({ path }) => path || '/');
  const unknown = entrants.unknown.count;
  const differences = target === 'azure' ? cloudDifferences(app) : [];
  const domains = app.domains?.length === 0 ? undefined : app.domains;
  return {
    app: app.name,
    stack: app.stack,
    reach: app.reach,
    ...omitUndefined({ domains }),
    public: overview.publicPaths,
    anyone: overview.providersOpenToAnyone,
    ...(required.length !== 0 && { requirements: required }),
    people,
    ...(people.length < count && { peopleListed: false }),
    groups: groups.map(({ name, id, peopleCount }) => ({
      group: name,
      id,
      people: peopleCount ?? 'unknown',
    })),
    applications: overview.applications,
    counts: {
      people: count,
      guests: overview.guestCount,
      groups: groups.length,
      applications: overview.applications.length,
      unknown,
    },
    ...(differences.length !== 0 && { differences }),
  };
}
