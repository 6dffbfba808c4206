import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { type Engine, detectEngine } from './find-terraform.js';
import { isAtLeast } from './supported-engines.js';

/**
 * Features that only OpenTofu has: since which version, and whether a stack or its environment uses
 * them.
 */
const openTofuOnly = [
  {
    name: 'lifecycle.enabled',
    since: [1, 11],
    isUsed: (json: string) =>
      /"enabled"/.test(json) && /"lifecycle":\s*\{[^{}]*"enabled"\s*:/.test(json),
  },
  {
    name: '-exclude',
    since: [1, 9],
    isUsed: (_json: string, env: Env) =>
      Object.entries(env).some(
        ([name, value]) =>
          /^TF_CLI_ARGS(_\w+)?$/.test(name) && /(^|\s)--?exclude\b/.test(value ?? ''),
      ),
  },
] as const;

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Refuses a stack that uses a feature that its engine lacks. The version of the engine is only read
 * for stacks that use such a feature.
 *
 * @throws CAS2110 for a feature of OpenTofu with Terraform, or with an older OpenTofu.
 */
export async function requireSupportedFeatures(
  stack: { readonly directory: string; readonly env: Env },
  program: string,
  readEngine: (program: string) => Promise<Engine> = detectEngine,
): Promise<void> {
  const json = readFileSync(join(stack.directory, 'cdk.tf.json'), 'utf8');
  const usedFeatures = openTofuOnly.filter(({ isUsed }) => isUsed(json, stack.env));
  if (usedFeatures.length === 0) return;
  const engine = await readEngine(program);
  for (const { name, since } of usedFeatures)
    if (engine.name === 'terraform' || !isAtLeast(engine.version, since))
      throw new CastellanError(
        'CAS2110',
        `${name} needs OpenTofu ${since.join('.')} or later, and ${program} is ${engine.title} ${engine.version}`,
      );
}
