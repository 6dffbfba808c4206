import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Group as AzureadGroup } from '@cdktf/provider-azuread/lib/group';
import { App, CastellanStack, checkTree, UnifiedGroup } from '../../../constructs/index.js';
import { Construct } from '../../../constructs/internal/cdktf.js';
import { type Finding, isCastellanError } from '../../../core/index.js';
import { runCheck, type RunCheckOptions } from '../../../policies/check/run-check.js';
import { fakeDirectory } from '../../support/fake-directory.js';
import { westEurope } from '../support/synthesized.js';

const nickname = 'sho ppers';
const yaml = `version: 1
stack: shop
groups:
  shoppers: { kind: unified, displayName: Shoppers, mailNickname: "${nickname}" }
`;
const address = 'azuread_group.shoppers';
const liveId = '99999999-2222-4333-8444-555555555555';
const group = {
  display_name: 'Shoppers',
  mail_nickname: nickname,
  mail_enabled: true,
  security_enabled: false,
  types: ['Unified'],
};
const identity = { address, mode: 'managed', type: 'azuread_group', name: 'shoppers' };
const planOf = (after: object, afterUnknown: object = {}) => ({
  format_version: '1.2',
  resource_changes: [
    {
      ...identity,
      change: { actions: ['create'], before: null, after, after_unknown: afterUnknown },
    },
  ],
});
const stateOf = (values: object) => ({
  format_version: '1.0',
  values: {
    root_module: { resources: [{ ...identity, values: { id: `/groups/${liveId}`, ...values } }] },
  },
});
const live = (mailNickname: string) =>
  fakeDirectory([
    {
      id: liveId,
      displayName: 'Shoppers',
      mailNickname,
      mailEnabled: true,
      securityEnabled: false,
      groupTypes: ['Unified'],
      owners: [],
    },
  ]);

let folder: string;
beforeEach(() => (folder = mkdtempSync(join(tmpdir(), 'castellan-one-finding-'))));
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const write = (name: string, content: unknown): string => {
  writeFileSync(
    join(folder, name),
    typeof content === 'string' ? content : JSON.stringify(content),
  );
  return name;
};
const ruleId = 'group-mail-nickname';
const findingsOf = async (options: Partial<RunCheckOptions>): Promise<readonly Finding[]> =>
  (await runCheck({ paths: [], cwd: folder, env: {}, ...options })).findings.filter(
    (finding) => finding.ruleId === ruleId,
  );
const newStack = () =>
  new CastellanStack(
    new App({ outdir: join(folder, 'out'), context: { 'castellan:errors': 'at once' } }),
    'shop',
    westEurope,
  );
const findingsThrownBy = (create: () => unknown): readonly Finding[] => {
  try {
    create();
  } catch (error) {
    if (isCastellanError(error)) return error.details['findings'] as readonly Finding[];
    throw error;
  }
  return [];
};

describe('one violation', () => {
  it('is one finding with one fingerprint in YAML, construct, plan, state and live service', async () => {
    const paths = [write('castellan.yaml', yaml)];
    const [plan, state] = [write('plan.json', planOf(group)), write('state.json', stateOf(group))];
    const [inYaml] = (await findingsOf({ paths })) as [Finding];
    const [inProgram] = findingsThrownBy(
      () =>
        new UnifiedGroup(newStack(), 'shoppers', {
          displayName: 'Shoppers',
          mailNickname: nickname,
        }),
    );
    const plainStack = newStack();
    const plainProps = {
      displayName: 'Shoppers',
      mailNickname: nickname,
      mailEnabled: true,
      types: ['Unified'],
    };
    new AzureadGroup(plainStack, 'shoppers', plainProps);
    const [inPlainResource] = checkTree(plainStack).filter((finding) => finding.ruleId === ruleId);
    const [inPlan] = await findingsOf({ plan });
    const [inState] = await findingsOf({ state });
    const [inDirectory] = await findingsOf({ paths, live: live(nickname) });
    for (const finding of [inProgram, inPlainResource, inPlan, inState, inDirectory])
      expect(finding).toMatchObject({
        verdict: 'fail',
        fingerprint: inYaml.fingerprint,
        message: inYaml.message,
        severity: 'error',
      });
    expect(inYaml).toMatchObject({ location: { file: 'castellan.yaml', line: 4 }, stack: 'shop' });
    expect(inProgram).toMatchObject({
      location: { file: __filename },
      constructPath: 'shop/shoppers',
    });
    expect(inPlainResource).toMatchObject({
      location: { file: __filename },
      constructPath: 'shop/shoppers',
      terraformAddress: address,
    });
    expect(inPlan).toMatchObject({ terraformAddress: address });
    expect(inState).toMatchObject({ terraformAddress: address, liveId });
    expect(inDirectory).toMatchObject({ location: { line: 4 }, liveId });
  });

  it('merges into one finding with all of its places in one run', async () => {
    const paths = [write('castellan.yaml', yaml)];
    const [plan, state] = [write('plan.json', planOf(group)), write('state.json', stateOf(group))];
    const findings = await findingsOf({ paths, plan, state, live: live(nickname) });
    expect(findings).toMatchObject([
      {
        location: { file: 'castellan.yaml', line: 4 },
        terraformAddress: address,
        liveId,
        stack: 'shop',
      },
    ]);
    expect(findings).toHaveLength(1);
  });

  it('has the same fingerprint in a construct that is in a scope and in its plan', async () => {
    const create = (mailNickname: string) =>
      new UnifiedGroup(new Construct(newStack(), 'team'), 'shoppers', {
        displayName: 'Shoppers',
        mailNickname,
      });
    const name = create('shoppers').terraformName ?? '';
    expect(name).toMatch(/^team_shoppers_[0-9A-F]{8}$/);
    const [inProgram] = findingsThrownBy(() => create(nickname));
    const [resource] = planOf(group).resource_changes;
    const named = { ...resource, name, address: `azuread_group.${name}` };
    const [inPlan] = await findingsOf({
      plan: write('plan.json', { format_version: '1.2', resource_changes: [named] }),
    });
    expect(inProgram).toMatchObject({
      path: ['groups', 'team/shoppers', 'mailNickname'],
      fingerprint: inPlan?.fingerprint,
    });
  });
});

describe('a value that is not known yet', () => {
  const yamlWithVariable = yaml.replace(`"${nickname}"`, '"${env:NICKNAME}"');
  const verdicts = async (options: Partial<RunCheckOptions>) =>
    (await findingsOf({ paths: ['castellan.yaml'], ...options })).map(
      ({ verdict, terraformAddress, location }) =>
        `${verdict} ${location?.line} ${terraformAddress ?? ''}`.trim(),
    );

  it('is reported as unknown, and judged on the plan and after apply', async () => {
    write('castellan.yaml', yamlWithVariable);
    const { mail_nickname: _nickname, ...withoutNickname } = group;
    const unknown = write('unknown.json', planOf(withoutNickname, { mail_nickname: true }));
    const bad = write('bad.json', planOf(group));
    const good = write('good.json', planOf({ ...group, mail_nickname: 'shoppers' }));
    const state = write('state.json', stateOf(group));
    expect(await verdicts({})).toEqual(['unknown 4']);
    expect(await verdicts({ env: { NICKNAME: 'shoppers' } })).toEqual([]);
    expect(await verdicts({ plan: unknown })).toEqual(['unknown 4']);
    expect(await verdicts({ plan: bad })).toEqual([`fail 4 ${address}`]);
    expect(await verdicts({ plan: good })).toEqual([]);
    expect(await verdicts({ plan: unknown, state })).toEqual([`fail 4 ${address}`]);
    expect(await verdicts({ state })).toEqual([`fail 4 ${address}`]);
    expect(await verdicts({ live: live('shoppers') })).toEqual([]);
  });

  it('is judged by rules that look at several declarations, too', async () => {
    write(
      'castellan.yaml',
      `${yamlWithVariable}  buyers: { kind: unified, displayName: Buyers, mailNickname: buyers }\n`,
    );
    const plan = write('plan.json', planOf({ ...group, mail_nickname: 'buyers' }));
    const { findings } = await runCheck({ paths: ['castellan.yaml'], plan, cwd: folder, env: {} });
    const unique = findings.filter((finding) => finding.ruleId === 'group-mail-nickname-unique');
    expect(unique.map(({ verdict }) => verdict)).toContain('fail');
    expect(findings.filter(({ verdict }) => verdict === 'unknown')).toEqual([]);
  });

  it('stays unknown if the plan may belong to either of two stacks', async () => {
    write('castellan.yaml', yamlWithVariable);
    write('other.yaml', yamlWithVariable.replace('stack: shop', 'stack: other'));
    const plan = write('plan.json', planOf({ ...group, mail_nickname: 'shoppers' }));
    expect(await verdicts({ paths: ['castellan.yaml', 'other.yaml'], plan })).toEqual([
      'unknown 4',
      'unknown 4',
    ]);
  });
});
