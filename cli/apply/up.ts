import { setTimeout as wait } from 'node:timers/promises';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import type { CliIo } from '../command.js';
import { approve, approveMoves } from './approval.js';
import { environmentFolder } from '../../core/project/environment-folder.js';
import { formatDuration } from '../../core/text/quantities.js';
import { shellWord } from '../../core/text/shell-word.js';
import { styled, type TerminalOutput, terminalOutputOf } from '../../core/text/terminal.js';
import { printResult, printText } from '../format.js';
import {
  describeAppliedCounts,
  describeChanges,
  describeClean,
  describeMove,
  stackResult,
  summarizeChanges,
} from './plan-summary.js';
import { shellOptionsToAllow, refusedLosses, warnOfUnusedAllowances } from './allowed-losses.js';
import { type ConfirmMoves, moveStates } from './state-moves.js';
import type { ApplyOptions } from './options.js';
import { openPlanFile, readPlanFile } from './plan-file.js';
import { applyPlans, planStacks, type StackPlan } from './plan-stacks.js';
import { describeDone, type DoneSoFar } from './done-so-far.js';
import { createProgress, type Progress } from './progress.js';
import { withRecording } from './recording.js';
import type { ApplySession } from './session.js';
import { checkStacks } from './check-stacks.js';
import { openSession, buildImages } from './open-session.js';
import { withApplyLock } from './apply-lock.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { parallelBatches } from '../../stacks/order-stacks.js';
import type { AppStatus, SandboxHandle } from '../../sandbox/index.js';
import { sandboxPaths } from '../../sandbox/paths.js';

/**
 * `castellan up`: check, synthesize, plan and apply the stacks in the order of their dependencies,
 * in parallel if they are independent. With a plan file, applies exactly that plan.
 *
 * @returns 1 when an app of these stacks is not running.
 * @throws CAS8101 when a change would lose data and `--allow-replace` is missing; CAS8102, CAS8104
 *   without approval.
 */
export async function up(options: ApplyOptions, io: CliIo): Promise<number> {
  const startedAt = Date.now();
  const progress = createProgress(io);
  if (options.plan !== undefined) {
    const planFile = readPlanFile(options.plan, options, io);
    const { plannedOptions } = planFile;
    const { session, appliedPlans } = await withApplyLock(plannedOptions, io, async () => {
      const openedPlan = await openPlanFile(planFile, io, progress);
      const plans: StackPlan[] = [];
      // a plan of several stacks is applied in the order of their dependencies
      await withRecording(openedPlan.session, options, io, async () => {
        for (const batch of parallelBatches(
          openedPlan.plans.map((plan) => ({
            ...plan,
            name: plan.stack.name,
            dependsOn: plan.stack.dependsOn,
          })),
        ))
          await applyBatch(batch, plans, openedPlan.session, plannedOptions, io, progress);
      });
      return { session: openedPlan.session, appliedPlans: plans };
    });
    const paths = await configurationsOf(session);
    return reportResult(session, appliedPlans, { ...plannedOptions, paths, startedAt }, io);
  }
  const { session, appliedPlans } = await applyStacks(options, io, progress);
  return reportResult(session, appliedPlans, { ...options, startedAt }, io);
}

/** The configurations of a plan's stacks; none of those that were planned elsewhere. */
async function configurationsOf({ stacks, sandbox }: ApplySession): Promise<readonly string[]> {
  if (sandbox === undefined) return [];
  const { appliedStackFiles } = await import('../../sandbox/console/applied-stack-files.js');
  const plannedNames = new Set(stacks.map(({ name }) => name));
  const files = appliedStackFiles(
    sandboxPaths(sandbox.projectDir, sandbox.environmentName),
  ).flatMap(({ name, file }) => (plannedNames.has(name) ? [file] : []));
  return [...new Set(files)];
}

/** Checks, synthesizes, plans and applies. @throws as {@link up} does. */
export async function applyStacks(
  options: ApplyOptions,
  io: CliIo,
  progress: Progress,
): Promise<{ readonly session: ApplySession; readonly appliedPlans: readonly StackPlan[] }> {
  const loadedStacks = await checkStacks(options, io, progress, 'up');
  return withApplyLock(options, io, async () => {
    const appliedPlans: StackPlan[] = [];
    const openedSession = await openSession(loadedStacks, options, io, progress);
    const approvalRequest = { command: 'up', isProtected: openedSession.isProtected } as const;
    const confirm: ConfirmMoves = (moves) => approveMoves(moves, options, approvalRequest, io);
    const session = await buildImages(
      await moveStates(openedSession, { confirm }, progress),
      progress,
    );
    await withRecording(session, options, io, async () => {
      for (const batch of parallelBatches(session.stacks))
        await applyBatch(
          await planStacks(batch, session, progress),
          appliedPlans,
          session,
          options,
          io,
          progress,
        );
    });
    return { session, appliedPlans };
  });
}

/**
 * Applies plans that lose nothing unapproved, after an approval, and adds them to `appliedPlans`.
 *
 * @throws CAS8101, CAS8102, CAS8104
 */
async function applyBatch(
  plans: readonly StackPlan[],
  appliedPlans: StackPlan[],
  session: ApplySession,
  options: ApplyOptions,
  io: CliIo,
  progress: Progress,
): Promise<void> {
  const done = { plans: appliedPlans, moves: session.moves };
  if (plans.some((plan) => refusedLosses(plan, options).length > 0))
    throw lossRefusal(plans, done, options);
  await approve(plans, options, { command: 'up', isProtected: session.isProtected, done }, io);
  await session.sandbox?.setApps(session.apps);
  await applyPlans(plans, session, progress);
  appliedPlans.push(...plans);
}

/**
 * Prints what was done, the state of the apps, and further commands.
 *
 * @returns 1 when an app of the applied stacks is not running.
 */
export async function reportResult(
  session: ApplySession,
  appliedPlans: readonly StackPlan[],
  options: ApplyOptions & { readonly startedAt: number },
  io: CliIo,
): Promise<number> {
  const { sandbox, apps: ownApps } = session;
  warnOfUnusedAllowances(appliedPlans, options, io);
  const screen = terminalOutputOf(io.stdout, io.env);
  const text = [
    ...(session.moves ?? []).map((each) => `moved: ${describeMove(each)}\n`),
    ...appliedPlans.map((each) =>
      [
        `${each.stack.name}: ${each.isClean ? describeClean(each) : describeAppliedCounts(each.changes)}`,
        ...summarizeChanges(each.changes, screen),
        '',
      ].join('\n'),
    ),
  ];
  const stacks = appliedPlans.map(stackResult);
  const movesResult = omitUndefined({ moved: session.moves });
  const doneText = (): string => `Done in ${formatDuration(Date.now() - options.startedAt)}.`;
  if (sandbox === undefined) {
    printResult(
      options.format,
      { stacks, ...movesResult },
      [...text, `${doneText()}\n`].join(''),
      io,
    );
    return exitCodes.clean;
  }
  const apps = await waitForApps(sandbox, ownApps);
  const { origin, consoleUrl, caFile } = sandbox;
  printResult(
    options.format,
    { stacks, ...movesResult, apps, sandbox: { origin, console: consoleUrl, caFile } },
    [
      ...apps.map((app) => describeApp(app, screen)),
      `  ${styled(consoleUrl, 'bold', screen)}  the console: anyone with its address can view and change it\n\n`,
      ...text,
      `\n${doneText()} ${furtherSteps(options)}`,
    ].join(''),
    io,
  );
  const failed = failedApps(apps, ownApps);
  for (const { name, detail = 'it does not run' } of failed)
    printText(
      io.stderr,
      `castellan: ${name} failed: ${detail}; \`castellan logs${environmentFlag(options)} ${name}\` shows its output\n`,
    );
  return failed.length === 0 ? exitCodes.clean : exitCodes.findings;
}

function lossRefusal(
  plans: readonly StackPlan[],
  done: DoneSoFar,
  options: ApplyOptions,
): CastellanError {
  const refused = plans.flatMap((plan) => refusedLosses(plan, options));
  const lines = plans.flatMap((plan) => {
    const refusedHere = refusedLosses(plan, options);
    return refusedHere.length === 0 ? [] : [`${plan.stack.name}:`, ...describeChanges(refusedHere)];
  });
  return new CastellanError(
    'CAS8101',
    `${describeDone(done)}, because this would be lost\n${lines.join('\n')}\nTo allow it: ${shellOptionsToAllow(refused)}`,
  );
}

/** How long an app must keep running to count as started: most crash within this time. */
const steadyMilliseconds = 1_000;
/** The longest wait for the apps to start. */
const startMilliseconds = 60_000;
const pollMilliseconds = 100;

function environmentFlag({ environment }: ApplyOptions): string {
  return environment === undefined ? '' : ` -e ${environment}`;
}

function describeApp(
  { name, url, state, detail, auth }: AppStatus,
  screen: TerminalOutput,
): string {
  const note = [
    state,
    ...(auth ? ['behind sign-in'] : []),
    ...(detail === undefined ? [] : [detail]),
  ].join(', ');
  return `  ${styled(url ?? `${name} (no ingress)`, 'bold', screen)}  ${note}\n`;
}

function furtherSteps(options: ApplyOptions): string {
  const flag = environmentFlag(options);
  const steps = [
    [`eval "$(castellan sandbox env${flag})"`, 'for terraform, cdktf and curl'],
    [`castellan status${flag}`, 'what runs, and where'],
    [
      `${environmentFolder(options.environment)}/ca.pem`,
      'the authority that signs its certificates',
    ],
    ...(options.paths.length === 0
      ? []
      : [
          [
            `castellan down${flag} ${options.paths.map(shellWord).join(' ')}`,
            'removes it; --all stops the sandbox',
          ] as const,
        ]),
  ] as const;
  const width = Math.max(35, ...steps.map(([command]) => command.length));
  return [
    'The sandbox keeps running.',
    ...steps.map(([command, meaning]) => `  ${command.padEnd(width)} ${meaning}`),
    '',
  ].join('\n');
}

/** The apps of the applied stacks that are not running. */
export function failedApps(
  apps: readonly AppStatus[],
  ownApps: ApplySession['apps'],
): readonly AppStatus[] {
  return apps.filter(({ name, state }) => Object.hasOwn(ownApps, name) && state === 'failed');
}

/**
 * The states of the applied stacks' apps after their start: an app with a command must keep running
 * for a moment.
 */
export async function waitForApps(
  sandbox: SandboxHandle,
  ownApps: ApplySession['apps'],
): Promise<readonly AppStatus[]> {
  const deadline = Date.now() + startMilliseconds;
  let steadySince = Date.now();
  for (;;) {
    const apps = await sandbox.apps();
    const applied = apps.filter(({ name }) => Object.hasOwn(ownApps, name));
    const isStarting = applied.some(({ state }) => state === 'starting' || state === 'waiting');
    if (isStarting) steadySince = Date.now();
    const isSteady =
      applied.every(({ runs, state }) => runs === 'page' || state === 'failed') ||
      Date.now() - steadySince >= steadyMilliseconds;
    if ((!isStarting && isSteady) || Date.now() > deadline) return apps;
    await wait(pollMilliseconds);
  }
}
