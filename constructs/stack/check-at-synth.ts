import { resolve } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Finding } from '../../core/findings/finding.js';
import {
  Annotations,
  type IConstruct,
  TerraformBackend,
  TerraformStack,
} from '../internal/cdktf.js';
import { isValidationSkipped } from '../internal/cloud-settings.js';
import { checkStack, type CheckTreeOptions } from './check-tree.js';
import { formatFinding } from './format-finding.js';
import { warnOfUnservedTypes } from './unserved-types.js';

/** How a stack is checked when it is synthesized. */
export interface StackCheck {
  readonly options: CheckTreeOptions;
  /** Called with all findings of the stack. */
  readonly report?: (findings: readonly Finding[]) => void;
}

const checks = new WeakMap<IConstruct, StackCheck>();

/**
 * Checks a stack as it will be written, once it is synthesized and its Aspects have run: errors
 * prevent the synthesis, warnings become annotations.
 *
 * @param check which rules run, and who gets the findings. @default what an earlier call set,
 *   otherwise every rule
 */
export function checkAtSynth(stack: TerraformStack, check?: StackCheck): void {
  const earlierCheck = checks.get(stack);
  if (earlierCheck !== undefined && check === undefined) return;
  checks.set(stack, check ?? { options: {} });
  if (earlierCheck === undefined) stack.node.addValidation({ validate: () => validate(stack) });
}

/**
 * @throws CAS2001 when the stack has errors: with those of all stacks of the app; CAS2009 when
 *   another stack has the same id or state.
 */
function validate(stack: TerraformStack): string[] {
  if (isValidationSkipped(stack)) return [];
  const stacks = stack.node.root.node.findAll().filter(TerraformStack.isStack);
  requireUniqueId(stack, stacks);
  requireOwnState(stack);
  warnOfUnservedTypes(stack);
  const findings = findingsOf(stack);
  checks.get(stack)?.report?.(findings);
  if (findings.every((finding) => !isError(finding))) {
    for (const finding of findings) if (isWarning(finding)) annotate(stack, finding);
    return [];
  }
  const errors = stacks.flatMap((each) =>
    (each === stack ? findings : findingsOf(each))
      .filter(isError)
      .map((finding) => ({ ...finding, stack: each.node.path })),
  );
  const lines = errors.map((error) => `[${error.stack}] ${formatFinding(error)}`);
  throw new CastellanError('CAS2001', `\n  ${lines.join('\n  ')}`, {
    details: { findings: errors },
  });
}

/** Refuses two stacks of one id: cdktf writes both to one folder, where only the last remains. */
function requireUniqueId(stack: TerraformStack, stacks: readonly TerraformStack[]): void {
  const { id, path } = stack.node;
  const other = stacks.find((each) => each !== stack && each.node.id === id);
  if (other !== undefined)
    throw new CastellanError(
      'CAS2009',
      `the stacks ${path} and ${other.node.path} have the same id, ${id}, and so the same folder and state: give each its own`,
    );
}

/** The stacks of an app, by where their states are: those that were checked so far. */
const stacksByState = new WeakMap<IConstruct, Map<string, TerraformStack>>();

/** Refuses two stacks of one state: each would plan to delete the resources of the other. */
function requireOwnState(stack: TerraformStack): void {
  const state = stateOf(stack);
  if (state === undefined) return;
  const app = stack.node.root;
  const checkedStacks = stacksByState.get(app) ?? new Map<string, TerraformStack>();
  stacksByState.set(app, checkedStacks);
  const other = checkedStacks.get(state) ?? stack;
  checkedStacks.set(state, stack);
  // its backend may have changed since an earlier synthesis
  if (other !== stack && stateOf(other) === state)
    throw new CastellanError(
      'CAS2009',
      `the stacks ${other.node.path} and ${stack.node.path} have the same backend, and so the same state: give each a key, name or path of its own`,
    );
}

/**
 * Where the state of a stack is, equal for stacks that share it; undefined for one whose workspace is
 * selected when Terraform runs.
 */
function stateOf({ node }: TerraformStack): string | undefined {
  const backend = node.children.find((child) => TerraformBackend.isBackend(child));
  if (backend === undefined) return undefined;
  const { terraform } = backend.toTerraform() as { terraform: TerraformSettings };
  const path = terraform.backend?.local?.path;
  // Terraform runs in the folder of the stack
  if (path !== undefined) return JSON.stringify({ local: { path: resolve('/', node.id, path) } });
  const { workspaces } = terraform.cloud ?? terraform.backend?.remote ?? {};
  const isSelected = workspaces?.tags !== undefined || workspaces?.prefix !== undefined;
  return isSelected ? undefined : JSON.stringify(terraform.cloud ?? terraform.backend);
}

/** What a backend of cdktf writes, as far as the check reads it. */
interface TerraformSettings {
  readonly backend?: { readonly local?: { readonly path?: string }; readonly remote?: Workspaces };
  readonly cloud?: Workspaces;
}

interface Workspaces {
  readonly workspaces?: { readonly tags?: unknown; readonly prefix?: unknown };
}

/** The findings of a stack; none if it is not to be checked. */
function findingsOf(stack: TerraformStack): readonly Finding[] {
  const check = checks.get(stack);
  return check === undefined || isValidationSkipped(stack) ? [] : checkStack(stack, check.options);
}

const isError = ({ verdict, severity }: Finding): boolean =>
  verdict === 'fail' && severity === 'error';
const isWarning = ({ verdict, severity }: Finding): boolean =>
  verdict === 'fail' && severity === 'warning';

/** Annotates a construct once: cdktf validates a nested stack also with each stack around it. */
function annotate(stack: TerraformStack, finding: Finding): void {
  const constructs = stack.node.findAll();
  const subject = constructs.find(({ node }) => node.path === finding.constructPath) ?? stack;
  const message = formatFinding(finding);
  if (!subject.node.metadata.some(({ data }) => data === message))
    Annotations.of(subject).addWarning(message);
}
