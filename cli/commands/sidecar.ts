import cluster from 'node:cluster';
import { Option } from 'commander';
import type { Dialect } from '../../core/dialect/dialect.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { Dependency, LogLevel, SidecarOptions } from '../../services/auth-sidecar/index.js';
import type { RegisterCommand } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult } from '../format.js';
import { namingVariables, nearNames, readFromEnvironment } from '../environment-options.js';
import { say } from '../say.js';

/** How the variables begin that stand in for flags. */
const prefix = 'CASTELLAN_SIDECAR_';

/** The flags as commander gives them. */
interface Flags extends FormatFlags {
  readonly config?: string;
  readonly configTest?: true;
  readonly upstream?: string;
  readonly forwardAuth?: string;
  readonly listen: string;
  readonly tlsCert?: string;
  readonly tlsKey?: string;
  readonly trustedProxies: string[];
  readonly publicOrigin: string[];
  readonly forwardUserHeaders?: string;
  readonly adminListen?: string;
  readonly readyWhen: string[];
  readonly dialect: string;
  readonly workers: string;
  readonly logLevel: string;
  readonly secrets?: string;
  readonly tokenStore?: string;
  readonly endpoints?: string;
  readonly pages?: string;
  readonly sessionCache: string;
  readonly headerSeconds: string;
  readonly bodySeconds: string;
  readonly drainSeconds: string;
}

const list = (text: string, before: string[]): string[] => [
  ...before,
  ...text
    .split(',')
    .map((each) => each.trim())
    .filter(Boolean),
];

/** `castellan sidecar`: runs the sign-in layer in front of an app. */
export const register: RegisterCommand = (program, io, done) => {
  const command = readFromEnvironment(program.command('sidecar'), prefix, ['--config-test', '--format', '--json']);
  addFormat(command)
    .description('Run the sign-in layer in front of any HTTP app.')
    .option('--config <file>', 'the authConfigs settings, JSON or YAML; CASTELLAN_AUTH__… variables are put over them')
    .option('--upstream <url>', 'origin of the app, such as http://127.0.0.1:8080')
    .addOption(yesOrNo('--forward-auth', 'no app behind: nginx, Traefik, Caddy or Envoy asks /.auth/check about each request'))
    .option('--listen <host:port>', 'where to accept connections; port 0 takes a free one', '127.0.0.1:8443')
    .option('--tls-cert <file>', 'certificate (PEM); without it the sidecar speaks HTTP behind an ingress')
    .option('--tls-key <file>', 'key of the certificate (PEM)')
    .addOption(
      new Option('--trusted-proxies <cidr,…>', 'whose forwarding headers are believed, as httpSettings.forwardProxy says')
        .argParser(list)
        .default([], 'none'),
    )
    .addOption(new Option('--public-origin <url,…>', 'the origins it answers for').argParser(list).default([], 'the listen address'))
    .addOption(yesOrNo('--forward-user-headers', 'send the app X-Forwarded-User, -Email and -Groups as well'))
    .option('--admin-listen <host:port>', 'health, readiness and metrics')
    .addOption(
      new Option('--ready-when <what,…>', 'what /readyz depends on: token-store, upstream, key-set, or none')
        .argParser(list)
        .default([], 'token-store'),
    )
    .option('--dialect <dialect>', 'neutral or azure', 'neutral')
    .option('--workers <n>', 'processes that share the port', '1')
    .option('--log-level <level>', 'silent, fatal, error, warn, info, debug or trace (on stderr)', 'info')
    .option('--secrets <dir>', 'files named as the secrets that the environment does not have')
    .option('--token-store <url>', 'sqlite:PATH, redis://…, postgres://… or memory: (default: SQLite below .castellan)')
    .option('--endpoints <file>', 'provider addresses by provider key, for tests and national clouds')
    .option('--pages <dir>', 'page.html, style.css, logo.svg or logo.png, and words.yaml for the pages')
    .option('--session-cache <n>', 'opened sessions to remember; 0 opens and verifies the seal of every request', '10000')
    .option('--header-seconds <n>', "how long a request's headers may take", '15')
    .option('--body-seconds <n>', 'how long a client may be silent before its request is whole', '60')
    .option('--drain-seconds <n>', 'how long requests may take to end at shutdown', '25')
    .option('--config-test', 'validate the configuration and end')
    .action(async (flags: Flags) => {
      try {
        await run(flags);
      } catch (error) {
        throw namingVariables(error, command);
      }
    });

  const run = async (flags: Flags): Promise<void> => {
    const sidecar = await import('../../services/auth-sidecar/index.js');
    const format = formatOf(flags);
    if (cluster.isWorker) {
      await sidecar.serveAsWorker();
      return;
    }
    for (const [name, meant] of nearNames(command, prefix, io.env))
      say(io.stderr, `warning: ${name} is not known, did you mean ${meant}?\n`);
    const missing = missingOptions(flags, sidecar.propertyVariables(io.env).length > 0);
    if (missing.length > 0) throw new CastellanError('CAS8001', `sidecar needs ${missing.join(' and ')}`, { details: { missing } });
    const options = parse(flags, sidecar.logLevels);
    if (flags.configTest) {
      try {
        const { warnings } = sidecar.loadConfig(sidecar.configSource(options));
        if (options.pages !== undefined) sidecar.readLook(options.pages);
        for (const warning of warnings) say(io.stderr, `warning: ${warning}\n`);
        printResult(format, { valid: true, problems: [], warnings }, `${flags.config ?? 'the environment'}: valid\n`, io);
      } catch (error) {
        const problems = sidecar.problemsOf(error).map(({ property, message }) => ({ property, message }));
        const lines = problems.map(({ property, message }) => `${property}: ${message}\n`);
        printResult(format, { valid: false, problems, warnings: [] }, lines.join(''), io);
        say(io.stderr, `castellan: ${flags.config ?? 'the environment'}: not valid\n`);
        done(exitCodes.findings);
      }
      return;
    }
    const running = await sidecar.startSidecar(options);
    sidecar.growYoungGenerationAtOnce();
    const ended = new Promise<void>((end) => ['SIGTERM', 'SIGINT'].forEach((signal) => process.once(signal, () => end())));
    process.on('SIGHUP', () => running.reload());
    io.stdout.write(
      `${JSON.stringify({ listening: running.listening, ...(running.admin === undefined ? {} : { admin: running.admin }) })}\n`,
    );
    await ended;
    await running.stop();
    done(exitCodes.clean);
    // Kept connections to providers may linger: nothing waits for them.
    setTimeout(() => process.exit(), 250).unref();
  };
};

/** What can't be done without, all at once. */
function missingOptions({ config, configTest, upstream, forwardAuth }: Flags, hasProperties: boolean): string[] {
  const missing: string[] = [];
  if (config === undefined && !hasProperties) missing.push('--config <file> (or CASTELLAN_SIDECAR_CONFIG, or CASTELLAN_AUTH__… variables)');
  if (upstream === undefined && forwardAuth !== 'true' && !configTest)
    missing.push('--upstream <url>, the origin of the app (or CASTELLAN_SIDECAR_UPSTREAM, or --forward-auth where another proxy forwards)');
  return missing;
}

/** A flag that a variable can also say no to. */
function yesOrNo(flag: string, description: string): Option {
  return new Option(`${flag} [true|false]`, description).choices(['true', 'false']).preset('true');
}

function parse(flags: Flags, levels: readonly LogLevel[]): SidecarOptions {
  const oneOf = <T extends string>(flag: string, value: string, allowed: readonly T[]): T => {
    const found = allowed.find((each) => each === value);
    if (found === undefined) throw new CastellanError('CAS6004', `${flag} "${value}": allowed are ${allowed.join(', ')}`);
    return found;
  };
  const readyWhen = (given: readonly string[]): Dependency[] =>
    given.filter((each) => each !== 'none').map((each) => oneOf('--ready-when', each, ['token-store', 'upstream', 'key-set']));
  const count = (flag: string, value: string): number => {
    if (!/^\d{1,7}$/.test(value)) throw new CastellanError('CAS6004', `${flag} "${value}" is not a number`);
    return Number(value);
  };
  const positive = (flag: string, value: string): number => {
    const number = count(flag, value);
    if (number === 0)
      throw new CastellanError('CAS6004', `${flag} must be at least 1: clients without a limit would hold connections for ever`);
    return number;
  };
  const { config, upstream, listen, tlsCert, tlsKey, trustedProxies, publicOrigin, adminListen, secrets, tokenStore, endpoints } = flags;
  return {
    ...(config === undefined ? {} : { config }),
    ...(upstream === undefined ? {} : { upstream }),
    listen,
    ...(tlsCert === undefined ? {} : { tlsCert }),
    ...(tlsKey === undefined ? {} : { tlsKey }),
    trustedProxies,
    publicOrigins: publicOrigin,
    ...(flags.forwardUserHeaders === 'true' ? { forwardUserHeaders: true } : {}),
    ...(adminListen === undefined ? {} : { adminListen }),
    ...(flags.readyWhen.length === 0 ? {} : { readyWhen: readyWhen(flags.readyWhen) }),
    dialect: oneOf<Dialect>('--dialect', flags.dialect, ['neutral', 'azure']),
    workers: count('--workers', flags.workers),
    logLevel: oneOf('--log-level', flags.logLevel, levels),
    ...(secrets === undefined ? {} : { secrets }),
    ...(tokenStore === undefined ? {} : { tokenStore }),
    ...(endpoints === undefined ? {} : { endpoints }),
    ...(flags.pages === undefined ? {} : { pages: flags.pages }),
    sessionCache: count('--session-cache', flags.sessionCache),
    headerSeconds: positive('--header-seconds', flags.headerSeconds),
    bodySeconds: positive('--body-seconds', flags.bodySeconds),
    drainSeconds: count('--drain-seconds', flags.drainSeconds),
  };
}
