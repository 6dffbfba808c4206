import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, writeFileSync } from 'node:fs';
import { userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { CastellanError } from '../core/errors/castellan-error.js';
import { environmentFolder } from '../core/project/environment-folder.js';
import { maxSocketPathBytes, temporarySocketFolder } from '../core/process/socket-path.js';
import { makeFolder } from '../core/source/make-folder.js';

/**
 * The files of a project's sandbox: below `.castellan/` of the project, never in the home
 * directory.
 */
export interface SandboxPaths {
  readonly projectDir: string;
  /** The environment of the sandbox. @default the one without an overlay */
  readonly environment?: string;
  /** `.castellan/`, or the folder of the environment in it. */
  readonly root: string;
  /** Certificate of the local authority, in PEM. */
  readonly ca: string;
  /** Its private key, in PEM. */
  readonly caKey: string;
  /** The public authorities and the local one together, for programs that use only one bundle. */
  readonly caBundle: string;
  /** The local authority after those in the earlier `NODE_EXTRA_CA_CERTS`. */
  readonly extraAuthorities: string;
  /** The bundle after the authorities in the earlier `SSL_CERT_FILE`. */
  readonly extraBundle: string;
  /** Port, ids and keys that stay the same for the sandbox's life. */
  readonly settings: string;
  /**
   * Locked while the background process is running; the operating system releases it with the
   * process.
   */
  readonly lock: string;
  /** The running process, and its address. */
  readonly state: string;
  /** SQLite; not used where `DATABASE_URL` names another database. */
  readonly database: string;
  /** The log of the background process; apps have their own. */
  readonly log: string;
  /** A copy of the seed, which is applied when it has changed, and after a reset. */
  readonly seed: string;
  /** The additions of `castellan sandbox seed`. */
  readonly addedSeed: string;
  /** How far its clock is ahead of the machine's. */
  readonly clock: string;
  /** The faults that it injects. */
  readonly faults: string;
  /** The folder of the saved snapshots. */
  readonly snapshots: string;
  /** How apps run: commands, dialects; written by `castellan up`. */
  readonly apps: string;
  /** The files of each running app: sign-in settings, secrets, token stores. */
  readonly hosting: string;
  /**
   * The folder of the providers' journals: created objects that are not known to be in a state yet.
   */
  readonly creationJournals: string;
  /** The folder of the providers' unix sockets. */
  readonly sockets: string;
}

/** The longest name of a socket. */
const longestSocketName = 'castellan.sock';

/** The paths of a project's sandbox, one for each of its environments. */
export function sandboxPaths(projectDir: string, environment?: string): SandboxPaths {
  const project = resolve(projectDir);
  const folder = environmentFolder(environment);
  const root = join(project, folder);
  const pathInFolder = (name: string): string => join(root, name);
  return {
    projectDir: project,
    ...(folder !== environmentFolder() && { environment: environment ?? '' }),
    root,
    ca: pathInFolder('ca.pem'),
    caKey: pathInFolder('ca-key.pem'),
    caBundle: pathInFolder('ca-bundle.pem'),
    extraAuthorities: pathInFolder('ca-extra.pem'),
    extraBundle: pathInFolder('ca-bundle-extra.pem'),
    settings: pathInFolder('settings.json'),
    lock: pathInFolder('sandbox.lock'),
    state: pathInFolder('sandbox.json'),
    database: pathInFolder('sandbox.db'),
    log: pathInFolder('sandbox.log'),
    seed: pathInFolder('seed.yaml'),
    addedSeed: pathInFolder('added-seed.json'),
    clock: pathInFolder('clock.json'),
    faults: pathInFolder('faults.json'),
    snapshots: pathInFolder('snapshots'),
    apps: pathInFolder('apps.json'),
    hosting: pathInFolder('apps'),
    creationJournals: pathInFolder('creations'),
    sockets:
      Buffer.byteLength(join(root, 'run', longestSocketName)) <= maxSocketPathBytes
        ? pathInFolder('run')
        : shortSocketFolder(root),
  };
}

/** Creates the folder, readable by its owner only and ignored by git. */
export function prepareSandboxFolder(paths: SandboxPaths): void {
  try {
    makeFolder(paths.root, 0o700);
    const ignore = join(paths.projectDir, environmentFolder(), '.gitignore');
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  } catch (cause) {
    throw new CastellanError(
      'CAS4013',
      `${paths.root} can't be written: ${(cause as Error).message}`,
      { cause },
    );
  }
}

/** The name of the sandbox in messages: its folder, with its environment if it has one. */
export function sandboxName({ projectDir, environment }: SandboxPaths): string {
  return environment === undefined ? projectDir : `${projectDir} (environment ${environment})`;
}

/**
 * Creates the folder of the sockets, which must belong to this user: anyone who can write there
 * could impersonate a provider.
 */
export function prepareSocketFolder({ sockets }: SandboxPaths): void {
  makeFolder(sockets, 0o700);
  const stats = lstatSync(sockets);
  if (!stats.isDirectory() || stats.uid !== userInfo().uid)
    throw new CastellanError(
      'CAS4013',
      `${sockets} belongs to another user: the providers' sockets can't be put there`,
    );
  chmodSync(sockets, 0o700);
}

/** The folder of the sockets for a project whose own path is too long for them. */
function shortSocketFolder(root: string): string {
  const name = `castellan-${userInfo().uid}-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`;
  return join(temporarySocketFolder(join(name, longestSocketName)), name);
}
