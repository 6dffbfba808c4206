import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { stringify } from 'yaml';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { type ApplyOptions, readApplyOptions, targets } from '../apply/options.js';
import { ChoiceOption } from '../choice-option.js';
import type { CliIo, RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult, printText } from '../format.js';
import { changeFile } from '../files.js';
import type { AdoptEverythingFlags } from './adopt/adopt-everything.js';
import { adoptGroups } from './adopt/adopt-groups.js';
import { readGroups } from './adopt/read-groups.js';
import { requireOverlay } from './adopt/require-overlay.js';
import { requireStackName } from './adopt/stack-name.js';
import { refuseUnknownSubcommands } from '../unknown-subcommand.js';
import { withDefaultSandbox, connectDirectory } from '../services/service-clients.js';
import { type ServiceFlags, addServiceOptions } from '../services/service-options.js';

interface AdoptFlags extends ServiceFlags, FormatFlags {
  /** Which groups, as `$filter` of the directory. @default all */
  readonly filter?: string;
  readonly search?: string;
  /** The name that the written stack gets. */
  readonly stack: string;
  readonly out?: string;
  readonly force?: boolean;
  /** `--no-members`. */
  readonly members: boolean;
  readonly import?: boolean;
  /** Whose state with `--import`: `sandbox` or `azure`. */
  readonly target: string;
}

/** `castellan adopt groups --filter …`: writes a configuration of what exists. */
export const register: RegisterCommand = (program, io, done) => {
  const adopt = program
    .command('adopt')
    .description('Write a configuration of what exists, so that castellan can manage it.');
  const adoptAll = addFormat(refuseUnknownSubcommands(adopt.command('all', { isDefault: true })))
    .description(
      'Declare everything that a state or the services have: apps with their sign-in layer, registrations, groups, workspaces and items.',
    )
    .option(
      '--state <file>',
      'what a state has: its file, or what terraform show -json prints (- for a pipe; default: ask the services)',
    )
    .option(
      '--resource-group <name>',
      'which apps, where the services have several resource groups',
    )
    .option(
      '--filter <filter>',
      `which groups of the directory, such as "startsWith(displayName,'sales')" (default: all)`,
    )
    .option('--stack <name>', 'the name of the stack (default: that of the state, else "adopted")')
    .option('--out <file>', 'write into a file (default: print)')
    .option('--force', 'replace the file if it is there')
    .option(
      '--no-import',
      'leave the state of the stack alone; else what exists is taken into it, so that a plan shows no changes',
    )
    .action(async (flags: AdoptEverythingFlags) => {
      const { adoptEverything } = await import('./adopt/adopt-everything.js');
      done(await adoptEverything(flags, io));
    });
  addServiceOptions(adoptAll).option(
    '-e, --environment <name>',
    'the environment whose sandbox is asked',
  );
  addServiceOptions(
    addFormat(adopt.command('groups'))
      .description('Declare groups of the directory with their owners, members and settings.')
      .option(
        '--filter <filter>',
        `which ones, such as "startsWith(displayName,'sales')" (default: all)`,
      )
      .option('--search <words>', 'words of the name')
      .option('--stack <name>', 'the name of the stack', 'adopted')
      .option('--out <file>', 'write into a file (default: print)')
      .option('--force', 'replace the file if it is there')
      .option('--no-members', 'leave members alone: they are managed elsewhere')
      .option(
        '--import',
        'take them into the Terraform state as well, so that a plan shows no changes; needs --out',
      )
      .addOption(
        new ChoiceOption(
          '--target <target>',
          targets,
          'whose state with --import: sandbox or azure',
        ).default('sandbox'),
      )
      .option('-e, --environment <name>', 'the environment whose sandbox is asked'),
  ).action(async (flags: AdoptFlags) => done(await adoptGroupsCommand(flags, io)));
};

/** The options of the stack that `--import` is about. @throws CAS8001 */
function importOptionsOf({ out, target, environment }: AdoptFlags, io: CliIo): ApplyOptions {
  if (out === undefined)
    throw new CastellanError(
      'CAS8001',
      '--import needs --out: the state is that of a configuration',
    );
  requireOverlay(out, omitUndefined({ environment }), io);
  return readApplyOptions([out], { target, download: true, ...omitUndefined({ environment }) });
}

async function adoptGroupsCommand(flags: AdoptFlags, io: CliIo): Promise<number> {
  const format = formatOf(flags);
  requireStackName(flags.stack);
  const file = flags.out === undefined ? undefined : resolve(io.cwd, flags.out);
  const importOptions = flags.import === true ? importOptionsOf(flags, io) : undefined;
  if (file !== undefined && flags.force !== true && existsSync(file))
    throw new CastellanError('CAS8202', `${flags.out ?? ''}; --force replaces it`);
  const directory = await connectDirectory(await withDefaultSandbox(flags, io), io);
  const existingGroups = await readGroups(directory, {
    ...omitUndefined({ filter: flags.filter, search: flags.search }),
    withMembers: flags.members,
    note: (message) => printText(io.stderr, `note: ${message}\n`),
  });
  if (existingGroups.length === 0)
    throw new CastellanError('CAS2010', 'no group was found: nothing is written');
  const configuration = adoptGroups(flags.stack, existingGroups);
  const text = stringify(configuration, { lineWidth: 0 });
  if (flags.out !== undefined) changeFile(io, flags.out, text);
  else if (format === 'text') io.stdout.write(text);
  printText(
    io.stderr,
    `${existingGroups.length} ${existingGroups.length === 1 ? 'group' : 'groups'} declared${file === undefined ? '' : ` in ${flags.out ?? ''}`}\n`,
  );
  if (importOptions !== undefined) {
    const { importGroups } = await import('./adopt/import-groups.js');
    const names = Object.keys(configuration.groups);
    const groupIds = new Map(
      existingGroups.map(({ group }, index) => [names[index] ?? '', group.id]),
    );
    const count = await importGroups(groupIds, importOptions, io);
    printText(io.stderr, `${count} taken into the state\n`);
  }
  if (format === 'json')
    printResult(
      format,
      { configuration, declared: { groups: existingGroups.length }, file: flags.out },
      '',
      io,
    );
  return exitCodes.clean;
}
