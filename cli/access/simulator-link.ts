import type { ProofExample } from '../../access/prove/proof.js';
import type { CliIo } from '../command.js';
import { hasSandboxFolder } from './people.js';

/** The address at which the simulator shows an example on the chain of an app. */
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
  const names = new Set(status.apps.map(({ name }) => name));
  return (app, example) => {
    const { like, path = '/', attributes } = example;
    if (!names.has(app) || 'provider' in attributes) return undefined;
    const isSignedIn = example.path === undefined || example.signedIn === true;
    const query = new URLSearchParams({
      person: isSignedIn ? (like ?? 'somebody') : 'nobody',
      ...(path !== '/' && { path }),
      ...(isSignedIn && simulatorFields(example)),
    });
    return `${status.origin}${consolePath}#/simulator/${encodeURIComponent(app)}?${query.toString()}`;
  };
}
