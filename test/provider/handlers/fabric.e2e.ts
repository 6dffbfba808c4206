import { configWith } from '../support/control-plane.js';
import { flat, useSeededServices } from '../support/seeded-services.js';

const capacity = 'cccccccc-0000-4000-8000-000000000001';
const tag = 'eeeeeeee-0000-4000-8000-000000000001';
const seed = `
capacities: [{ id: ${capacity}, displayName: main, sku: F2, region: West Europe, state: Active }]
tags: [{ id: ${tag}, displayName: hot }]
`;
const template = { 'definition.tmpl': '{{ .Definition }}' };
const eventhouse = {
  workspace_id: '${fabric_workspace.ws.id}',
  display_name: 'house',
  description: 'Hot store',
  configuration: { minimum_consumption_units: 4.25 },
};
const document =
  '${jsonencode({"sources":[{"name":"web","type":"CustomEndpoint","properties":{}}],"destinations":[{"name":"out","type":"Eventhouse","properties":{"dataIngestionMode":"ProcessedIngestion","workspaceId":fabric_workspace.ws.id,"itemId":fabric_eventhouse.eh.id,"databaseName":"db","tableName":"t","inputSerialization":{"type":"Json","properties":{"encoding":"UTF8"}}},"inputNodes":[{"name":"s"}]}],"streams":[{"name":"s","type":"DefaultStream","properties":{},"inputNodes":[{"name":"web"}]}],"operators":[],"compatibilityLevel":"1.0"})}';
const eventstream = {
  workspace_id: '${fabric_workspace.ws.id}',
  display_name: 'stream',
  format: 'Default',
  definition: {
    'eventstream.json': {
      source: '${path.module}/definition.tmpl',
      tokens: { Definition: document },
    },
  },
};
const base = {
  fabric_workspace: { ws: { display_name: 'Telemetry', capacity_id: capacity } },
  fabric_eventhouse: { eh: eventhouse },
  fabric_eventstream: { es: eventstream },
};

describe('fabric in the sandbox', () => {
  const seeded = useSeededServices(['items'], seed, template);
  const storedIds = async (): Promise<{ ws: string; eh: string; es: string }> => {
    const state = await seeded.workspace.state();
    const id = (address: string): string => String(state[address]?.['id']);
    return {
      ws: id('fabric_workspace.ws'),
      eh: id('fabric_eventhouse.eh'),
      es: id('fabric_eventstream.es'),
    };
  };

  test('a workspace, an eventhouse, and an eventstream whose document names it are created, changed and destroyed', async () => {
    expect(await seeded.apply(base)).toContain('3 added');
    const { ws, eh, es } = await storedIds();
    const data = {
      data: {
        fabric_eventstream: {
          es: {
            workspace_id: ws,
            display_name: 'stream',
            format: 'eventstream',
            output_definition: true,
          },
        },
        fabric_eventhouse: { eh: { workspace_id: ws, id: eh } },
      },
    };
    const decoded =
      '${provider::fabric::content_decode(data.fabric_eventstream.es.definition["eventstream.json"].content, "$.destinations[0].name")}';
    await seeded.workspace.write(
      configWith(base, {
        ...data,
        output: {
          name: { value: decoded },
          units: { value: '${data.fabric_eventhouse.eh.properties.minimum_consumption_units}' },
        },
      }),
      template,
    );
    await seeded.workspace.succeed('apply', '-auto-approve');
    expect(await seeded.workspace.outputs()).toEqual({ name: 'out', units: 4.25 });
    const { parts } = await seeded.controlPlane.items.items.getDefinition(ws, es);
    const sentDocument = JSON.parse(
      Buffer.from(
        parts.find(({ path }) => path === 'eventstream.json')?.payload ?? '',
        'base64',
      ).toString(),
    ) as {
      destinations: { properties: { itemId: string } }[];
    };
    expect(sentDocument.destinations[0]?.properties.itemId).toBe(eh);
    expect(
      (await seeded.controlPlane.items.eventhouses.get(ws, eh)).properties?.minimumConsumptionUnits,
    ).toBe(4.25);

    await seeded.workspace.write(
      configWith({
        ...base,
        fabric_eventstream: { es: { ...eventstream, description: 'Clicks' } },
      }),
      template,
    );
    const planOfDescription = await seeded.workspace.succeed('plan');
    expect(planOfDescription).toContain('0 to add, 1 to change, 0 to destroy');
    await seeded.workspace.write(
      configWith({
        ...base,
        fabric_eventhouse: {
          eh: { ...eventhouse, configuration: { minimum_consumption_units: 60 } },
        },
      }),
      template,
    );
    const planOfReplacement = await seeded.workspace.succeed('plan');
    expect(planOfReplacement).toContain('# forces replacement');
    expect(await seeded.workspace.succeed('apply', '-auto-approve')).toContain(
      '1 added, 1 changed, 1 destroyed',
    );
    expect(await seeded.workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
    expect(await seeded.workspace.succeed('destroy', '-auto-approve')).toContain('3 destroyed');
  });

  test('a changed document is announced and updated in place, and another layout of it is no change', async () => {
    await seeded.apply(base);
    const { ws, es } = await storedIds();
    const changedDocument = document.replace(
      '"compatibilityLevel":"1.0"',
      '"compatibilityLevel":"1.1"',
    );
    await seeded.workspace.write(
      configWith({
        ...base,
        fabric_eventstream: {
          es: {
            ...eventstream,
            definition: {
              'eventstream.json': {
                ...eventstream.definition['eventstream.json'],
                tokens: { Definition: changedDocument },
              },
            },
          },
        },
      }),
      template,
    );
    const output = await seeded.workspace.succeed('apply', '-auto-approve');
    expect(flat(output)).toContain('will be overwritten');
    expect(output).toContain('1 changed');
    const { parts } = await seeded.controlPlane.items.items.getDefinition(ws, es);
    expect(Buffer.from(parts[0]?.payload ?? '', 'base64').toString()).toContain(
      '"compatibilityLevel":"1.1"',
    );
  });

  test('names, folders, tags and roles change in place; deleted items are created again', async () => {
    const env = { provider: { azurerm: { features: [{}] }, fabric: { preview: true } } };
    // The databases of an eventhouse lie where it lies: a database that names another folder would
    // move back.
    const resourcesWith = (changes: object = {}, folder: object = {}): object => ({
      fabric_workspace: base.fabric_workspace,
      fabric_folder: { f: { workspace_id: '${fabric_workspace.ws.id}', display_name: 'folder' } },
      fabric_eventhouse: {
        eh: {
          workspace_id: '${fabric_workspace.ws.id}',
          display_name: 'house',
          ...changes,
          ...folder,
        },
      },
      fabric_kql_database: {
        db: {
          workspace_id: '${fabric_workspace.ws.id}',
          display_name: 'extra',
          configuration: {
            database_type: 'ReadWrite',
            eventhouse_id: '${fabric_eventhouse.eh.id}',
          },
          ...folder,
        },
      },
      fabric_workspace_role_assignment: {
        r: {
          workspace_id: '${fabric_workspace.ws.id}',
          principal: { id: 'aaaaaaaa-0000-4000-8000-000000000009', type: 'User' },
          role: 'Viewer',
        },
      },
    });
    await seeded.apply(resourcesWith(), env);
    const movedResources = resourcesWith(
      { display_name: 'renamed', tags: [tag] },
      { folder_id: '${fabric_folder.f.id}' },
    );
    expect(await seeded.apply(movedResources, env)).toContain('2 changed');
    const { ws, eh } = await storedIds();
    await seeded.controlPlane.items.items.delete(ws, eh);
    const plan = await seeded.workspace.succeed('plan');
    expect(flat(plan)).toContain('Resource not found');
    expect(plan).toMatch(/[12] to add/);
  });

  test('a description that is no longer declared is cleared', async () => {
    const workspace = base.fabric_workspace.ws;
    await seeded.apply({ fabric_workspace: { ws: { ...workspace, description: 'Clicks' } } });
    expect(await seeded.apply({ fabric_workspace: { ws: workspace } })).toContain('1 changed');
    const { ws } = await storedIds();
    expect((await seeded.controlPlane.items.workspaces.get(ws)).description).toBe('');
  });

  test('imported eventstreams get defaults, an imported eventhouse with configuration is replaced', async () => {
    await seeded.apply(base);
    const { ws, eh, es } = await storedIds();
    for (const [address, id] of [
      ['fabric_workspace.ws', ws],
      ['fabric_eventhouse.eh', `${ws}/${eh}`],
      ['fabric_eventstream.es', `${ws.toUpperCase()}/${es}`],
    ] as const) {
      await seeded.workspace.succeed('state', 'rm', address);
      await seeded.workspace.succeed('import', address, id);
    }
    const plan = await seeded.workspace.succeed('plan');
    expect(plan).toContain('fabric_eventhouse.eh must be replaced');
    expect(plan).not.toContain('fabric_eventstream.es must be replaced');
    expect(await seeded.workspace.succeed('apply', '-auto-approve')).not.toContain('inconsistent');
    expect(await seeded.workspace.succeed('plan', '-detailed-exitcode')).toContain('No changes');
  });

  test('refuses what the official provider refuses', async () => {
    const invalidEventhouse = {
      ...eventhouse,
      workspace_id: 'x',
      display_name: 'a'.repeat(124),
      configuration: { minimum_consumption_units: 50.5 },
      format: 'Other',
      definition: { 'other.json': { source: 's', processing_mode: 'Parameters' } },
    };
    await seeded.workspace.write(
      configWith({
        fabric_eventhouse: { eh: invalidEventhouse },
        fabric_eventstream: {
          es: {
            ...eventstream,
            workspace_id: capacity,
            definition: { 'eventstream.json': { source: './missing.tmpl' } },
          },
        },
      }),
    );
    await seeded.workspace.succeed('init');
    const output = flat(await seeded.workspace.fail('validate'));
    for (const text of [
      'valid UUID',
      'must be at most 123, got: 124',
      '50.5 is not allowed; allowed are 0, 2.25',
      'conflicts with definition',
      'part "other.json" is not known',
      'parameters is required',
    ])
      expect(output).toContain(text);
    await seeded.workspace.write(
      configWith({
        fabric_eventstream: {
          es: {
            ...eventstream,
            workspace_id: capacity,
            definition: { 'eventstream.json': { source: './missing.tmpl' } },
          },
        },
      }),
    );
    expect(flat(await seeded.workspace.fail('plan'))).toContain('"./missing.tmpl" can\'t be read');
  });
});
