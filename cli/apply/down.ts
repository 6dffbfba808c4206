import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { isCastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { environmentFolder } from '../../core/project/environment-folder.js';
import type { LoadedStack } from '../../policies/index.js';
import type { CliIo } from '../command.js';
import { openAppliedStacks } from './open-applied-stacks.js';
import { approve, requireApprovable } from './approval.js';
import { warnOfDependentStacks } from './dependent-stacks.js';
import { type AppliedStackState, appliedStackStates } from '../commands/status.js';
import { printResult, printText } from '../format.js';
import { reportSkippedPaths } from '../skipped-paths.js';
import { loadNamedStacks } from '../named-stacks.js';
import { describeAppliedCounts } from './plan-summary.js';
import type { ApplyOptions } from './options.js';
import { applyPlans, planStacks, type StackPlan } from './plan-stacks.js';
import { createProgress, type Progress, runTask } from './progress.js';
import type { ApplySession } from './session.js';
import { checkStacks, hasProtectedStack } from './check-stacks.js';
import { openSession } from './open-session.js';
import { withApplyLock } from './apply-lock.js';
import { parallelBatches } from '../../stacks/order-stacks.js';
import { originalEnvironment } from '../../stacks/original-environment.js';
import { stacksOfEnvironment } from '../../stacks/stacks-of-environment.js';

/**
 * `castellan down`: destroys stacks, dependent ones first. Needs no variables of apps.
 *
 * @param extent whether to stop the sandbox, too.
 * @throws CAS8103 for a configuration that can't be read, CAS2010 where there is none.
 */
export async function down(
  options: ApplyOptions,
  extent: 'stack' | 'stack and sandbox',
  io: CliIo,
): Promise<number> {
  const progress = createProgress(io);
  const { paths, target } = options;
  const { cwd } = io;
  const environment =
    (await originalEnvironment({ paths, target, environment: options.environment, cwd })) ??
    options.environment;
  const { stacks: namedStacks, skippedPaths } = await loadNamedStacks(
    options.paths,
    environment,
    io,
  );
  reportSkippedPaths(skippedPaths, io);
  // what was applied to a sandbox can be destroyed there, also after its overlay was deleted
  const appliedStates =
    options.target === 'sandbox' ? appliedStackStates(io.cwd, options.environment) : [];
  const loaded = stacksOfEnvironment(namedStacks, environment, {
    cwd: io.cwd,
    announce: (line) => printText(io.stderr, `${line}\n`),
    alwaysIncluded: new Set(appliedStates.map(({ name }) => name)),
  });
  const approvalRequest = { command: 'down', isProtected: hasProtectedStack(loaded) } as const;
  requireApprovable(options, approvalRequest, io);
  const folder = environmentFolder(options.environment);
  const stacks: { readonly stack: string; readonly changes: StackPlan['changes'] }[] = [];
  const reportStack = (stack: string, changes: StackPlan['changes']): void => {
    stacks.push({ stack, changes });
    if (options.format === 'text')
      printText(
        io.stdout,
        `${stack}: ${changes.length === 0 ? 'nothing to delete' : describeAppliedCounts(changes)}\n`,
      );
  };
  if (options.target === 'sandbox' && !existsSync(join(io.cwd, folder))) {
    for (const { config } of loaded) reportStack(config.stack, []);
    printResult(options.format, { stacks, sandbox: 'left' }, '', io);
    printText(
      io.stderr,
      `No sandbox was ever started in ${join(io.cwd, folder)}: \`down\` belongs in the folder where \`up\` ran.\n`,
    );
    return exitCodes.clean;
  }
  await withApplyLock(options, io, async () => {
    if (options.target === 'sandbox') await warnOfDependentStacks(loaded, options, io);
    const { session, unsynthesizedStacks } = await openForDestroy(loaded, options, io, progress);
    for (const name of unsynthesizedStacks) reportStack(name, []);
    const destroyed: StackPlan[] = [];
    for (const batch of parallelBatches(session.stacks).reverse()) {
      const plans = await planStacks(batch, session, progress, 'destroy');
      await approve(plans, options, { ...approvalRequest, done: { plans: destroyed } }, io);
      await applyPlans(plans, session, progress);
      destroyed.push(...plans);
      for (const { stack, changes } of plans) reportStack(stack.name, changes);
    }
    const stopsSandbox = extent === 'stack and sandbox' && session.sandbox !== undefined;
    if (stopsSandbox) {
      const { stopSandbox } = await import('../../sandbox/index.js');
      await stopSandbox(io.cwd, options.environment);
    }
    printResult(
      options.format,
      { stacks, sandbox: stopsSandbox ? 'stopped' : 'left' },
      stopsSandbox ? 'the sandbox is stopped\n' : '',
      io,
    );
  });
  return exitCodes.clean;
}

/**
 * Stacks of a sandbox are destroyed from their last synthesis; a copy of a sandbox may have applied
 * stacks without one, which need a valid configuration. In the cloud, the present configuration
 * locates the state; the last synthesis is used only if the configuration cannot be synthesized.
 */
async function openForDestroy(
  loaded: readonly LoadedStack[],
  options: ApplyOptions,
  io: CliIo,
  progress: Progress,
): Promise<{ readonly session: ApplySession; readonly unsynthesizedStacks: readonly string[] }> {
  const openApplied = (): ReturnType<typeof openAppliedStacks> => {
    const title = options.target === 'sandbox' ? 'Sandbox' : 'Find Terraform';
    return runTask(progress, title, (printLine) =>
      openAppliedStacks(loaded, options, io, printLine),
    );
  };
  if (options.target === 'sandbox') {
    const opened = await openApplied();
    const isMissing = ({ name, resources, encrypted }: AppliedStackState): boolean =>
      (resources > 0 || encrypted === true) && opened.unsynthesizedStacks.includes(name);
    if (!appliedStackStates(io.cwd, options.environment).some(isMissing)) return opened;
  }
  try {
    return {
      session: await openSession(
        await checkStacks(options, io, progress, 'down'),
        options,
        io,
        progress,
      ),
      unsynthesizedStacks: [],
    };
  } catch (error) {
    if (!isCastellanError(error) || !['CAS1002', 'CAS8103'].includes(error.code)) throw error;
    const opened = await openApplied();
    if (opened.unsynthesizedStacks.length > 0) throw error;
    return opened;
  }
}
