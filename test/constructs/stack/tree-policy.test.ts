import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  App,
  checkTree,
  Eventhouse,
  SecurityGroup,
  Suppressions,
  Workspace,
} from '../../../constructs/index.js';
import { Construct, TerraformStack } from '../../../constructs/internal/cdktf.js';

const owner = '11111111-1111-4222-8333-444455556666';
const folder = mkdtempSync(join(tmpdir(), 'castellan-policy-'));
const createStack = () => {
  const stack = new TerraformStack(new App({ outdir: join(folder, 'out') }), 'shop');
  const group = new SecurityGroup(new Construct(stack, 'team'), 'g', {
    displayName: 'G',
    mailNickname: 'g',
    owners: [owner],
  });
  return { stack, group };
};
const failuresOf = (stack: Construct) =>
  checkTree(stack, { now: new Date('2027-01-01') })
    .filter(({ verdict }) => verdict === 'fail')
    .map(({ ruleId, severity }) => `${severity} ${ruleId}`);
const writePolicy = (text: string) =>
  writeFileSync(join(folder, 'castellan.policy.yaml'), `version: 1\n${text}`);

describe('castellan.policy.yaml beside a program', () => {
  beforeEach(() => void vi.spyOn(process, 'cwd').mockReturnValue(folder));
  afterEach(() => vi.restoreAllMocks());

  it('sets severities, also for a stack or the environment default, and turns rules off', () => {
    expect(failuresOf(createStack().stack)).toEqual(['info group-two-owners']);
    writePolicy('rules: { group-two-owners: error }\n');
    expect(failuresOf(createStack().stack)).toEqual(['error group-two-owners']);
    expect(() => (createStack().stack.node.root as App).synth()).toThrow(
      /\[shop\] .*group-two-owners/,
    );
    writePolicy('scopes:\n  - stacks: [shop]\n    rules: { group-two-owners: off }\n');
    expect(failuresOf(createStack().stack)).toEqual([]);
    writePolicy('scopes:\n  - environments: [default]\n    rules: { group-two-owners: off }\n');
    expect(failuresOf(createStack().stack)).toEqual([]);
  });

  it('accepts findings, and is checked for mistakes of its own', () => {
    writePolicy(
      'suppressions:\n  - { rule: group-two-owners, reason: soon, owner: ada, until: "2027-06-01" }\n',
    );
    expect(failuresOf(createStack().stack)).toEqual([]);
    writePolicy('rules: { group-two-owner: error }\n');
    expect(failuresOf(createStack().stack)).toEqual(['error policy-rule', 'info group-two-owners']);
    writePolicy('rule: {}\n');
    expect(failuresOf(createStack().stack)[0]).toMatch(/property-unknown/);
    writePolicy('');
  });
});

describe('options of rules in castellan.policy.yaml', () => {
  beforeEach(() => void vi.spyOn(process, 'cwd').mockReturnValue(folder));
  afterEach(() => {
    writePolicy('');
    vi.restoreAllMocks();
  });
  const workspaceWithTwoEventhouses = () => {
    const stack = new TerraformStack(new App({ outdir: join(folder, 'out') }), 'shop');
    const workspace = new Workspace(stack, 'w', { displayName: 'W', capacityId: owner });
    for (const name of ['a', 'b']) new Eventhouse(stack, name, { workspace, displayName: name });
    return stack;
  };

  it('change the limit that synth enforces', () => {
    writePolicy('rules: { workspace-items-limit: { options: { limit: 3 } } }\n');
    expect(failuresOf(workspaceWithTwoEventhouses())).toEqual(['error workspace-items-limit']);
    writePolicy('rules: { workspace-items-limit: { options: { limit: 4 } } }\n');
    expect(failuresOf(workspaceWithTwoEventhouses())).toEqual([]);
  });

  it('are refused once, at their line', () => {
    writePolicy('rules: { workspace-items-limit: { options: { max: 3 } } }\n');
    const findings = checkTree(workspaceWithTwoEventhouses());
    expect(findings.map(({ ruleId, location }) => [ruleId, location?.line])).toEqual([
      ['policy-rule', 2],
    ]);
  });
});

describe('suppressions of a program', () => {
  const props = { reason: 'a second owner starts in May', owner: 'ada', until: '2027-06-01' };

  it('accept findings of a construct, and of those below it', () => {
    const { stack, group } = createStack();
    Suppressions.of(group).add('group-two-owners', props);
    expect(failuresOf(stack)).toEqual([]);
    const otherProgram = createStack();
    Suppressions.of(otherProgram.stack).add('group-two-owners', props);
    expect(failuresOf(otherProgram.stack)).toEqual([]);
  });

  it('are findings themselves if they are unused, expired, or name no rule', () => {
    const { stack, group } = createStack();
    Suppressions.of(group).add('group-two-owners', { ...props, until: '2026-06-01' });
    Suppressions.of(group).add('group-mail-nickname', props);
    Suppressions.of(group).add('group-two-owner', props);
    const findings = checkTree(stack, { now: new Date('2027-01-01') });
    const ids = findings.flatMap(({ verdict, ruleId }) => (verdict === 'fail' ? [ruleId] : []));
    expect(ids.sort()).toEqual([
      'group-two-owners',
      'suppression-expired',
      'suppression-incomplete',
      'suppression-unused',
    ]);
    expect(findings.at(-1)?.location?.file).toBe(__filename);
  });
});
