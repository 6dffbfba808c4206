import { type Difference, differences } from '../../core/text/differences.js';
import { styled, type TerminalOutput } from '../../core/text/terminal.js';
import { escapeControlCharacters } from '../../core/text/control-characters.js';
import { isObject } from '../../core/values/is-object.js';
import type { ResourceChange } from '../../stacks/terraform/plan.js';
import {
  describePlannedCounts,
  describeChanges,
  describeClean,
  describeMoves,
} from './plan-summary.js';
import type { StackPlan } from './plan-stacks.js';

/** The changes of a plan: a line for each resource, and below it the attributes that differ. */
export function describePlan(stackPlan: StackPlan, screen: TerminalOutput): string {
  const { stack, changes, isClean, plan, movedAddresses } = stackPlan;
  if (isClean) return `${stack.name}: ${describeClean(stackPlan)}\n`;
  const resources = new Map((plan.resource_changes ?? []).map((each) => [each.address, each]));
  const outputs = Object.entries(plan.output_changes ?? {})
    .filter(([, { actions }]) => actions.some((action) => action !== 'no-op'))
    .map(([name]) => name);
  return [
    `${stack.name}: ${describePlannedCounts(changes)}`,
    ...changes.flatMap((change) => {
      const lines = describeChanges([change], screen);
      if (change.action !== 'update' && change.action !== 'replace') return lines;
      return [...lines, ...attributeLines(resources.get(change.address), screen)];
    }),
    ...describeMoves(movedAddresses).map((move) => `    ${move}`),
    ...(outputs.length === 0 ? [] : [`    outputs change: ${outputs.join(', ')}`]),
    '',
  ].join('\n');
}

/**
 * The attributes of a resource that differ, without those that a replacement computes anew and
 * blocks that are only known after apply.
 */
function attributeLines(resource: ResourceChange | undefined, screen: TerminalOutput): string[] {
  if (resource === undefined) return [];
  const { change } = resource;
  const isReplaced = change.actions.includes('delete');
  return differences(withoutNulls(change.before), withoutNulls(change.after)).flatMap(
    (difference) => {
      const isUnknown = marksAt(change.after_unknown, difference.path) === true;
      if (isUnknown && (isReplaced || isObject(difference.before))) return [];
      const isSecret = [change.before_sensitive, change.after_sensitive].some((marks) =>
        containsMark(marksAt(marks, difference.path)),
      );
      return [`        ${describeDifference(difference, { isUnknown, isSecret }, screen)}`];
    },
  );
}

interface ValueFlags {
  /** Whether the new value is known only after the apply. */
  readonly isUnknown: boolean;
  /** Whether Terraform marks the old or the new value as sensitive. */
  readonly isSecret: boolean;
}

function describeDifference(
  { path, before, after }: Difference,
  { isUnknown, isSecret }: ValueFlags,
  screen: TerminalOutput,
): string {
  const name = path.join('.');
  const renderValue = (value: unknown): string => (isSecret ? '(secret)' : abbreviate(value));
  const next = isUnknown ? '(known after apply)' : renderValue(after);
  if (before === undefined) return styled(`+ ${name}: ${next}`, 'added', screen);
  if (after === undefined && !isUnknown)
    return styled(`- ${name}: ${renderValue(before)}`, 'error', screen);
  return styled(`~ ${name}: ${renderValue(before)} -> ${next}`, 'warning', screen);
}

const maxValueLength = 80;

function abbreviate(value: unknown): string {
  const text = escapeControlCharacters(JSON.stringify(value ?? null));
  return text.length > maxValueLength ? `${text.slice(0, maxValueLength)}…` : text;
}

/** A value without nulls, which Terraform writes for attributes that are not set. */
function withoutNulls(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutNulls);
  if (!isObject(value)) return value ?? undefined;
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, each]) =>
      each === null ? [] : [[key, withoutNulls(each)]],
    ),
  );
}

/** The marks at a path: `true` if it, or a value that contains it, is marked. */
function marksAt(marks: unknown, path: readonly (string | number)[]): unknown {
  let current = marks;
  for (const step of path) {
    if (typeof current !== 'object' || current === null) break;
    current = (current as Readonly<Record<string | number, unknown>>)[step];
  }
  return current;
}

/** Whether a value is marked, or one inside it. */
function containsMark(marks: unknown): boolean {
  if (typeof marks !== 'object' || marks === null) return marks === true;
  return Object.values(marks).some(containsMark);
}
