import { existsSync, statSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { directoryFromSeed, emptyDirectory } from '../../access/directory/from-seed.js';
import type { DirectorySnapshot } from '../../access/directory/records.js';
import {
  unionOfScopes,
  type DirectoryScope,
  scopeOfStacks,
} from '../../access/directory/directory-scope.js';
import type { DirectoryClient } from '../../clients/directory/index.js';
import { CastellanError, isCastellanError } from '../../core/errors/castellan-error.js';
import type { SeedLists } from '../../services/common/seed.js';
import type { CliIo } from '../command.js';
import { refuseServiceFlags, type ServiceFlags } from '../services/service-options.js';
import type { ResolvedStack } from './access-stacks.js';
import { findSeed } from '../seed-file.js';

/** Where people and groups are read from, and whom a command is about. */
export interface PeopleFlags extends ServiceFlags {
  /** `sandbox`, `live`, `none`, or a seed file. */
  readonly from?: string;
  /** The environment of the sandbox. */
  readonly environment?: string | undefined;
  /** The people whom the command names, as the user wrote them. */
  readonly namedPeople?: readonly string[];
  /**
   * The files to read in place of a seed file, such as its earlier version before it: people stay as
   * the first file has them.
   *
   * @default the seed file alone
   */
  readonly versionsOfSeed?: ((file: string) => readonly string[]) | undefined;
  /** Seed files whose people are read before those of the sandbox's. @default none */
  readonly earlierSeeds?: readonly string[] | undefined;
  /** The objects to read in addition to those that the stacks refer to. */
  readonly additionalScope?: DirectoryScope;
}

/** A directory service from which people are read. */
export interface PeopleSource {
  readonly client: DirectoryClient;
  /** The name of the source in answers: `the sandbox`. */
  readonly label: string;
  readonly tenantId: string | undefined;
}

/**
 * Reads people and groups from the folder's running sandbox, otherwise from the seed that it would
 * start with; from a seed file; or from the live directory.
 *
 * @throws CAS8302 for a missing file; CAS8001 for flags that only the live directory uses; the
 *   directory service's errors.
 */
export async function loadDirectorySnapshot(
  {
    from = 'sandbox',
    environment,
    namedPeople,
    additionalScope,
    versionsOfSeed = (file) => [file],
    earlierSeeds = [],
    ...directoryFlags
  }: PeopleFlags,
  stacks: readonly ResolvedStack[],
  io: CliIo,
): Promise<DirectorySnapshot> {
  if (from !== 'live')
    refuseServiceFlags(directoryFlags, ['endpoint', 'dialect', 'ca'], '--from live');
  if (from === 'none') return emptyDirectory;
  const scope = unionOfScopes(
    scopeOfStacks(
      stacks.map(({ config }) => config),
      namedPeople,
    ),
    additionalScope,
  );
  const source =
    from === 'live'
      ? await connectLiveDirectory(directoryFlags, io)
      : from === 'sandbox'
        ? await connectSandboxDirectory(io, environment)
        : undefined;
  if (source !== undefined) {
    const { readDirectory } = await import('../../access/directory/read-directory.js');
    const coverage = from === 'live' ? 'scope' : 'everything';
    return directoryFromSeed(
      [await readDirectory(source.client, { scope, coverage, now: Date.now() })],
      source.label,
      source.tenantId,
    );
  }
  if (from !== 'sandbox') return directoryFromFiles(versionsOfSeed(resolve(io.cwd, from)), from);
  const seedFiles = new Set(
    stacks.flatMap(({ config, loaded }) => findSeed({ ...loaded, config }, io.cwd) ?? []),
  );
  return directoryFromFiles(
    [...earlierSeeds, ...[...seedFiles].flatMap(versionsOfSeed)],
    'the seed of the sandbox',
  );
}

/** Connects to the live directory, with the credentials of the environment. */
export async function connectLiveDirectory(flags: ServiceFlags, io: CliIo): Promise<PeopleSource> {
  const [{ connectDirectory }, { azureEnvironmentVariable: azureVariable }] = await Promise.all([
    import('../services/service-clients.js'),
    import('../../clients/common/credentials.js'),
  ]);
  return {
    client: await connectDirectory(flags, io),
    label: 'the directory',
    tenantId: azureVariable(io.env, 'TENANT_ID'),
  };
}

/** Whether a sandbox was ever started in the folder: only then are the sandbox's modules loaded. */
export function hasSandboxFolder({ cwd }: CliIo): boolean {
  return existsSync(join(cwd, '.castellan'));
}

/** Connects to the directory of the sandbox; undefined if none is running. */
export async function connectSandboxDirectory(
  io: CliIo,
  environment: string | undefined,
): Promise<PeopleSource | undefined> {
  if (!hasSandboxFolder(io)) return undefined;
  const { sandboxStatus } = await import('../../sandbox/index.js');
  const status = await sandboxStatus(io.cwd, environment);
  if (!status.running) return undefined;
  const { connectDirectory } = await import('../services/service-clients.js');
  return {
    client: await connectDirectory({ sandbox: true, environment }, io),
    label: 'the sandbox',
    tenantId: status.tenantId,
  };
}

/** Reads people and groups from seed files. @throws CAS8302 for a missing one */
async function directoryFromFiles(
  files: readonly string[],
  source: string,
): Promise<DirectorySnapshot> {
  const missing = files.find(
    (file) => statSync(file, { throwIfNoEntry: false })?.isFile() !== true,
  );
  if (missing !== undefined)
    throw new CastellanError(
      'CAS8302',
      `${missing} is not a file: --from is sandbox, live, none or a seed file`,
      {
        details: { file: missing },
      },
    );
  const { openSeed } = await import('../../sandbox/serve/seed-file.js');
  let currentFile = '';
  function* seedListsOfFiles(): Generator<SeedLists> {
    for (const file of files) {
      currentFile = file;
      const seed = openSeed(file);
      if ('whole' in seed) yield seed.whole;
      else yield* seed.parts();
    }
  }
  try {
    return directoryFromSeed(seedListsOfFiles(), source);
  } catch (cause) {
    // messages about the format already name the file
    if (!isCastellanError(cause) || cause.message.includes(currentFile)) throw cause;
    throw new CastellanError(cause.code, `${currentFile}: ${cause.message}`, { cause });
  }
}
