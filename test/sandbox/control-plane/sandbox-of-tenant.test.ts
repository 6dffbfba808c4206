import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { takeLock } from '../../../sandbox/background/lock.js';
import { sandboxOfTenant } from '../../../sandbox/control-plane/sandbox-of-tenant.js';
import { sandboxPaths, type SandboxPaths } from '../../../sandbox/paths.js';
import { createSettings, writeSettings } from '../../../sandbox/settings.js';

const releases: (() => void)[] = [];
let project = '';
beforeEach(() => (project = mkdtempSync(join(tmpdir(), 'castellan-tenants-'))));
afterEach(() => {
  for (const release of releases.splice(0)) release();
  rmSync(project, { recursive: true, force: true });
});

/** A sandbox that seems to run at a port. */
function runningSandbox(environment: string, port: number, tenantId: string): SandboxPaths {
  const paths = sandboxPaths(project, environment);
  mkdirSync(paths.root, { recursive: true });
  writeSettings(paths, { ...createSettings(port), tenantId });
  writeFileSync(paths.ca, '');
  writeFileSync(
    paths.state,
    JSON.stringify({ pid: process.pid, origin: `https://localhost:${String(port)}` }),
  );
  const lock = takeLock(paths.lock);
  releases.push(() => lock?.release());
  return paths;
}

const originOf = (paths: SandboxPaths, tenantId: string): string | undefined =>
  sandboxOfTenant(paths, { tenant_id: tenantId })?.origin;

describe('a provider block that names a tenant', () => {
  it('is served by the sandbox that has the tenant', () => {
    const own = runningSandbox('default', 20_001, 'one');
    runningSandbox('partner', 20_002, 'two');
    expect(originOf(own, 'TWO')).toBe('https://localhost:20002');
    expect(originOf(own, 'three')).toBeUndefined();
  });

  it('is served by its own sandbox, not by a copy of it or by its original', () => {
    const original = runningSandbox('default', 20_001, 'one');
    const copy = runningSandbox('copy', 20_002, 'one');
    expect([originOf(original, 'one'), originOf(copy, 'one')]).toEqual([undefined, undefined]);
  });

  it('is served where the folder of the environments has other files, too', () => {
    const own = runningSandbox('default', 20_001, 'one');
    runningSandbox('partner', 20_002, 'two');
    writeFileSync(join(project, '.castellan/environments/.DS_Store'), '');
    expect(originOf(own, 'three')).toBeUndefined();
  });
});
