import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { ControlPlane } from '../support/control-plane.js';
import { configWith, startControlPlane } from '../support/control-plane.js';
import type { Workspace } from '../support/terraform.js';
import { createWorkspace } from '../support/terraform.js';

jest.setTimeout(240_000);

const capacity = 'cccccccc-0000-4000-8000-000000000001';
const label = 'dddddddd-0000-4000-8000-000000000001';
const tag = 'eeeeeeee-0000-4000-8000-000000000001';
const seed = `
capacities: [{ id: ${capacity}, displayName: main, sku: F2, region: West Europe, state: Active }]
sensitivityLabels: [{ id: ${label}, displayName: Confidential }]
tags: [{ id: ${tag}, displayName: hot }]
`;
const flat = (text: string): string => text.replaceAll(/[\s│]+/g, ' ');

describe("castellan's own resources of workspaces", () => {
  let plane: ControlPlane;
  let workspace: Workspace;
  let folder: string;

  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'cas-seed-'));
    await writeFile(join(folder, 'seed.yaml'), seed);
    plane = await startControlPlane({ services: ['items'], seed: join(folder, 'seed.yaml') });
    workspace = await createWorkspace(plane.env);
  });
  afterEach(async () => {
    await workspace.remove();
    await plane.close();
    await rm(folder, { recursive: true, force: true });
  });
  const apply = async (resource: object): Promise<string> => {
    await workspace.write(configWith(resource));
    await workspace.succeed('init');
    const output = await workspace.succeed('apply', '-auto-approve');
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    return output;
  };

  test('castellan_* items: labels, several parts, a format; drift of a definition shows', async () => {
    const content = (days: number): string => JSON.stringify({ retentionTimeInDays: days, eventThroughputLevel: 'Low' });
    const topology = JSON.stringify({ sources: [], destinations: [], streams: [], operators: [], compatibilityLevel: '1.0' });
    const items = (days: number): object => ({
      fabric_workspace: { ws: { display_name: 'Telemetry', capacity_id: capacity } },
      castellan_eventhouse: {
        eh: {
          workspace_id: '${fabric_workspace.ws.id}',
          display_name: 'labelled',
          sensitivity_label: { label_id: label },
          minimum_consumption_units: 8.5,
          tags: [tag],
        },
      },
      castellan_eventstream: {
        es: {
          workspace_id: '${fabric_workspace.ws.id}',
          display_name: 'full',
          description: 'all parts',
          definition: {
            format: 'eventstream',
            parts: { 'eventstream.json': { content: topology }, 'eventstreamProperties.json': { content: content(days) } },
          },
        },
      },
    });
    await apply(items(7));
    expect(await apply(items(14))).toContain('1 changed');
    const state = await workspace.state();
    const [ws, es] = [String(state['fabric_workspace.ws']?.['id']), String(state['castellan_eventstream.es']?.['id'])];
    expect(state['castellan_eventhouse.eh']).toMatchObject({ assigned_label_id: label, properties: { minimum_consumption_units: 8.5 } });
    const part = (path: string, text: string): { path: string; payload: string; payloadType: 'InlineBase64' } => ({
      path,
      payload: Buffer.from(text).toString('base64'),
      payloadType: 'InlineBase64',
    });
    await plane.items.eventstreams.updateDefinition(ws, es, {
      parts: [part('eventstream.json', topology), part('eventstreamProperties.json', content(30))],
    });
    expect(flat(await workspace.succeed('plan'))).toContain('30');
    await workspace.succeed('apply', '-auto-approve');
    for (const [address, id] of [
      ['castellan_eventhouse.eh', `${ws}/${String(state['castellan_eventhouse.eh']?.['id'])}`],
      ['castellan_eventstream.es', `${ws}/${es}`],
    ] as const) {
      await workspace.succeed('state', 'rm', address);
      await workspace.succeed('import', address, id);
    }
    expect(await workspace.succeed('apply', '-auto-approve')).toContain('0 destroyed'); // label and units are what the house has
    expect(await workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    expect(await workspace.succeed('destroy', '-auto-approve')).toContain('3 destroyed');
  });
});
