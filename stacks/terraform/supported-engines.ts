import { CastellanError } from '../../core/errors/castellan-error.js';
import { type Engine, detectEngine } from './find-terraform.js';

/** A major and a minor version. */
type MinimumVersion = readonly [number, number];

/**
 * The oldest engines that apply a stack: OpenTofu has write-only attributes and ephemeral resources
 * since 1.11, too.
 */
export const minEngineVersions = { terraform: [1, 11], tofu: [1, 11] } as const;

/** Whether a version, such as `v20.19.1` or `1.11.4`, is a minimum or later. */
export function isAtLeast(version: string, minimum: MinimumVersion): boolean {
  const [major = 0, minor = 0] = version.replace(/^v/, '').split('.').map(Number);
  return major > minimum[0] || (major === minimum[0] && minor >= minimum[1]);
}

/** The engine that a program is. @throws CAS2102 for one that is too old to apply a stack */
export async function requireSupportedEngine(
  program: string,
  readEngine: (program: string) => Promise<Engine> = detectEngine,
): Promise<Engine> {
  const engine = await readEngine(program);
  const { name, title, version } = engine;
  const minimum = minEngineVersions[name];
  if (!isAtLeast(version, minimum))
    throw new CastellanError(
      'CAS2102',
      `${program} is ${title} ${version}, and stacks need ${title} ${minimum.join('.')} or later`,
    );
  return engine;
}
