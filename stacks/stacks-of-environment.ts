import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { CastellanError } from '../core/errors/castellan-error.js';
import { defaultEnvironment } from '../core/project/environment-folder.js';
import type { LoadedStack } from '../policies/index.js';
import { overlayPath } from '../policies/model/environments.js';

/** Which stacks are part of an environment beside those with its overlay, and who hears of the others. */
export interface EnvironmentSelection {
  /** The folder that paths of configurations start at. */
  readonly cwd: string;
  /** Gets a line about each stack that is left out, which says why. */
  readonly announce: (line: string) => void;
  /** The names of stacks that are included without an overlay, such as those to destroy. @default none */
  readonly alwaysIncluded?: ReadonlySet<string>;
  /** A copy of the environment that uses its configuration, but states of its own. @default none */
  readonly copy?: string | undefined;
}

/**
 * The stacks that are part of an environment: those with its overlay. Another one would be that of
 * the default environment, with its state and without this one's protection, so it is left out, and
 * a line says why.
 *
 * @param environment undefined for the default one, of which every stack is part.
 * @throws CAS2010 when none is left.
 */
export function stacksOfEnvironment(
  stacks: readonly LoadedStack[],
  environment: string | undefined,
  { copy, ...selection }: EnvironmentSelection,
): readonly LoadedStack[] {
  const includedStacks = withOverlay(stacks, environment, selection);
  return copy === undefined
    ? includedStacks
    : includedStacks.map((stack) => ({ ...stack, environment: copy }));
}

function withOverlay(
  stacks: readonly LoadedStack[],
  environment: string | undefined,
  { cwd, announce, alwaysIncluded = new Set() }: EnvironmentSelection,
): readonly LoadedStack[] {
  if (environment === undefined || environment === defaultEnvironment) return stacks;
  const isIncluded = (stack: LoadedStack): boolean =>
    stack.environment === environment || alwaysIncluded.has(stack.config.stack);
  const reasons = stacks
    .filter((stack) => !isIncluded(stack))
    .map(
      (stack) => `${stack.config.stack} is left out: ${exclusionReason(stack, environment, cwd)}`,
    );
  const includedStacks = stacks.filter(isIncluded);
  if (includedStacks.length === 0 && reasons.length > 0)
    throw new CastellanError('CAS2010', reasons.join('\n'));
  for (const reason of reasons) announce(reason);
  return includedStacks;
}

function exclusionReason(
  { config, files, environment: otherEnvironment }: LoadedStack,
  environment: string,
  cwd: string,
): string {
  const [file = ''] = files;
  if (otherEnvironment !== undefined)
    return `${overlayPath(file, otherEnvironment)} was named, which is of the environment ${otherEnvironment}, not ${environment}; name ${file}`;
  const overlay = overlayPath(file, environment);
  return existsSync(resolve(cwd, overlay))
    ? `${overlay} has no document for it, and only with one it is part of the environment ${environment} (version: 1 and stack: ${config.stack} are enough)`
    : `${overlay} does not exist, and only with it the stack is part of the environment ${environment} (version: 1 is enough)`;
}
