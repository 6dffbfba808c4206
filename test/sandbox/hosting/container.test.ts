import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Container } from '../../../sandbox/hosting/container.js';
import { Processes } from '../../../sandbox/hosting/processes.js';

let folder: string;
const { PATH } = process.env;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-container-'));
  process.env['PATH'] = `${folder}:${PATH ?? ''}`;
});
afterEach(() => {
  process.env['PATH'] = PATH;
  rmSync(folder, { recursive: true });
});

/** Takes the place of the engine's command. */
function writeDocker(script: string): void {
  writeFileSync(join(folder, 'docker'), `#!/bin/sh\n${script}\n`);
  chmodSync(join(folder, 'docker'), 0o755);
}

test('a running container of which the engine says nothing more ends its replica at once', async () => {
  writeDocker('[ "$1" = start ] && exec sleep 5; echo "the engine is too busy" >&2; exit 1');
  const end = new AbortController();
  const container = new Container(
    { name: 'main', probes: {} } as unknown as ConstructorParameters<typeof Container>[0],
    {
      processes: new Processes(join(folder, 'processes.json')),
      name: 'castellan-web-main',
      localPort: (port) => port,
      writeOutput: () => undefined,
      graceSeconds: 1,
      signal: end.signal,
    },
  );
  const before = performance.now();
  await expect(container.keepRunning('app')).rejects.toThrow('the engine is too busy');
  expect(performance.now() - before).toBeLessThan(3_000);
});
