import cluster from 'node:cluster';
import { once } from 'node:events';
import { type Command, Option } from 'commander';
import type { Dialect } from '../../core/dialect/dialect.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { logLevels } from '../../core/values/log-levels.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type * as sidecar from '../../services/auth-sidecar/index.js';
import { ChoiceOption, listOfWords } from '../choice-option.js';
import type { CliIo, RegisterCommand } from '../command.js';
import {
  addFormat,
  type FormatFlags,
  formatOf,
  printJsonLine,
  printResult,
  printText,
} from '../format.js';
import { interruptSignal } from '../start.js';
import { addSessionCommands, adminTokenVariable } from './sidecar/sessions.js';
import {
  withVariableNames,
  misspeltVariables,
  readOptionsFromVariables,
} from '../option-variables.js';

/** How long open connections may take to end before the process exits. */
const exitMilliseconds = 250;
/** The prefix of the environment variables for flags. */
const variablePrefix = 'CASTELLAN_SIDECAR_';

/** The parsed flags. */
interface SidecarFlags extends FormatFlags {
  readonly config?: string;
  readonly configTest?: true;
  readonly upstream?: string;
  /** `true`: no app is behind; a proxy asks `/.auth/check` about each request. */
  readonly forwardAuth?: string;
  readonly listen: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  /** CIDR blocks of proxies whose forwarding headers are believed. */
  readonly trustedProxies: string[];
  readonly publicOrigin: string[];
  readonly forwardUserHeaders?: string;
  readonly adminListen?: string;
  readonly readyWhen: string[];
  readonly dialect: string;
  readonly workers: string;
  readonly logLevel: string;
  /** The folder with a file for each secret that the environment does not have. */
  readonly secrets?: string;
  readonly tokenStore?: string;
  /** The file with provider addresses by provider key. */
  readonly endpoints?: string;
  /** The file that says by how many seconds time is ahead. */
  readonly clock?: string;
  /** The folder with the files that change the look of the pages. */
  readonly pages?: string;
  /** How many decrypted sessions are cached. */
  readonly sessionCache: string;
  readonly headerSeconds: string;
  readonly bodySeconds: string;
  readonly drainSeconds: string;
}

/** `castellan sidecar`: runs the sign-in layer in front of an app. */
export const register: RegisterCommand = (program, io, done) => {
  const command = addOptions(program.command('sidecar')).action(async (flags: SidecarFlags) => {
    const sidecarModule = await import('../../services/auth-sidecar/index.js');
    const { startTelemetry } = await import('../../services/common/telemetry.js');
    const endTelemetry = await startTelemetry('castellan-auth-sidecar', io.env);
    if (cluster.isWorker) return sidecarModule.serveAsWorker();
    try {
      const options = optionsOf(flags, command, sidecarModule, io);
      if (flags.configTest) return done(await testConfig(flags, options, sidecarModule, io));
      await serveUntilInterrupted(options, sidecarModule, io);
      await endTelemetry();
    } catch (error) {
      throw withVariableNames(await sidecarModule.locateProblems(error), command);
    }
    done(exitCodes.clean);
    // connections to providers that are kept open must not keep the process running
    setTimeout(() => process.exit(), exitMilliseconds).unref();
  });
  addSessionCommands(command, io, done);
};

function addOptions(command: Command): Command {
  return addFormat(
    readOptionsFromVariables(command, variablePrefix, ['--config-test', '--format', '--json']),
  )
    .description('Run the sign-in layer in front of any HTTP app.')
    .option(
      '--config <file>',
      'the authConfigs settings, JSON or YAML; CASTELLAN_AUTH__… variables override them',
    )
    .option('--upstream <url>', 'origin of the app, such as http://127.0.0.1:8080')
    .addOption(
      booleanOption(
        '--forward-auth',
        'no app behind: nginx, Traefik, Caddy or Envoy asks /.auth/check about each request',
      ),
    )
    .option(
      '--listen <host:port>',
      'where to accept connections; port 0 takes a free one',
      '127.0.0.1:8443',
    )
    .option(
      '--tls-cert <file>',
      'certificate (PEM); without it the sidecar speaks HTTP behind an ingress',
    )
    .option('--tls-key <file>', 'key of the certificate (PEM)')
    .addOption(
      listOption(
        '--trusted-proxies <cidr,…>',
        'whose forwarding headers are believed, as httpSettings.forwardProxy says',
        'none',
      ),
    )
    .addOption(
      listOption('--public-origin <url,…>', 'the origins it answers for', 'the listen address'),
    )
    .addOption(
      booleanOption(
        '--forward-user-headers',
        'send the app X-Forwarded-User, -Email and -Groups as well',
      ),
    )
    .option('--admin-listen <host:port>', 'health, readiness, metrics and sessions')
    .addOption(
      listOption(
        '--ready-when <what,…>',
        'what /readyz depends on: token-store, upstream, key-set, or none',
        'token-store',
      ),
    )
    .addOption(new ChoiceOption('--dialect <dialect>', ['neutral', 'azure']).default('neutral'))
    .option('--workers <n>', 'processes that share the port', '1')
    .addOption(
      new ChoiceOption(
        '--log-level <level>',
        logLevels,
        `${listOfWords(logLevels)} (on stderr)`,
      ).default('info'),
    )
    .option('--secrets <dir>', 'files named as the secrets that the environment does not have')
    .option(
      '--token-store <url>',
      'sqlite:PATH, redis://…, redis-sentinel://…, redis-cluster://…, postgres://… or memory: (default: SQLite below .castellan)',
    )
    .option(
      '--endpoints <file>',
      'provider addresses by provider key, for tests and national clouds',
    )
    .option('--clock <file>', 'for rehearsals: aheadSeconds in JSON, by which time is ahead')
    .option(
      '--pages <dir>',
      'page.html, style.css, logo.svg or logo.png, and words.yaml for the pages',
    )
    .option(
      '--session-cache <n>',
      'decrypted sessions to cache; 0 decrypts and verifies the session of every request',
      '10000',
    )
    .option('--header-seconds <n>', "how long a request's headers may take", '15')
    .option(
      '--body-seconds <n>',
      'how long a client may be idle before its request is complete, or read nothing of its answer',
      '60',
    )
    .option('--drain-seconds <n>', 'how long running requests may take to finish at shutdown', '25')
    .option('--config-test', 'validate the configuration and end');
}

/** An option with comma-separated values, which may be repeated. */
function listOption(flags: string, description: string, defaultText: string): Option {
  const parse = (text: string, previous: string[]): string[] => [
    ...previous,
    ...text.split(',').flatMap((each) => each.trim() || []),
  ];
  return new Option(flags, description).argParser(parse).default([], defaultText);
}

/** A flag that a variable can also turn off. */
function booleanOption(flag: string, description: string): Option {
  return new Option(`${flag} [true|false]`, description).choices(['true', 'false']).preset('true');
}

/**
 * The options of a sidecar; warns about variables with nearly the name of one.
 *
 * @throws CAS8001, CAS6004
 */
function optionsOf(
  flags: SidecarFlags,
  command: Command,
  { propertyVariables }: typeof sidecar,
  io: CliIo,
): sidecar.SidecarOptions {
  formatOf(flags);
  for (const [name, suggestion] of misspeltVariables(command, variablePrefix, io.env))
    if (name !== adminTokenVariable)
      printText(io.stderr, `warning: ${name} is not known, did you mean ${suggestion}?\n`);
  const missing = missingOptions(flags, propertyVariables(io.env).length > 0);
  if (missing.length > 0)
    throw new CastellanError('CAS8001', `sidecar needs ${missing.join(' and ')}`, {
      details: { missing },
    });
  const { [adminTokenVariable]: adminToken } = io.env;
  const options = parseFlags(flags);
  return adminToken === undefined || adminToken === '' ? options : { ...options, adminToken };
}

/** Validates the configuration. @returns the exit code */
async function testConfig(
  flags: SidecarFlags,
  options: sidecar.SidecarOptions,
  { configSource, loadConfig, problemLine, problemsOf, readTheme, locateProblems }: typeof sidecar,
  io: CliIo,
): Promise<number> {
  const [format, source] = [formatOf(flags), flags.config ?? 'the environment'];
  try {
    const { warnings } = loadConfig(configSource(options));
    if (options.pages !== undefined) readTheme(options.pages);
    for (const warning of warnings) printText(io.stderr, `warning: ${warning}\n`);
    printResult(format, { valid: true, problems: [], warnings }, `${source}: valid\n`, io);
    return exitCodes.clean;
  } catch (error) {
    const configProblems = problemsOf(await locateProblems(error));
    const problems = configProblems.map(({ property, message, location }) => ({
      property,
      message,
      ...omitUndefined({ line: location?.line, column: location?.column }),
    }));
    const lines = configProblems.map((problem) => `${problemLine(problem)}\n`);
    printResult(format, { valid: false, problems, warnings: [] }, lines.join(''), io);
    printText(io.stderr, `castellan: ${source}: not valid\n`);
    return exitCodes.findings;
  }
}

/** Serves until a signal ends it. */
async function serveUntilInterrupted(
  options: sidecar.SidecarOptions,
  { startSidecar }: typeof sidecar,
  io: CliIo,
): Promise<void> {
  const runningSidecar = await startSidecar(options);
  const end = once(interruptSignal(), 'abort');
  process.on('SIGHUP', () => runningSidecar.reload());
  printJsonLine(
    {
      listening: runningSidecar.url,
      ...omitUndefined({ admin: runningSidecar.admin }),
    },
    io,
  );
  await end;
  await runningSidecar.stop();
}

/** Reports all missing options at once. */
function missingOptions(
  { config, configTest, upstream, forwardAuth }: SidecarFlags,
  hasProperties: boolean,
): string[] {
  const missing: string[] = [];
  if (config === undefined && !hasProperties)
    missing.push('--config <file> (or CASTELLAN_SIDECAR_CONFIG, or CASTELLAN_AUTH__… variables)');
  if (upstream === undefined && forwardAuth !== 'true' && !configTest)
    missing.push(
      '--upstream <url>, the origin of the app (or CASTELLAN_SIDECAR_UPSTREAM, or --forward-auth where another proxy forwards)',
    );
  return missing;
}

function parseFlags(flags: SidecarFlags): sidecar.SidecarOptions {
  const parseChoice = <T extends string>(flag: string, value: string, allowed: readonly T[]): T => {
    const match = allowed.find((each) => each === value);
    if (match === undefined)
      throw new CastellanError('CAS6004', `${flag} "${value}": allowed are ${allowed.join(', ')}`);
    return match;
  };
  const parseDependencies = (names: readonly string[]): sidecar.Dependency[] =>
    names
      .filter((each) => each !== 'none')
      .map((each) => parseChoice('--ready-when', each, ['token-store', 'upstream', 'key-set']));
  const parseCount = (flag: string, value: string): number => {
    if (!/^\d{1,7}$/.test(value))
      throw new CastellanError('CAS6004', `${flag} "${value}" is not a number`);
    return Number(value);
  };
  const parsePositive = (flag: string, value: string): number => {
    const number = parseCount(flag, value);
    if (number === 0)
      throw new CastellanError(
        'CAS6004',
        `${flag} must be at least 1: clients without a limit would hold connections for ever`,
      );
    return number;
  };
  const {
    configTest: _configTest,
    forwardAuth: _forwardAuth,
    publicOrigin,
    forwardUserHeaders,
    readyWhen,
    ...rest
  } = flags;
  return {
    ...rest,
    publicOrigins: publicOrigin,
    ...(forwardUserHeaders === 'true' && { forwardUserHeaders: true }),
    ...(readyWhen.length !== 0 && { readyWhen: parseDependencies(readyWhen) }),
    dialect: parseChoice<Dialect>('--dialect', flags.dialect, ['neutral', 'azure']),
    workers: parseCount('--workers', flags.workers),
    logLevel: parseChoice('--log-level', flags.logLevel, logLevels),
    sessionCache: parseCount('--session-cache', flags.sessionCache),
    headerSeconds: parsePositive('--header-seconds', flags.headerSeconds),
    bodySeconds: parsePositive('--body-seconds', flags.bodySeconds),
    drainSeconds: parseCount('--drain-seconds', flags.drainSeconds),
  };
}
