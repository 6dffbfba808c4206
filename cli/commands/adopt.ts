import { existsSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { stringify } from 'yaml';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { CliIo, RegisterCommand } from '../command.js';
import { sandboxCapacity } from '../../core/sandbox/capacity.js';
import type { PlannedResource } from '../../policies/engine/planned-resource.js';
import { rememberSecrets } from '../apply/stand-in-secrets.js';
import { makeFolder } from '../../core/source/replace-file.js';
import { changeFile } from '../write-file.js';
import type { AdoptedSecret } from './adopt/adopted-app.js';
import { adoptGroups } from './adopt/adopt-groups.js';
import { readGroups } from './adopt/read-groups.js';
import { connectDirectory } from './directory/connect.js';
import { type DirectoryFlags, directoryOptions } from './directory/options.js';

interface AdoptFlags extends DirectoryFlags {
  readonly filter?: string;
  readonly search?: string;
  readonly stack: string;
  readonly out?: string;
  readonly force?: boolean;
  /** `--no-members`. */
  readonly members: boolean;
  readonly import?: boolean;
  readonly target: string;
}

/** `castellan adopt groups --filter …`: writes a configuration of what exists. */
export const register: RegisterCommand = (program, io, done) => {
  const adopt = program.command('adopt').description('Write a configuration of what exists, so that it can be brought under control.');
  adopt
    .command('all', { isDefault: true })
    .description('Declare everything that a state has: apps with their sign-in layer, registrations, groups, workspaces and items.')
    .option('--state <file>', 'what a state has: its file, or what terraform show -json prints (- for a pipe)')
    .option('--stack <name>', 'the name of the stack (default: that of the state, else "adopted")')
    .option('--out <file>', 'write into a file (default: print)')
    .option('--force', 'replace the file if it is there')
    .action(async (flags: AdoptStateFlags) => done(await adoptEverything(flags, io)));
  directoryOptions(
    adopt
      .command('groups')
      .description('Declare groups of the directory with their owners, members and settings.')
      .option('--filter <filter>', `which ones, such as "startsWith(displayName,'sales')" (default: all)`)
      .option('--search <words>', 'words of the name')
      .option('--stack <name>', 'the name of the stack', 'adopted')
      .option('--out <file>', 'write into a file (default: print)')
      .option('--force', 'replace the file if it is there')
      .option('--no-members', 'leave members alone: they are managed elsewhere')
      .option('--import', 'take them into the Terraform state as well, so that a plan shows no changes; needs --out')
      .option('--target <target>', 'whose state with --import: sandbox or azure', 'sandbox'),
  ).action(async (flags: AdoptFlags) => done(await adoptCommand(flags, io)));
};

interface AdoptStateFlags {
  readonly state?: string;
  readonly stack?: string;
  readonly out?: string;
  readonly force?: boolean;
}

/** Declares everything that a state has: apps with their sign-in layer, registrations, groups, workspaces and items. */
async function adoptEverything({ state, out, force, ...flags }: AdoptStateFlags, io: CliIo): Promise<number> {
  if (state === undefined)
    throw new CastellanError('CAS8001', '`castellan adopt` needs --state FILE, or `groups` for the groups of a directory');
  if (out !== undefined && force !== true && existsSync(resolve(io.cwd, out)))
    throw new CastellanError('CAS8202', `${out} is there already; --force replaces it`);
  const { readState } = await import('../../policies/sources/state/read-state.js');
  const { FoundResources } = await import('./adopt/found-resources.js');
  const { adoptStack } = await import('./adopt/adopt-stack.js');
  const shown = state === '-' ? 'what came from the pipe' : state;
  const resources: PlannedResource[] = [];
  for await (const some of readState(state === '-' ? '/dev/stdin' : resolve(io.cwd, state), shown)) resources.push(...some);
  // as the sandbox names its states
  const [, own, environment] = /(?:^|[/\\])terraform\.([A-Za-z][\w-]*)(?:\.([\w-]+))?\.tfstate$/.exec(state) ?? [];
  const stack = flags.stack ?? own ?? 'adopted';
  const { config, secrets, counts } = adoptStack(stack, new FoundResources(resources), sandboxCapacity.id);
  if (counts.size === 0) {
    io.stderr.write(`${shown} has nothing that castellan.yaml declares: nothing is written\n`);
    return exitCodes.nothingChecked;
  }
  const text = stringify(config, { lineWidth: 0 });
  if (out === undefined) io.stdout.write(text);
  else {
    makeFolder(dirname(resolve(io.cwd, out)));
    changeFile(io, out, text);
  }
  const list = [...counts].map(([section, count]) => `${String(count)} ${section}`).join(', ');
  io.stderr.write(`${list} declared${out === undefined ? '' : ` in ${out}`}\n`);
  keepSecrets(secrets, environment, io);
  return exitCodes.clean;
}

/** Secrets are no part of a configuration: what the sandbox has is kept where the sandbox keeps made-up ones, and the rest is named. */
function keepSecrets(secrets: readonly AdoptedSecret[], environment: string | undefined, io: CliIo): void {
  if (secrets.length === 0) return;
  const names = secrets.map(({ variable }) => variable).join(', ');
  if (!existsSync(resolve(io.cwd, '.castellan'))) {
    io.stderr.write(`set ${names} to what the apps have: a configuration holds no secrets\n`);
    return;
  }
  const known = secrets.flatMap(({ variable, value }) => (value === undefined ? [] : [[variable, value] as const]));
  rememberSecrets(io.cwd, Object.fromEntries(known), environment);
  io.stderr.write(`the sandbox has ${names} as before; for the cloud set them to what the apps have\n`);
}

async function adoptCommand(flags: AdoptFlags, io: CliIo): Promise<number> {
  const file = flags.out === undefined ? undefined : resolve(io.cwd, flags.out);
  if (flags.import === true && flags.out === undefined)
    throw new CastellanError('CAS8001', '--import needs --out: the state is that of a configuration');
  if (file !== undefined && flags.force !== true && existsSync(file))
    throw new CastellanError('CAS8202', `${flags.out ?? ''} is there already; --force replaces it`);
  const directory = await connectDirectory(flags, io);
  const existing = await readGroups(directory, {
    ...(flags.filter === undefined ? {} : { filter: flags.filter }),
    ...(flags.search === undefined ? {} : { search: flags.search }),
    members: flags.members,
    note: (message) => io.stderr.write(`note: ${message}\n`),
  });
  if (existing.length === 0) {
    io.stderr.write('no group was found: nothing is written\n');
    return exitCodes.nothingChecked;
  }
  const text = stringify(adoptGroups(flags.stack, existing), { lineWidth: 0 });
  if (flags.out === undefined) io.stdout.write(text);
  else changeFile(io, flags.out, text);
  io.stderr.write(
    `${existing.length} ${existing.length === 1 ? 'group' : 'groups'} declared${file === undefined ? '' : ` in ${flags.out ?? ''}`}\n`,
  );
  if (flags.import === true && flags.out !== undefined) {
    const { importGroups } = await import('./adopt/import-groups.js');
    const taken = await importGroups(
      flags.out,
      existing.map(({ group }) => group),
      flags.target,
      io,
    );
    io.stderr.write(`${taken} taken into the state\n`);
  }
  return exitCodes.clean;
}
