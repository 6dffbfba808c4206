import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AzureadProvider } from '@cdktf/provider-azuread/lib/provider';
import {
  App,
  CastellanStack,
  checkTree,
  SecurityGroup,
  Suppressions,
} from '../../../constructs/index.js';
import { omitUndefined } from '../../../core/values/omit-undefined.js';
import type { BackendProps } from '../../../kinds/index.js';
import {
  AzurermBackend,
  Construct,
  LocalBackend,
  RemoteBackend,
  PrefixedRemoteWorkspaces,
} from '../../../constructs/internal/cdktf.js';

const owner = '11111111-1111-4222-8333-444455556666';
const secondOwner = '21111111-1111-4222-8333-444455556666';

function createStacks(mailNickname: string) {
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-nested-')) });
  const outer = new CastellanStack(new Construct(app, 'stage'), 'outer');
  const inner = new CastellanStack(new Construct(outer, 'team'), 'inner');
  new SecurityGroup(outer, 'g', {
    displayName: 'G',
    mailNickname: 'g',
    owners: [owner, secondOwner],
  });
  new SecurityGroup(inner, 'g', { displayName: 'G', mailNickname, owners: [owner] });
  return { app, outer, inner };
}

const ruleIdsOf = (scope: Construct) =>
  checkTree(scope)
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ ruleId }) => ruleId);

describe('a stack inside another one', () => {
  it('is checked once, wherever the check begins', () => {
    const { app, outer, inner } = createStacks('g g');
    for (const scope of [app, outer, inner])
      expect(ruleIdsOf(scope)).toEqual(['group-mail-nickname', 'group-two-owners']);
    const error = (() => {
      try {
        app.synth();
      } catch (thrown) {
        return String(thrown);
      }
      return '';
    })();
    expect(error.match(/group-mail-nickname/g)).toHaveLength(1);
    expect(error).toContain('[stage/outer/team/inner] ');
  });

  it('does not have the providers of the other one', () => {
    const { app, inner } = createStacks('g');
    new AzureadProvider(inner, 'azuread', { tenantId: owner });
    app.synth();
    const providersOf = (stack: string): unknown =>
      (
        JSON.parse(
          readFileSync(join(app.outdir, 'stacks', stack, 'cdk.tf.json'), 'utf8'),
        ) as Record<string, unknown>
      )['provider'];
    expect(providersOf('outer')).toEqual({ azuread: [{}] });
    expect(providersOf('inner')).toEqual({ azuread: [{ tenant_id: owner }] });
  });

  it.each(['app', 'outer', 'inner'] as const)('has the suppressions of the %s', (where) => {
    const stacks = createStacks('g');
    const props = { reason: 'a second owner starts in May', owner: 'ada', until: '2999-06-01' };
    Suppressions.of(stacks[where]).add('group-two-owners', props);
    for (const scope of [stacks.app, stacks.outer, stacks.inner])
      expect(ruleIdsOf(scope)).toEqual([]);
  });
});

it('a warning in a nested stack is annotated once', () => {
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-nested-')) });
  const inner = new CastellanStack(new CastellanStack(app, 'outer'), 'inner');
  const group = new SecurityGroup(inner, 'g', {
    displayName: 'G',
    membershipRule: 'user.department -eq "a" and user.department -eq "b"',
  });
  app.synth();
  expect(group.node.metadata.map(({ data }) => data as unknown)).toEqual([
    expect.stringContaining('(group-rule-never)'),
  ]);
});

it('two stacks of one id in an app are refused: cdktf would write one over the other', () => {
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-nested-')) });
  for (const team of ['one', 'two']) new CastellanStack(new Construct(app, team), 'shop');
  expect(() => app.synth()).toThrow(
    expect.objectContaining({
      code: 'CAS2009',
      message: expect.stringContaining('the stacks one/shop and two/shop have the same id, shop'),
    }),
  );
});

describe('the state of a stack', () => {
  const blob = { azurerm: { storageAccountName: 'states', containerName: 'states', key: 'main' } };
  const synthesize = (createBackend: (stack: CastellanStack) => void, backend?: BackendProps) => {
    const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-nested-')) });
    for (const name of ['one', 'two'])
      createBackend(new CastellanStack(app, name, omitUndefined({ backend })));
    app.synth();
  };

  it.each<[string, () => void]>([
    ['of its props', () => synthesize(() => {}, blob)],
    [
      'of a construct of cdktf',
      () => synthesize((stack) => void new AzurermBackend(stack, blob.azurerm)),
    ],
    ['in a file', () => synthesize(() => {}, { local: { path: 'main.tfstate' } })],
  ])('%s is refused if another stack has it', (_case, synth) => {
    expect(synth).toThrow(
      expect.objectContaining({
        code: 'CAS2009',
        message: expect.stringContaining('the stacks one and two have the same backend'),
      }),
    );
  });

  it.each<[string, () => void]>([
    ['a default', () => synthesize(() => {})],
    [
      'a file in the folder of each',
      () => synthesize((stack) => void new LocalBackend(stack, { path: 'main.tfstate' })),
    ],
    [
      'a key of each',
      () =>
        synthesize(
          (stack) => void new AzurermBackend(stack, { ...blob.azurerm, key: stack.node.id }),
        ),
    ],
    [
      'a prefix of workspaces',
      () =>
        synthesize((stack) => {
          const workspaces = new PrefixedRemoteWorkspaces('shop-');
          new RemoteBackend(stack, { organization: 'o', workspaces });
        }),
    ],
  ])('may be %s', (_case, synth) => {
    expect(synth).not.toThrow();
  });
});

it('an empty part of an app has no findings', () => {
  expect(checkTree(new Construct(new App(), 'stage'))).toEqual([]);
});
