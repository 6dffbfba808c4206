import type { ProofExample } from '../../access/prove/proof.js';
import type { CliIo } from '../command.js';
import { hasSandboxFolder } from './people.js';

/** The address at which the console's simulator shows an example's visit to an app. */
export type SimulatorLink = (app: string, example: ProofExample) => string | undefined;

/**
 * The addresses of the console's simulator in the folder's sandbox; undefined where none runs. They
 * carry no token: a browser that has opened the console shows them.
 */
export async function simulatorLink(
  io: CliIo,
  environment: string | undefined,
): Promise<SimulatorLink | undefined> {
  if (!hasSandboxFolder(io)) return undefined;
  const [{ sandboxStatus }, { consolePath }, { simulatorFields }] = await Promise.all([
    import('../../sandbox/index.js'),
    import('../../sandbox/console/authentication.js'),
    import('../../sandbox/explanation/simulator-fields.js'),
  ]);
  const status = await sandboxStatus(io.cwd, environment);
  if (!status.running) return undefined;
  const appNames = new Set(status.apps.map(({ name }) => name));
  return (app, example) => {
    const { like, path = '/', attributes } = example;
    // An account elsewhere (`provider`) is nobody whom the simulator can play.
    if (!appNames.has(app) || 'provider' in attributes) return undefined;
    const isSignedIn = example.path === undefined || example.signedIn === true;
    const query = new URLSearchParams({
      person: isSignedIn ? (like ?? 'somebody') : 'nobody',
      ...(path !== '/' && { path }),
      ...(isSignedIn && simulatorFields(example)),
    });
    return `${status.origin}${consolePath}#/simulator/${encodeURIComponent(app)}?${query.toString()}`;
  };
}
