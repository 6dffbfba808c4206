import { CastellanError } from '../../core/errors/castellan-error.js';
import { withoutDefaultEnvironment, environmentOption, targets } from '../apply/options.js';
import { ChoiceOption } from '../choice-option.js';
import type { RegisterCommand, CliIo } from '../command.js';
import { type FormatFlags, formatOf, printResult, printText } from '../format.js';
import { addServiceOptions, liveServiceText } from '../services/service-options.js';
import {
  statementsData,
  accessStatements,
  statementsText,
} from '../../access/prove/access-statements.js';
import { accessModel, type AccessModel } from '../../access/model.js';
import type { AppAccess } from '../../access/stack/apps.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { didYouMean, nearest } from '../../core/text/nearest.js';
import { compareEnvironmentsWithBase, compareWithBase } from '../access/compare.js';
import { groupRulesData, groupRulesText, listGroupRules } from '../access/group-rules.js';
import { type ResolvedStack, loadAccessStacks } from '../access/access-stacks.js';
import { type AccessFlags, checkFlags, parseEffort, appAndPaths } from '../access/flags.js';
import { printComparison, printOverview, printVisits } from '../access/output.js';
import { loadDirectorySnapshot } from '../access/people.js';
import { simulatorLink } from '../access/simulator-link.js';

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
      'the name of an app or its domain, or files and folders (default: this folder); or rules, for what the rule of each group selects',
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
    .addOption(
      new ChoiceOption(
        '--target <target>',
        targets,
        'whose sign-in layer answers: sandbox, or azure, with what the cloud decides differently',
      ).default('sandbox'),
    )
    .addOption(
      new ChoiceOption(
        '--from <source>',
        ['sandbox', 'live', 'none'],
        'the people: sandbox, live, a seed file, or none for what holds for all possible people',
      ).default('sandbox'),
    )
    .option('--for-all', 'state who can get in, of all possible people')
    .option(
      '--effort <steps>',
      'the limit of work for each proof, after which the answer is unknown',
    )
    .addOption(
      new ChoiceOption(
        '-f, --format <format>',
        accessFormats,
        'text or json; with --base also markdown and mermaid (default: text)',
      ),
    )
    .option('--json', 'short for --format json')
    .option(...environmentOption);
  addServiceOptions(command, liveServiceText).action(
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
      const accessFlags = {
        ...flags,
        ...(effort !== undefined && { effort: parseEffort(effort) }),
        inEveryEnvironment: flags.environment === undefined,
        ...withoutDefaultEnvironment(flags),
      };
      const [first, ...paths] = words;
      if (first === 'rules' && flags.app === undefined)
        return void done(
          await runRules(
            {
              ...accessFlags,
              format: formatOf({ format, json }, ['text', 'json']),
              paths: paths.length === 0 ? ['.'] : paths,
            },
            io,
          ),
        );
      done(
        await runAccess(
          {
            ...accessFlags,
            format: formatOf({ format, json }, accessFormats),
            ...appAndPaths(words, flags.app, io.cwd),
          },
          io,
        ),
      );
    },
  );
};

/** `castellan access rules [PATH…]`: what the rules of groups select, of all possible people. */
async function runRules(
  { effort, format, ...flags }: Pick<AccessFlags, 'effort' | 'environment' | 'format' | 'paths'>,
  io: CliIo,
): Promise<number> {
  const { stacks } = await loadAccessStacks(flags, io);
  const rules = listGroupRules(stacks, { now: Date.now(), effort });
  printResult(format, groupRulesData(rules), groupRulesText(rules), io);
  return exitCodes.clean;
}

/** Loads stacks and people, decides, prints. */
async function runAccess(flags: AccessFlags, io: CliIo): Promise<number> {
  checkFlags(flags);
  const loaded = await loadAccessStacks(flags, io);
  if (flags.base !== undefined) {
    const compare =
      flags.inEveryEnvironment === true ? compareEnvironmentsWithBase : compareWithBase;
    return printComparison(
      await compare({ ...flags, ref: flags.base }, loaded, io),
      flags,
      io,
      flags.format === 'text' ? await simulatorLink(io, flags.environment) : undefined,
    );
  }
  const { stacks } = loaded;
  const configs = stacks.map(({ config }) => config);
  const directory = await loadDirectorySnapshot(
    { ...flags, ...(flags.person !== undefined && { namedPeople: [flags.person] }) },
    stacks,
    io,
  );
  const model = accessModel(configs, directory, { now: Date.now() });
  const apps = flags.app === undefined ? model.apps : [findApp(flags.app, model, stacks)];
  if (apps.length === 0) {
    printText(io.stderr, `castellan: there is no container app in ${flags.paths.join(', ')}\n`);
    return exitCodes.nothingChecked;
  }
  if (flags.forAll === true) {
    const statements = accessStatements(model, apps, {
      now: Date.now(),
      effort: flags.effort,
      target: flags.target,
    });
    printResult(flags.format, statementsData(statements), statementsText(statements), io);
    return exitCodes.clean;
  }
  if (flags.person !== undefined || flags.anonymous === true)
    printVisits(flags, apps, model, stacks, io);
  else printOverview(flags, apps, model, io);
  if (directory.people.length === 0 && flags.from !== 'none')
    printText(
      io.stderr,
      'castellan: no people are known: name a seed file with --from, or start the sandbox\n',
    );
  return exitCodes.clean;
}

/**
 * Finds an app by its name in the configuration, its name in the cloud (`name:`), or one of its
 * domains.
 *
 * @throws CAS8303 when there is none.
 */
function findApp(name: string, { apps }: AccessModel, stacks: readonly ResolvedStack[]): AppAccess {
  const declaredApps = stacks.flatMap(({ config }) => Object.entries(config.containerApps ?? {}));
  const key = declaredApps.find(
    ([, app]) => app.name === name || Object.hasOwn(app.customDomains ?? {}, name),
  )?.[0];
  const access = apps.find((app) => app.name === name) ?? apps.find((app) => app.name === key);
  if (access !== undefined) return access;
  const names = apps.map((app) => app.name);
  throw new CastellanError(
    'CAS8303',
    `there is no app "${name}"${didYouMean(nearest(name, names), `: there are ${names.join(', ') || 'none'}`, ',')}`,
  );
}
