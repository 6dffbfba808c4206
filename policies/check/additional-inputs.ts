import type { FileAccess } from '../../core/source/file-access.js';
import { appendAll } from '../../core/values/append.js';
import { resolve } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import type { Finding } from '../../core/findings/finding.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import type { Graph } from '../../core/graph/graph.js';
import type { ConfigPath } from '../../core/yaml/layers.js';
import type { LoadedStack } from '../model/loaded-stack.js';
import { stateRules } from '../rules/plan/index.js';
import { type AppliedPolicy, applyPolicy } from './policy/applied-policy.js';
import { rules as catalogue } from '../rules/index.js';
import type { LiveReader } from '../model/live-reader.js';
import type { PlanCheck } from '../sources/plan/check-plan.js';
import type { PlanCheckOptions } from '../sources/plan/plan-check-options.js';
import { appliesToType } from '../engine/resource-rule.js';
import { reportWeakOwnersOnce } from '../sources/live/findings-per-owner.js';
import { resolvedValues } from '../engine/resolved-values.js';
import { mergeFindings, findingPlaces } from './merge-findings.js';
import { SourceLocator } from './source-locator.js';
import {
  stackNameOf,
  packFindings,
  checkLiveGroups,
  checkWithPolicy,
  type StackContext,
} from './stack-checks.js';
import { type Declaration, StackIndex } from '../engine/stack-index.js';
import { undeclaredGroupFindings } from './undeclared-groups.js';
import { valueAt } from '../engine/schema-validation.js';

/** The inputs beyond the sources, and the rules for them. */
export interface AdditionalInputsContext extends StackContext {
  readonly cwd: string;
  /** The source manifest of the resources. @default the one beside the plan, or in `cdktf.out` */
  readonly manifest?: string | undefined;
  /** The folder of `.tf` files that the plan or state was made from. */
  readonly source?: string | undefined;
  readonly files: FileAccess;
  /** Whether to draw the plan. @default false */
  readonly drawsPlan?: boolean | undefined;
  /** Reads the live directory, if it is to be compared. */
  readonly live: LiveReader | undefined;
  readonly stacks: readonly LoadedStack[];
  /** The findings in each stack. */
  readonly findingsOf: ReadonlyMap<LoadedStack, readonly Finding[]>;
  /** The rules and inputs for a stack, with its declarations before the change. */
  readonly contextOf: (stack: LoadedStack) => StackContext;
}

/** The results of the inputs. */
export interface AdditionalInputsResult {
  readonly findings: readonly Finding[];
  /** The number of resources in a plan or state. */
  readonly resourceCount: number;
  /** How many of them no rule judges, by type. */
  readonly unjudgedTypes: ReadonlyMap<string, number>;
  /** Notes, such as why findings have no location in the source. */
  readonly notes: readonly string[];
  /** The diagram of the plan, if requested. */
  readonly plan?: Graph | undefined;
}

/**
 * Continues the check of the sources with a plan, a state and the live directory. Values that only
 * these know are checked by every rule again; equal findings are merged, with the address and the
 * live id; findings of their own are added.
 */
export async function checkAdditionalInputs(
  files: { readonly plan?: string | undefined; readonly state?: string | undefined },
  context: AdditionalInputsContext,
): Promise<AdditionalInputsResult> {
  const findingsOf = new Map(context.findingsOf);
  const resolvedDeclarations = new Map<string, Declaration>();
  const additions: Finding[] = [];
  const notes: string[] = [];
  const liveIds = new Map<string, string>();
  const unjudgedTypes = new Map<string, number>();
  let resourceCount = 0;
  let plan: Graph | undefined;
  for (const [kind, file] of [
    ['plan', files.plan],
    ['state', files.state],
  ] as const) {
    if (file === undefined) continue;
    const result = await checkResources(kind, file, { ...context, findingsOf });
    resourceCount += result.resourceCount;
    for (const [type, count] of result.unjudgedTypes)
      unjudgedTypes.set(type, Math.max(unjudgedTypes.get(type) ?? 0, count));
    plan ??= result.plan;
    appendAll(additions, result.findings);
    if (result.note !== undefined) notes.push(result.note);
    for (const [key, id] of result.liveIds) liveIds.set(key, id);
    // A state has the current values; a plan has newer ones.
    for (const [key, declaration] of result.requestedDeclarations)
      if ((resolvedDeclarations.get(key)?.unknownPaths.length ?? 1) > 0)
        resolvedDeclarations.set(key, declaration);
  }
  for (const [stack, earlierFindings] of context.findingsOf) {
    let findings = earlierFindings;
    if (context.live !== undefined) {
      const liveCheck = await checkLiveGroups(stack, context.live, {
        ...context.contextOf(stack),
        resolvedValues: resolvedValues(resolvedDeclarations),
        liveIds,
      });
      appendAll(additions, liveCheck.findings);
      for (const [key, declaration] of liveCheck.liveGroups)
        if (!resolvedDeclarations.has(key)) resolvedDeclarations.set(key, declaration);
      findings = earlierFindings.map((finding) => withLiveId(finding, liveCheck.liveGroups));
      findingsOf.set(stack, findings);
    }
    if (
      !findings.some(
        ({ verdict, path = [] }) =>
          verdict === 'unknown' && resolvedDeclarations.has(path.slice(0, 2).join('.')),
      )
    )
      continue;
    const checkedAgain = await checkWithPolicy(stack, {
      ...context.contextOf(stack),
      resolvedValues: resolvedValues(resolvedDeclarations),
    });
    findingsOf.set(
      stack,
      context.live === undefined
        ? checkedAgain
        : checkedAgain.map((finding) => withLiveId(finding, resolvedDeclarations)),
    );
  }
  if (context.live !== undefined)
    appendAll(
      additions,
      await undeclaredGroupFindings(context.stacks, context.live, { ...context, liveIds }),
    );
  return {
    findings: mergeFindings([...findingsOf.values()].flat(), reportWeakOwnersOnce(additions)),
    resourceCount,
    unjudgedTypes,
    notes,
    plan,
  };
}

function withLiveId(finding: Finding, declarations: ReadonlyMap<string, Declaration>): Finding {
  const liveId = declarations.get((finding.path ?? []).slice(0, 2).join('.'))?.origin.liveId;
  return liveId === undefined ? finding : { ...finding, liveId };
}

async function checkResources(
  kind: 'plan' | 'state',
  file: string,
  context: AdditionalInputsContext,
): Promise<PlanCheck & { readonly note?: string; readonly plan?: Graph | undefined }> {
  const { checkPlan } = await import('../sources/plan/check-plan.js');
  const { stacks, now, packs } = context;
  const inputPath = file === '-' ? '/dev/stdin' : resolve(context.cwd, file);
  const name = file === '-' ? 'what came from the pipe' : file;
  const stacksDeclaring = (path: ConfigPath): readonly LoadedStack[] =>
    stacks.filter((stack) => declares(stack, path));
  const policies = new Map(
    [undefined, ...stacks].map((stack) => [stack, policyOf(stack, context)]),
  );
  const unknownFindings = [...context.findingsOf.values()]
    .flat()
    .filter(({ verdict }) => verdict === 'unknown');
  // If two stacks declare the same name, the plan's stack is unknown.
  const declarationsToReturn = new Set(
    unknownFindings.flatMap(({ path = [] }) =>
      stacksDeclaring(path).length === 1 ? [path.slice(0, 2).join('.')] : [],
    ),
  );
  const sourceLocator = await SourceLocator.find({
    cwd: context.cwd,
    planFile: file,
    file: context.manifest,
    source: context.source,
    files: context.files,
    env: context.env,
  });
  const plan =
    kind === 'plan'
      ? await (await import('../sources/plan/read-plan.js')).readPlan(inputPath, name)
      : undefined;
  const resources =
    plan?.resources ??
    (await (await import('../sources/state/read-state.js')).readState(inputPath, name));
  sourceLocator.countResources(resources);
  const { stackName: plannedStack } = sourceLocator;
  const plannedStacks = stacks.filter((stack) => stackNameOf(stack) === plannedStack);
  const possibleStacks =
    plannedStack === undefined || plannedStacks.length === 0 ? stacks : plannedStacks;
  const onlyStack = possibleStacks.length === 1 ? possibleStacks[0] : undefined;
  const declaringStackOf = (path: ConfigPath): LoadedStack | undefined =>
    possibleStacks.find((stack) => declares(stack, path));
  const { rules, ruleOptions } = policyOf(onlyStack, context);
  const locate = (path: ConfigPath, at?: 'key' | 'value') =>
    declaringStackOf(path)?.locate(path, at);
  const packRules = packs.flatMap((pack) => pack.rules);
  const wantsResource = (type: string): boolean =>
    packRules.some((rule) => appliesToType(rule, type));
  const returnsLiveIds = context.live !== undefined;
  const isDeclared = (path: ConfigPath): boolean => declaringStackOf(path) !== undefined;
  const options: PlanCheckOptions = {
    rules,
    ruleOptions,
    now,
    declarationsToReturn,
    isDeclared,
    locate,
    returnsLiveIds,
    wantsResource,
    returnsDeclarations: packs.length > 0,
  };
  const planCheck = refuseDeepNesting(`${name} can't be checked`, kind, () =>
    checkPlan(
      resources,
      plan === undefined
        ? { ...options, planRules: stateRules, comparesNames: false }
        : { ...options, configuration: plan.configuration },
    ),
  );
  const drawing =
    plan !== undefined && context.drawsPlan === true
      ? new (await import('../sources/plan/plan-graph.js')).PlanDrawing(plan).graph(name)
      : undefined;
  const allFindings = [
    ...planCheck.findings,
    ...(await packFindingsOfResources(planCheck, { ...context, ruleOptions, locate })),
  ];
  const { hideSensitiveTexts } = await import('../sources/plan/sensitive-texts.js');
  const { findings, ...notes } = sourceLocator.locate(hideSensitiveTexts(allFindings, resources));
  const results = findings.flatMap((finding): readonly Finding[] => {
    const declaringStack = declaringStackOf(finding.path ?? []);
    // The source was checked with the plan's values: values that the plan knows are not unknown.
    if (finding.verdict === 'unknown' && declaringStack !== undefined) return [];
    const stack = declaringStack ?? onlyStack;
    const policy = policies.get(stack);
    const judged = policy === undefined ? finding : policy.applySeverity(finding);
    const stackName = stack === undefined ? undefined : stackNameOf(stack);
    return judged === undefined
      ? []
      : [stackName === undefined ? judged : { ...judged, stack: stackName }];
  });
  // if two stacks declare the same name, its stack is unknown
  const liveIds = new Map(
    [...planCheck.liveIds].filter(
      ([key]) =>
        stacksDeclaring([key.slice(0, key.indexOf('.')), key.slice(key.indexOf('.') + 1)])
          .length === 1,
    ),
  );
  return { ...planCheck, ...notes, liveIds, findings: results, plan: drawing };
}

/** Whether a stack has the declaration that a path leads to or into. */
function declares({ config }: LoadedStack, path: ConfigPath): boolean {
  return path.length >= 2 && valueAt(config, path.slice(0, 2)) !== undefined;
}

/** Runs a check; a document that is nested too deeply for recursive code is refused. */
function refuseDeepNesting<Result>(
  problem: string,
  kind: 'plan' | 'state',
  check: () => Result,
): Result {
  try {
    return check();
  } catch (cause) {
    if (!(cause instanceof RangeError)) throw cause;
    const code = kind === 'plan' ? 'CAS7101' : 'CAS7102';
    throw new CastellanError(code, `${problem}: one of its values is nested too deeply`, { cause });
  }
}

function policyOf(
  stack: LoadedStack | undefined,
  { policy, environment }: AdditionalInputsContext,
): AppliedPolicy {
  const name = stack === undefined ? undefined : stackNameOf(stack);
  return applyPolicy(policy.config, catalogue, {
    stack: name,
    environment: stack?.environment ?? environment ?? defaultEnvironment,
  });
}

/** The packs' findings about a plan or state. */
async function packFindingsOfResources(
  { declarations, requestedResources }: PlanCheck,
  context: AdditionalInputsContext &
    Pick<AppliedPolicy, 'ruleOptions'> & { readonly locate: StackIndex['locate'] },
): Promise<readonly Finding[]> {
  if (declarations.length === 0 && requestedResources.length === 0) return [];
  const index = new StackIndex({}, declarations, () => [], context.locate);
  const origins = new Map(
    declarations.map(({ section, name, origin }) => [`${section}.${name}`, origin]),
  );
  const { packs, now, policy, ruleOptions } = context;
  const findings = await packFindings(
    { index, declarations, resources: requestedResources },
    { packs, now, policy, ruleOptions },
  );
  return findings.map((finding) => {
    const { terraformAddress, liveId } =
      origins.get((finding.path ?? []).slice(0, 2).join('.')) ?? {};
    return { ...finding, ...findingPlaces(terraformAddress ?? finding.terraformAddress, liveId) };
  });
}
