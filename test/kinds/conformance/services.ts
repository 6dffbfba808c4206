import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { parseServeOptions } from '../../../sandbox/serve/options.js';
import { serve } from '../../../sandbox/serve/serve.js';
import { callerId } from '../../provider/support/control-plane.js';
import { idOf } from './candidates.js';

/** The services with what the samples of the descriptions name: users, a capacity, a workspace, a label and a tag of the same ids. */
export async function startServices() {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-conformance-'));
  const seed = join(folder, 'seed.yaml');
  const users = Array.from({ length: 102 }, (_each, index) => ({ id: idOf(index), ...person(index === 0 ? 'ada' : `user${index}`) }));
  const existing = {
    users: [...users, { id: callerId, ...person('caller') }],
    capacities: [{ id: idOf(0), displayName: 'F64', sku: 'F64', region: 'West Europe', state: 'Active' }],
    sensitivityLabels: [{ id: idOf(0), displayName: 'Label' }],
    tags: [{ id: idOf(0), displayName: 'tag' }],
    workspaces: [{ id: idOf(0), displayName: 'Kept', capacityId: idOf(0) }],
  };
  writeFileSync(seed, stringify(existing));
  writeFileSync(join(folder, 'definition.tmpl'), '{{ .Definition }}');
  const flags = { dialect: 'azure', throttle: 'off', logLevel: 'silent', auth: false, longRunning: 'never', longRunningSeconds: '0', seed };
  const options = { listen: '127.0.0.1:0', database: 'memory:', ...flags } as unknown as Parameters<typeof parseServeOptions>[1];
  const running = await serve(parseServeOptions(['directory', 'items', 'resource-manager'], options));
  return {
    origin: running.origin,
    /** The folder of the synthesized stack. */
    folder,
    async close() {
      await running.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function person(name: string): object {
  return { displayName: name, userPrincipalName: `${name}@thing.example` };
}
