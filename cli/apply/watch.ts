import { existsSync, statSync } from 'node:fs';
import { dirname, relative, resolve } from 'node:path';
import { CastellanError, isCastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { sandboxStatus, stopSandbox } from '../../sandbox/index.js';
import type { CliIo } from '../command.js';
import { canPrompt } from '../prompt.js';
import { reportError } from '../report-error.js';
import { watchFolder } from '../sandbox/watch-folder.js';
import { printJsonLine, printText } from '../format.js';
import { describeChangesOnOneLine, stackResult } from './plan-summary.js';
import type { StackPlan } from './plan-stacks.js';
import type { ApplyOptions } from './options.js';
import { createProgress, interruptible, silentProgress } from './progress.js';
import type { ApplySession } from './session.js';
import { applyStacks, failedApps, reportResult, waitForApps } from './up.js';
import { interruptSignal } from '../start.js';

/**
 * `castellan up --watch`: applies once like `castellan up`, then again after each change of the
 * configuration and of the folders of images, and prints one line about each change. Reports errors
 * and waits for the next change. An interrupt ends it, and the sandbox too if this command started
 * it.
 *
 * @throws CAS8109 for the cloud and for a plan file.
 */
export async function watchStacks(options: ApplyOptions, io: CliIo): Promise<number> {
  if (options.target !== 'sandbox' || options.plan !== undefined)
    throw new CastellanError(
      'CAS8109',
      options.plan === undefined ? '--target azure' : `--plan ${options.plan}`,
    );
  const interrupt = interruptSignal();
  const { running: wasRunning } = await sandboxStatus(io.cwd, options.environment);
  const stopFunctions = new Map<string, () => void>();
  /** Ends the wait for a change. */
  let wake = (): void => undefined;
  /** The file that changed last; undefined if none has since the last apply. */
  let changedFile: string | undefined;
  let previousImages: Images = {};
  interrupt.addEventListener('abort', () => wake(), { once: true });
  const onChange = (file: string): void => {
    changedFile = file;
    wake();
  };
  const watchBuilds = (builds: readonly { readonly folder: string }[]): void => {
    for (const { folder } of builds.filter(
      (each) => existsSync(each.folder) && !stopFunctions.has(each.folder),
    ))
      stopFunctions.set(
        folder,
        watchFolder(folder, (file) => onChange(relative(io.cwd, resolve(folder, file)))),
      );
  };
  for (const path of options.paths.map((each) => resolve(io.cwd, each)).filter(existsSync)) {
    const folder = statSync(path).isDirectory() ? path : dirname(path);
    const onConfigurationFile = (file: string): void => {
      if (/\.(ya?ml|json)$/.test(file)) onChange(relative(io.cwd, resolve(folder, file)));
    };
    stopFunctions.set(`configuration ${folder}`, watchFolder(folder, onConfigurationFile));
  }
  try {
    for (let round = 0; !interrupt.aborted; round++) {
      changedFile = undefined;
      const onApplied = (session: ApplySession): void => {
        previousImages = imagesOf(session);
        watchBuilds(session.builds ?? []);
      };
      await applyOnce(round, options, { previousImages, interrupt }, io).then(
        onApplied,
        (error: unknown) => {
          reportError(error, options.format === 'json' ? ['--json'] : [], io);
          // a failed build is corrected in its folder
          if (isCastellanError(error) && typeof error.details['folder'] === 'string')
            watchBuilds([{ folder: error.details['folder'] }]);
        },
      );
      if (round === 0 && !interrupt.aborted) printText(io.stderr, 'watching; Ctrl+C ends it\n');
      if (changedFile === undefined && !interrupt.aborted)
        await new Promise<void>((done) => (wake = done));
      if (!interrupt.aborted)
        printText(io.stderr, `${timeOf(new Date())} ${changedFile ?? ''} changed\n`);
    }
  } finally {
    for (const stop of stopFunctions.values()) stop();
    if (!wasRunning) await stopSandbox(io.cwd, options.environment);
  }
  return exitCodes.clean;
}

/** The images of the apps; only those that were built here have one. */
type Images = Readonly<Record<string, string | undefined>>;

function imagesOf({ apps }: ApplySession): Images {
  return Object.fromEntries(Object.entries(apps).map(([name, { image }]) => [name, image]));
}

/**
 * Applies the stacks and prints the result: everything in the first round, one line in later ones.
 *
 * @param previousImages those of the previous round.
 * @param interrupt ends the round before its next step.
 */
async function applyOnce(
  round: number,
  options: ApplyOptions,
  {
    previousImages,
    interrupt,
  }: { readonly previousImages: Images; readonly interrupt: AbortSignal },
  io: CliIo,
): Promise<ApplySession> {
  // later rounds cannot ask questions: a change that needs an approval is reported
  const { stdin: _stdin, ...ioWithoutInput } = io;
  const laterOptions = { ...options, refusesQuestions: canPrompt(io) };
  const startedAt = Date.now();
  const { session, appliedPlans } = await (round === 0
    ? applyStacks(options, io, interruptible(createProgress(io), interrupt))
    : applyStacks(laterOptions, ioWithoutInput, interruptible(silentProgress, interrupt)));
  if (options.format === 'json') await printRound(session, appliedPlans, io);
  else if (round === 0) await reportResult(session, appliedPlans, { ...options, startedAt }, io);
  else {
    const stacks = appliedPlans.map(
      ({ stack, changes, isClean }) =>
        `${stack.name}: ${isClean ? 'no changes' : describeChangesOnOneLine(changes)}`,
    );
    const builds = Object.entries(imagesOf(session)).flatMap(([name, image]) =>
      image === undefined || image === previousImages[name] ? [] : [`${name} built again`],
    );
    printText(
      io.stdout,
      `${timeOf(new Date())} ${[...stacks, ...builds, ...(await appFailures(session))].join('; ')}\n`,
    );
  }
  return session;
}

/** Prints a round as a line of JSON. */
async function printRound(
  { sandbox, apps: appSettings }: ApplySession,
  appliedPlans: readonly StackPlan[],
  io: CliIo,
): Promise<void> {
  const apps = sandbox === undefined ? [] : await waitForApps(sandbox, appSettings);
  printJsonLine(
    { version: 1, time: new Date().toISOString(), stacks: appliedPlans.map(stackResult), apps },
    io,
  );
}

/** The apps that fail with the applied configuration, a text each. */
async function appFailures({ sandbox, apps }: ApplySession): Promise<string[]> {
  if (sandbox === undefined) return [];
  return failedApps(await waitForApps(sandbox, apps), apps).map(
    ({ name, detail = 'it does not run' }) => `${name} failed: ${detail}`,
  );
}

function timeOf(date: Date): string {
  return date.toTimeString().slice(0, 8);
}
