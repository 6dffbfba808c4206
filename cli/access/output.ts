import { type Controller, controllersOf } from '../../access/answer/controllers.js';
import { findPersonIndex } from '../../access/answer/find-person.js';
import { accessOverview } from '../../access/answer/overview.js';
import { overviewData, overviewText, visitData, visitText } from '../../access/answer/report.js';
import { decideVisit } from '../../access/answer/visit.js';
import { comparisonMarkdown } from '../../access/compare/comment.js';
import {
  type AccessComparison,
  exitCodeOf,
  environmentComparisons,
} from '../../access/compare/comparison.js';
import { comparisonData, comparisonMermaid, comparisonText } from '../../access/compare/report.js';
import type { AccessModel } from '../../access/model.js';
import type { AppAccess } from '../../access/stack/apps.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { escapeControlCharacters } from '../../core/text/control-characters.js';
import { terminalOutputOf } from '../../core/text/terminal.js';
import type { CliIo } from '../command.js';
import { printResult, printText } from '../format.js';
import type { AccessFlags } from './flags.js';
import type { ResolvedStack } from './access-stacks.js';
import type { SimulatorLink } from './simulator-link.js';

/** Prints for one visitor what each app answers, and why. */
export function printVisits(
  flags: AccessFlags,
  apps: readonly AppAccess[],
  model: AccessModel,
  stacks: readonly ResolvedStack[],
  io: CliIo,
): void {
  const configs = stacks.map(({ config }) => config);
  const personIndex =
    flags.person === undefined
      ? undefined
      : findPersonIndex(flags.person, model.memberships, configs);
  const visits = apps.map((app) => decideVisit(model, app, flags.path, personIndex, flags.target));
  const printedVisits =
    flags.reverse === true ? visits.filter(({ answer }) => answer.allowed !== false) : visits;
  if (flags.format === 'text') {
    for (const each of printedVisits)
      printText(io.stdout, visitText(each, terminalOutputOf(io.stdout, io.env)));
    if (flags.reverse === true)
      printText(io.stdout, `${String(printedVisits.length)} of ${String(visits.length)} apps\n`);
    return;
  }
  const [onlyVisit] = visits;
  const data =
    visits.length === 1 && onlyVisit !== undefined && flags.reverse !== true
      ? visitData(onlyVisit)
      : {
          ...(visits[0]?.person === undefined ? { anonymous: true } : { person: visits[0].person }),
          apps: printedVisits.map(visitData),
        };
  printResult('json', data, '', io);
}

/** Prints a comparison. @returns the exit code, like that of `check` */
export function printComparison(
  comparison: AccessComparison,
  { app, format, people = false }: AccessFlags,
  io: CliIo,
  linkTo: SimulatorLink | undefined,
): number {
  const onlyApp = <T extends AccessComparison>(each: T): T => ({
    ...each,
    changes: each.changes.filter(({ name }) => app === undefined || name === app),
  });
  const { otherEnvironments = [], ...ownComparison } = comparison;
  const selected = {
    ...onlyApp(ownComparison),
    otherEnvironments: otherEnvironments
      .map(onlyApp)
      .filter(({ changes }) => app === undefined || changes.length > 0),
  };
  const changes = environmentComparisons(selected).flatMap((each) => each.changes);
  if (changes.length === 0 && app !== undefined)
    throw new CastellanError(
      'CAS8303',
      `there is no app "${app}", neither before nor after the change`,
    );
  const names = new Set(changes.map(({ stack, name }) => `${stack}/${name}`));
  const selection = {
    ...selected,
    findings: comparison.findings.filter(
      ({ ruleId, stack, path }) =>
        ruleId === 'policy-weakened' || names.has(`${stack ?? ''}/${String(path?.[1])}`),
    ),
  };
  if (format === 'json')
    io.stdout.write(`${JSON.stringify(comparisonData(selection, people), null, 2)}\n`);
  else if (format === 'markdown') io.stdout.write(comparisonMarkdown(selection));
  else if (format === 'mermaid') io.stdout.write(comparisonMermaid(selection));
  else printText(io.stdout, comparisonText(selection, people, linkTo));
  return exitCodeOf(selection);
}

/** Prints for each app who gets in. */
export function printOverview(
  { format, people = false, controllers = false, target }: AccessFlags,
  apps: readonly AppAccess[],
  model: AccessModel,
  io: CliIo,
): void {
  const overviews = accessOverview(model, apps);
  const controllersToList = (app: AppAccess): Controller[] =>
    controllers ? controllersOf(app, model) : [];
  if (format === 'text') {
    const texts = overviews.map(
      (each) =>
        overviewText(
          each,
          model,
          { listsAllPeople: people, target },
          terminalOutputOf(io.stdout, io.env),
        ) + controllersText(controllersToList(each.app)),
    );
    return void printText(io.stdout, texts.join('\n'));
  }
  const data = overviews.map((each) => ({
    ...overviewData(each, model, { listsAllPeople: people, target }),
    ...(controllers && {
      controllers: controllersToList(each.app).map(({ who, by }) => ({ who, by })),
    }),
  }));
  printResult('json', { apps: data }, '', io);
}

function controllersText(controllers: readonly Controller[]): string {
  return controllers
    .map(({ who, by }) => `${escapeControlCharacters(`  can let others in: ${who} (${by})`)}\n`)
    .join('');
}
