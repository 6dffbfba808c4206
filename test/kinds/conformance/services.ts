import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { loadServiceFactory } from '../../../sandbox/serve/service-factories.js';
import { systemClock } from '../../../services/common/clock.js';
import { openDatabase } from '../../../services/common/database.js';
import { createHttpServer, mountService } from '../../../services/common/http-server.js';
import type { Service, ServiceContext } from '../../../services/common/service.js';
import { noAuthentication } from '../../../services/common/token-verifier.js';
import { callerId } from '../../provider/support/control-plane.js';
import { idOf } from './sample-values.js';

/**
 * The services with what the samples of the descriptions name: users, a capacity, a workspace, a
 * label and a tag of the same ids. They are asked within this process: tens of thousands of
 * requests by sockets would take most of the time.
 */
export async function startServices() {
  const folder = mkdtempSync(join(tmpdir(), 'castellan-conformance-'));
  const users = Array.from({ length: 102 }, (_each, index) => ({
    id: idOf(index),
    ...person(index === 0 ? 'ada' : `user${index}`),
  }));
  const existing = {
    users: [...users, { id: callerId, ...person('caller') }],
    capacities: [
      { id: idOf(0), displayName: 'F64', sku: 'F64', region: 'West Europe', state: 'Active' },
    ],
    sensitivityLabels: [{ id: idOf(0), displayName: 'Label' }],
    tags: [{ id: idOf(0), displayName: 'tag' }],
    workspaces: [{ id: idOf(0), displayName: 'Kept', capacityId: idOf(0) }],
  };
  writeFileSync(join(folder, 'definition.tmpl'), '{{ .Definition }}');
  const database = await openDatabase('memory:');
  const longRunning = { mode: 'never', seed: '', seconds: 0 } as const;
  const context: ServiceContext = {
    database,
    dialect: 'azure',
    clock: systemClock,
    tokenVerifier: noAuthentication,
    throttle: false,
    longRunning,
    groupsOf: async (id) =>
      (await services.find((each) => each.groupsOf !== undefined)?.groupsOf?.(id)) ?? [],
  };
  const services: Service[] = [];
  for (const name of ['directory', 'items', 'resource-manager'] as const)
    services.push(await (await loadServiceFactory(name))(context));
  for (const service of services) await service.seed(existing);
  const app = createHttpServer();
  for (const service of services) mountService(app, service);
  await app.ready();
  return {
    /** As `fetch` sends it, of the part that the clients use. */
    async fetch(url: string, { method, headers, body }: RequestInit): Promise<Response> {
      const request = {
        method: method as 'GET',
        url,
        headers: Object.fromEntries(headers as Headers),
      };
      const answer = await app.inject({
        ...request,
        ...(typeof body === 'string' && { payload: body }),
      });
      const headerEntries = Object.entries(answer.headers).map(
        ([name, value]): [string, string] => [name, String(value)],
      );
      return new Response(answer.statusCode === 204 ? null : answer.payload, {
        status: answer.statusCode,
        headers: headerEntries,
      });
    },
    /** The folder of the synthesized stack. */
    folder,
    async close() {
      await app.close();
      for (const service of services) await service.close();
      await database.close();
      rmSync(folder, { recursive: true });
    },
  };
}

function person(name: string): object {
  return { displayName: name, userPrincipalName: `${name}@thing.example` };
}
