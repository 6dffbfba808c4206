import { CastellanEventhouse } from '../../../constructs/generated/lib/castellan/eventhouse.js';
import { CastellanProvider } from '../../../constructs/generated/lib/castellan/provider.js';
import { DataFabricCapacity } from '../../../constructs/generated/lib/fabric/data-fabric-capacity.js';
import { FabricEventhouse } from '../../../constructs/generated/lib/fabric/eventhouse.js';
import { FabricFolder } from '../../../constructs/generated/lib/fabric/folder.js';
import { FabricProvider } from '../../../constructs/generated/lib/fabric/provider.js';
import { FabricWorkspace } from '../../../constructs/generated/lib/fabric/workspace.js';
import { CastellanStack, Eventhouse, Workspace } from '../../../constructs/index.js';
import { App, TerraformStack } from '../../../constructs/internal/cdktf.js';
import { synthesized } from '../../../constructs/testing/index.js';

function createStack(): TerraformStack {
  return new TerraformStack(new App(), 'bindings');
}

describe('the bindings of fabric and castellan', () => {
  it("write a type's attributes and meta-arguments by Terraform's names", () => {
    const stack = createStack();
    const provider = new FabricProvider(stack, 'other', {
      alias: 'other',
      tenantId: 't',
      useCli: true,
    });
    const capacity = new DataFabricCapacity(stack, 'capacity', { displayName: 'Shared', provider });
    const space = new FabricWorkspace(stack, 'space', {
      displayName: 'Space',
      capacityId: capacity.id,
      identity: { type: 'SystemAssigned' },
      provider,
      lifecycle: { preventDestroy: true },
    });
    new FabricFolder(stack, 'folder', {
      displayName: 'Folder',
      workspaceId: space.id,
      dependsOn: [capacity],
    });
    const json = synthesized(stack) as ReturnType<typeof synthesized> & {
      readonly provider: Readonly<Record<string, unknown>>;
    };
    expect(json.provider['fabric']).toEqual([{ alias: 'other', tenant_id: 't', use_cli: true }]);
    expect(json.data?.['fabric_capacity']).toMatchObject({
      capacity: { display_name: 'Shared', provider: 'fabric.other' },
    });
    expect(json.resource?.['fabric_workspace']?.['space']).toMatchObject({
      display_name: 'Space',
      capacity_id: '${data.fabric_capacity.capacity.id}',
      identity: { type: 'SystemAssigned' },
      provider: 'fabric.other',
      lifecycle: { prevent_destroy: true },
    });
    expect(json.resource?.['fabric_folder']?.['folder']).toMatchObject({
      display_name: 'Folder',
      workspace_id: '${fabric_workspace.space.id}',
      depends_on: ['data.fabric_capacity.capacity'],
    });
  });

  it('write and read attributes with attributes of their own, and those of maps by key', () => {
    const stack = createStack();
    new FabricProvider(stack, 'fabric');
    new CastellanProvider(stack, 'castellan');
    const house = new FabricEventhouse(stack, 'house', {
      displayName: 'House',
      workspaceId: 'w',
      definition: {
        'EventhouseProperties.json': {
          source: 'a.tmpl',
          processingMode: 'Parameters',
          parameters: [{ type: 'TextReplace', find: 'a_b', value: 'c' }],
        },
      },
    });
    new CastellanEventhouse(stack, 'copy', {
      displayName: 'Copy',
      workspaceId: 'w',
      description: house.properties.queryServiceUri,
      definition: {
        parts: {
          'x_y.json': {
            content: house.definition.get('EventhouseProperties.json').sourceContentSha256,
          },
        },
      },
    });
    const { resource } = synthesized(stack);
    expect(resource?.['fabric_eventhouse']?.['house']?.['definition']).toEqual({
      'EventhouseProperties.json': {
        source: 'a.tmpl',
        processing_mode: 'Parameters',
        parameters: [{ type: 'TextReplace', find: 'a_b', value: 'c' }],
      },
    });
    expect(resource?.['castellan_eventhouse']?.['copy']).toMatchObject({
      description: '${fabric_eventhouse.house.properties.query_service_uri}',
      definition: {
        parts: {
          'x_y.json': {
            content:
              '${fabric_eventhouse.house.definition["EventhouseProperties.json"].source_content_sha256}',
          },
        },
      },
    });
  });

  it('are what the constructs give as their resource, to read and to change', () => {
    class Space extends CastellanStack {
      readonly workspace = new Workspace(this, 'space', { displayName: 'Space' });
      readonly house = new Eventhouse(this, 'house', {
        displayName: 'House',
        workspace: this.workspace,
      });
    }
    const { workspace, house } = new Space(new App(), 'space');
    expect(workspace.resource).toBeInstanceOf(FabricWorkspace);
    expect(house.resource).toBeInstanceOf(FabricEventhouse);
    expect(workspace.resource.displayNameInput).toBe('Space');
    workspace.resource.skipCapacityStateValidation = true;
    workspace.resource.putIdentity({ type: 'SystemAssigned' });
    house.resource.description = 'Clicks';
    const { resource } = synthesized(house.node.root.node.findChild('space') as TerraformStack);
    expect(resource?.['fabric_workspace']?.['space']).toMatchObject({
      display_name: 'Space',
      skip_capacity_state_validation: true,
      identity: { type: 'SystemAssigned' },
    });
    expect(resource?.['fabric_eventhouse']?.['house']?.['description']).toBe('Clicks');
  });

  it('write the import of an existing object', () => {
    const stack = createStack();
    new FabricProvider(stack, 'fabric');
    FabricWorkspace.generateConfigForImport(stack, 'found', 'an-id');
    expect(JSON.stringify(synthesized(stack))).toContain(
      '"import":[{"id":"an-id","to":"fabric_workspace.found"}]',
    );
  });
});
