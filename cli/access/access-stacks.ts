import { CastellanError } from '../../core/errors/castellan-error.js';
import { type StackConfig, stackSchema } from '../../kinds/stack/schema.js';
import { checkEnvironment } from '../../policies/check/check-environments.js';
import { type CheckReport, runCheck } from '../../policies/check/run-check.js';
import type { SchemaNode } from '../../policies/engine/schema-paths.js';
import { effectiveValue } from '../../policies/engine/effective-value.js';
import type { LoadedStack } from '../../policies/model/loaded-stack.js';
import { placeText } from '../../policies/reporters/report.js';
import type { Target } from '../../core/sandbox/target.js';
import type { MergeBaseFiles } from '../../core/source/git-files.js';
import { workTreeFiles } from '../../core/source/work-tree-files.js';
import type { CliIo } from '../command.js';
import { printText } from '../format.js';
import { reportSkippedPaths } from '../skipped-paths.js';

/** A stack with the values of its environment. */
export interface ResolvedStack {
  readonly loaded: LoadedStack;
  /** Its configuration with the values of environment variables in place of references. */
  readonly config: StackConfig;
}

/** The rules whose errors mean that stacks cannot be loaded. */
const loadingRules = /^(config-|property-type$|property-required$|reference-exists$)/;

/** The loaded stacks and the report of their check. */
export interface CheckedStacks {
  readonly stacks: readonly ResolvedStack[];
  readonly report: CheckReport;
  /** Reads the files with which these are compared; undefined without a base. */
  readonly baseFiles: (() => MergeBaseFiles) | undefined;
}

/**
 * Loads the stacks of the given paths.
 *
 * @throws CAS8103 with the locations of the mistakes when no stack can be loaded; CAS2010 when
 *   there is no configuration.
 */
export async function loadAccessStacks(
  {
    paths,
    environment,
    policy,
    base,
    target,
    reportsSkippedPaths = true,
  }: {
    readonly paths: readonly string[];
    readonly environment?: string | undefined;
    readonly policy?: string;
    /**
     * The git revision with which access is compared: git then says which files belong to the
     * repository.
     */
    readonly base?: string | undefined;
    /** Whose sign-in layer answers. @default sandbox */
    readonly target?: Target;
    /** @default true */
    readonly reportsSkippedPaths?: boolean;
  },
  io: CliIo,
): Promise<CheckedStacks> {
  const workTree = base === undefined ? undefined : workTreeFiles(io.cwd, base);
  // a comparison also needs what a change takes out of the environment
  const check = base === undefined ? checkEnvironment : runCheck;
  const report = await check({
    paths,
    environment,
    policy,
    ...(workTree !== undefined && { files: workTree }),
    cwd: io.cwd,
    env: io.env,
  });
  if (reportsSkippedPaths) reportSkippedPaths(report.skippedPaths, io);
  for (const note of report.notes) printText(io.stderr, `${note}\n`);
  const errors = report.findings.filter(
    ({ ruleId, verdict, severity }) =>
      verdict === 'fail' && severity === 'error' && loadingRules.test(ruleId),
  );
  if (errors.length > 0)
    throw new CastellanError(
      'CAS8103',
      `\n${errors.map((each) => `  ${placeText(each)}: ${each.message} (${each.ruleId})`).join('\n')}`,
    );
  if (report.stacks.length === 0)
    throw new CastellanError('CAS2010', `there is no castellan.yaml in ${paths.join(', ')}`);
  return {
    report,
    baseFiles: workTree?.baseFiles,
    stacks: report.stacks.map((loaded) => ({
      loaded,
      config: resolveConfig(loaded.config, io.env, target),
    })),
  };
}

/**
 * A configuration with the values of the environment's variables; references to unset variables
 * stay as written.
 *
 * @param target where the stack is applied: only the sandbox takes values from `sandbox: env:`
 */
export function resolveConfig(
  config: StackConfig,
  env: CliIo['env'],
  target: Target = 'sandbox',
): StackConfig {
  const variables = {
    ...(target === 'sandbox' && config.sandbox?.env),
    ...Object.fromEntries(Object.entries(env).filter(([, value]) => value !== undefined)),
  };
  return effectiveValue(config, stackSchema as unknown as SchemaNode, { env: variables })
    .value as StackConfig;
}
