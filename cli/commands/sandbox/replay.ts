import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { resolve } from 'node:path';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import { prepareSandboxFolder, sandboxPaths } from '../../../sandbox/paths.js';
import { replay } from '../../../sandbox/recording/replay.js';
import { openCertificateAuthority } from '../../../sandbox/tls/certificate-authority.js';
import type { CliIo } from '../../command.js';
import { printJsonLine, printText } from '../../format.js';
import { interruptSignal } from '../../start.js';

/**
 * `castellan sandbox replay FILE`: answers until it is interrupted. Prints its address as JSON.
 *
 * @throws CAS4024 for a file that is no recording, CAS4014 for a port that is taken.
 */
export async function replayRecording(
  options: {
    readonly file: string;
    readonly project: string;
    readonly port: number;
    readonly plain: boolean;
  },
  io: CliIo,
): Promise<void> {
  const { file, project, port, plain } = options;
  let har: string;
  try {
    har = readFileSync(resolve(io.cwd, file), 'utf8');
  } catch (cause) {
    throw new CastellanError('CAS4024', `${file} can't be read: ${(cause as Error).message}`, {
      cause,
    });
  }
  const server = await replay({
    har,
    file,
    port,
    ...(!plain && { tls: await issueCertificate(project) }),
  });
  const interrupted = once(interruptSignal(), 'abort');
  printText(io.stderr, `${file}: answers ${server.requests} different requests\n`);
  printJsonLine({ listening: server.origin }, io);
  await interrupted;
  await server.close();
}

/** A certificate of the project's authority, which is made if there is none yet. */
async function issueCertificate(project: string): Promise<{ cert: string; key: string }> {
  const paths = sandboxPaths(project);
  prepareSandboxFolder(paths);
  return (await openCertificateAuthority(paths)).issue(['localhost', '127.0.0.1']);
}
