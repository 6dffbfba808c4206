import { mkdtempSync, rmSync } from 'node:fs';
import { once } from 'node:events';
import { createConnection } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pino } from 'pino';
import { startProviders } from '../../../sandbox/control-plane/providers.js';
import { sandboxPaths } from '../../../sandbox/paths.js';
import { createSettings } from '../../../sandbox/settings.js';

// as where an upgrade has replaced the files of a sandbox that still runs
vi.mock('../../../provider/protocol/listener.js', () => {
  throw new Error('Cannot find module listener.js');
});

it('logs why it could not serve Terraform, which only says to look there', async () => {
  const project = mkdtempSync(join(tmpdir(), 'castellan-providers-'));
  const paths = sandboxPaths(project);
  const lines: string[] = [];
  const providers = await startProviders({
    paths,
    settings: createSettings(8443),
    origin: 'https://localhost:8443',
    ca: '',
    credential: { getToken: () => Promise.reject(new Error('no token is needed')) },
    log: pino({ level: 'info' }, { write: (line: string) => void lines.push(line) }),
  });
  try {
    const socket = createConnection(join(paths.sockets, 'azuread.sock'));
    await once(socket, 'close');
    expect(lines.map((line) => JSON.parse(line) as unknown)).toEqual([
      expect.objectContaining({
        level: 50,
        provider: 'azuread',
        msg: expect.stringContaining('a connection failed: ') as string,
      }),
    ]);
  } finally {
    await Promise.all(providers.map((each) => each.close()));
    rmSync(paths.sockets, { recursive: true, force: true });
    rmSync(project, { recursive: true, force: true });
  }
});
