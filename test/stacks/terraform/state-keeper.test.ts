import {
  linkSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { StateKeeper } from '../../../stacks/terraform/state-keeper.js';

const stateOf = (serial: number, lineage = 'one'): string =>
  JSON.stringify({ version: 4, serial, lineage, resources: [] });
const halfState = stateOf(7).slice(0, 30);
let project: string;
let directory: string;
let path: string;

beforeEach(() => {
  project = mkdtempSync(join(tmpdir(), 'castellan-state-'));
  directory = join(project, 'stacks', 'shop');
  path = join(project, 'terraform.shop.tfstate');
  mkdirSync(directory, { recursive: true });
  backend({ local: { path: '../../terraform.shop.tfstate' } });
});
afterEach(() => rmSync(project, { recursive: true, force: true }));

function backend(kind: object): void {
  writeFileSync(join(directory, 'cdk.tf.json'), JSON.stringify({ terraform: { backend: kind } }));
}

const readState = (): string => readFileSync(path, 'utf8');
const files = (): string[] => readdirSync(project).filter((name) => name.startsWith('terraform.'));
const writeErroredState = (text: string): void =>
  writeFileSync(join(directory, 'errored.tfstate'), text);

/** A run that begins with a state, or without one, and does something to it. */
function run(before: string | undefined, during: (keeper: StateKeeper) => void): StateKeeper {
  if (before !== undefined) writeFileSync(path, before);
  const keeper = new StateKeeper(directory);
  keeper.backUp();
  during(keeper);
  return keeper;
}

describe('a completely written state', () => {
  it('is not changed, and no files are left beside it', () => {
    const keeper = run(stateOf(1), () => writeFileSync(path, stateOf(2)));
    expect(keeper.restoreIfIncomplete()).toBe('intact');
    expect([readState(), files()]).toEqual([stateOf(2), ['terraform.shop.tfstate']]);
  });

  it('has a copy and reserved space beside it while it is written', () => {
    run(stateOf(1), () => undefined);
    expect(files()).toEqual([
      'terraform.shop.tfstate',
      'terraform.shop.tfstate.last-good',
      'terraform.shop.tfstate.reserve',
    ]);
  });

  it('may be missing if nothing was created', () => {
    expect(run(undefined, () => undefined).restoreIfIncomplete()).toBe('intact');
    expect(files()).toEqual([]);
  });

  it('is not mistaken for broken while another first run has it open, still empty', async () => {
    run(undefined, () => writeFileSync(path, ''));
    expect(await new StateKeeper(directory).repair()).toBe('intact');
    expect(files()).toEqual(['terraform.shop.tfstate', 'terraform.shop.tfstate.reserve']);
  });
});

describe.each([
  ['half a text', halfState],
  ['nothing', ''],
])('a state of which %s was written', (_what, writtenText) => {
  it('is replaced by what Terraform printed', () => {
    const keeper = run(stateOf(1), (each) => {
      writeFileSync(path, writtenText);
      writeErroredState('');
      each.onEmergencyState(stateOf(2));
    });
    expect(keeper.restoreIfIncomplete()).toBe('recovered');
    expect([readState(), files(), readdirSync(directory)]).toEqual([
      stateOf(2),
      ['terraform.shop.tfstate'],
      ['cdk.tf.json'],
    ]);
  });

  it('is replaced as a whole, by a file that only its owner can read: states have secrets', () => {
    const before = join(project, 'before');
    const keeper = run(stateOf(1), (each) => {
      writeFileSync(path, writtenText);
      linkSync(path, before);
      each.onEmergencyState(stateOf(2));
    });
    expect(keeper.restoreIfIncomplete()).toBe('recovered');
    expect([readState(), statSync(path).mode & 0o777]).toEqual([stateOf(2), 0o600]);
    expect(readFileSync(before, 'utf8')).toBe(writtenText);
  });

  it('is replaced by what Terraform wrote elsewhere', () => {
    const keeper = run(stateOf(1), () => {
      writeFileSync(path, writtenText);
      writeErroredState(stateOf(2));
    });
    expect(keeper.restoreIfIncomplete()).toBe('recovered');
    expect([readState(), readdirSync(directory)]).toEqual([stateOf(2), ['cdk.tf.json']]);
  });

  it('is replaced by the earlier state if Terraform kept none', () => {
    const keeper = run(stateOf(1), () => writeFileSync(path, writtenText));
    expect(keeper.restoreIfIncomplete()).toBe('restored');
    expect([readState(), files()]).toEqual([stateOf(1), ['terraform.shop.tfstate']]);
  });

  it('is restored by the next run after a killed one', async () => {
    run(stateOf(1), () => writeFileSync(path, writtenText));
    expect(await new StateKeeper(directory).repair()).toBe('restored');
    expect([readState(), files()]).toEqual([stateOf(1), ['terraform.shop.tfstate']]);
  });
});

describe('a state that cannot be restored', () => {
  it('is moved aside if there was none before, and kept', () => {
    const keeper = run(undefined, () => writeFileSync(path, halfState));
    expect(keeper.restoreIfIncomplete()).toBe('lost');
    expect(files()).toEqual(['terraform.shop.tfstate.broken']);
  });

  it('is left alone if no run of ours broke it', async () => {
    writeFileSync(path, halfState);
    expect(await new StateKeeper(directory).repair()).toBe('intact');
    expect([readState(), files()]).toEqual([halfState, ['terraform.shop.tfstate']]);
  });
});

describe('a state that Terraform stored elsewhere', () => {
  it('is taken by the next run where its own was killed, and the one in its place is older', async () => {
    run(stateOf(1), () => writeErroredState(stateOf(2)));
    expect(await new StateKeeper(directory).repair()).toBe('recovered');
    expect(readState()).toBe(stateOf(2));
  });

  it.each([
    ['older', stateOf(1)],
    ['of another lineage', stateOf(9, 'other')],
    ['half a text', halfState],
  ])('is not taken where it is %s', async (_what, text) => {
    writeFileSync(path, stateOf(2));
    writeErroredState(text);
    expect(await new StateKeeper(directory).repair()).toBe('intact');
    expect(readState()).toBe(stateOf(2));
  });

  it('is not taken after a run where it is of another lineage, or from an earlier run', () => {
    const other = run(stateOf(1), () => writeErroredState(stateOf(9, 'other')));
    expect([other.restoreIfIncomplete(), readState()]).toEqual(['intact', stateOf(1)]);
    const printed = run(stateOf(1), (each) => each.onEmergencyState(stateOf(9, 'other')));
    expect([printed.restoreIfIncomplete(), readState()]).toEqual(['intact', stateOf(1)]);
    writeErroredState(stateOf(9));
    const later = run(stateOf(1), () => writeFileSync(path, stateOf(2)));
    expect([later.restoreIfIncomplete(), readState()]).toEqual(['intact', stateOf(2)]);
  });
});

it('leaves states alone that are not local', () => {
  backend({ azurerm: {} });
  const keeper = run(undefined, (each) => each.onEmergencyState(stateOf(1)));
  expect([keeper.path, keeper.restoreIfIncomplete(), files()]).toEqual([undefined, 'intact', []]);
});

it('starts nothing without space for the copy', () => {
  backend({ local: { path: '../../missing/terraform.shop.tfstate' } });
  expect(() => new StateKeeper(directory).backUp()).toThrow(/Nothing was changed/);
});
