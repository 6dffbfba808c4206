import { existsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { directoryFromSeed } from '../../access/directory/from-seed.js';
import type { DirectorySnapshot } from '../../access/directory/records.js';
import type { ReadScope } from '../../access/directory/read-service.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { SeedSection } from '../../services/common/seed.js';
import type { CliIo } from '../command.js';
import type { DirectoryFlags } from '../commands/directory/options.js';
import type { AccessStack } from './load.js';
import { scopeOf } from './scope.js';

/** Where the people come from. */
export interface PeopleFlags extends DirectoryFlags {
  /** `sandbox`, `live`, or a seed file. */
  readonly from?: string;
  /** The environment whose sandbox is asked. */
  readonly environment?: string | undefined;
}

/**
 * Reads the people whom the answers are about: of the sandbox that runs for this folder, else of the seed that it would start with; of a
 * seed file; or of the live directory.
 *
 * @throws CAS8302 when a file isn't there; what the directory service answers.
 */
export async function readPeople(
  { from = 'sandbox', environment, ...where }: PeopleFlags,
  stacks: readonly AccessStack[],
  io: CliIo,
): Promise<DirectorySnapshot> {
  if (from === 'live') return live(where, stacks, io);
  if (from !== 'sandbox') return fromFiles([resolve(io.cwd, from)], from);
  return (
    (await runningSandbox(io, environment)) ??
    fromFiles([...new Set(stacks.flatMap((stack) => seedOf(stack, io.cwd) ?? []))], 'the seed of the sandbox')
  );
}

async function live(where: DirectoryFlags, stacks: readonly AccessStack[], io: CliIo): Promise<DirectorySnapshot> {
  const { connectDirectory } = await import('../commands/directory/connect.js');
  const { readService } = await import('../../access/directory/read-service.js');
  const client = await connectDirectory(where, io);
  const tenantId = io.env['ARM_TENANT_ID'] ?? io.env['AZURE_TENANT_ID'];
  return directoryFromSeed([await readService(client, await scopeOf(stacks, client))], 'the directory', tenantId);
}

const everything: ReadScope = { groups: 'all', people: 'all', properties: [], roles: true };

async function runningSandbox(io: CliIo, environment: string | undefined): Promise<DirectorySnapshot | undefined> {
  if (!existsSync(join(io.cwd, '.castellan'))) return undefined;
  const { sandboxEnvironment, sandboxStatus } = await import('../../sandbox/index.js');
  const status = await sandboxStatus(io.cwd, environment);
  if (!status.running) return undefined;
  const { connectDirectory } = await import('../commands/directory/connect.js');
  const { readService, ruleProperties } = await import('../../access/directory/read-service.js');
  const env = { ...io.env, ...sandboxEnvironment(io.cwd, { providers: 'official', environment }) };
  const client = await connectDirectory({}, { ...io, env });
  return directoryFromSeed([await readService(client, { ...everything, properties: ruleProperties() })], 'the sandbox', status.tenantId);
}

async function fromFiles(files: readonly string[], source: string): Promise<DirectorySnapshot> {
  const missing = files.find((file) => statSync(file, { throwIfNoEntry: false })?.isFile() !== true);
  if (missing !== undefined)
    throw new CastellanError('CAS8302', `${missing} is no file: --from takes sandbox, live, or a seed file`, {
      details: { file: missing },
    });
  const { openSeed } = await import('../../sandbox/serve/seed-file.js');
  function* parts(): Generator<SeedSection> {
    for (const file of files) {
      const seed = openSeed(file);
      if ('whole' in seed) yield seed.whole;
      else yield* seed.parts();
    }
  }
  return directoryFromSeed(parts(), source);
}

/** The seed that the configuration names, else `seed.yaml` beside it. */
function seedOf({ config, loaded }: AccessStack, cwd: string): string | undefined {
  const folder = dirname(resolve(cwd, loaded.files[0] ?? '.'));
  if (config.sandbox?.seed !== undefined) return resolve(folder, config.sandbox.seed);
  const beside = join(folder, 'seed.yaml');
  return existsSync(beside) ? beside : undefined;
}
