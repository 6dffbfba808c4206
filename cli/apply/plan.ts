import { CastellanError } from '../../core/errors/castellan-error.js';
import { exitCodes } from '../../core/findings/exit-code.js';
import { shellWord } from '../../core/text/shell-word.js';
import { type TerminalOutput, terminalOutputOf } from '../../core/text/terminal.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import type { CliIo } from '../command.js';
import { printResult, printText } from '../format.js';
import {
  optionsToAllow,
  refusedLosses,
  shellOptionsToAllow,
  warnOfUnusedAllowances,
} from './allowed-losses.js';
import { describeMove, stackResult } from './plan-summary.js';
import { describePlan } from './plan-details.js';
import { moveStates, removeStateCopies } from './state-moves.js';
import type { ApplyOptions } from './options.js';
import { writePlanFile } from './plan-file.js';
import { planStacks, type StackPlan, planFileName, terraformOf } from './plan-stacks.js';
import { createProgress, type Progress } from './progress.js';
import type { ApplySession } from './session.js';
import { checkStacks } from './check-stacks.js';
import { openSession, buildImages } from './open-session.js';
import { withApplyLock } from './apply-lock.js';

/** What `castellan plan` writes and shows. */
export interface PlanOutputOptions {
  /** The file to write the plan to, for `castellan up --plan`. */
  readonly out?: string;
  /**
   * Whether to show who gains and loses access, and the source of the people: `live`, `sandbox` or
   * a seed file.
   */
  readonly access?: { readonly from: string };
  /** Whether to show Terraform's own text of the plan, too. */
  readonly verbose: boolean;
}

/**
 * `castellan plan`: what `up` would change, and what would be lost. Changes nothing, but starts the
 * sandbox if it is not running.
 *
 * @returns 1 when the access rules have findings about the change, otherwise 0.
 */
export async function plan(
  options: ApplyOptions,
  output: PlanOutputOptions,
  io: CliIo,
): Promise<number> {
  const progress = createProgress(io);
  const loaded = await checkStacks(options, io, progress, 'plan');
  return withApplyLock(options, io, async () => {
    const unmovedSession = await openSession(loaded, options, io, progress);
    const session = await moveStates(unmovedSession, 'copies', progress);
    try {
      return await printPlan(
        // a plan file is applied as it is: the images must be there when it is made
        output.out === undefined ? session : await buildImages(session, progress),
        options,
        output,
        progress,
        io,
      );
    } finally {
      removeStateCopies(session);
    }
  });
}

async function printPlan(
  session: ApplySession,
  options: ApplyOptions,
  { out, access, verbose }: PlanOutputOptions,
  progress: Progress,
  io: CliIo,
): Promise<number> {
  const plans = await planStacks(session.stacks, session, progress);
  const { moves = [] } = session;
  if (out !== undefined) {
    if (moves.length > 0)
      throw new CastellanError(
        'CAS2109',
        `a plan file can't move states (${moves.map(describeMove).join('; ')}): run \`castellan up\` for these moves first`,
      );
    writePlanFile(out, plans, session, options, io);
    printText(io.stderr, `${out}: apply it with \`castellan up --plan ${shellWord(out)}\`\n`);
  }
  const lossesToAllow = plans.flatMap((plan) => refusedLosses(plan, options));
  warnOfUnusedAllowances(plans, options, io);
  const change = access && (await accessChange(plans, { ...options, ...access }, io));
  if (options.format === 'json')
    printResult(
      'json',
      {
        stacks: plans.map(stackResult),
        ...(lossesToAllow.length !== 0 && { needs: optionsToAllow(lossesToAllow) }),
        ...omitUndefined({ moved: session.moves, access: change?.data }),
      },
      '',
      io,
    );
  else {
    for (const move of moves) printText(io.stdout, `moves: ${describeMove(move)}\n`);
    const screen = terminalOutputOf(io.stdout, io.env);
    for (const stackPlan of plans) {
      if (verbose && !stackPlan.isClean)
        printText(io.stdout, await terraformPlanText(stackPlan, session, screen));
      printText(io.stdout, describePlan(stackPlan, screen));
    }
    if (lossesToAllow.length > 0)
      printText(io.stdout, `\n\`castellan up\` needs ${shellOptionsToAllow(lossesToAllow)}\n`);
    if (change !== undefined) printText(io.stdout, `\nWho gets in:\n${change.text}`);
  }
  return change?.exitCode ?? exitCodes.clean;
}

interface AccessChange {
  readonly data: object;
  readonly text: string;
  /** 1 where the access rules have findings, otherwise 0. */
  readonly exitCode: number;
}

async function accessChange(
  plans: readonly StackPlan[],
  options: Pick<ApplyOptions, 'target' | 'paths' | 'environment'> & { readonly from: string },
  io: CliIo,
): Promise<AccessChange> {
  const { compareWithApplied } = await import('../access/compare.js');
  const { exitCodeOf } = await import('../../access/compare/comparison.js');
  const { comparisonData, comparisonText } = await import('../../access/compare/report.js');
  const comparison = await compareWithApplied(plans, options, io);
  return {
    data: comparisonData(comparison),
    text: comparisonText(comparison),
    exitCode: exitCodeOf(comparison),
  };
}

/** The plan of one stack, as Terraform shows it. */
async function terraformPlanText(
  { stack }: StackPlan,
  session: ApplySession,
  screen: TerminalOutput,
): Promise<string> {
  const printNothing = (): void => undefined;
  const terraform = terraformOf(stack, session, printNothing);
  const text = await terraform.describePlan(planFileName, screen);
  return `${text.trim()}\n\n`;
}
