import { createHash } from 'node:crypto';
import { join } from 'node:path';
import type pino from 'pino';
import { readAppSettings, type SandboxSettings } from '../settings.js';
import { isContainerEngineRunning } from '../hosting/container-engine.js';
import { removeContainers } from '../hosting/image-workload.js';
import type { HostingContext } from '../hosting/hosting-context.js';
import { Hosting } from '../hosting/hosting.js';
import { Processes } from '../hosting/processes.js';
import type { SandboxPaths } from '../paths.js';
import { type openServices } from './services.js';

/**
 * The folder with the theme of the sign-in layers, beside the folders of apps, whose names have no
 * dots.
 */
export const sidecarThemeFolder = 'sidecar.theme';

interface HostingParts extends Pick<
  HostingContext,
  'issuer' | 'log' | 'tracer' | 'spanVariables' | 'groupName' | 'dropPrincipalPredicateOf'
> {
  readonly paths: SandboxPaths;
  readonly settings: SandboxSettings;
}

/**
 * Opens the hosting of the apps. Ends processes left by a crash at once, and removes containers left
 * by it before the first container starts.
 */
export function openHosting({ paths, settings, ...parts }: HostingParts): Hosting {
  const processes = new Processes(join(paths.root, 'processes.json'));
  processes.endOrphans();
  const project = createHash('sha256').update(paths.root).digest('hex').slice(0, 10);
  const removeLeftoverContainers = onceUnlessFailed(() => removeContainers(project));
  return new Hosting(
    {
      processes,
      hostingFolder: paths.hosting,
      themeFolder: join(paths.hosting, sidecarThemeFolder),
      caFile: paths.ca,
      clockFile: paths.clock,
      ...parts,
      project,
      projectDir: paths.projectDir,
      root: paths.root,
      domain: `localhost:${settings.port}`,
      async hasContainerEngine() {
        if (!(await isContainerEngineRunning())) return false;
        await removeLeftoverContainers();
        return true;
      },
    },
    readAppSettings(paths),
  );
}

/** Runs a function once, on first use; after a failure the next use tries again. */
export function onceUnlessFailed<Value>(work: () => Promise<Value>): () => Promise<Value> {
  let pending: Promise<Value> | undefined;
  return () =>
    (pending ??= work().catch((error: unknown) => {
      pending = undefined;
      throw error;
    }));
}

/**
 * Hosts the apps of the resource manager, as they are now and after each change, one change after
 * the other.
 */
export async function hostApps(
  { resourceManager }: Awaited<ReturnType<typeof openServices>>,
  hosting: Hosting,
  log: pino.Logger,
): Promise<void> {
  let latestRefresh: Promise<void> = Promise.resolve();
  const refresh = (): Promise<void> => {
    latestRefresh = latestRefresh
      .then(async () => hosting.setApps(await resourceManager.apps()))
      .catch((error: unknown) => log.error({ err: error }, 'the apps could not be read'));
    return latestRefresh;
  };
  resourceManager.onAppsChanged(refresh);
  await refresh();
}
