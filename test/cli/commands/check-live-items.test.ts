import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  ids,
  type StartedItems,
  startItems,
  tokenOf,
} from '../../services/items/support/start-items.js';
import { runCli } from '../../support/run-cli.js';

const graph = {
  sources: [{ name: 'web', type: 'CustomEndpoint', properties: {} }],
  streams: [
    { name: 'clicks-stream', type: 'DefaultStream', inputNodes: [{ name: 'web' }], properties: {} },
  ],
  operators: [],
  destinations: [],
  compatibilityLevel: '1.0',
};
const base64 = (document: unknown): string =>
  Buffer.from(JSON.stringify(document)).toString('base64');
const part = (path: string, document: unknown) => ({
  path,
  payload: base64(document),
  payloadType: 'InlineBase64',
});
const yaml = `version: 1
stack: telemetry
workspaces:
  telemetry: { displayName: Telemetry, capacityId: ${ids.capacity} }
  gone: { displayName: Gone }
eventhouses:
  clickstore: { workspace: telemetry, displayName: clickstore, minimumConsumptionUnits: 4.25 }
  renamed: { workspace: telemetry, displayName: renamed }
eventstreams:
  clicks:
    workspace: telemetry
    displayName: clicks
    retentionTimeInDays: 7
    definition:
      sources: [{ name: web, type: CustomEndpoint }]
  filed: { workspace: telemetry, displayName: filed, definition: { file: graph.json } }
`;

describe('castellan check --live on workspaces', () => {
  let service: StartedItems;
  let folder: string;
  beforeEach(async () => {
    service = await startItems();
    folder = mkdtempSync(join(tmpdir(), 'castellan-live-items-'));
    writeFileSync(join(folder, 'castellan.yaml'), yaml);
    writeFileSync(join(folder, 'graph.json'), JSON.stringify(graph));
  });
  afterEach(async () => {
    await service.stop();
    rmSync(folder, { recursive: true });
  });

  interface LiveFinding {
    readonly ruleId: string;
    readonly verdict: string;
    readonly message: string;
    readonly liveId?: string;
    readonly location: { readonly line: number };
  }
  const checkLive = async (
    io: { readonly env?: Record<string, string> } = {},
    flags: readonly string[] = [],
  ) => {
    const args = [
      'check',
      '--live',
      '--endpoint',
      service.origin,
      '--format',
      'json',
      '.',
      ...flags,
    ];
    const run = await runCli(args, { cwd: folder, ...io });
    const { findings } = JSON.parse(run.stdout) as { findings: LiveFinding[] };
    return findings.filter(({ ruleId }) => ruleId.startsWith('live-'));
  };
  /** Creates the declared items in the service, with the given differences. */
  const createItems = async (
    changes: {
      consumptionUnits?: number;
      clicksGraph?: unknown;
      retentionDays?: number;
      filedGraph?: unknown;
      renamedTo?: string;
    } = {},
  ) => {
    const { eventhouses, eventstreams } = service.items;
    const {
      consumptionUnits = 4.25,
      clicksGraph = graph,
      retentionDays = 7,
      filedGraph = graph,
      renamedTo = 'renamed',
    } = changes;
    const clickstore = await eventhouses.create(ids.workspace, {
      displayName: 'clickstore',
      creationPayload: { minimumConsumptionUnits: consumptionUnits },
    });
    await eventhouses.create(ids.workspace, { displayName: renamedTo });
    const parts = [
      part('eventstream.json', clicksGraph),
      part('eventstreamProperties.json', {
        retentionTimeInDays: retentionDays,
        eventThroughputLevel: 'Low',
      }),
    ];
    await eventstreams.create(ids.workspace, { displayName: 'clicks', definition: { parts } });
    await eventstreams.create(ids.workspace, {
      displayName: 'filed',
      definition: { parts: [part('eventstream.json', filedGraph)] },
    });
    return clickstore;
  };
  const missingWorkspace =
    '5 live-item-missing there is no workspace "Gone"; it was never applied, deleted or renamed';
  const asLines = (findings: readonly LiveFinding[]) =>
    findings.map(({ location, ruleId, message }) => `${location.line} ${ruleId} ${message}`).sort();

  it('reports missing objects, and nothing about unchanged ones', async () => {
    await createItems();
    expect(asLines(await checkLive())).toEqual([missingWorkspace]);
  });

  it('reports changed units, definitions, settings and descriptions, by line and id', async () => {
    const changedGraph = {
      ...graph,
      sources: [...graph.sources, { name: 'app', type: 'CustomEndpoint', properties: {} }],
    };
    const clickstore = await createItems({
      consumptionUnits: 18,
      clicksGraph: changedGraph,
      retentionDays: 30,
      filedGraph: { ...graph, sources: [], streams: [] },
    });
    await service.items.eventhouses.update(ids.workspace, clickstore.id, {
      description: 'By hand',
    });
    const findings = await checkLive();
    expect(asLines(findings)).toEqual(
      [
        missingWorkspace,
        '13 live-item-drift eventstreamProperties.json of the definition differs from what is declared',
        '15 live-item-drift sources of the definition have "app", which is not declared',
        '16 live-item-drift nodes.web of the definition is not there',
        '16 live-item-drift nodes.clicks-stream of the definition is not there',
        '7 live-item-drift description is "By hand" in the service, declared is not set',
        '7 live-item-drift minimumConsumptionUnits is 18 in the service, declared is 4.25',
      ].sort(),
    );
    expect(findings.find(({ location }) => location.line === 7)?.liveId).toBe(clickstore.id);
  });

  it('reports a name in another letter case, and which undeclared eventhouse a missing one may be', async () => {
    await createItems({ renamedTo: 'other-house' });
    expect(asLines(await checkLive())).toContain(
      '8 live-item-missing there is no eventhouse "renamed"; it was never applied, deleted or renamed: its workspace has "other-house", which is not declared',
    );
    writeFileSync(
      join(folder, 'castellan.yaml'),
      yaml.replace('displayName: renamed', 'displayName: Other-House'),
    );
    expect(asLines(await checkLive())).toContain(
      '8 live-item-drift displayName is "other-house" in the service, declared is "Other-House"',
    );
  });

  it('finds renamed items by the ids of a state, also in a renamed workspace', async () => {
    const clickstore = await createItems({ consumptionUnits: 18 });
    await service.items.eventhouses.update(ids.workspace, clickstore.id, {
      displayName: 'by-hand',
    });
    const resource = (type: string, name: string, id: string) => ({
      mode: 'managed',
      type,
      name,
      instances: [{ attributes: { id } }],
    });
    const resources = [
      resource('fabric_eventhouse', 'clickstore', clickstore.id),
      resource('fabric_workspace', 'telemetry', ids.workspace),
    ];
    writeFileSync(join(folder, 'terraform.tfstate'), JSON.stringify({ version: 4, resources }));
    writeFileSync(
      join(folder, 'castellan.yaml'),
      yaml.replace('displayName: Telemetry', 'displayName: Telemetrie'),
    );
    expect(asLines(await checkLive({}, ['--state', 'terraform.tfstate']))).toEqual([
      '4 live-item-drift displayName is "Telemetry" in the service, declared is "Telemetrie"',
      missingWorkspace,
      '7 live-item-drift displayName is "by-hand" in the service, declared is "clickstore"',
      '7 live-item-drift minimumConsumptionUnits is 18 in the service, declared is 4.25',
    ]);
  });

  it('does not look for items without a name or workspace', async () => {
    const nameless =
      'workspaces: { w: {} }\neventhouses: { h: { workspace: w }, i: { displayName: i } }\n';
    writeFileSync(join(folder, 'castellan.yaml'), `version: 1\nstack: t\n${nameless}`);
    expect(asLines(await checkLive())).toEqual([]);
  });

  it('reports a definition that the caller may not read as unknown', async () => {
    await createItems();
    const token = tokenOf({ objectId: ids.viewer });
    const findings = await checkLive({ env: { CASTELLAN_TOKEN: token } });
    expect(
      findings.filter(({ verdict }) => verdict === 'unknown').map(({ message }) => message),
    ).toEqual([
      "definition can't be judged: the caller may not read the definition",
      "definition can't be judged: the caller may not read the definition",
    ]);
  });
});
