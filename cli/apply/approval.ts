import { defaultEnvironment } from '../../core/project/environment-folder.js';
import { CastellanError, isCastellanError } from '../../core/errors/castellan-error.js';
import { prompt, canPrompt } from '../prompt.js';
import { terminalOutputOf } from '../../core/text/terminal.js';
import type { CliIo } from '../command.js';
import { describeDone, type DoneSoFar } from './done-so-far.js';
import type { ApplyOptions } from './options.js';
import { describeChanges, describeMove } from './plan-summary.js';
import type { StackPlan } from './plan-stacks.js';
import type { StateMove } from './session.js';
import { printText } from '../format.js';

/** A command whose changes may need approval. */
export interface ApprovalRequest {
  readonly command: 'up' | 'down';
  /** Whether one of its stacks says `protected: true`. */
  readonly isProtected: boolean;
  /** What it has done already, for the message of one that is declined. @default nothing */
  readonly done?: DoneSoFar;
}

/**
 * Refuses a command that nobody can approve later: changes of the cloud and of protected
 * environments need an approval, by an option if there is no terminal to ask on.
 *
 * @throws CAS8102 with the option that approves.
 */
export function requireApprovable(
  options: ApplyOptions,
  { command, isProtected }: ApprovalRequest,
  io: CliIo,
): void {
  const environment = options.environment ?? defaultEnvironment;
  if (options.approvedEnvironment !== undefined && options.approvedEnvironment !== environment)
    throw new CastellanError(
      'CAS8102',
      `--auto-approve=${options.approvedEnvironment} approves ${options.approvedEnvironment}, but this is ${environment}`,
    );
  if (isProtected && options.approvedEnvironment === undefined && !canPrompt(io))
    throw new CastellanError(
      'CAS8102',
      `the environment ${environment} is protected: add --auto-approve=${environment}`,
    );
  if (options.target === 'azure' && !options.autoApprove && !canPrompt(io))
    throw new CastellanError(
      'CAS8102',
      `\`castellan ${command} --target azure\` ${command === 'up' ? 'changes the cloud' : 'destroys in the cloud'}: add --auto-approve`,
    );
}

/**
 * Asks on a terminal before deletions and replacements, before changes of the cloud, and for the
 * name of a protected environment.
 *
 * @throws CAS8104 for another answer, CAS8102 where these questions are refused; nothing of these
 *   plans was applied then.
 */
export async function approve(
  plans: readonly StackPlan[],
  options: ApplyOptions,
  { isProtected, done }: ApprovalRequest,
  io: CliIo,
): Promise<void> {
  const refusesQuestions = options.refusesQuestions === true;
  const changedPlans = plans.filter(({ isClean }) => !isClean);
  if (changedPlans.length === 0 || options.approvedEnvironment !== undefined) return;
  if (!canPrompt(io) && !refusesQuestions) return;
  const environment = options.environment ?? defaultEnvironment;
  const isDestructive = changedPlans.some(({ changes }) =>
    changes.some(({ action }) => action === 'delete' || action === 'replace'),
  );
  const needsApproval = isDestructive || options.target === 'azure';
  if (!isProtected && (options.autoApprove || !needsApproval)) return;
  if (refusesQuestions) throw refusalOfQuestion(changedPlans, done);
  for (const { stack, changes } of changedPlans)
    printText(
      io.stderr,
      [`${stack.name}:`, ...describeChanges(changes, terminalOutputOf(io.stderr, io.env)), ''].join(
        '\n',
      ),
    );
  await requireTypedWord(isProtected, environment, done, io);
}

/** What to do where a change would need a question, and none is asked. */
function refusalOfQuestion(plans: readonly StackPlan[], done?: DoneSoFar): CastellanError {
  const lines = plans.flatMap(({ stack, changes }) => [
    `${stack.name}:`,
    ...describeChanges(changes),
  ]);
  return new CastellanError(
    'CAS8102',
    `${describeDone(done ?? { plans: [] })}, because this deletes or replaces something, and no question is asked while changes are watched\n${lines.join('\n')}\nTo approve it, run \`castellan up\` in another terminal; to approve all of them, start \`castellan up --watch\` with --auto-approve`,
  );
}

/**
 * Asks on a terminal before resources move between states of the cloud or of a protected
 * environment. The objects themselves do not change.
 *
 * @throws CAS8104 for another answer; nothing was changed then.
 */
export async function approveMoves(
  moves: readonly StateMove[],
  options: ApplyOptions,
  { isProtected }: ApprovalRequest,
  io: CliIo,
): Promise<void> {
  if (moves.length === 0 || options.approvedEnvironment !== undefined || !canPrompt(io)) return;
  if ((options.autoApprove || options.target === 'sandbox') && !isProtected) return;
  const lines = moves.map((each) => `  ${describeMove(each)}`);
  printText(io.stderr, ['These states change:', ...lines, ''].join('\n'));
  await requireTypedWord(isProtected, options.environment ?? defaultEnvironment, undefined, io);
}

/** Asks for `yes`, or for the name of a protected environment. @throws CAS8104 for another answer */
async function requireTypedWord(
  isProtected: boolean,
  environment: string,
  done: DoneSoFar | undefined,
  io: CliIo,
): Promise<void> {
  const doneText = describeDone(done ?? { plans: [] });
  const word = isProtected ? environment : 'yes';
  const question = isProtected
    ? `${environment} is protected. Type its name to go on: `
    : 'Type yes to go on: ';
  const answer = await prompt(question, io).catch((error: unknown) => {
    throw isCastellanError(error)
      ? new CastellanError(error.code, `${error.message}: ${doneText}`, { cause: error })
      : error;
  });
  if (answer !== word)
    throw new CastellanError('CAS8104', `the answer was not "${word}": ${doneText}`);
}
