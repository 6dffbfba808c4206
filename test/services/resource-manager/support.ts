import type { FastifyInstance } from 'fastify';
import { systemClock } from '../../../services/common/clock.js';
import { type Database, openDatabase } from '../../../services/common/database.js';
import { createHttpServer, mountService } from '../../../services/common/http-server.js';
import type { ServiceContext } from '../../../services/common/service.js';
import { noAuthentication } from '../../../services/common/token-verifier.js';
import {
  type PlatformOptions,
  openResourceManager,
  type ResourceManagerService,
} from '../../../services/resource-manager/index.js';

/** The subscription of the tests. */
export const subscription = '11111111-2222-4333-8444-555555555555';
/** The group of the tests. */
export const group = `/subscriptions/${subscription}/resourceGroups/rg1`;
/** The environment of the tests. */
export const environment = `${group}/providers/Microsoft.App/managedEnvironments/env1`;
/** The app of the tests. */
export const app1 = `${group}/providers/Microsoft.App/containerApps/app1`;

/** The path of a resource in {@link group}. */
export const resourcePath = (type: string, name: string): string =>
  `${group}/providers/${type}/${name}`;

/** An answer of the resource manager. */
export interface Answer {
  readonly status: number;
  readonly headers: Readonly<Record<string, unknown>>;
  // eslint-disable-next-line @typescript-eslint/no-explicit-any -- tests look into answers of any shape
  readonly body: any;
}

/** A resource manager in memory. */
export interface Harness {
  readonly server: FastifyInstance;
  readonly service: ResourceManagerService;
  send(method: string, path: string, body?: unknown, version?: string): Promise<Answer>;
  close(): Promise<void>;
}

/** Starts one; `tokenVerifier`, the clock and the database may be replaced. */
export async function startManager(
  options: PlatformOptions = {},
  context: Partial<ServiceContext> = {},
  database?: Database,
): Promise<Harness> {
  const opened = database ?? (await openDatabase('memory:'));
  const service = await openResourceManager(
    {
      database: opened,
      dialect: 'azure',
      clock: systemClock,
      tokenVerifier: noAuthentication,
      throttle: false,
      longRunning: { mode: 'never', seed: '', seconds: 0 },
      ...context,
    },
    options,
  );
  const server = createHttpServer();
  mountService(server, service);
  await server.ready();
  return {
    server,
    service,
    async send(
      method,
      path,
      body,
      version = path.includes('/providers/') ? '2025-07-01' : '2023-07-01',
    ) {
      const answer = await server.inject({
        method: method as 'GET',
        url: `${path}${path.includes('?') ? '&' : '?'}api-version=${version}`,
        ...(body !== undefined && { payload: body as object }),
      });
      return {
        status: answer.statusCode,
        headers: answer.headers,
        body: answer.body === '' ? undefined : answer.json(),
      };
    },
    async close() {
      await server.close();
      await opened.close();
    },
  };
}

/** A group and an environment, as the official provider creates them. */
export async function withEnvironment(harness: Harness): Promise<void> {
  await harness.send('PUT', group, { location: 'westeurope', tags: {} });
  const answer = await harness.send('PUT', environment, {
    identity: { type: 'None', userAssignedIdentities: null },
    location: 'westeurope',
    name: 'env1',
    properties: {
      appLogsConfiguration: { destination: '' },
      peerAuthentication: { mtls: { enabled: false } },
      peerTrafficConfiguration: { encryption: { enabled: false } },
      vnetConfiguration: {},
      zoneRedundant: false,
    },
    tags: {},
  });
  expect(answer.status).toBe(201);
}

/**
 * The body of an app, as the official provider sends it; changes may replace any part of
 * configuration and template.
 */
export function appBody(
  configuration: object = {},
  template: object = {},
  otherProperties: object = {},
): object {
  return {
    location: 'westeurope',
    identity: { type: 'None', userAssignedIdentities: null },
    properties: {
      configuration: {
        activeRevisionsMode: 'Single',
        ingress: {
          allowInsecure: false,
          external: true,
          targetPort: 8080,
          exposedPort: 0,
          fqdn: '',
          ipSecurityRestrictions: [],
          traffic: [{ latestRevision: true, weight: 100 }],
          transport: 'auto',
        },
        maxInactiveRevisions: 0,
        registries: [],
        secrets: [{ name: 'one', value: 's3cret', identity: '', keyVaultUrl: '' }],
        ...configuration,
      },
      template: {
        containers: [
          {
            name: 'c',
            image: 'img:1',
            env: [],
            probes: [],
            resources: { cpu: 0.25, memory: '0.5Gi', ephemeralStorage: '' },
            volumeMounts: [],
          },
        ],
        initContainers: [],
        volumes: [],
        scale: { maxReplicas: 10, cooldownPeriod: 300, pollingInterval: 30 },
        ...template,
      },
      managedEnvironmentId: environment,
      workloadProfileName: '',
      ...otherProperties,
    },
    tags: {},
  };
}
