import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { docker } from './engine.js';

/** Whole programs that wait and do nothing else: `pause()` on amd64, `ppoll(NULL, 0, NULL, NULL)` in a loop on arm64. */
const programs: Readonly<Record<string, string>> = {
  amd64:
    'f0VMRgIBAQAAAAAAAAAAAAIAPgABAAAAeABAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAEAAOAABAAAAAAAAAAEAAAAFAAAAAAAAAAAAAAAAAEAAAAAAAAAAQAAAAAAAgQAAAAAAAACBAAAAAAAAAAAQAAAAAAAAuCIAAAAPBev3',
  arm64:
    'f0VMRgIBAQAAAAAAAAAAAAIAtwABAAAAeABAAAAAAABAAAAAAAAAAAAAAAAAAAAAAAAAAEAAOAABAAAAAAAAAAEAAAAFAAAAAAAAAAAAAAAAAEAAAAAAAAAAQAAAAAAAmAAAAAAAAACYAAAAAAAAAAAAAQAAAAAAKAmA0gAAgNIBAIDSAgCA0gMAgNIEAIDSAQAA1Pr//xc=',
};

const tag = 'castellan-pause:1';

/**
 * The image of the container that holds a replica's network and volumes while its own containers come and go. It is made here, so that no
 * registry is needed.
 *
 * @throws Error on an engine of another architecture.
 */
export async function pauseImage(): Promise<string> {
  if ((await docker(['images', '-q', tag])) !== '') return tag;
  const architecture = await docker(['version', '--format', '{{.Server.Arch}}']);
  const program = programs[architecture];
  if (program === undefined)
    throw new Error(`images run on ${Object.keys(programs).join(' and ')} only, and this engine is ${architecture}`);
  const folder = mkdtempSync(join(tmpdir(), 'castellan-pause-'));
  try {
    writeFileSync(join(folder, 'pause'), Buffer.from(program, 'base64'));
    chmodSync(join(folder, 'pause'), 0o755);
    writeFileSync(join(folder, 'Dockerfile'), 'FROM scratch\nCOPY pause /pause\nENTRYPOINT ["/pause"]\n');
    await docker(['build', '-q', '-t', tag, folder]);
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return tag;
}
