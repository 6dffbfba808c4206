import { existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { pino } from 'pino';
import { providerAddresses } from '../../../provider/index.js';
import { startProviders } from '../../../sandbox/control-plane/providers.js';
import { prepareSocketFolder, sandboxPaths } from '../../../sandbox/paths.js';
import { createSettings } from '../../../sandbox/settings.js';

it('stops the other providers when one cannot be started', async () => {
  const project = mkdtempSync(join(tmpdir(), 'castellan-providers-'));
  const paths = sandboxPaths(project);
  try {
    prepareSocketFolder(paths);
    // a folder in the place of a socket
    mkdirSync(join(paths.sockets, 'azuread.sock'));
    await expect(
      startProviders({
        paths,
        settings: createSettings(8443),
        origin: 'https://localhost:8443',
        ca: '',
        credential: { getToken: () => Promise.reject(new Error('no token is needed')) },
        log: pino({ enabled: false }),
      }),
    ).rejects.toThrow('azuread.sock');
    await setTimeout(200); // the time in which the others would start
    const others = Object.keys(providerAddresses).filter((name) => name !== 'azuread');
    expect(others.filter((name) => existsSync(join(paths.sockets, `${name}.sock`)))).toEqual([]);
  } finally {
    rmSync(paths.sockets, { recursive: true, force: true });
    rmSync(project, { recursive: true, force: true });
  }
});
