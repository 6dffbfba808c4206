import { Eventhouse, Eventstream, Workspace } from '../../../constructs/index.js';
import { Aspects, TerraformResource } from '../../../constructs/internal/cdktf.js';
import { synthesized } from '../support/synthesized.js';

it('leaves the tags of items, a list, as they are where an Aspect tags every resource', () => {
  const { resource } = synthesized((stack) => {
    const capacityId = '11111111-2222-4333-8444-555555555555';
    const workspace = new Workspace(stack, 'w', { displayName: 'W', capacityId });
    new Eventhouse(stack, 'h', { workspace, displayName: 'h' });
    new Eventstream(stack, 's', { workspace, displayName: 's' });
    Aspects.of(stack).add({
      visit: (node) => {
        if (TerraformResource.isTerraformResource(node) && 'tags' in node)
          node.tags = { team: 'shop' };
      },
    });
  });
  expect(resource['fabric_eventhouse']?.['h']).not.toHaveProperty('tags');
  expect(resource['fabric_eventstream']?.['s']).not.toHaveProperty('tags');
});
