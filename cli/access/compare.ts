import { appliedModel } from '../../access/compare/applied-model.js';
import { compareAccess } from '../../access/compare/compare.js';
import { accessFindings } from '../../access/compare/findings.js';
import type { AccessComparison } from '../../access/compare/report.js';
import { wantedBy } from '../../access/directory/wanted.js';
import type { AccessModel } from '../../access/model.js';
import { accessModel } from '../../access/model.js';
import type { AppliedResource } from '../../access/stack/applied.js';
import { appliedIds, wantedByApplied } from '../../access/stack/applied.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { GitFiles } from '../../core/source/git-files.js';
import { gitFiles } from '../../core/source/git-files.js';
import { diskFiles } from '../../core/source/file-access.js';
import { loadPolicy } from '../../policies/configuration/load-policy.js';
import { loadConfig } from '../../policies/model/load-config.js';
import type { LoadedStack } from '../../policies/model/loaded-stack.js';
import type { StackPlan } from '../apply/plan-stacks.js';
import type { CliIo } from '../command.js';
import type { AccessStack } from './load.js';
import { resolvedConfig } from './load.js';
import type { PeopleFlags } from './people.js';
import { readPeople } from './people.js';

/** What is compared with what. */
export interface CompareOptions extends PeopleFlags {
  /** A commit, branch or tag. */
  readonly ref: string;
  readonly paths: readonly string[];
  readonly policy?: string | undefined;
}

/**
 * Compares who gets in with how it was where the change began, over the same people.
 *
 * @throws CAS7004 when git doesn't know the commit, or this is no repository.
 */
export async function compareWithBase(
  { ref, paths, policy, ...people }: CompareOptions,
  stacks: readonly AccessStack[],
  io: CliIo,
): Promise<AccessComparison> {
  const files = filesAt(io.cwd, ref);
  const { stacks: before } = await loadConfig({ paths, environment: people.environment, recursive: true, cwd: io.cwd, files });
  const configs = before.map(({ config }) => resolvedConfig(config, io.env));
  const read = await readPeople({ ...people, more: wantedBy(configs) }, stacks, io);
  const now = Date.now();
  const head = accessModel(
    stacks.map(({ config }) => config),
    read,
    { now },
  );
  return comparisonOf({ ref, head, base: accessModel(configs, read, { now, like: head }), policy }, stacks, io);
}

/** What a plan would change about who gets in: who gets in as things are, and as they are once it is applied, over the same people. */
export async function compareWithApplied(
  plans: readonly StackPlan[],
  {
    configurations,
    from,
    environment,
  }: { readonly configurations: readonly LoadedStack[]; readonly from: string; readonly environment: string | undefined },
  io: CliIo,
): Promise<AccessComparison> {
  const stacks = configurations.map((loaded): AccessStack => ({ loaded, config: resolvedConfig(loaded.config, io.env) }));
  const applied = stacks.map(({ config }) => ({
    config,
    resources: appliedResources(plans.find(({ stack }) => stack.name === config.stack)),
  }));
  const read = await readPeople({ from, environment, more: wantedByApplied(applied) }, stacks, io);
  const now = Date.now();
  const ids = new Map(applied.map(({ config, resources }) => [config.stack, appliedIds(resources)]));
  const configs = stacks.map(({ config }) => config);
  const head = accessModel(configs, read, { now, applied: ids });
  const base = appliedModel(applied, read, head, now);
  return comparisonOf({ ref: 'what is applied', head, base, policy: undefined }, stacks, io);
}

/** What a plan starts from, as far as it is there. */
function appliedResources(plan: StackPlan | undefined): AppliedResource[] {
  return (plan?.plan.resource_changes ?? []).flatMap(({ mode, type, name, change: { before, actions } }) =>
    mode !== 'managed' || before === null ? [] : [{ type, name, values: before, isKept: !actions.includes('delete') }],
  );
}

async function comparisonOf(
  {
    policy: file,
    ...models
  }: { readonly ref: string; readonly head: AccessModel; readonly base: AccessModel; readonly policy: string | undefined },
  stacks: readonly AccessStack[],
  io: CliIo,
): Promise<AccessComparison> {
  const changes = compareAccess(models.head, models.base);
  const configFiles = stacks.flatMap(({ loaded }) => loaded.files.slice(0, 1));
  const policy = await loadPolicy({ cwd: io.cwd, files: diskFiles, sources: new Map(), file, configFiles });
  const findings = accessFindings(changes, { ...models, policy, stacks: stacks.map(({ loaded }) => loaded) });
  return { ...models, changes, findings };
}

function filesAt(cwd: string, ref: string): GitFiles {
  try {
    return gitFiles(cwd, ref);
  } catch (cause) {
    const said = String((cause as { readonly stderr?: unknown }).stderr ?? (cause as Error).message);
    throw new CastellanError('CAS7004', `there is nothing to compare with at ${ref}: ${said.trim().split('\n')[0] ?? ''}`, {
      details: { ref },
      cause,
    });
  }
}
