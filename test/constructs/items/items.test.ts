import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  App,
  CastellanStack,
  checkTree,
  Eventhouse,
  Eventstream,
  type EventstreamDefinition,
  type EventstreamProps,
  otherNodeType,
  SectionScope,
  User,
  SecurityGroup,
  Workspace,
} from '../../../constructs/index.js';
import { Construct } from '../../../constructs/internal/cdktf.js';
import { synthesized } from '../support/synthesized.js';

const upperCaseId = '6F1D2C3B-1111-4222-8333-444455556666';
const base64 = (text: string) => Buffer.from(text).toString('base64');

describe('Workspace', () => {
  it('is a fabric_workspace, with its roles and its capacity in lower case', () => {
    const { resource, provider, terraform } = synthesized((stack) => {
      const team = new SecurityGroup(stack, 'team', { displayName: 'Team' });
      const ada = User.fromPrincipalName(stack, 'ada', 'ada@contoso.example');
      new Workspace(stack, 'telemetry', {
        displayName: 'Telemetry',
        description: 'What the shop reports',
        capacityId: upperCaseId,
        identity: true,
        roles: [
          { principal: team, role: 'Contributor' },
          { principal: ada, role: 'Viewer' },
        ],
      });
    });
    expect(resource['fabric_workspace']).toEqual({
      telemetry: {
        display_name: 'Telemetry',
        description: 'What the shop reports',
        capacity_id: upperCaseId.toLowerCase(),
        identity: { type: 'SystemAssigned' },
      },
    });
    expect(Object.values(resource['fabric_workspace_role_assignment'] ?? {})).toEqual([
      {
        workspace_id: '${fabric_workspace.telemetry.id}',
        principal: { id: '${data.azuread_user.ada.object_id}', type: 'User' },
        role: 'Viewer',
      },
      {
        workspace_id: '${fabric_workspace.telemetry.id}',
        principal: { id: '${azuread_group.team.object_id}', type: 'Group' },
        role: 'Contributor',
      },
    ]);
    expect(provider['fabric']).toEqual([{ tenant_id: '11111111-2222-4333-8444-555555555555' }]);
    expect(terraform['required_providers']).toMatchObject({
      fabric: { source: 'microsoft/fabric', version: '~> 1.13' },
    });
  });

  it('gives roles to principals of similar names', () => {
    const { resource } = synthesized((stack) => {
      const workspace = new Workspace(stack, 'telemetry', { displayName: 'Telemetry' });
      const scopes = [new Construct(stack, 'a'), stack, new SectionScope(stack, 'groups')];
      ['b', 'a-b', 'Default'].forEach((id, index) => {
        const group = new SecurityGroup(scopes[index] ?? stack, id, { displayName: id });
        workspace.grant(group, 'Viewer');
      });
    });
    const roles = Object.values(resource['fabric_workspace_role_assignment'] ?? {});
    expect(roles.map(({ principal }) => (principal as { id: string }).id).sort()).toEqual([
      '${azuread_group.Default.object_id}',
      '${azuread_group.a-b.object_id}',
      '${azuread_group.a_b_A7E86136.object_id}',
    ]);
  });

  it('says which constructs make two stacks depend on each other', () => {
    const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-circle-')) });
    const workspace = new Workspace(new CastellanStack(app, 'shared'), 'ws', { displayName: 'W' });
    const shop = new CastellanStack(app, 'shop');
    new Eventhouse(shop, 'events', { displayName: 'E', workspace });
    workspace.grant(new SecurityGroup(shop, 'team', { displayName: 'Team' }), 'Viewer');
    let error: unknown;
    try {
      app.synth();
    } catch (thrown) {
      error = thrown;
    }
    expect(error).toMatchObject({
      code: 'CAS2008',
      message:
        "the stack shop can't depend on shared: shop/events/Default refers to shared; shared depends on shop already: shared/ws/shop:team refers to shop. Create what refers, or what it refers to, in the other stack",
    });
  });

  it('reports a second role of a principal at synth', () => {
    const stack = new CastellanStack(new App(), 'shop');
    const team = new SecurityGroup(stack, 'team', { displayName: 'Team' });
    const workspace = new Workspace(stack, 'telemetry', { displayName: 'Telemetry' });
    workspace.grant(team, 'Viewer');
    workspace.grant(team, 'Contributor');
    expect(checkTree(stack)).toContainEqual(
      expect.objectContaining({
        ruleId: 'workspace-roles',
        message: '"team" already has a role: Viewer',
      }),
    );
  });
});

describe('Workspace in the sandbox', () => {
  it("runs on the sandbox's capacity by default", () => {
    const capacity = (capacityId?: string) =>
      synthesized((stack) => new Workspace(stack, 'w', { displayName: 'W', capacityId }), {
        sandbox: { dialect: 'neutral' },
      }).resource['fabric_workspace']?.['w']?.['capacity_id'];
    expect(capacity()).toBe('c0ffee00-0000-4000-8000-000000000001');
    expect(capacity(upperCaseId)).toBe(upperCaseId.toLowerCase());
  });
});

describe('Eventhouse', () => {
  it('is a fabric_eventhouse with its units as configuration', () => {
    const { resource } = synthesized((stack) => {
      const workspace = new Workspace(stack, 'telemetry', { displayName: 'Telemetry' });
      new Eventhouse(stack, 'house', {
        workspace,
        displayName: 'house',
        description: 'Hot',
        minimumConsumptionUnits: 4.25,
      });
    });
    expect(resource['fabric_eventhouse']).toEqual({
      house: {
        workspace_id: '${fabric_workspace.telemetry.id}',
        display_name: 'house',
        description: 'Hot',
        configuration: { minimum_consumption_units: 4.25 },
      },
    });
  });

  it('has no configuration without units, and accepts an existing workspace, folder and tags by id', () => {
    const { resource } = synthesized((stack) => {
      new Eventhouse(stack, 'house', {
        workspace: upperCaseId,
        displayName: 'house',
        folderId: upperCaseId,
        tags: [upperCaseId],
      });
    });
    expect(resource['fabric_eventhouse']?.['house']).toEqual({
      workspace_id: upperCaseId.toLowerCase(),
      display_name: 'house',
      folder_id: upperCaseId.toLowerCase(),
      tags: [upperCaseId.toLowerCase()],
    });
  });

  it("uses castellan's own resource for a label or several parts", () => {
    const { resource } = synthesized((stack) => {
      const sensitivityLabelSettings = {
        labelId: upperCaseId,
        sensitivityLabelApplyStrategy: 'Ignore',
      } as const;
      new Eventhouse(stack, 'labelled', {
        workspace: upperCaseId,
        displayName: 'a',
        minimumConsumptionUnits: 8.5,
        sensitivityLabelSettings,
      });
      const parts = [
        { path: 'EventhouseProperties.json', payload: base64('{}') },
        { path: '.platform', payload: base64('{"config":{"version":"2.0"}}') },
      ];
      new Eventhouse(stack, 'parts', {
        workspace: upperCaseId,
        displayName: 'b',
        definition: { parts },
      });
    });
    expect(resource['castellan_eventhouse']).toEqual({
      labelled: {
        workspace_id: upperCaseId.toLowerCase(),
        display_name: 'a',
        minimum_consumption_units: 8.5,
        sensitivity_label: { label_id: upperCaseId.toLowerCase(), apply_strategy: 'Ignore' },
      },
      parts: {
        workspace_id: upperCaseId.toLowerCase(),
        display_name: 'b',
        definition: {
          parts: {
            'EventhouseProperties.json': { content: '${jsonencode({})}' },
            '.platform': { content: '${jsonencode({"config" = {"version" = "2.0"}})}' },
          },
        },
      },
    });
  });
});

describe('Eventstream', () => {
  const declareEventstream = (props: Partial<EventstreamProps>) =>
    synthesized((stack) => {
      const workspace = new Workspace(stack, 'telemetry', { displayName: 'Telemetry' });
      new Eventstream(stack, 'clicks', { workspace, displayName: 'clicks', ...props });
    }).resource;

  it('passes its document as a token of one constant file, with references to its destinations', () => {
    const { resource } = synthesized((stack) => {
      const workspace = new Workspace(stack, 'telemetry', { displayName: 'Telemetry' });
      const house = new Eventhouse(stack, 'house', { workspace, displayName: 'house' });
      new Eventstream(stack, 'clicks', {
        workspace,
        displayName: 'clicks',
        definition: {
          sources: [{ name: 'web', type: 'CustomEndpoint' }],
          destinations: [
            {
              name: 'store',
              type: 'Eventhouse',
              eventhouse: house,
              inputNodes: ['web'],
              properties: { tableName: 'a"b\\c ${d}' },
            },
          ],
        },
      });
    });
    const document =
      '{"sources" = [{"name" = "web", "type" = "CustomEndpoint", "properties" = {}}], ' +
      '"destinations" = [{"name" = "store", "type" = "Eventhouse", "inputNodes" = [{"name" = "web"}], ' +
      '"properties" = {"dataIngestionMode" = "DirectIngestion", "workspaceId" = fabric_workspace.telemetry.id, ' +
      '"itemId" = fabric_eventhouse.house.id, "tableName" = "a\\"b\\\\c $${d}"}}], ' +
      '"streams" = [{"name" = "clicks-stream", "type" = "DefaultStream", "inputNodes" = [{"name" = "web"}], "properties" = {}}], ' +
      '"operators" = [], "compatibilityLevel" = "1.0"}';
    expect(resource['fabric_eventstream']).toEqual({
      clicks: {
        workspace_id: '${fabric_workspace.telemetry.id}',
        display_name: 'clicks',
        format: 'Default',
        definition: {
          'eventstream.json': {
            source: '${path.module}/definition.tmpl',
            tokens: { Definition: `\${jsonencode(${document})}` },
          },
        },
      },
    });
  });

  it('has no definition where none is declared', () => {
    expect(declareEventstream({})['fabric_eventstream']?.['clicks']).toEqual({
      workspace_id: '${fabric_workspace.telemetry.id}',
      display_name: 'clicks',
    });
  });

  it('connects nodes without input to the default stream, and keeps declared streams', () => {
    const definition: EventstreamDefinition = {
      sources: [{ name: 'a', type: 'SampleData', properties: { type: 'Bicycles' } }],
      streams: [{ name: 'main', type: 'DefaultStream', inputNodes: ['a'] }],
      destinations: [{ name: 'out', type: 'CustomEndpoint' }],
    };
    const text = JSON.stringify(declareEventstream({ definition })['fabric_eventstream']);
    expect(text).toContain('\\"inputNodes\\" = [{\\"name\\" = \\"main\\"}]');
    expect(text).not.toContain('clicks-stream');
  });

  it("refers to an implicit default stream by its name, and by the construct's name", () => {
    const definition: EventstreamDefinition = {
      sources: [{ name: 'web', type: 'CustomEndpoint' }],
      operators: [{ name: 'all', type: 'Union', inputNodes: ['clicks-stream'] }],
      destinations: [{ name: 'out', type: 'CustomEndpoint', inputNodes: ['all'] }],
    };
    const text = JSON.stringify(
      declareEventstream({ definition, displayName: 'clicks.prod' })['fabric_eventstream'],
    );
    expect(text).toContain('\\"inputNodes\\" = [{\\"name\\" = \\"clicks.prod-stream\\"}]');
    expect(text).not.toContain('"clicks-stream');
  });

  it('types each node by its type, and accepts others by otherNodeType', () => {
    const nodes: EventstreamDefinition = {
      sources: [
        {
          name: 'a',
          type: 'AzureSQLDBCDC',
          properties: { connectionReference: '$(/**/l/v)', tableName: 'dbo.t' },
        },
        { name: 'b', type: otherNodeType('LakehouseChangeFeed'), properties: { any: 1 } },
        // @ts-expect-error a sample is one of six
        { name: 'c', type: 'SampleData', properties: { type: 'Trains' } },
        // @ts-expect-error a Kinesis stream has a region
        { name: 'd', type: 'AmazonKinesis', properties: { dataConnectionId: 'x' } },
        // @ts-expect-error a type that is not described is given by otherNodeType
        { name: 'e', type: 'LakehouseChangeFeed' },
      ],
      // @ts-expect-error a filter has conditions
      operators: [{ name: 'f', type: 'Filter', inputNodes: ['a'], properties: {} }],
      // @ts-expect-error an eventhouse is a construct or an id
      destinations: [{ name: 'g', type: 'Eventhouse', eventhouse: 7 }],
    };
    expect(nodes.sources).toHaveLength(5);
  });

  it('reads its document from a file, and reports a missing one', () => {
    const file = join(mkdtempSync(join(tmpdir(), 'castellan-stream-')), 'stream.json');
    writeFileSync(file, '{"sources":[],"streams":[]}');
    expect(
      JSON.stringify(declareEventstream({ definition: { file } })['fabric_eventstream']),
    ).toContain('\\"sources\\" = [], \\"streams\\" = []');
    expect(() => declareEventstream({ definition: { file: '/nowhere/stream.json' } })).toThrow(
      /shop\/clicks: \/nowhere\/stream.json can't be read/,
    );
  });

  it("sets retention with castellan's own resource, alone or with a topology: the official one sends a single part", () => {
    const retention = { retentionTimeInDays: 7, eventThroughputLevel: 'Medium' } as const;
    expect(
      Object.keys(
        (
          declareEventstream(retention)['castellan_eventstream']?.['clicks']?.['definition'] as {
            parts: object;
          }
        ).parts,
      ),
    ).toEqual(['eventstreamProperties.json']);
    const withTopology = declareEventstream({ ...retention, definition: { sources: [] } });
    expect(withTopology['castellan_eventstream']?.['clicks']).toMatchObject({
      definition: {
        parts: {
          'eventstream.json': { content: expect.stringContaining('jsonencode(') as string },
          'eventstreamProperties.json': {
            content:
              '${jsonencode({"retentionTimeInDays" = 7, "eventThroughputLevel" = "Medium"})}',
          },
        },
      },
    });
  });

  it("accepts parts as the API does: one document by the official resource, more or a format by castellan's own", () => {
    const part = { path: 'eventstream.json', payload: base64('{"sources":[]}') };
    expect(Object.keys(declareEventstream({ definition: { parts: [part] } }))).toContain(
      'fabric_eventstream',
    );
    const format = declareEventstream({ definition: { format: 'eventstream', parts: [part] } });
    expect(format['castellan_eventstream']?.['clicks']?.['definition']).toEqual({
      format: 'eventstream',
      parts: { 'eventstream.json': { content: '${jsonencode({"sources" = []})}' } },
    });
  });
});
