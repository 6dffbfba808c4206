import { X509Certificate } from 'node:crypto';
import { accessSync, constants, existsSync, readFileSync, statSync } from 'node:fs';
import { statfs } from 'node:fs/promises';
import { join } from 'node:path';
import { formatBytes, formatMonth } from '../../core/text/quantities.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { styled, terminalOutputOf } from '../../core/text/terminal.js';
import type { RegisterCommand, CliIo } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printResult } from '../format.js';
import { listFolder } from '../../core/source/list-folder.js';
import { environmentFolder } from '../../core/project/environment-folder.js';
import packageJson from '../../package.json';
import { isCastellanError } from '../../core/errors/castellan-error.js';
import { isPortFree } from '../../sandbox/control-plane/listeners.js';
import { isContainerEngineRunning } from '../../sandbox/hosting/container-engine.js';
import { sandboxPaths } from '../../sandbox/paths.js';
import { readSettings } from '../../sandbox/settings.js';
import { readRunningState } from '../../sandbox/state.js';
import { detectEngine } from '../../stacks/terraform/find-terraform.js';
import { isAtLeast, minEngineVersions } from '../../stacks/terraform/supported-engines.js';
import { findTerraformProgram } from '../apply/terraform-program.js';

const signs = {
  ok: ['ok  ', 'added'],
  warning: ['warn', 'warning'],
  problem: ['FAIL', 'error'],
} as const;

/** `castellan doctor`: finds problems on this machine, and how to fix them. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(
    program
      .command('doctor')
      .description('Report problems of this machine and this folder, and how to fix them.'),
  ).action(async (flags: FormatFlags) => {
    const format = formatOf(flags);
    const results = await runChecks(io);
    const screen = terminalOutputOf(io.stdout, io.env);
    const lines = results.map(
      ({ name, state, found, remedy }) =>
        `${styled(signs[state][0], signs[state][1], screen)}  ${name.padEnd(12)}${found}${remedy === undefined ? '' : `\n      ${remedy}`}\n`,
    );
    printResult(format, { checks: results }, lines.join(''), io);
    done(results.some(({ state }) => state === 'problem') ? exitCodes.findings : exitCodes.clean);
  });
};

/** The result of one check. */
interface CheckResult {
  readonly name: string;
  readonly state: 'ok' | 'warning' | 'problem';
  /** What was found, for the output. */
  readonly found: string;
  /** How to fix a problem. */
  readonly remedy?: string;
}

const minNodeVersion = [20, 19] as const;
/** Enough for Terraform, its providers and a sandbox. */
const minFreeBytes = 500_000_000;

/** A certificate that is valid for less than 30 days is to be renewed. */
const minValidityMs = 30 * 24 * 3_600_000;
/** A clock that is behind by less than this is not reported. */
const toleratedClockLagMs = 60_000;

/**
 * Checks the requirements of castellan: node, SQLite, Terraform, folder, port, certificate, disk,
 * Docker, proxy variables, clock.
 */
async function runChecks(io: CliIo): Promise<readonly CheckResult[]> {
  const checks: readonly [
    string,
    (io: CliIo) => Promise<Omit<CheckResult, 'name'>> | Omit<CheckResult, 'name'>,
  ][] = [
    ['node', checkNode],
    ['sqlite', checkSqlite],
    ['terraform', checkTerraform],
    ['folder', checkFolder],
    ['port', checkPort],
    ['certificate', checkCertificate],
    ['disk', checkDisk],
    ['docker', checkContainerEngine],
    ['proxy', checkProxyVariables],
    ['clock', checkClock],
  ];
  const results: CheckResult[] = [];
  for (const [name, check] of checks) {
    try {
      results.push({ name, ...(await check(io)) });
    } catch (error) {
      const remedy = isCastellanError(error) ? error.help : 'The message is what the system said.';
      results.push({
        name,
        state: 'problem',
        found: error instanceof Error ? error.message : String(error),
        remedy,
      });
    }
  }
  return results;
}

function checkNode(): Omit<CheckResult, 'name'> {
  const found = `Node ${process.versions.node}, castellan ${packageJson.version}`;
  if (isAtLeast(process.versions.node, minNodeVersion)) return { state: 'ok', found };
  return {
    state: 'problem',
    found,
    remedy: `Install Node ${minNodeVersion.join('.')} or later.`,
  };
}

async function checkSqlite(): Promise<Omit<CheckResult, 'name'>> {
  const { openDatabase } = await import('../../services/common/database.js');
  const database = await openDatabase('memory:');
  await database.close();
  return { state: 'ok', found: 'a database can be opened' };
}

async function checkTerraform(io: CliIo): Promise<Omit<CheckResult, 'name'>> {
  const program = await findTerraformProgram({ download: 'refused' }, io, () => undefined);
  const { name, title, version } = await detectEngine(program);
  const found = `${program}, ${title} ${version}`;
  if (isAtLeast(version, minEngineVersions[name])) return { state: 'ok', found };
  return {
    state: 'problem',
    found,
    remedy: `Install ${title} ${minEngineVersions[name].join('.')} or later, or name it with CASTELLAN_TERRAFORM.`,
  };
}

/** Whether the sandbox can keep its files in this folder. */
function checkFolder(io: CliIo): Omit<CheckResult, 'name'> {
  const { root } = sandboxPaths(io.cwd);
  const folder = existsSync(root) ? root : io.cwd;
  try {
    accessSync(folder, constants.R_OK | constants.W_OK | constants.X_OK);
    for (const name of folder === root ? listFolder(root) : []) requireReadable(join(root, name));
  } catch (error) {
    return {
      state: 'problem',
      found: `${folder} can't be used: ${(error as Error).message}`,
      remedy: 'Change its owner or permissions, or work in another folder.',
    };
  }
  return { state: 'ok', found: `${folder} can be written` };
}

/** @throws the system's error for a file that is there, and can't be read. */
function requireReadable(file: string): void {
  try {
    accessSync(file, constants.R_OK);
  } catch (error) {
    // a running sandbox may have replaced it meanwhile
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

async function checkPort(io: CliIo): Promise<Omit<CheckResult, 'name'>> {
  const paths = sandboxPaths(io.cwd);
  const settings = readSettings(paths);
  if (settings === undefined)
    return { state: 'ok', found: 'no sandbox was started here yet: it takes a free port' };
  const state = readRunningState(paths);
  if (state !== undefined)
    return {
      state: 'ok',
      found: `${String(settings.port)}: the sandbox of this folder (process ${String(state.pid)})`,
    };
  if (await isPortFree(settings.port))
    return { state: 'ok', found: `${String(settings.port)} is free` };
  return {
    state: 'problem',
    found: `${String(settings.port)}, the port of this folder's sandbox, is taken by another program`,
    remedy:
      'End that program, or give this sandbox another port: delete .castellan, with all that the sandbox keeps.',
  };
}

function checkCertificate(io: CliIo): Omit<CheckResult, 'name'> {
  const { ca } = sandboxPaths(io.cwd);
  const extraCaFile = io.env['NODE_EXTRA_CA_CERTS'];
  if (extraCaFile !== undefined && extraCaFile !== '' && !existsSync(extraCaFile))
    return {
      state: 'problem',
      found: `NODE_EXTRA_CA_CERTS names ${extraCaFile}, which does not exist`,
      remedy: 'Correct it, or unset it.',
    };
  if (!existsSync(ca))
    return { state: 'ok', found: 'no authority yet: the first start of a sandbox makes one' };
  const { validFrom, validTo } = new X509Certificate(readFileSync(ca));
  if (Date.parse(validFrom) > Date.now())
    return {
      state: 'problem',
      found: `${ca} is not valid before ${validFrom}: the clock was wrong when it was made`,
      remedy: 'Stop the sandbox and start it again: it makes another one.',
    };
  const remainingMs = Date.parse(validTo) - Date.now();
  if (remainingMs > minValidityMs)
    return { state: 'ok', found: `${ca} is valid until ${formatMonth(new Date(validTo))}` };
  return {
    state: 'problem',
    found: `${ca} is valid until ${validTo} only`,
    remedy: 'Delete .castellan/ca*.pem and start the sandbox again.',
  };
}

async function checkDisk(io: CliIo): Promise<Omit<CheckResult, 'name'>> {
  const { bavail, bsize } = await statfs(io.cwd);
  const freeBytes = bavail * bsize;
  const space = `${formatBytes(freeBytes)} free in ${io.cwd}`;
  if (freeBytes >= minFreeBytes) return { state: 'ok', found: space };
  return {
    state: 'problem',
    found: space,
    remedy: `Make room: ${formatBytes(minFreeBytes)} are enough for Terraform and a sandbox.`,
  };
}

async function checkContainerEngine(): Promise<Omit<CheckResult, 'name'>> {
  if (await isContainerEngineRunning())
    return { state: 'ok', found: 'an engine answers: apps run their images' };
  return {
    state: 'warning',
    found: 'no engine answers',
    remedy:
      'Apps without `sandbox.command` show a page in place of their image. Install Docker and start it, or say by DOCKER_HOST where it is.',
  };
}

function checkProxyVariables({ env }: CliIo): Omit<CheckResult, 'name'> {
  const proxyVariables = [
    'HTTPS_PROXY',
    'https_proxy',
    'HTTP_PROXY',
    'http_proxy',
    'ALL_PROXY',
    'all_proxy',
  ].filter((name) => (env[name] ?? '') !== '');
  if (proxyVariables.length === 0) return { state: 'ok', found: 'no proxy variables' };
  const exemptHosts = (env['NO_PROXY'] ?? env['no_proxy'] ?? '').split(/[\s,]+/);
  const variables = `${proxyVariables.join(', ')} ${proxyVariables.length === 1 ? 'is' : 'are'} set`;
  if (exemptHosts.includes('*') || exemptHosts.includes('localhost'))
    return { state: 'ok', found: `${variables}, localhost is exempt` };
  return {
    state: 'warning',
    found: `${variables}, and NO_PROXY does not name localhost`,
    remedy:
      'Add localhost,127.0.0.1,.localhost to NO_PROXY: programs would look for the sandbox behind the proxy.',
  };
}

/**
 * A clock that is behind the files that it wrote, or behind this release, makes valid tokens and
 * certificates fail.
 */
function checkClock(io: CliIo): Omit<CheckResult, 'name'> {
  const folder = join(io.cwd, environmentFolder());
  const files = listFolder(folder).map((name) => join(folder, name));
  // a running sandbox may have replaced a file meanwhile
  const times = [...files, __filename].map(
    (file) => statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0,
  );
  const latest = Math.max(...times);
  const lagMs = latest - Date.now();
  const time = new Date().toISOString();
  if (lagMs < toleratedClockLagMs) return { state: 'ok', found: time };
  return {
    state: 'problem',
    found: `${time} is ${String(Math.round(lagMs / 1000))} s before the latest file of this machine`,
    remedy: 'Set the clock: tokens and certificates that are not valid yet are refused.',
  };
}
