import { once } from 'node:events';
import { existsSync, statSync } from 'node:fs';
import { resolve } from 'node:path';
import { type Command, Option } from 'commander';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type * as sandbox from '../../sandbox/index.js';
import { providerChoices } from '../apply/options.js';
import { ChoiceOption } from '../choice-option.js';
import type { CliIo, RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult, printText } from '../format.js';
import { interruptSignal } from '../start.js';
import { clockText, recordedText, recordingText, statusText } from './sandbox/status-text.js';

interface SandboxFlags extends FormatFlags {
  /** The absolute path of the folder. */
  readonly project: string;
  /** The environment whose sandbox it is. */
  readonly environment?: string;
  /** The YAML file with what exists from the start. */
  readonly seed?: string;
  /** The user principal names of people to add to the directory. */
  readonly person?: readonly string[];
  /** Of the copy that `fork` starts, or of the replayed recording. */
  readonly port?: number;
  /** The YAML file with presets and faults. */
  readonly file?: string;
  /** The file that gets the calls of the services (HAR). */
  readonly record?: string;
  /** Whether a replayed recording speaks HTTP in place of HTTPS. */
  readonly plain?: boolean;
}

/** The result of a command for JSON, the same as text, and an exit code other than 0. */
type Outcome = readonly [result: object, text: string, exitCode?: number];

/** What a command does with the sandbox, its flags and its argument. */
type SandboxAction = (
  sandboxApi: typeof sandbox,
  flags: SandboxFlags,
  argument: string | undefined,
) => Promise<Outcome>;

/**
 * `castellan sandbox start`, `stop`, `status` and others: control the local control plane of a
 * project.
 */
export const register: RegisterCommand = (program, io, done) => {
  const sandboxCommand = program
    .command('sandbox')
    .description(
      'The local control plane: services, identity provider, ingress and apps, under .castellan/ of the project.',
    );
  const projectOption = new Option('--project <folder>', 'whose sandbox')
    .argParser((folder) => existingFolder(folder, io))
    .default(io.cwd, 'the current folder');
  const addSubcommand = (name: string, description: string): Command =>
    addFormat(sandboxCommand.command(name).description(description))
      .addOption(projectOption)
      .option(
        '-e, --environment <name>',
        'the environment whose sandbox it is (default: the one without an overlay)',
      );
  const run =
    (action: SandboxAction) =>
    async (...args: readonly unknown[]): Promise<void> => {
      const [file] = args.filter((each) => typeof each === 'string');
      const flags = args.find((each) => typeof each === 'object' && each !== null) as SandboxFlags;
      const format = formatOf(flags);
      const [result, text, exitCode = 0] = await action(
        await import('../../sandbox/index.js'),
        flags,
        file,
      );
      printResult(format, result, text, io);
      done(exitCode);
    };

  const runExclusively = (action: SandboxAction): ReturnType<typeof run> =>
    run(async (sandboxApi, flags, argument) =>
      withExistingSandboxLock(flags, io, () => action(sandboxApi, flags, argument)),
    );

  addSubcommand('start', 'Start it in the background; one that runs is left alone.')
    .option('--seed <file>', 'YAML with what exists from the start; applied when it has changed')
    .option('--record <file>', 'record every call of its services there (HAR 1.2), secrets masked')
    .action(run((sandboxApi, flags) => startSandbox(sandboxApi, flags, io)));

  addSubcommand(
    'seed',
    'Add what a seed file says, or people, to the sandbox: at once to one that runs, and for every next start.',
  )
    .argument('[file]', 'a seed file (`castellan schema seed` describes it)')
    .option(
      '--person <name>',
      'add a person by user principal name, such as ada@contoso.example (may be repeated)',
      (name: string, earlierNames: readonly string[] = []) => [...earlierNames, name],
    )
    .action(
      run(async ({ addSeed }, { project, environment, person }, file) => {
        const { seedToAdd } = await import('./sandbox/seed.js');
        const seed = seedToAdd({ file, people: person }, io);
        await addSeed(project, seed, environment);
        return [{ added: seed.name }, `${seed.name}: added\n`];
      }),
    );

  addSubcommand('stop', 'End it; what it keeps stays.').action(
    run(async ({ stopSandbox }, { project, environment }) => {
      const stopped = await stopSandbox(project, environment);
      return [{ stopped }, stopped ? 'stopped\n' : 'none was running\n'];
    }),
  );

  addSubcommand(
    'status',
    'Say whether it runs, and how its apps fare (exit code 1 when it does not run).',
  ).action(
    run(async ({ sandboxStatus }, { project, environment }) => {
      const status = await sandboxStatus(project, environment);
      const { sandboxName, sandboxPaths } = await import('../../sandbox/paths.js');
      const name = sandboxName(sandboxPaths(project, environment));
      return [status, statusText(status, name), status.running ? 0 : 1];
    }),
  );

  addSubcommand(
    'reset',
    "Return to its seed: objects, apps, time, faults and Terraform's states go; its authority, port and ids stay.",
  ).action(
    runExclusively(async ({ resetSandbox }, { project, environment }) => {
      await resetSandbox(project, environment);
      return [{ reset: true }, 'reset to its seed\n'];
    }),
  );

  addTimeAndSnapshots(addSubcommand, run, runExclusively);
  addFaults(addSubcommand, run, io);
  addRecording(addSubcommand, run, io);
  addReplay(sandboxCommand, projectOption, io, done);

  addSubcommand('env', 'Print what a shell needs so that terraform and cdktf work against it.')
    .addOption(
      new ChoiceOption(
        '--providers <which>',
        providerChoices,
        'castellan (served by the sandbox) or official (as Terraform finds them, pointed at the sandbox)',
      ).default('castellan'),
    )
    .action(async (flags: SandboxFlags & { readonly providers: string }) => {
      const { environmentVariablesText } = await import('./sandbox/environment-variables-text.js');
      io.stdout.write(await environmentVariablesText(flags, io));
      done(0);
    });

  // the process that `start` and `castellan up` start in the background
  sandboxCommand
    .command('run', { hidden: true })
    .addOption(projectOption)
    .option('--environment <name>')
    .action(async ({ project, environment }: SandboxFlags) => {
      const { runSandbox } = await import('../../sandbox/control-plane/sandbox-process.js');
      const interrupt = once(interruptSignal(), 'abort');
      const running = await runSandbox(project, io.env, environment);
      await Promise.race([interrupt, running.folderRemoved]);
      await running.close();
      done(0);
    });
};

/** Does some work once no other command works on the stacks of a sandbox, if there is one. */
async function withExistingSandboxLock(
  { project, environment }: SandboxFlags,
  io: CliIo,
  work: () => Promise<Outcome>,
): Promise<Outcome> {
  const { sandboxPaths } = await import('../../sandbox/paths.js');
  const { withSandboxApplyLock } = await import('../apply/apply-lock.js');
  const paths = sandboxPaths(project, environment);
  return existsSync(paths.root) ? withSandboxApplyLock(paths, io, work) : work();
}

/** Adds the commands that set the sandbox's time, and that save, restore and copy what it keeps. */
function addTimeAndSnapshots(
  addSubcommand: (name: string, description: string) => Command,
  run: (action: SandboxAction) => (...args: readonly unknown[]) => Promise<void>,
  runExclusively: typeof run,
): void {
  addSubcommand(
    'clock',
    'Print its time, or set it: due work is done in order (groups expire, deleted objects go for good).',
  )
    .argument('[change]', '+30d, +1d12h, a later date such as 2027-01-31, or resume')
    .action(
      run(async (sandboxApi, { project, environment }, change) => {
        const status =
          change === undefined
            ? await sandboxApi.sandboxClockStatus(project, environment)
            : await sandboxApi.moveSandboxClock(project, change, environment);
        return [status, clockText(status)];
      }),
    );

  addSubcommand('save', "Save its present state under a name, with Terraform's states beside it.")
    .argument('<name>', 'such as before-migration; an earlier snapshot of this name is replaced')
    .action(
      runExclusively(async (sandboxApi, { project, environment }, name = '') => {
        const saved = await sandboxApi.saveSandbox(project, name, environment);
        return [saved, `${name}: saved\n`];
      }),
    );

  addSubcommand('restore', 'Return to what was saved under a name; one that runs is restarted.')
    .argument('<name>', 'one of `castellan sandbox list`')
    .action(
      runExclusively(async (sandboxApi, { project, environment }, name = '') => {
        const restored = await sandboxApi.restoreSandbox(project, name, environment);
        return [restored, `restored ${name}, of ${restored.savedAt}\n`];
      }),
    );

  addSubcommand('list', 'List what is saved, the newest first.').action(
    run((sandboxApi, { project, environment }) => {
      const snapshots = sandboxApi.savedSnapshots(project, environment);
      const lines = snapshots.map(({ name, savedAt }) => `${name}  ${savedAt}\n`);
      return Promise.resolve([{ snapshots }, lines.join('') || 'nothing is saved\n']);
    }),
  );

  addSubcommand('fork', 'Start a copy of it beside it, as the sandbox of another environment.')
    .argument('<name>', 'the environment: `castellan plan -e NAME` works on the copy')
    .requiredOption('--port <port>', 'the port of the copy', parsePort)
    .action(
      runExclusively(async (sandboxApi, { project, environment, port = 0 }, name = '') => {
        const fork = await sandboxApi.forkSandbox(project, { name, port, environment });
        return [fork, `started: ${fork.origin} (process ${fork.pid}), environment ${name}\n`];
      }),
    );
}

/** Adds the command that makes the sandbox inject faults. */
function addFaults(
  addSubcommand: (name: string, description: string) => Command,
  run: (action: SandboxAction) => (...args: readonly unknown[]) => Promise<void>,
  io: CliIo,
): void {
  addSubcommand(
    'faults',
    'Print the faults that it injects, or set others: refusals, slow answers, broken connections, objects that are not there yet.',
  )
    .argument('[what]', 'a preset, `off`, or `list` for all presets')
    .option('--file <file>', 'YAML with presets and faults of your own')
    .action(
      run(async (sandboxApi, { project, environment, file }, what) => {
        const { describeFaults, presetList, faultPlanOf } = await import('./sandbox/faults.js');
        if (what === 'list') return presetList();
        const plan = faultPlanOf({ presetOrOff: what, file }, io);
        const status =
          plan === undefined
            ? await sandboxApi.sandboxFaults(project, environment)
            : await sandboxApi.setSandboxFaults(project, plan, environment);
        return [status, describeFaults(status)];
      }),
    );
}

/** Adds the command that records the calls of the sandbox's services. */
function addRecording(
  addSubcommand: (name: string, description: string) => Command,
  run: (action: SandboxAction) => (...args: readonly unknown[]) => Promise<void>,
  io: CliIo,
): void {
  addSubcommand(
    'record',
    'Record every call of its services from now on (HAR 1.2), secrets masked.',
  )
    .argument('[file]', 'the file to write, or `off`')
    .action(
      run(async (sandboxApi, { project, environment }, file) => {
        if (file === undefined) {
          const status = await sandboxApi.sandboxRecording(project, environment);
          return [status, recordingText(status)];
        }
        const harFile = file === 'off' ? undefined : resolve(io.cwd, file);
        const status = await sandboxApi.recordSandbox(project, harFile, environment);
        return [status, harFile === undefined ? recordedText(status) : recordingText(status)];
      }),
    );
}

/** Adds the command that answers from a recording. */
function addReplay(
  sandboxCommand: Command,
  projectOption: Option,
  io: CliIo,
  done: (exitCode: number) => void,
): void {
  sandboxCommand
    .command('replay')
    .description('Answer requests from a recording, without a sandbox: for tests in any language.')
    .argument('<file>', 'a recording (HAR 1.2)')
    .addOption(projectOption)
    .option('--port <port>', 'where to listen on this machine (default: a free port)', parsePort)
    .option('--plain', 'plain HTTP, in place of HTTPS with a certificate of the project')
    .action(async (file: string, { project, port = 0, plain }: SandboxFlags) => {
      const { replayRecording } = await import('./sandbox/replay.js');
      await replayRecording({ file, project, port, plain: plain === true }, io);
      done(0);
    });
}

async function startSandbox(
  { ensureSandbox, recordSandbox }: typeof sandbox,
  { project, environment, seed, record }: SandboxFlags,
  io: CliIo,
): Promise<Outcome> {
  const { started, origin, pid, caFile, tenantId, subscriptionId, consoleUrl } =
    await ensureSandbox({
      projectDir: project,
      environment,
      ...(seed !== undefined && { seedFile: resolve(io.cwd, seed) }),
      onProgress: (message) => printText(io.stderr, `${message}\n`),
    });
  if (record !== undefined) await recordSandbox(project, resolve(io.cwd, record), environment);
  const text = `${started ? 'started' : 'runs already'}: ${origin} (process ${pid})\nauthority: ${caFile}\n`;
  return [{ started, origin, pid, caFile, tenantId, subscriptionId, console: consoleUrl }, text];
}

/** The absolute path of a folder. @throws CAS8001 where there is none */
function existingFolder(folder: string, { cwd }: CliIo): string {
  const path = resolve(cwd, folder);
  if (statSync(path, { throwIfNoEntry: false })?.isDirectory() !== true)
    throw new CastellanError('CAS8001', `--project ${folder}: there is no such folder`);
  return path;
}

/** @throws CAS8001 for text that is no port. */
function parsePort(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port < 1 || port > 65_535)
    throw new CastellanError('CAS8001', `--port ${text}: a port is a number from 1 to 65535`);
  return port;
}
