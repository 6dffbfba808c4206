import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { castellan, cliPath, type CliResult } from '../support/cli.js';

/** How many moments of each kind: one here, 200 in `npm run test:long`. */
const points = Number(process.env['CASTELLAN_INTERRUPTS'] ?? 1);
/** `CASTELLAN_PROPERTY_SEED` draws other moments. */
const random = seeded(Number(process.env['CASTELLAN_PROPERTY_SEED'] ?? 20_261));

vi.setConfig({ testTimeout: 120_000 * Math.max(3, points) });

const declaration = `version: 1
stack: small
groups:
  readers: { kind: security, displayName: Readers, mailNickname: readers }
  writers: { kind: security, displayName: Writers, mailNickname: writers }
workspaces:
  telemetry: { displayName: Telemetry }
eventhouses:
  store: { workspace: telemetry, displayName: store }
`;
const made = ['Readers', 'Writers'];

const project = mkdtempSync(join(tmpdir(), 'castellan-anywhere-'));
const run = (...args: string[]): Promise<CliResult> => castellan(args, { cwd: project });
beforeAll(() => writeFileSync(join(project, 'castellan.yaml'), declaration));
afterAll(async () => {
  await run('sandbox', 'stop');
  rmSync(project, { recursive: true, force: true });
});

/** Runs a command and kills it or the sandbox after a while. @returns how long it took */
async function interrupted(command: readonly string[], kill: 'command' | 'sandbox', after: number): Promise<string> {
  const child = spawn(process.execPath, [cliPath, ...command], {
    cwd: project,
    env: { ...process.env, CI: '1', NO_COLOR: '1' },
    detached: true,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  let said = '';
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text));
  const ended = new Promise<void>((done) => child.once('close', () => done()));
  await Promise.race([ended, wait(after)]);
  if (kill === 'sandbox') killSandbox();
  else if (child.exitCode === null && child.signalCode === null && child.pid !== undefined) process.kill(-child.pid, 'SIGKILL');
  await ended;
  return said;
}

function killSandbox(): void {
  const file = join(project, '.castellan/sandbox.json');
  if (!existsSync(file)) return; // not started yet, or ended in order
  try {
    process.kill((JSON.parse(readFileSync(file, 'utf8')) as { pid: number }).pid, 'SIGKILL');
  } catch (error) {
    if ((error as { code?: string }).code !== 'ESRCH') throw error;
  }
}

async function succeeds(...args: string[]): Promise<string> {
  const { exitCode, stdout, stderr } = await run(...args);
  expect({ args, exitCode, stderr: exitCode === 0 ? '' : stderr }).toEqual({ args, exitCode: 0, stderr: '' });
  return stdout;
}

async function groups(): Promise<string[]> {
  const listed = JSON.parse(await succeeds('directory', 'groups', '--sandbox', '--json')) as unknown;
  const list = (Array.isArray(listed) ? listed : (listed as { value: unknown[] }).value) as { displayName: string }[];
  return list.map(({ displayName }) => displayName).sort();
}

async function millisecondsOf(...args: string[]): Promise<number> {
  const start = performance.now();
  await succeeds(...args);
  return performance.now() - start;
}

/** What follows the interruption must do the whole work, and find nothing twice and nothing forgotten. */
async function convergesUp(): Promise<void> {
  await succeeds('up');
  expect(await succeeds('plan')).toMatch(/no changes/);
  expect(await groups()).toEqual(made);
}

describe('interrupted at any moment', () => {
  let [up, down] = [0, 0];
  beforeAll(async () => {
    await succeeds('sandbox', 'start');
    up = await millisecondsOf('up');
    down = await millisecondsOf('down');
  });

  const moments = (): number[] => Array.from({ length: points }, () => random());

  it.each(moments())('an up that is killed at %f of its time is taken up by the next one', async (moment) => {
    await interrupted(['up'], 'command', up * moment);
    await convergesUp();
    await succeeds('down');
    expect(await groups()).toEqual([]);
  });

  it.each(moments())('a down that is killed at %f of its time is taken up by the next one', async (moment) => {
    await succeeds('up');
    await interrupted(['down'], 'command', down * moment);
    await succeeds('down');
    expect(await groups()).toEqual([]);
    await convergesUp();
    await succeeds('down');
  });

  it.each(moments())('a sandbox, and with it the providers, that is killed at %f of an up comes back with what it knew', async (moment) => {
    const said = await interrupted(['up'], 'sandbox', up * moment);
    expect(said).not.toContain('CAS8999');
    await convergesUp();
    await succeeds('down');
  });

  it.each(moments())('an up right after its sandbox was killed works at once (%f)', async (moment) => {
    await succeeds('sandbox', 'start');
    await wait(200 * moment);
    killSandbox();
    await convergesUp();
    await succeeds('down');
  });
});

/** The same numbers from 0 to 1 for the same seed, anywhere (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}
