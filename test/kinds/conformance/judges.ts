import { App } from '../../../constructs/internal/cdktf.js';
import { isCastellanError } from '../../../core/errors/castellan-error.js';
import type { Finding } from '../../../core/findings/finding.js';
import type { Layers } from '../../../core/yaml/layers.js';
import type { StackConfig } from '../../../kinds/index.js';
import { checkStack } from '../../../policies/check/check-stack.js';
import type { LoadedStack } from '../../../policies/model/loaded-stack.js';
import { rules } from '../../../policies/rules/index.js';
import { ResourceChecker } from '../../../policies/sources/plan/check-plan.js';
import { PlanConfiguration } from '../../../policies/sources/plan/plan-configuration.js';
import { buildStack, ConfiguredStack } from '../../../stacks/synthesize.js';
import type { Blocks, SmallTerraform } from './terraform.js';

/** A stack in Terraform JSON. */
export interface WrittenStack {
  readonly resource: Blocks;
  readonly data: Blocks;
}

const azure = {
  location: 'westeurope',
  resourceGroup: 'rg-thing',
  tenantId: '11111111-2222-4333-8444-555555555555',
};
const env = { THING: 'kept' };
const now = new Date('2026-01-15T10:00:00Z');

/** What `castellan check` says against a configuration. */
export function checkSays(config: object): readonly string[] {
  const stack = {
    config,
    // values may refer to any variable: the check does not see which ones are used
    layers: { mayContain: () => true, find: () => undefined } satisfies Partial<Layers>,
    files: [],
    locate: () => undefined,
    readFile: () => ({
      problem: {
        id: 'config-unreadable',
        message: 'there is none',
        location: { file: 'thing', line: 1, column: 1 },
      },
    }),
  } as unknown as LoadedStack;
  return errorsOf(checkStack(stack, { env, now }));
}

/**
 * What the constructs say against a configuration when they are made; where they say nothing, what
 * they write.
 */
export function constructsSay(config: object): {
  readonly errors: readonly string[];
  readonly json?: WrittenStack;
} {
  try {
    return { errors: [], json: writeStack(config, { skipValidation: false }) };
  } catch (error) {
    // values of another type may fail earlier, in what turns a configuration into constructs
    const { name, message } = error as Error;
    if (!isCastellanError(error) && name !== 'TypeError') throw error;
    return { errors: [message] };
  }
}

/** The configuration as the constructs write it for Terraform, whatever the rules say of it. */
export function writeStack(config: object, { skipValidation = true } = {}): WrittenStack {
  const context = { 'castellan:errors': 'at once' };
  const app = new App({ outdir: '/nonexistent', context });
  // for the sandbox, whose sign-in layer has settings that the cloud's lacks
  const sandbox = { dialect: 'azure' } as const;
  const stack = new ConfiguredStack(app, 'thing', { azure, skipValidation, sandbox });
  buildStack(stack, { config: config as StackConfig });
  // Terraform ignores what cdktf notes beside its resources
  const text = JSON.stringify(stack.toTerraform(), (key, value: unknown) =>
    key === '//' ? undefined : value,
  );
  const { resource = {}, data = {} } = JSON.parse(text) as Partial<WrittenStack>;
  return { resource, data };
}

/** What `castellan check --plan` says against the plan of a stack. */
export async function planSays(
  terraform: SmallTerraform,
  { resource }: WrittenStack,
): Promise<readonly string[]> {
  const configuration = new PlanConfiguration();
  for (const [type, byName] of Object.entries(resource))
    for (const [name, attributes] of Object.entries(byName))
      configuration.declare(`${type}.${name}`, expressionsOf(attributes));
  const checker = new ResourceChecker({
    rules,
    locate: () => undefined,
    now,
    declarationsToReturn: new Set(),
    configuration,
  });
  for (const planned of await terraform.plan(resource)) checker.add(planned);
  return errorsOf(checker.finish().findings);
}

function errorsOf(findings: readonly Finding[]): readonly string[] {
  const errors = findings.filter(
    ({ severity, verdict }) => severity === 'error' && verdict === 'fail',
  );
  return errors.map(
    ({ ruleId, path = [], message }) => `${path.join('.')}: ${message} (${ruleId})`,
  );
}

/** Attributes in the form in which a plan shows its configuration. */
function expressionsOf(
  attributes: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  return Object.fromEntries(
    Object.entries(attributes).map(([name, value]) => {
      const references = [...JSON.stringify(value).matchAll(/\$\{([^}]*)\}/g)].map(
        ([, each]) => each,
      );
      if (references.length > 0) return [name, { references }];
      const isBlocks = Array.isArray(value) && value.every((each) => typeof each === 'object');
      return [
        name,
        isBlocks
          ? value.map((each) => expressionsOf(each as Record<string, unknown>))
          : { constant_value: value },
      ];
    }),
  );
}
