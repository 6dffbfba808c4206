import { randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { withoutDefaultEnvironment, environmentOption } from '../apply/options.js';
import type { RegisterCommand, CliIo } from '../command.js';
import { ChoiceOption } from '../choice-option.js';
import { addFormat, formatOf, type FormatFlags, printResult, printText } from '../format.js';
import {
  addServiceOptions,
  liveServiceText,
  refuseServiceFlags,
  type ServiceFlags,
} from '../services/service-options.js';
import { countNoun } from '../../access/answer/report.js';
import { withPseudonyms } from '../../access/directory/pseudonyms.js';
import { readDirectory } from '../../access/directory/read-directory.js';
import { userPropertiesInRule, scopeOfStacks } from '../../access/directory/directory-scope.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { nearest } from '../../core/text/nearest.js';
import { replaceFile } from '../../core/source/replace-file.js';
import { rulePropertyNames } from '../../kinds/membership-rule/properties.js';
import type { StackConfig } from '../../kinds/stack/schema.js';
import type { SeedLists } from '../../services/common/seed.js';
import { prepareSandboxFolder, sandboxName, sandboxPaths } from '../../sandbox/paths.js';
import { apiPropertyOf } from '../../services/directory/membership-rule/index.js';
import { loadAccessStacks } from '../access/access-stacks.js';
import {
  connectLiveDirectory,
  type PeopleSource,
  connectSandboxDirectory,
} from '../access/people.js';

/**
 * `castellan snapshot [CONFIG…] --out FILE`: stores the part of the directory that stacks refer to.
 */
export const register: RegisterCommand = (program, io, done) => {
  const command = addFormat(program.command('snapshot'))
    .description(
      'Write what stacks refer to in the directory into a seed file, for `castellan access --from FILE` without credentials.',
    )
    .argument('[path...]', 'castellan.yaml files, or folders (default: this folder)')
    .requiredOption('-o, --out <file>', 'the seed file to write')
    .addOption(new ChoiceOption('--from <source>', ['sandbox', 'live']).default('sandbox'))
    .option(
      '--pseudonyms',
      'replace the names and mail addresses of people whom no configuration names',
    )
    .option(
      '--key-file <file>',
      'the key that pseudonyms depend on (default: CASTELLAN_PSEUDONYM_KEY, else .castellan/pseudonyms.key)',
    )
    .option(
      '--properties <list>',
      'properties of people to keep as they are, beside those that the rules ask: department,jobTitle',
    )
    .option(...environmentOption);
  addServiceOptions(command, liveServiceText).action(
    async (paths: string[], flags: Omit<SnapshotFlags, 'paths'>) => {
      formatOf(flags);
      done(
        await runSnapshot(
          {
            ...flags,
            ...withoutDefaultEnvironment(flags),
            paths: paths.length === 0 ? ['.'] : paths,
          },
          io,
        ),
      );
    },
  );
};

interface SnapshotFlags extends ServiceFlags, FormatFlags {
  readonly paths: readonly string[];
  /** The environment of the stacks and of the sandbox. @default the default one */
  readonly environment?: string;
  /** Where the directory is read: `sandbox` or `live`. */
  readonly from: string;
  readonly out: string;
  /** Replaces names and mail addresses of people whom no configuration names. */
  readonly pseudonyms?: boolean;
  /** The file with the key of pseudonyms. @default {@link pseudonymKeyVariable}, else one in `.castellan` */
  readonly keyFile?: string;
  /** Names of properties, separated by commas. */
  readonly properties?: string;
}

/** The variable with the key of pseudonyms. */
export const pseudonymKeyVariable = 'CASTELLAN_PSEUDONYM_KEY';

/** Stores the part of the directory that stacks refer to as a seed file. */
async function runSnapshot(flags: SnapshotFlags, io: CliIo): Promise<number> {
  const properties = parseProperties(flags.properties ?? '');
  const { stacks } = await loadAccessStacks(flags, io);
  const configs = stacks.map(({ config }) => config);
  const { client, label, tenantId } = await openSource(flags, io);
  const scope = scopeOfStacks(configs);
  const directory = await readDirectory(client, {
    scope,
    coverage: 'scope',
    properties,
    tenantId,
    now: Date.now(),
  });
  const propertyNames = new Set(properties);
  const seedLists =
    flags.pseudonyms === true
      ? withPseudonyms(directory, {
          key: pseudonymKey(flags, io),
          namedPeople: declaredUserNames(configs),
          keptProperties: propertyNames,
        })
      : directory;
  writeSeedFile(resolve(io.cwd, flags.out), flags, {
    seedLists,
    stacks: configs.map(({ stack }) => stack),
  });
  const { users = [], groups = [], applications = [] } = seedLists;
  const counts = [
    countNoun(users.length, 'person', 'people'),
    countNoun(groups.length, 'group', 'groups'),
  ];
  printResult(
    formatOf(flags),
    {
      file: flags.out,
      source: label,
      people: users.length,
      groups: groups.length,
      registrations: applications.length,
    },
    `${flags.out}: ${counts.join(', ')} and ${countNoun(applications.length, 'registration', 'registrations')} of ${label}\n`,
    io,
  );
  const keptProperties = new Set(
    (seedLists.snapshot?.[0]?.['properties'] as readonly string[] | undefined) ?? [],
  );
  for (const rule of scope.rules) {
    const replacedProperties = userPropertiesInRule(rule).filter(
      (name) => !keptProperties.has(name),
    );
    if (replacedProperties.length > 0)
      printText(
        io.stderr,
        `castellan: whom ${rule.text} matches will not be known, as pseudonyms replace ${replacedProperties.join(', ')}: keep it with --properties ${replacedProperties.join(',')}\n`,
      );
  }
  return exitCodes.clean;
}

/**
 * @throws CAS8001 for another source, and for flags that only the live directory uses; CAS4012 when no
 *   sandbox runs.
 */
async function openSource(
  { from, environment, ...flags }: SnapshotFlags,
  io: CliIo,
): Promise<PeopleSource> {
  if (from === 'live') return connectLiveDirectory(flags, io);
  if (from !== 'sandbox')
    throw new CastellanError('CAS8001', `--from ${from}: a snapshot is taken from sandbox or live`);
  refuseServiceFlags(flags, ['endpoint', 'dialect', 'ca'], '--from live');
  const source = await connectSandboxDirectory(io, environment);
  if (source === undefined)
    throw new CastellanError(
      'CAS4012',
      `no sandbox is running for ${sandboxName(sandboxPaths(io.cwd, environment))}: run castellan up, or take the snapshot --from live`,
    );
  return source;
}

/** @throws CAS8001 for a property that no rule can read. */
function parseProperties(list: string): readonly string[] {
  const ruleProperties = rulePropertyNames('user').map((name) => apiPropertyOf('user', name));
  const names = list.split(',').flatMap((name) => (name.trim() === '' ? [] : [name.trim()]));
  for (const name of names) {
    if (ruleProperties.includes(name) || name.startsWith('extension_')) continue;
    const suggestion = nearest(name, ruleProperties);
    throw new CastellanError(
      'CAS8001',
      `--properties ${name}: no rule can ask it${suggestion === undefined ? '' : `, did you mean ${suggestion}?`} Allowed are ${[...new Set(ruleProperties)].join(', ')}`,
    );
  }
  return names;
}

/**
 * The key of pseudonyms: that of the environment or of the file, otherwise a generated one stored
 * beside the sandbox, where git ignores it.
 */
function pseudonymKey({ keyFile }: SnapshotFlags, io: CliIo): string {
  const keyText = io.env[pseudonymKeyVariable];
  if (keyFile === undefined && keyText !== undefined && keyText !== '') return keyText;
  const file = resolve(io.cwd, keyFile ?? join('.castellan', 'pseudonyms.key'));
  try {
    if (!existsSync(file) && keyFile === undefined) {
      prepareSandboxFolder(sandboxPaths(io.cwd));
      replaceFile(file, (draft) =>
        writeFileSync(draft, `${randomBytes(32).toString('base64url')}\n`, { mode: 0o600 }),
      );
      printText(
        io.stderr,
        `castellan: made a key for pseudonyms, .castellan/pseudonyms.key; ${pseudonymKeyVariable} or --key-file name another\n`,
      );
    }
    const key = readFileSync(file, 'utf8').trim();
    if (key !== '') return key;
  } catch (cause) {
    throw new CastellanError('CAS1001', `${file}: ${(cause as Error).message}`, { cause });
  }
  throw new CastellanError('CAS8001', `${file} is empty: the key of pseudonyms is any text in it`);
}

/** The user principal names in configurations. */
function declaredUserNames(configs: readonly StackConfig[]): readonly string[] {
  return configs.flatMap(({ principals }) =>
    Object.values(principals ?? {}).flatMap(({ user }) => user ?? []),
  );
}

const entriesPerWrite = 1_000;

/**
 * Writes the seed file with one entry per line, as JSON after a dash: fast to read at any size, and
 * with small differences.
 */
function writeSeedFile(
  path: string,
  { out, from, pseudonyms }: SnapshotFlags,
  { seedLists, stacks }: { readonly seedLists: SeedLists; readonly stacks: readonly string[] },
): void {
  const pseudonymNote =
    pseudonyms === true ? '; names and mail addresses of people are pseudonyms' : '';
  try {
    replaceFile(path, (draft) => {
      const file = openSync(draft, 'w', 0o600);
      try {
        // writeFileSync, because writeSync returns without an error if the disk takes a part only
        writeFileSync(
          file,
          `# Written by castellan snapshot --from ${from}: what ${stacks.join(', ')} refers to in the directory${pseudonymNote}.\n`,
        );
        for (const [list, entries] of Object.entries(seedLists)) {
          writeFileSync(file, entries.length === 0 ? `${list}: []\n` : `${list}:\n`);
          for (let start = 0; start < entries.length; start += entriesPerWrite)
            writeFileSync(
              file,
              entries
                .slice(start, start + entriesPerWrite)
                .map((entry: object) => `- ${JSON.stringify(entry)}\n`)
                .join(''),
            );
        }
      } finally {
        closeSync(file);
      }
    });
  } catch (cause) {
    throw new CastellanError('CAS8203', `${out}: ${(cause as Error).message}`, {
      details: { file: out },
      cause,
    });
  }
}
