import { dirname } from 'node:path';
import { withPrivateFile } from '../private-file.js';
import { docker } from './container-engine.js';
import type { RegistryAccess } from './workload.js';

/** How long a pull may take. */
const pullTimeoutMs = 10 * 60_000;

/** Pulls an image unless the engine has it. */
export async function ensureImage(
  image: string,
  registries: readonly RegistryAccess[],
  signal: AbortSignal,
): Promise<void> {
  // no such image: it is pulled; no engine: pulling reports it
  const existing = await docker(['image', 'inspect', '--format', '{{.Id}}', image]).catch(
    () => undefined,
  );
  if (existing !== undefined) return;
  const pull = ['pull', '-q', image];
  const options = { signal, timeoutMs: pullTimeoutMs };
  try {
    if (registries.length === 0) await docker(pull, options);
    else {
      // With another configuration folder, docker would use another context, and so another engine.
      const env = {
        DOCKER_HOST: await docker(['context', 'inspect', '--format', '{{.Endpoints.docker.Host}}']),
      };
      await withPrivateFile(JSON.stringify({ auths: authsOf(registries) }), (file) =>
        docker(['--config', dirname(file), ...pull], { ...options, env }),
      );
    }
  } catch (error) {
    signal.throwIfAborted();
    const { message } = error as Error;
    throw new Error(
      `the image ${image} can't be pulled: ${message}${isRefusal(message) ? refusalHint : ''}`,
      { cause: error },
    );
  }
}

/** The engines' messages when a registry refuses anonymous access, or these credentials. */
function isRefusal(message: string): boolean {
  return /no basic auth credentials|unauthorized|authentication required|access.+denied|\b40[13]\b/i.test(
    message,
  );
}

const refusalHint =
  "; set the user name and password in the app's registries, or run docker login for all apps";

function authsOf(registries: readonly RegistryAccess[]): Record<string, { auth: string }> {
  return Object.fromEntries(
    registries.map(({ server, username, password }) => [
      server,
      { auth: Buffer.from(`${username}:${password}`).toString('base64') },
    ]),
  );
}
