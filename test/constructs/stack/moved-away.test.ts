import { Group as AzureadGroup } from '@cdktf/provider-azuread/lib/group';
import { AzureadProvider } from '@cdktf/provider-azuread/lib/provider';
import { type CastellanStack, UnifiedGroup, Workspace } from '../../../constructs/index.js';
import { Construct } from '../../../constructs/internal/cdktf.js';
import { synthesized, type TerraformJson } from '../support/synthesized.js';

const owners = ['11111111-1111-4222-8333-444455556666', '21111111-1111-4222-8333-444455556666'];

const synthesize = (create: (stack: CastellanStack) => void) =>
  synthesized(create) as TerraformJson & { moved: unknown };

describe('a resource in a move of cdktf', () => {
  it('is not judged when it moves away from a construct', () => {
    const { moved, resource } = synthesize((stack) => {
      const scope = new Construct(stack, 'team');
      const group = { displayName: 'Team', mailNickname: 'team', owners };
      const space = { displayName: 'Space' };
      for (const [from, to] of [
        [new UnifiedGroup(stack, 'old', group), new UnifiedGroup(scope, 'new', group)],
        [new Workspace(stack, 'space', space), new Workspace(scope, 'space', space)],
      ] as const) {
        to.resource.addMoveTarget(to.node.path);
        from.resource.moveTo(to.node.path);
      }
    });
    expect(moved).toHaveLength(2);
    expect(resource).not.toHaveProperty('azuread_group.old');
  });

  it('is not judged when it moves away from a plain binding, by target or by address', () => {
    const group = { displayName: 'Team', mailNickname: 'team', owners, securityEnabled: true };
    const { resource } = synthesize((stack) => {
      new AzureadProvider(stack, 'azuread');
      new AzureadGroup(stack, 'new', group).addMoveTarget('new');
      new AzureadGroup(stack, 'old', group).moveTo('new');
      new AzureadGroup(stack, 'older', group).moveToId('azuread_group.new');
    });
    expect(Object.keys(resource['azuread_group'] ?? {})).toEqual(['new']);
  });

  it('is judged when a resource of another name moves to it', () => {
    const invalid = { displayName: 'Team', mailNickname: 'the team', owners };
    const create = (stack: CastellanStack): void => {
      const group = new UnifiedGroup(stack, 'new', { ...invalid, mailNickname: 'team' });
      group.resource.moveFromId('azuread_group.old');
      group.resource.mailNickname = invalid.mailNickname;
    };
    expect(() => synthesize(create)).toThrow('group-mail-nickname');
  });
});
