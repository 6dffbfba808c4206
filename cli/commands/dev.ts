import { existsSync, readFileSync } from 'node:fs';
import { relative } from 'node:path';
import {
  type EnvironmentFlags,
  withoutDefaultEnvironment,
  environmentOption,
} from '../apply/options.js';
import type { RegisterCommand, CliIo } from '../command.js';
import { addFormat, type FormatFlags, formatOf, printJsonLine, printText } from '../format.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { appWorkingDirectory, restartApp } from '../../sandbox/index.js';
import { sandboxPaths } from '../../sandbox/paths.js';
import { readSeedFile } from '../../sandbox/serve/seed-file.js';
import { findReachableApp, signInLink } from '../sandbox/reachable-app.js';
import { showLogs } from './logs.js';
import { watchFolder } from '../sandbox/watch-folder.js';

interface DevFlags extends FormatFlags, EnvironmentFlags {
  /** Whom the printed link signs in. @default the first person of the seed */
  readonly person?: string;
}

/** `castellan dev [APP]`: works on an app of the sandbox without Terraform. */
export const register: RegisterCommand = (program, io, done) => {
  addFormat(program.command('dev'))
    .description(
      'Work on an app that is applied: its own command runs behind its sidecar, restarted when its files change, its output shown here. No Terraform.',
    )
    .argument('[app]', 'the name of the app (default: the only one)')
    .option(
      '--person <name>',
      'who the printed link signs in (default: the first person of the seed)',
    )
    .option(...environmentOption)
    .action(async (app: string | undefined, flags: DevFlags) => {
      await dev(
        {
          app,
          person: flags.person,
          format: formatOf(flags),
          ...withoutDefaultEnvironment(flags),
        },
        io,
      );
      done(0);
    });
};

interface DevOptions {
  /** Undefined for the only one. */
  readonly app: string | undefined;
  /** Whom the printed link signs in; undefined for the first person of the seed. */
  readonly person: string | undefined;
  readonly format: 'text' | 'json';
  readonly environment?: string;
}

/**
 * Watches the folder of an app, restarts it after a change and prints its output, until
 * interrupted.
 *
 * @throws CAS8107 when the app has no command of its own.
 */
async function dev({ app, person, format, environment }: DevOptions, io: CliIo): Promise<void> {
  const { name, url, auth, runs } = await findReachableApp(app, environment, io);
  const folder = appWorkingDirectory(io.cwd, name, environment);
  if (folder === undefined || runs !== 'command')
    throw new CastellanError(
      'CAS8107',
      `${name} runs no command: declare containerApps.${name}.sandbox.command and run castellan up once`,
    );
  const who = person ?? firstPerson(io.cwd, environment);
  const link = auth && who !== undefined ? { url: signInLink(url, who), person: who } : { url };
  if (format === 'json') printJsonLine({ version: 1, app: name, ...link }, io);
  else
    printText(
      io.stdout,
      `${name}: ${link.url}${link.person === undefined ? '' : `  (signs ${link.person} in)`}\n`,
    );
  const stopWatching = watchFolder(folder, (file) => {
    printText(io.stderr, `${file} changed: ${name} starts again\n`);
    restartApp(io.cwd, name, environment).catch((error: unknown) =>
      printText(
        io.stderr,
        `${name} can't be started again: ${error instanceof Error ? error.message : String(error)}\n`,
      ),
    );
  });
  printText(
    io.stderr,
    `watching ${relative(io.cwd, folder) || '.'}; Ctrl+C ends it, the app goes on\n`,
  );
  try {
    await showLogs(
      {
        app: name,
        since: new Date(),
        follow: true,
        format,
        ...omitUndefined({ environment }),
      },
      io,
    );
  } finally {
    stopWatching();
  }
}

/** The user principal name of the first person in the sandbox's seed. */
function firstPerson(projectDir: string, environment: string | undefined): string | undefined {
  const { seed } = sandboxPaths(projectDir, environment);
  if (!existsSync(seed) || readFileSync(seed).length === 0) return undefined;
  const [first] = readSeedFile(seed).users ?? [];
  const name = first?.['userPrincipalName'];
  return typeof name === 'string' ? name : undefined;
}
