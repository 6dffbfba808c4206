import { flat, useSeededServices } from '../support/seeded-services.js';

const capacity = 'cccccccc-0000-4000-8000-000000000001';
const label = 'dddddddd-0000-4000-8000-000000000001';
const tag = 'eeeeeeee-0000-4000-8000-000000000001';
const seed = `
capacities: [{ id: ${capacity}, displayName: main, sku: F2, region: West Europe, state: Active }]
sensitivityLabels: [{ id: ${label}, displayName: Confidential }]
tags: [{ id: ${tag}, displayName: hot }]
`;

describe("castellan's own resources of workspaces", () => {
  const seeded = useSeededServices(['items'], seed);

  test('castellan_* items have labels, several parts, a format; drift of a definition is detected', async () => {
    const content = (days: number): string =>
      JSON.stringify({ retentionTimeInDays: days, eventThroughputLevel: 'Low' });
    const topology = JSON.stringify({
      sources: [],
      destinations: [],
      streams: [],
      operators: [],
      compatibilityLevel: '1.0',
    });
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
            parts: {
              'eventstream.json': { content: topology },
              'eventstreamProperties.json': { content: content(days) },
            },
          },
        },
      },
    });
    await seeded.apply(items(7));
    expect(await seeded.apply(items(14))).toContain('1 changed');
    const state = await seeded.workspace.state();
    const [workspaceId, eventstreamId] = [
      String(state['fabric_workspace.ws']?.['id']),
      String(state['castellan_eventstream.es']?.['id']),
    ];
    expect(state['castellan_eventhouse.eh']).toMatchObject({
      assigned_label_id: label,
      properties: { minimum_consumption_units: 8.5 },
    });
    const part = (
      path: string,
      text: string,
    ): { path: string; payload: string; payloadType: 'InlineBase64' } => ({
      path,
      payload: Buffer.from(text).toString('base64'),
      payloadType: 'InlineBase64',
    });
    await seeded.controlPlane.items.eventstreams.updateDefinition(workspaceId, eventstreamId, {
      parts: [part('eventstream.json', topology), part('eventstreamProperties.json', content(30))],
    });
    expect(flat(await seeded.workspace.succeed('plan'))).toContain('30');
    await seeded.workspace.succeed('apply', '-auto-approve');
    for (const [address, id] of [
      [
        'castellan_eventhouse.eh',
        `${workspaceId}/${String(state['castellan_eventhouse.eh']?.['id'])}`,
      ],
      ['castellan_eventstream.es', `${workspaceId}/${eventstreamId}`],
    ] as const) {
      await seeded.workspace.succeed('state', 'rm', address);
      await seeded.workspace.succeed('import', address, id);
    }
    // Label and units are what the house has
    expect(await seeded.workspace.succeed('apply', '-auto-approve')).toContain('0 destroyed');
    expect(await seeded.workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    expect(await seeded.workspace.succeed('destroy', '-auto-approve')).toContain('3 destroyed');
  });

  it('keeps the graph of an eventstream whose settings alone are declared', async () => {
    const settings = (days: number): object => ({
      fabric_workspace: { ws: { display_name: 'Kept graph', capacity_id: capacity } },
      castellan_eventstream: {
        es: {
          workspace_id: '${fabric_workspace.ws.id}',
          display_name: 'settings-only',
          definition: {
            parts: {
              'eventstreamProperties.json': {
                content: JSON.stringify({ retentionTimeInDays: days }),
              },
            },
          },
        },
      },
    });
    await seeded.apply(settings(7));
    const state = await seeded.workspace.state();
    const [workspaceId, eventstreamId] = [
      String(state['fabric_workspace.ws']?.['id']),
      String(state['castellan_eventstream.es']?.['id']),
    ];
    const topology = '{"sources":[{"name":"drawn","type":"CustomEndpoint","properties":{}}]}';
    const payload = (text: string): string => Buffer.from(text).toString('base64');
    const part = (path: string, text: string) => ({
      path,
      payload: payload(text),
      payloadType: 'InlineBase64' as const,
    });
    const drawnParts = [
      part('eventstream.json', topology),
      part('eventstreamProperties.json', '{"retentionTimeInDays":7}'),
    ];
    await seeded.controlPlane.items.eventstreams.updateDefinition(workspaceId, eventstreamId, {
      parts: drawnParts,
    });
    expect(await seeded.apply(settings(14))).toContain('1 changed');
    const { parts } = await seeded.controlPlane.items.eventstreams.getDefinition(
      workspaceId,
      eventstreamId,
    );
    expect(parts.find(({ path }) => path === 'eventstream.json')?.payload).toBe(payload(topology));
    expect(await seeded.workspace.succeed('destroy', '-auto-approve')).toContain('2 destroyed');
  });

  it('leaves the definition of an eventhouse unchanged while its updates are off, and sends it when they are on again', async () => {
    const house = (note: string, enabled: boolean): object => ({
      fabric_workspace: { ws: { display_name: 'Left alone', capacity_id: capacity } },
      castellan_eventhouse: {
        eh: {
          workspace_id: '${fabric_workspace.ws.id}',
          display_name: 'by-hand',
          sensitivity_label: { label_id: label },
          definition_update_enabled: enabled,
          definition: {
            parts: { 'EventhouseProperties.json': { content: JSON.stringify({ note }) } },
          },
        },
      },
    });
    await seeded.apply(house('first', false));
    await seeded.apply(house('second', false));
    const state = await seeded.workspace.state();
    const [workspaceId, eventhouseId] = [
      String(state['fabric_workspace.ws']?.['id']),
      String(state['castellan_eventhouse.eh']?.['id']),
    ];
    const storedContent = async (): Promise<string> => {
      const { parts } = await seeded.controlPlane.items.eventhouses.getDefinition(
        workspaceId,
        eventhouseId,
      );
      const propertiesPart = parts.find(({ path }) => path === 'EventhouseProperties.json');
      return Buffer.from(propertiesPart?.payload ?? '', 'base64').toString();
    };
    expect(await storedContent()).toBe('{"note":"first"}');
    await seeded.apply(house('second', true));
    expect(await storedContent()).toBe('{"note":"second"}');
    expect(await seeded.workspace.succeed('destroy', '-auto-approve')).toContain('2 destroyed');
  });
});
