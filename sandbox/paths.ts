import { createHash } from 'node:crypto';
import { chmodSync, existsSync, lstatSync, writeFileSync } from 'node:fs';
import { tmpdir, userInfo } from 'node:os';
import { join, resolve } from 'node:path';
import { CastellanError } from '../core/errors/castellan-error.js';
import { environmentFolder } from '../core/project/environment-folder.js';
import { makeFolder } from '../core/source/replace-file.js';

/** Where a project's sandbox keeps everything: below `.castellan/` of the project, never the home directory. */
export interface SandboxPaths {
  readonly projectDir: string;
  /** The environment whose sandbox it is. @default the one without an overlay */
  readonly environment?: string;
  readonly root: string;
  /** Certificate of the local authority, in PEM. */
  readonly ca: string;
  readonly caKey: string;
  /** The usual authorities and the local one together, for programs that know one bundle only. */
  readonly caBundle: string;
  /** The local authority behind those that `NODE_EXTRA_CA_CERTS` named before. */
  readonly extraAuthorities: string;
  /** Port, ids and keys that stay the same for the sandbox's life. */
  readonly settings: string;
  /** Held while the background process lives; the operating system releases it with the process. */
  readonly lock: string;
  /** Which process runs, and where. */
  readonly state: string;
  readonly database: string;
  readonly log: string;
  /** A copy of the seed, so that it is applied again when the sandbox resumes. */
  readonly seed: string;
  /** What `castellan sandbox seed` added to it. */
  readonly addedSeed: string;
  /** How apps run: commands, dialects; written by `castellan up`. */
  readonly apps: string;
  /** What runs for each app: sign-in settings, secrets, token stores. */
  readonly hosting: string;
  /** The folder of the providers' journals: what they created that no state is known to hold yet. */
  readonly creations: string;
  /** The folder of the providers' unix sockets. */
  readonly sockets: string;
}

/** What a unix socket's path may be long, less the longest name in the folder. */
const longestSocketFolder = 100 - '/castellan.sock'.length;

/** The paths of a project's sandbox: each of its environments has one of its own. */
export function sandboxPaths(projectDir: string, environment?: string): SandboxPaths {
  const project = resolve(projectDir);
  const folder = environmentFolder(environment);
  const root = join(project, folder);
  const inside = (name: string): string => join(root, name);
  return {
    projectDir: project,
    ...(folder === environmentFolder() ? {} : { environment: environment ?? '' }),
    root,
    ca: inside('ca.pem'),
    caKey: inside('ca-key.pem'),
    caBundle: inside('ca-bundle.pem'),
    extraAuthorities: inside('ca-extra.pem'),
    settings: inside('settings.json'),
    lock: inside('sandbox.lock'),
    state: inside('sandbox.json'),
    database: inside('sandbox.db'),
    log: inside('sandbox.log'),
    seed: inside('seed.yaml'),
    addedSeed: inside('added-seed.json'),
    apps: inside('apps.json'),
    hosting: inside('apps'),
    creations: inside('creations'),
    sockets: Buffer.byteLength(inside('run')) <= longestSocketFolder ? inside('run') : shortFolder(root),
  };
}

/** Makes the folder, readable by its owner only and kept out of version control. */
export function prepareFolder(paths: SandboxPaths): void {
  try {
    makeFolder(paths.root, 0o700);
    const ignore = join(paths.projectDir, environmentFolder(), '.gitignore');
    if (!existsSync(ignore)) writeFileSync(ignore, '*\n');
  } catch (cause) {
    throw new CastellanError('CAS4013', `${paths.root} can't be written: ${(cause as Error).message}`, { cause });
  }
}

/** How the sandbox is named in messages: by its folder, and by its environment where it has one. */
export function sandboxName({ projectDir, environment }: SandboxPaths): string {
  return environment === undefined ? projectDir : `${projectDir} (environment ${environment})`;
}

/** Makes the folder of the sockets, which must be no one else's: anyone who can write there could impersonate a provider. */
export function prepareSocketFolder({ sockets }: SandboxPaths): void {
  makeFolder(sockets, 0o700);
  const stats = lstatSync(sockets);
  if (!stats.isDirectory() || stats.uid !== userInfo().uid)
    throw new CastellanError('CAS4013', `${sockets} belongs to another user: the providers' sockets can't be put there`);
  chmodSync(sockets, 0o700);
}

/** A project path too long for unix sockets gets a short folder of its own. */
function shortFolder(root: string): string {
  return join(tmpdir(), `castellan-${userInfo().uid}-${createHash('sha256').update(root).digest('hex').slice(0, 12)}`);
}
