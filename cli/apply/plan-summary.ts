import { plainOutput, styled, type TerminalOutput, type Style } from '../../core/text/terminal.js';
import type { MovedAddress, PlannedAction, PlannedChange } from '../../stacks/terraform/plan.js';
import type { StackPlan } from './plan-stacks.js';
import type { StateMove } from './session.js';

const actionSigns: Readonly<Record<PlannedAction, string>> = {
  create: '+',
  update: '~',
  replace: '-/+',
  delete: '-',
};
const styles: Readonly<Record<PlannedAction, Style>> = {
  create: 'added',
  update: 'warning',
  replace: 'error',
  delete: 'error',
};
const participles: Readonly<Record<PlannedAction, string>> = {
  create: 'created',
  update: 'updated',
  replace: 'replaced',
  delete: 'deleted',
};
const actions: readonly PlannedAction[] = ['create', 'update', 'replace', 'delete'];

/** The most changes or addresses that a line names. */
const maxOnOneLine = 5;

/** A stack with its changes, as `--format json` prints it; `clean` means that it has none. */
export function stackResult({ stack, changes, isClean, movedAddresses }: StackPlan): object {
  return {
    stack: stack.name,
    clean: isClean,
    changes,
    ...(movedAddresses.length !== 0 && { moved: movedAddresses }),
  };
}

/** For a stack without changes: `no changes`, and the resources that have another address. */
export function describeClean({ movedAddresses }: StackPlan): string {
  return ['no changes', ...describeMoves(movedAddresses)].join('; ');
}

/** `2 resources have another address`; nothing if none has. */
export function describeMoves(movedAddresses: readonly MovedAddress[]): string[] {
  if (movedAddresses.length === 0) return [];
  const subject = movedAddresses.length === 1 ? 'resource has' : 'resources have';
  const pairs = movedAddresses.slice(0, maxOnOneLine).map(({ from, to }) => `${from} -> ${to}`);
  const unlistedCount = movedAddresses.length - pairs.length;
  const list = [...pairs, ...(unlistedCount > 0 ? [`${String(unlistedCount)} more`] : [])].join(
    ', ',
  );
  return [`${String(movedAddresses.length)} ${subject} another address (${list})`];
}

/** A move between states: `storefront: azuread_group.a -> platform: azuread_group.b`. */
export function describeMove({ from, to }: StateMove): string {
  return `${from.stack}: ${from.address} -> ${to.stack}: ${to.address}`;
}

/** One line per change, followed by what forces a replacement and what is lost. */
export function describeChanges(
  changes: readonly PlannedChange[],
  screen: TerminalOutput = plainOutput,
): string[] {
  return changes.flatMap(({ address, action, because, loss }) => [
    `  ${styled(actionSigns[action].padStart(3), styles[action], screen)} ${address}${because.length > 0 ? `  (forced by ${because.join(', ')})` : ''}`,
    ...(loss === undefined
      ? []
      : [
          `      ${styled('loss of data', 'error', screen)}: ${action === 'replace' ? 'replacing' : 'deleting'} it loses ${loss}`,
        ]),
  ]);
}

/** The most changes that have a line each. */
const maxListed = 20;
/** The most resources that the line of a group names. */
const maxNamed = 3;

/**
 * What was changed: one line per resource, or, where that would be long, per type of resource. What
 * loses data has its own line in any case.
 */
export function summarizeChanges(
  changes: readonly PlannedChange[],
  screen: TerminalOutput = plainOutput,
): string[] {
  if (changes.length <= maxListed) return describeChanges(changes, screen);
  const losingChanges = changes.filter(({ loss }) => loss !== undefined);
  const groups = new Map<string, PlannedChange[]>();
  for (const change of changes.filter(({ loss }) => loss === undefined)) {
    const key = `${change.action} ${change.type}`;
    groups.set(key, [...(groups.get(key) ?? []), change]);
  }
  const width = Math.max(...[...groups.values()].map(({ length }) => String(length).length), 1);
  return [
    ...[...groups.values()].map((group) => describeGroup(group, width, screen)),
    ...describeChanges(losingChanges, screen),
  ];
}

/** Equal changes of resources of one type: `  +  47 azuread_group: admins, sales, shoppers and 44 more`. */
function describeGroup(
  group: readonly PlannedChange[],
  width: number,
  screen: TerminalOutput,
): string {
  const [first] = group;
  if (first === undefined) return '';
  const { action, type } = first;
  const names = group.slice(0, maxNamed).map(({ address }) => address.replace(`${type}.`, ''));
  const unlistedCount = group.length - names.length;
  const sign = styled(actionSigns[action].padStart(3), styles[action], screen);
  return `  ${sign} ${String(group.length).padStart(width)} ${type}: ${names.join(', ')}${unlistedCount > 0 ? ` and ${unlistedCount} more` : ''}`;
}

/** What was changed, on one line: `1 resource updated (~ azurerm_container_app.web)`. */
export function describeChangesOnOneLine(changes: readonly PlannedChange[]): string {
  const signedAddresses = changes
    .slice(0, maxOnOneLine)
    .map(({ action, address }) => `${actionSigns[action]} ${address}`);
  const unlistedCount = changes.length - signedAddresses.length;
  return `${describeAppliedCounts(changes)}${signedAddresses.length === 0 ? '' : ` (${[...signedAddresses, ...(unlistedCount > 0 ? [`${unlistedCount} more`] : [])].join(', ')})`}`;
}

/** How many changes are planned: `1 to create, 0 to update, 0 to replace, 0 to delete`. */
export function describePlannedCounts(changes: readonly PlannedChange[]): string {
  return actions
    .map(
      (action) =>
        `${String(changes.filter((change) => change.action === action).length)} to ${action}`,
    )
    .join(', ');
}

/**
 * How many changes were applied: `17 resources created, 1 resource updated`; without any,
 * `outputs changed`.
 */
export function describeAppliedCounts(changes: readonly PlannedChange[]): string {
  const parts = actions.flatMap((action) => {
    const number = changes.filter((change) => change.action === action).length;
    return number === 0
      ? []
      : [`${String(number)} resource${number === 1 ? '' : 's'} ${participles[action]}`];
  });
  return parts.length === 0 ? 'outputs changed' : parts.join(', ');
}
