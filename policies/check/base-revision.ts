import { appendAll } from '../../core/values/append.js';
import { relative, resolve } from 'node:path';
import type { Finding } from '../../core/findings/finding.js';
import { defaultEnvironment } from '../../core/project/environment-folder.js';
import type { FileAccess } from '../../core/source/file-access.js';
import type { MergeBaseFiles } from '../../core/source/git-files.js';
import type { SourceText } from '../../core/source/source-text.js';
import { type UncheckedConfig, movesOf } from '../../kinds/stack/moved.js';
import { loadConfig, type LoadResult } from '../model/load-config.js';
import type { LoadedStack } from '../model/loaded-stack.js';
import type { BaseSuppressions } from './policy/suppression-changes.js';
import type { PolicyAtBase } from './policy/policy-at-base.js';
import { suppress, suppressionsOf, valueFinder } from './policy/suppressions.js';
import { baseIndexWithMoves } from './base-index-with-moves.js';
import { findingsOfRemovedEnvironments } from './removed-environments.js';
import { prepareStack } from './check-stack.js';
import type { CheckReport, RunCheckOptions } from './check-report.js';
import {
  stackNameOf,
  checkRemovedStack,
  checkWithPolicy,
  type StackContext,
} from './stack-checks.js';
import type { StackIndex } from '../engine/stack-index.js';

/** The declarations and findings before a change. */
export interface BaseRevision {
  readonly stacks: readonly LoadedStack[];
  /** The declarations of the stack with the same name. */
  stackIndexOf(stack: LoadedStack): StackIndex | undefined;
  /** Findings about stacks and environments that were removed. */
  findingsOfRemovedStacks(head: LoadResult, files: FileAccess): Promise<readonly Finding[]>;
  /** The suppressions before the change, and what they accepted. */
  readonly suppressions: BaseSuppressions;
  /** A finding, marked as new or existing. */
  markChange(finding: Finding): Finding;
  /**
   * How many findings of the base are no longer among the current ones; accepted ones are not
   * counted.
   */
  countFixed(current: readonly Finding[]): number;
}

type BaseOptions = RunCheckOptions & {
  readonly cwd: string;
  /** The ids of all rules that exist, also those of packs. */
  readonly ruleIds: readonly string[];
  /** The configurations as they are now, in contrast to those at the base commit. */
  readonly head: LoadResult;
};

/**
 * Loads and checks the configurations at the base commit, with the policy that judges the change.
 */
export async function loadBase(
  options: BaseOptions,
  { mergeBase: files, policyAtMergeBase: policyBefore }: PolicyAtBase,
  context: StackContext,
): Promise<BaseRevision> {
  const { stacks, findings: findingsOfLoading, sources } = await loadConfig({ ...options, files });
  const moved = await findMovedStacks(options, files, stacks);
  const baseStacks = [...stacks, ...moved.stacks];
  const indexes = new Map(
    baseStacks.map((stack) => [stackNameOf(stack), prepareStack(stack, context).index]),
  );
  const moves = options.head.stacks.flatMap(({ config }) => movesOf(config as UncheckedConfig));
  const findings = [...findingsOfLoading];
  for (const stack of baseStacks) appendAll(findings, await checkWithPolicy(stack, context));
  const texts = new Map([...sources, ...moved.sources]);
  const suppressions = await suppressionsOf(texts, policyBefore);
  const suppressionResult = suppress(findings, suppressions, {
    ...context,
    ruleIds: options.ruleIds,
    valueOf: valueFinder(baseStacks),
    ruleHadInput: isDeclarationRule,
    environment: context.environment ?? defaultEnvironment,
    otherEnvironments: [],
  });
  const reportedKeys = new Set(suppressionResult.findings.map(findingKey));
  const suppressedKeys = new Set(suppressionResult.suppressedFindings.map(findingKey));
  return {
    stacks: baseStacks,
    suppressions: {
      all: suppressions,
      sources: texts,
      accepts: (finding) =>
        isDeclarationRule(finding.ruleId) ? suppressedKeys.has(findingKey(finding)) : undefined,
    },
    stackIndexOf: (stack) => baseIndexWithMoves(stackNameOf(stack), indexes, moves),
    async findingsOfRemovedStacks(head, headFiles) {
      const removed = stacks.filter((stack) =>
        isRemoved(stack, head, { ...options, files: headFiles }),
      );
      const findingsOf = new Map(
        removed.map((stack) => [
          stack,
          findingsOfRemovedStack(
            stack,
            baseIndexWithMoves(stackNameOf(stack), indexes, moves),
            context,
          ),
        ]),
      );
      const removedFindings = [...findingsOf.values()].flat();
      if (options.environment !== undefined) return removedFindings;
      const namesNow = new Set(head.stacks.map(stackNameOf));
      const stacksToCompare = stacks.filter(
        (stack) => namesNow.has(stackNameOf(stack)) || findingsOf.get(stack)?.length === 0,
      );
      const loadOptions = { ...options, files };
      const change = { loadOptions, head, headFiles, moves };
      return [
        ...removedFindings,
        ...(await findingsOfRemovedEnvironments(stacksToCompare, change, context)),
      ];
    },
    markChange: (finding) => ({
      ...finding,
      change: reportedKeys.has(findingKey(finding)) ? 'unchanged' : 'new',
    }),
    countFixed(current) {
      const currentKeys = new Set(current.map(findingKey));
      return [...reportedKeys].filter((key) => !currentKeys.has(key)).length;
    },
  };
}

/** Whether a rule judges declarations alone: the base has no plan and no live services. */
const isDeclarationRule: CheckReport['ruleHadInput'] = (id) =>
  !/^(live|plan|change|access)-/.test(id);

function findingsOfRemovedStack(
  stack: LoadedStack,
  index: StackIndex | undefined,
  context: StackContext,
): readonly Finding[] {
  return index === undefined ? [] : checkRemovedStack(stack, index, context);
}

/**
 * Whether no configuration declares the stack any more; an unreadable one may still declare it.
 */
function isRemoved(
  stack: LoadedStack,
  head: LoadResult,
  { cwd, files }: { readonly cwd: string; readonly files: FileAccess },
): boolean {
  if (head.stacks.some((each) => stackNameOf(each) === stackNameOf(stack))) return false;
  const brokenFiles = new Set(head.findings.map(({ location }) => location?.file));
  return !stack.files.some(
    (file) => brokenFiles.has(file) && files.stat(resolve(cwd, file)).kind !== 'missing',
  );
}

/** Moved stacks: those in the base with the name of a checked stack, but in another file. */
async function findMovedStacks(
  options: BaseOptions,
  files: MergeBaseFiles,
  stacks: readonly LoadedStack[],
): Promise<{
  readonly stacks: readonly LoadedStack[];
  readonly sources: ReadonlyMap<string, SourceText>;
}> {
  const baseNames = new Set(stacks.map(stackNameOf));
  const names = new Set(
    options.head.stacks
      .map(stackNameOf)
      .filter((name) => name !== undefined && !baseNames.has(name)),
  );
  if (names.size === 0) return { stacks: [], sources: new Map() };
  const wholeRepository = {
    ...options,
    isSelected: undefined,
    files,
    paths: [relative(options.cwd, files.root) || '.'],
  };
  const loaded = await loadConfig(wholeRepository);
  return {
    stacks: loaded.stacks.filter((stack) => names.has(stackNameOf(stack))),
    sources: loaded.sources,
  };
}

function findingKey({ stack, fingerprint, verdict }: Finding): string {
  return `${stack ?? ''} ${fingerprint} ${verdict}`;
}
