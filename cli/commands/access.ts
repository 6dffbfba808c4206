import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { environmentOf, environmentOption } from '../apply/options.js';
import type { RegisterCommand, CliIo } from '../command.js';
import { type FormatFlags, formatOf, printResult, printText } from '../format.js';
import { directoryOptions } from './directory/options.js';
import { overviewData, visitData, overviewText, visitText } from '../../access/answer/text.js';
import { findPerson } from '../../access/answer/find-person.js';
import { overview } from '../../access/answer/overview.js';
import { type Controller, controllersOf } from '../../access/answer/controllers.js';
import {
  type AccessComparison,
  comparisonData,
  comparisonMarkdown,
  comparisonMermaid,
  comparisonText,
  exitCodeOf,
} from '../../access/compare/report.js';
import { type AccessTarget, visit } from '../../access/answer/visit.js';
import { statementsData, statementsOf, statementsText } from '../../access/prove/for-all.js';
import { accessModel, type AccessModel } from '../../access/model.js';
import type { AppAccess } from '../../access/stack/apps.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { terminalOutputOf } from '../../core/text/terminal.js';
import { escapeControlCharacters } from '../../core/text/control-characters.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { compareWithBase } from '../access/compare.js';
import { groupRulesData, groupRulesText, listGroupRules } from '../access/list-rules.js';
import { type AccessStack, loadAccessStacks } from '../access/load.js';
import { type PeopleFlags, readPeople } from '../access/people.js';

/** The output formats; the last two show a change. */
const accessFormats = ['text', 'json', 'markdown', 'mermaid'] as const;

/** `castellan access [APP | CONFIG…]`: who gets into an app, and why. */
export const register: RegisterCommand = (program, io, done) => {
  const command = program
    .command('access')
    .description(
      'Show who gets into an app, and why: by the decisions of the sign-in layer and the rules of the directory.',
    )
    .argument(
      '[app-or-path...]',
      'the name of an app, or files and folders (default: this folder); or rules, for what the rule of each group selects',
    )
    .option('--app <name>', 'the app')
    .option(
      '--person <name>',
      'answer for one person: user principal name, id, or a name that only one person has',
    )
    .option('--anonymous', 'answer for a browser without a session')
    .option('--path <path>', 'the path that is asked for', '/')
    .option('--reverse', 'everything that the person reaches')
    .option('--people', 'list the people, not only their number')
    .option('--controllers', 'list who can let others in: owners, and holders of directory roles')
    .option(
      '--base <commit>',
      'compare with a commit or branch: who gains and loses access, and why',
    )
    .option(
      '--baseline <file>',
      'the findings of --base that are accepted (default: the baseline that check reads); none for none',
    )
    .option('--write-baseline', 'accept the findings of --base: write them into the baseline')
    .option(
      '--policy <file>',
      'the policy (default: castellan.policy.yaml here or beside a configuration)',
    )
    .option(
      '--target <target>',
      'whose sign-in layer answers: sandbox, or azure, with what the cloud decides differently',
      'sandbox',
    )
    .option(
      '--from <source>',
      'the people: sandbox, live, a seed file, or none for what holds for all possible people',
      'sandbox',
    )
    .option('--for-all', 'state who can get in, whoever there may be')
    .option(
      '--effort <steps>',
      'the limit of work for each proof, after which the answer is unknown',
    )
    .option(
      '-f, --format <format>',
      'text or json; with --base also markdown and mermaid (default: text)',
    )
    .option('--json', 'short for --format json')
    .option(...environmentOption);
  directoryOptions(command).action(
    async (
      words: string[],
      {
        format,
        json,
        effort,
        ...flags
      }: Omit<AccessFlags, 'format' | 'effort'> & { readonly effort?: string } & FormatFlags<
          (typeof accessFormats)[number]
        >,
    ) => {
      const given = {
        ...flags,
        ...(effort === undefined ? {} : { effort: effortOf(effort) }),
        ...environmentOf(flags),
      };
      const [first, ...paths] = words;
      if (first === 'rules' && flags.app === undefined)
        return void done(
          await runRules(
            {
              ...given,
              format: formatOf({ format, json }, ['text', 'json']),
              paths: paths.length === 0 ? ['.'] : paths,
            },
            io,
          ),
        );
      done(
        await runAccess(
          {
            ...given,
            format: formatOf({ format, json }, accessFormats),
            ...targetOf(words, flags.app, io.cwd),
          },
          io,
        ),
      );
    },
  );
};

/** `castellan access rules [PATH…]`: what the rules of groups select, whoever there may be. */
async function runRules(
  { effort, format, ...flags }: Pick<AccessFlags, 'effort' | 'environment' | 'format' | 'paths'>,
  io: CliIo,
): Promise<number> {
  const { stacks } = await loadAccessStacks(flags, io);
  const rules = listGroupRules(stacks, { now: Date.now(), effort });
  printResult(format, groupRulesData(rules), groupRulesText(rules), io);
  return exitCodes.clean;
}

/** @throws CAS8001 */
function effortOf(text: string): number {
  if (!/^[1-9]\d{0,11}$/.test(text))
    throw new CastellanError(
      'CAS8001',
      `--effort is a number of steps such as 400000, not "${text}"`,
    );
  return Number(text);
}

/** Names of apps, and paths of configurations. */
function targetOf(
  words: readonly string[],
  app: string | undefined,
  cwd: string,
): { readonly app?: string; readonly paths: readonly string[] } {
  const paths = words.filter(
    (each) => /\.ya?ml$/.test(each) || each.includes('/') || existsSync(resolve(cwd, each)),
  );
  const names = words.filter((each) => !paths.includes(each));
  if (names.length + (app === undefined ? 0 : 1) > 1)
    throw new CastellanError('CAS8001', 'one app at a time: name it once');
  const name = app ?? names[0];
  return {
    paths: paths.length === 0 ? ['.'] : paths,
    ...omitUndefined({ app: name }),
  };
}

interface AccessFlags extends PeopleFlags {
  readonly paths: readonly string[];
  readonly environment?: string;
  readonly app?: string;
  readonly person?: string;
  readonly anonymous?: boolean;
  readonly path: string;
  /** The sign-in layer that answers. */
  readonly target: AccessTarget;
  readonly reverse?: boolean;
  readonly people?: boolean;
  readonly controllers?: boolean;
  /** A commit, branch or tag to compare with. */
  readonly base?: string;
  readonly policy?: string;
  /** The baseline of accepted findings, or `none`. */
  readonly baseline?: string;
  /** Whether to accept the findings of the comparison in the baseline. */
  readonly writeBaseline?: boolean;
  /** Whether to state who can get in, for all possible people. */
  readonly forAll?: boolean;
  /** The limit of work for each proof, in steps. */
  readonly effort?: number;
  readonly format: string;
}

/** Loads stacks and people, decides, prints. */
async function runAccess(flags: AccessFlags, io: CliIo): Promise<number> {
  checkFlags(flags);
  const loaded = await loadAccessStacks(flags, io);
  if (flags.base !== undefined)
    return printComparison(
      await compareWithBase({ ...flags, ref: flags.base }, loaded, io),
      flags,
      io,
    );
  const { stacks } = loaded;
  const configs = stacks.map(({ config }) => config);
  const read = await readPeople(
    { ...flags, ...(flags.person === undefined ? {} : { persons: [flags.person] }) },
    stacks,
    io,
  );
  const model = accessModel(configs, read, { now: Date.now() });
  const apps = flags.app === undefined ? model.apps : [findApp(flags.app, model, stacks)];
  if (apps.length === 0) {
    printText(io.stderr, `castellan: there is no container app in ${flags.paths.join(', ')}\n`);
    return exitCodes.nothingChecked;
  }
  if (flags.forAll === true) {
    const all = statementsOf(model, apps, {
      now: Date.now(),
      effort: flags.effort,
      target: flags.target,
    });
    printResult(flags.format, statementsData(all), statementsText(all), io);
    return exitCodes.clean;
  }
  if (flags.person !== undefined || flags.anonymous === true)
    printVisits(flags, apps, model, stacks, io);
  else printOverview(flags, apps, model, io);
  if (read.people.length === 0 && flags.from !== 'none')
    printText(
      io.stderr,
      'castellan: no people are known: name a seed file with --from, or start the sandbox\n',
    );
  return exitCodes.clean;
}

function checkFlags({
  person,
  anonymous,
  reverse,
  format,
  path,
  base,
  target,
  writeBaseline,
  forAll,
}: AccessFlags): void {
  if (!['sandbox', 'azure'].includes(target))
    throw new CastellanError('CAS8001', `--target is sandbox or azure, not "${target}"`);
  if (person !== undefined && anonymous === true)
    throw new CastellanError('CAS8001', '--person and --anonymous exclude each other');
  if (reverse === true && person === undefined)
    throw new CastellanError(
      'CAS8001',
      '--reverse lists what a person reaches: give --person, too',
    );
  if (base === undefined && (format === 'markdown' || format === 'mermaid'))
    throw new CastellanError('CAS8001', `--format ${format} shows a change: give --base, too`);
  if (base === undefined && writeBaseline === true)
    throw new CastellanError(
      'CAS8001',
      '--write-baseline accepts findings of a change: give --base, too',
    );
  if (base !== undefined && (person !== undefined || anonymous === true))
    throw new CastellanError(
      'CAS8001',
      '--base compares for everyone: leave --person and --anonymous out',
    );
  if (forAll === true && (base !== undefined || person !== undefined || anonymous === true))
    throw new CastellanError(
      'CAS8001',
      '--for-all states who can get in: leave --base, --person and --anonymous out',
    );
  if (!path.startsWith('/'))
    throw new CastellanError('CAS8001', `--path ${path}: a path begins with a slash`);
}

function printVisits(
  flags: AccessFlags,
  apps: readonly AppAccess[],
  model: AccessModel,
  stacks: readonly AccessStack[],
  io: CliIo,
): void {
  const configs = stacks.map(({ config }) => config);
  const personIndex =
    flags.person === undefined ? undefined : findPerson(flags.person, model.memberships, configs);
  const visits = apps.map((app) => visit(model, app, flags.path, personIndex, flags.target));
  const listed =
    flags.reverse === true ? visits.filter(({ answer }) => answer.allowed !== false) : visits;
  if (flags.format === 'text') {
    for (const each of listed)
      printText(io.stdout, visitText(each, terminalOutputOf(io.stdout, io.env)));
    if (flags.reverse === true)
      printText(io.stdout, `${String(listed.length)} of ${String(visits.length)} apps\n`);
    return;
  }
  const [only] = visits;
  const data =
    visits.length === 1 && only !== undefined && flags.reverse !== true
      ? visitData(only)
      : {
          ...(visits[0]?.person === undefined ? { anonymous: true } : { person: visits[0].person }),
          apps: listed.map(visitData),
        };
  printResult('json', data, '', io);
}

/** Prints a comparison. @returns the exit code, like that of `check` */
function printComparison(
  comparison: AccessComparison,
  { app, format, people = false }: AccessFlags,
  io: CliIo,
): number {
  const changes =
    app === undefined ? comparison.changes : comparison.changes.filter(({ name }) => name === app);
  if (changes.length === 0 && app !== undefined)
    throw new CastellanError(
      'CAS8303',
      `there is no app "${app}", neither before nor after the change`,
    );
  const names = new Set(changes.map(({ stack, name }) => `${stack}/${name}`));
  const selection = {
    ...comparison,
    changes,
    findings: comparison.findings.filter(
      ({ ruleId, stack, path }) =>
        ruleId === 'policy-weakened' || names.has(`${stack ?? ''}/${String(path?.[1])}`),
    ),
  };
  if (format === 'json')
    io.stdout.write(`${JSON.stringify(comparisonData(selection, people), null, 2)}\n`);
  else if (format === 'markdown') io.stdout.write(comparisonMarkdown(selection));
  else if (format === 'mermaid') io.stdout.write(comparisonMermaid(selection));
  else printText(io.stdout, comparisonText(selection, people));
  return exitCodeOf(selection);
}

function printOverview(
  { format, people = false, controllers = false, target }: AccessFlags,
  apps: readonly AppAccess[],
  model: AccessModel,
  io: CliIo,
): void {
  const overviews = overview(model, apps);
  const controlling = (app: AppAccess): Controller[] =>
    controllers ? controllersOf(app, model) : [];
  if (format === 'text') {
    const texts = overviews.map(
      (each) =>
        overviewText(each, model, { listed: people, target }, terminalOutputOf(io.stdout, io.env)) +
        controllersText(controlling(each.app)),
    );
    return void printText(io.stdout, texts.join('\n'));
  }
  const data = overviews.map((each) => ({
    ...overviewData(each, model, { listed: people, target }),
    ...(controllers
      ? { controllers: controlling(each.app).map(({ who, by }) => ({ who, by })) }
      : {}),
  }));
  printResult('json', { apps: data }, '', io);
}

function controllersText(controllers: readonly Controller[]): string {
  return controllers
    .map(({ who, by }) => `${escapeControlCharacters(`  can let others in: ${who} (${by})`)}\n`)
    .join('');
}

/** @throws CAS8303 */
function findApp(name: string, { apps }: AccessModel, stacks: readonly AccessStack[]): AppAccess {
  const deployed = stacks.flatMap(({ config }) => Object.entries(config.containerApps ?? {}));
  const key = deployed.find(([, app]) => app.name === name)?.[0];
  const access = apps.find((app) => app.name === name) ?? apps.find((app) => app.name === key);
  if (access !== undefined) return access;
  const names = apps.map((app) => app.name);
  throw new CastellanError(
    'CAS8303',
    `there is no app "${name}"${didYouMean(nearest(name, names), `: there are ${names.join(', ') || 'none'}`, ',')}`,
  );
}
