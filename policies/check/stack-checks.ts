import { appendAll } from '../../core/values/append.js';
import type { Finding } from '../../core/findings/finding.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import { omitUndefined } from '../../core/values/omit-undefined.js';
import { overlayPath } from '../model/environments.js';
import type { LoadedStack } from '../model/loaded-stack.js';
import type { LoadedPack } from '../packs/load-packs.js';
import type { PackInput, PackStack } from '../packs/protocol.js';
import { type AppliedPolicy, applyPolicy } from './policy/applied-policy.js';
import type { LoadedPolicy } from './policy/load-policy.js';
import { rules as catalogue } from '../rules/index.js';
import { changeDeletes } from '../rules/declaration/change-deletes.js';
import { packFailed } from '../rules/policy-rules.js';
import type { ReportDescriptor } from '../engine/rule.js';
import type { LiveCheck } from '../sources/live/check-live.js';
import type { LiveReader } from '../model/live-reader.js';
import { prepareStack, runRulesOnStack, withoutFindingsOfMistypedValues } from './check-stack.js';
import { makeFinding, withoutRepeats } from '../engine/finding-maker.js';
import type { ResolvedValues } from '../engine/resolved-values.js';
import type { TerraformResource } from '../engine/terraform-resource.js';
import { runRules } from '../engine/run-rules.js';
import { type Declaration, StackIndex } from '../engine/stack-index.js';
import { stackSettingsFindings } from './stack-settings.js';
import { unsetVariableFindings } from './unset-variable-findings.js';
import { valueAt } from '../engine/schema-validation.js';

/** The rules and inputs for a stack. */
export interface StackContext {
  /** The policy that judges: with a base, that of the base. */
  readonly policy: LoadedPolicy;
  readonly packs: readonly LoadedPack[];
  /** The environment variables for `${env:NAME}`. */
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly now: Date;
  /** The requested environment. */
  readonly environment?: string | undefined;
  /** The stack's earlier declarations, when a change is checked. */
  readonly base?: StackIndex | undefined;
  /** Resolves values that are missing in the environment from a plan or a state. */
  readonly resolvedValues?: ResolvedValues | undefined;
  /** The live ids in a state, by `eventhouses.clicks`. */
  readonly liveIds?: ReadonlyMap<string, string> | undefined;
}

/** The name of a stack; undefined if it is missing or not text. */
export function stackNameOf({ config }: LoadedStack): string | undefined {
  const name = (config as { readonly stack?: unknown } | null)?.stack;
  return typeof name === 'string' ? name : undefined;
}

/** All findings about a stack: from the schema, the rules by its policy, and the packs. */
export async function checkWithPolicy(
  stack: LoadedStack,
  context: StackContext,
): Promise<readonly Finding[]> {
  const { rules, ruleOptions, applySeverity } = policyOf(stack, context);
  const prepared = prepareStack(stack, { ...context, rules });
  const declares = (section: string, name: string): boolean =>
    valueAt(stack.config, [section, name]) !== undefined;
  const findings = [
    ...prepared.findings,
    ...runRulesOnStack(prepared, rules, { ...context, ruleOptions, declares, scope: 'stack' }),
  ];
  const findingsOfPacks = await packFindings(prepared, { ...context, ruleOptions });
  appendAll(findings, withoutFindingsOfMistypedValues(findingsOfPacks, prepared.mistypedPaths));
  appendAll(findings, stackSettingsFindings(stack, prepared.index));
  appendAll(findings, unsetVariableFindings(stack, prepared.unsetPaths, findings));
  const findingsAsWritten = findings.map((finding) =>
    prepared.correctedKeys.withOriginalPath(finding),
  );
  return applyPolicyTo(
    stack,
    withoutRepeats(withoutRepeatedUnknowns(findingsAsWritten)),
    applySeverity,
  );
}

/**
 * An unknown value that several rules need is reported once, by the most specific rule, not the
 * schema.
 */
function withoutRepeatedUnknowns(findings: readonly Finding[]): readonly Finding[] {
  const best = new Map<string, Finding>();
  const keyOf = ({ path = [], message }: Finding): string => `${path.join('\0')} ${message}`;
  for (const finding of findings) {
    if (finding.verdict !== 'unknown') continue;
    const reported = best.get(keyOf(finding));
    if (reported === undefined || reported.ruleId.startsWith('property-'))
      best.set(keyOf(finding), finding);
  }
  return findings.filter(
    (finding) => finding.verdict !== 'unknown' || best.get(keyOf(finding)) === finding,
  );
}

/** The findings of the live rules about a stack's groups, and the live groups. */
export async function checkLiveGroups(
  stack: LoadedStack,
  reader: LiveReader,
  context: StackContext,
): Promise<LiveCheck> {
  const { rules, ruleOptions, applySeverity } = policyOf(stack, context);
  const { checkLive } = await import('../sources/live/check-live.js');
  const { index } = prepareStack(stack, { ...context, rules });
  const { findings, liveGroups } = await checkLive(index, reader, {
    rules,
    ruleOptions,
    now: context.now,
    liveIds: context.liveIds,
  });
  return {
    findings: applyPolicyTo(stack, withoutRepeats(findings), applySeverity),
    liveGroups,
  };
}

/** Findings with the severity of the policy, and the name of their stack. */
function applyPolicyTo(
  stack: LoadedStack,
  findings: readonly Finding[],
  applySeverity: AppliedPolicy['applySeverity'],
): readonly Finding[] {
  const name = stackNameOf(stack);
  return findings.flatMap((finding) => {
    const applied = applySeverity(finding);
    return applied === undefined
      ? []
      : [name === undefined ? applied : { ...applied, stack: name }];
  });
}

/** Findings about a removed stack, all of whose declarations are deleted. */
export function checkRemovedStack(
  stack: LoadedStack,
  base: StackIndex,
  context: StackContext,
): readonly Finding[] {
  const { rules, applySeverity } = policyOf(stack, context);
  const location = { file: stack.files[0] ?? '', line: 1, column: 1 };
  const locate = (): typeof location => location;
  const empty = new StackIndex({}, [], () => [], locate);
  const findings = runRules(empty, rules, { now: context.now, base, scope: 'stack' });
  const count = base.declarations().length;
  return applyPolicyTo(
    stack,
    findings.length > 0 || count === 0
      ? findings
      : [
          makeFinding(
            changeDeletes,
            removedStackReport(stack, count),
            { path: [], origin: {} },
            locate,
          ),
        ],
    applySeverity,
  );
}

function removedStackReport(stack: LoadedStack, count: number): ReportDescriptor {
  const given = stackNameOf(stack) ?? stack.files[0];
  return {
    messageId: 'stack',
    path: ['stack'],
    parameters: { given, count: declarationCountText(count) },
  };
}

function declarationCountText(count: number): string {
  return count === 1 ? '1 declaration' : `${String(count)} declarations`;
}

/** Reports that an environment of a stack is gone, unless it declared nothing. */
export function checkRemovedEnvironment(
  stack: LoadedStack,
  environment: string,
  context: StackContext,
): readonly Finding[] {
  const count = prepareStack(stack, context).index.declarations().length;
  if (count === 0) return [];
  const [config = ''] = stack.files;
  const location = { file: overlayPath(config, environment), line: 1, column: 1 };
  const parameters = {
    given: environment,
    stack: stackNameOf(stack) ?? config,
    count: declarationCountText(count),
  };
  const finding = makeFinding(
    changeDeletes,
    { messageId: 'environment', path: ['stack', environment], parameters },
    { path: [], origin: {} },
    () => location,
  );
  const { applySeverity } = policyOf(stack, context);
  return applyPolicyTo(stack, [{ ...finding, environments: [environment] }], applySeverity);
}

/** The policy for a stack in its environment. */
export function policyOf(
  stack: LoadedStack,
  { policy, environment }: Pick<StackContext, 'policy' | 'environment'>,
): AppliedPolicy {
  return applyPolicy(policy.config, catalogue, {
    stack: stackNameOf(stack),
    environment: stack.environment ?? environment ?? defaultEnvironment,
  });
}

/** The input of packs: declarations, and the resources of a plan or state. */
interface PackSubjects {
  readonly index: StackIndex;
  readonly declarations: readonly Declaration[];
  readonly resources?: readonly TerraformResource[];
}

/** The packs' findings about declarations, with their locations. */
export async function packFindings(
  { index, declarations, resources }: PackSubjects,
  context: Pick<StackContext, 'packs' | 'base' | 'now' | 'policy'> & {
    readonly ruleOptions: PackInput['ruleOptions'];
  },
): Promise<readonly Finding[]> {
  if (context.packs.length === 0) return [];
  const input: PackInput = {
    ...packStackOf(index, declarations),
    ...omitUndefined({ resources }),
    ...(context.base !== undefined && {
      base: packStackOf(context.base, context.base.declarations()),
    }),
    ruleOptions: context.ruleOptions,
    now: context.now.toISOString(),
  };
  const result: Finding[] = [];
  for (const [packIndex, pack] of context.packs.entries()) {
    const { findings, failures } = await pack.run(input);
    for (const finding of findings) {
      const location = index.locate(finding.path ?? []);
      result.push(location === undefined ? finding : { ...finding, location });
    }
    for (const reason of failures) {
      const report = { messageId: 'failed', parameters: { given: pack.name, reason } };
      result.push(
        makeFinding(packFailed, report, { path: ['packs', pack.name], origin: {} }, () =>
          context.policy.locate(['packs', packIndex]),
        ),
      );
    }
  }
  return result;
}

function packStackOf({ settings }: StackIndex, declarations: readonly Declaration[]): PackStack {
  return {
    settings,
    declarations: declarations.map(({ section, name, value, unknownPaths }) => ({
      section,
      name,
      value,
      unknownPaths,
    })),
  };
}
