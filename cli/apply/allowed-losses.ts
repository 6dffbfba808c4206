import { shellWord } from '../../core/text/shell-word.js';
import type { PlannedChange } from '../../stacks/terraform/plan.js';
import type { CliIo } from '../command.js';
import { printText } from '../format.js';
import type { ApplyOptions } from './options.js';
import type { StackPlan } from './plan-stacks.js';

/** The losses of data that the command line allows. */
export type Allowances = Pick<ApplyOptions, 'allowReplace' | 'allowDestroy'>;

/** The changes of a plan that would lose data and that no option allows. */
export function refusedLosses(
  { stack, changes }: StackPlan,
  { allowReplace, allowDestroy }: Allowances,
): readonly PlannedChange[] {
  if (allowReplace === 'all') return [];
  return changes.filter(({ loss, action, address }) => {
    const allowed = action === 'replace' ? allowReplace : allowDestroy;
    return (
      loss !== undefined &&
      !allowed.includes(address) &&
      !allowed.includes(`${stack.name}/${address}`)
    );
  });
}

/** The options that allow losses: `--allow-replace=fabric_eventhouse.clicks`. */
export function optionsToAllow(changes: readonly PlannedChange[]): readonly string[] {
  return changes.map(
    ({ action, address }) => `--allow-${action === 'replace' ? 'replace' : 'destroy'}=${address}`,
  );
}

/** The options of {@link optionsToAllow}, quoted for a shell. */
export function shellOptionsToAllow(changes: readonly PlannedChange[]): string {
  return optionsToAllow(changes).map(shellWord).join(' ');
}

/** Warns on stderr about options that match no change of these plans, such as misspelt ones. */
export function warnOfUnusedAllowances(
  plans: readonly StackPlan[],
  options: Allowances,
  io: CliIo,
): void {
  for (const option of unusedAllowances(plans, options))
    printText(io.stderr, `castellan: ${option} allows nothing: no such change is planned\n`);
}

function unusedAllowances(
  plans: readonly StackPlan[],
  { allowReplace, allowDestroy }: Allowances,
): readonly string[] {
  const unusedOptions = (
    addresses: readonly string[],
    action: PlannedChange['action'],
    option: string,
  ) =>
    addresses
      .filter((address) =>
        plans.every(({ stack, changes }) =>
          changes.every(
            (change) =>
              change.action !== action ||
              (change.address !== address && `${stack.name}/${change.address}` !== address),
          ),
        ),
      )
      .map((address) => `${option}=${address}`);
  return [
    ...(allowReplace === 'all' ? [] : unusedOptions(allowReplace, 'replace', '--allow-replace')),
    ...unusedOptions(allowDestroy, 'delete', '--allow-destroy'),
  ];
}
