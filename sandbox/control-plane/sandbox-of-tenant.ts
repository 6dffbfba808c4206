import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { clientSecretCredential } from '../../clients/common/index.js';
import { CastellanError } from '../../core/errors/castellan-error.js';
import {
  defaultEnvironment,
  environmentFolder,
  isEnvironmentName,
} from '../../core/project/environment-folder.js';
import { listFolder } from '../../core/source/list-folder.js';
import type { ControlPlane } from '../../provider/index.js';
import { sandboxName, sandboxPaths, type SandboxPaths } from '../paths.js';
import { readSettings } from '../settings.js';
import { readRunningState } from '../state.js';

/**
 * The control plane of another environment of this project, where a provider block names its tenant:
 * a stack with two tenants has two configurations of a provider, one with an alias. Undefined if no
 * other sandbox has the tenant: this sandbox then serves the block.
 *
 * @throws CAS4012 when that sandbox does not run.
 */
export function sandboxOfTenant(
  ownPaths: SandboxPaths,
  { tenant_id: tenantId }: Readonly<Record<string, unknown>>,
): ControlPlane | undefined {
  if (typeof tenantId !== 'string') return undefined;
  const hasTenant = (paths: SandboxPaths): boolean =>
    readSettings(paths)?.tenantId.toLowerCase() === tenantId.toLowerCase();
  // a copy has the tenant of its original
  if (hasTenant(ownPaths)) return undefined;
  const otherSandboxes = sandboxesOfProject(ownPaths).filter(({ root }) => root !== ownPaths.root);
  for (const paths of otherSandboxes) {
    const settings = readSettings(paths);
    if (settings === undefined || !hasTenant(paths)) continue;
    const state = readRunningState(paths);
    if (state === undefined)
      throw new CastellanError(
        'CAS4012',
        `no sandbox is running for ${sandboxName(paths)}, which has the tenant ${tenantId} of the provider block`,
      );
    const { subscriptionId, clientId, clientSecret } = settings;
    const ca = readFileSync(paths.ca, 'utf8');
    const authority = state.origin;
    return {
      origin: state.origin,
      ca,
      tenantId,
      subscriptionId,
      clientId,
      credential: clientSecretCredential({ tenantId, clientId, clientSecret, authority, ca }),
    };
  }
  return undefined;
}

/** The paths of the project's sandboxes, one for each environment. */
function sandboxesOfProject({ projectDir }: SandboxPaths): readonly SandboxPaths[] {
  const folder = join(projectDir, environmentFolder(), 'environments');
  const names = listFolder(folder).filter(isEnvironmentName);
  return [defaultEnvironment, ...names].map((name) => sandboxPaths(projectDir, name));
}
