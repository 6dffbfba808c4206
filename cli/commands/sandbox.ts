import type { Command } from 'commander';
import { resolve } from 'node:path';
import type { SandboxStatus } from '../../sandbox/index.js';
import type { CliIo, RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult } from '../format.js';
import { say } from '../say.js';

interface Place extends FormatFlags {
  readonly project?: string;
  readonly environment?: string;
}

/** `castellan sandbox start|stop|status|reset|env`: the local control plane of a project. */
export const register: RegisterCommand = (program, io, done) => {
  const sandbox = program
    .command('sandbox')
    .description('The local control plane: services, identity provider, ingress and apps, under .castellan/ of the project.');
  const inProject = (name: string, description: string): Command =>
    addFormat(sandbox.command(name).description(description))
      .option('--project <folder>', 'whose sandbox (default: the current folder)')
      .option('-e, --environment <name>', 'the environment whose sandbox it is (default: the one without an overlay)');
  const projectOf = (options: Place): string => resolve(io.cwd, options.project ?? '.');

  inProject('start', 'Start it in the background; one that runs is left alone.')
    .option('--seed <file>', 'YAML with what exists from the start; applied idempotently')
    .action(async (options: Place & { seed?: string }) => {
      const format = formatOf(options);
      const { ensureSandbox } = await import('../../sandbox/index.js');
      const handle = await ensureSandbox({
        projectDir: projectOf(options),
        environment: options.environment,
        ...(options.seed === undefined ? {} : { seedFile: resolve(io.cwd, options.seed) }),
        onProgress: (message) => say(io.stderr, `${message}\n`),
      });
      const { started, origin, pid, caFile, tenantId, subscriptionId } = handle;
      const text = `${started ? 'started' : 'runs already'}: ${origin} (process ${pid})\nauthority: ${caFile}\n`;
      printResult(format, { started, origin, pid, caFile, tenantId, subscriptionId, console: handle.console }, text, io);
      done(0);
    });

  inProject('seed', 'Add what a seed file says, or one person, to the sandbox: at once to one that runs, and for every next start.')
    .argument('[file]', 'a seed file (`castellan schema seed` describes it)')
    .option('--person <name>', 'add a person by user principal name, such as ada@contoso.example')
    .action(async (file: string | undefined, options: Place & { person?: string }) => {
      const format = formatOf(options);
      const { addSeed } = await import('../../sandbox/index.js');
      const { seedOf } = await import('./sandbox/seed.js');
      const seed = seedOf({ file, person: options.person }, io);
      await addSeed(projectOf(options), seed, options.environment);
      printResult(format, { added: seed.name }, `${seed.name}: added\n`, io);
      done(0);
    });

  inProject('stop', 'End it; what it keeps stays.').action(async (options: Place) => {
    const format = formatOf(options);
    const { stopSandbox } = await import('../../sandbox/index.js');
    const stopped = await stopSandbox(projectOf(options), options.environment);
    printResult(format, { stopped }, stopped ? 'stopped\n' : 'none was running\n', io);
    done(0);
  });

  inProject('status', 'Say whether it runs, and how its apps fare (exit code 1 when it does not run).').action(async (options: Place) => {
    const format = formatOf(options);
    const { sandboxStatus } = await import('../../sandbox/index.js');
    const status = await sandboxStatus(projectOf(options), options.environment);
    printResult(format, status, statusText(status), io);
    done(status.running ? 0 : 1);
  });

  inProject('reset', 'End it and forget what it keeps; its authority, port and ids stay.').action(async (options: Place) => {
    const format = formatOf(options);
    const { resetSandbox } = await import('../../sandbox/index.js');
    await resetSandbox(projectOf(options), options.environment);
    printResult(format, { reset: true }, 'forgotten\n', io);
    done(0);
  });

  inProject('env', 'Print what a shell needs so that terraform and cdktf work against it.')
    .option(
      '--providers <which>',
      'castellan (served by the sandbox) or official (as Terraform finds them, pointed at the sandbox)',
      'castellan',
    )
    .action(async (options: Place & { providers: string }) => {
      io.stdout.write(await environmentText(projectOf(options), options, io));
      done(0);
    });

  sandbox
    .command('run', { hidden: true })
    .description('Run it in this process (what `start` starts).')
    .requiredOption('--project <folder>')
    .option('--environment <name>')
    .action(async (options: { project: string; environment?: string }) => {
      const { runSandbox } = await import('../../sandbox/control-plane/run.js');
      const ended = new Promise<void>((end) => ['SIGTERM', 'SIGINT'].forEach((signal) => process.once(signal, () => end())));
      const running = await runSandbox(options.project, io.env, options.environment);
      await ended;
      await running.close();
      done(0);
    });
};

/** What a shell needs, as `export` lines or JSON. @throws CAS8001 for other providers */
async function environmentText(projectDir: string, options: Place & { providers: string }, io: CliIo): Promise<string> {
  const { sandboxEnvironment } = await import('../../sandbox/index.js');
  if (options.providers !== 'castellan' && options.providers !== 'official') {
    const { CastellanError } = await import('../../core/errors/castellan-error.js');
    throw new CastellanError('CAS8001', `--providers ${options.providers}: allowed are castellan and official`);
  }
  const { madeUpSecrets } = await import('../apply/stand-in-secrets.js');
  const environment = sandboxEnvironment(projectDir, {
    providers: options.providers,
    environment: options.environment,
    extraAuthorities: io.env['NODE_EXTRA_CA_CERTS'],
  });
  const made = Object.entries(madeUpSecrets(projectDir, options.environment));
  const secrets = Object.fromEntries(made.map(([name, value]) => [`TF_VAR_${name}`, io.env[name] ?? value]));
  if (formatOf(options) === 'json') return `${JSON.stringify({ ...environment, ...secrets })}\n`;
  return exportLines(environment) + (made.length === 0 ? '' : `${standInHeading}\n${exportLines(secrets)}`);
}

const standInHeading =
  '# Secrets that are set nowhere have made-up values in this sandbox: without the same ones, a plan would change them.';

function exportLines(variables: Readonly<Record<string, string>>): string {
  return Object.entries(variables)
    .map(([name, value]) => `export ${name}='${value.replaceAll("'", "'\\''")}'\n`)
    .join('');
}

function statusText(status: SandboxStatus): string {
  if (!status.running) return `no sandbox runs for ${status.projectDir}\n`;
  const apps = status.apps.map(
    ({ name, state, runs, url, auth, replicas, detail }) =>
      `  ${name}: ${state}, ${runs}, ${replicas} replica${replicas === 1 ? '' : 's'}${auth ? ', behind sign-in' : ''}${url === undefined ? '' : `, ${url}`}${detail === undefined ? '' : `\n    ${detail}`}\n`,
  );
  return [
    `runs at ${status.origin} (process ${status.pid}, since ${status.startedAt})\n`,
    `tenant ${status.tenantId}, subscription ${status.subscriptionId}\n`,
    `authority ${status.caFile}, log ${status.log}\n`,
    apps.length === 0 ? 'no apps\n' : 'apps:\n',
    ...apps,
  ].join('');
}
