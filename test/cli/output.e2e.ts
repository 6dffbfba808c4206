import { spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const castellan = join(__dirname, '../../dist/cli/bin.js');

describe('the output of a check', () => {
  let folder: string;

  beforeAll(() => {
    folder = mkdtempSync(join(tmpdir(), 'castellan-output-'));
    const groups = Array.from(
      { length: 500 },
      (_, index) => `  g${index}: { kind: security, displayName: '' }`,
    );
    writeFileSync(
      join(folder, 'castellan.yaml'),
      `version: 1\nstack: many\ngroups:\n${groups.join('\n')}\n`,
    );
  });
  afterAll(() => rmSync(folder, { recursive: true }));

  const shell = (command: string) =>
    spawnSync('bash', ['-c', command], {
      cwd: folder,
      encoding: 'utf8',
      maxBuffer: 1 << 28,
      env: { ...process.env, NODE: process.execPath },
    });

  it('is the same in a file, a pipe and a socket', async () => {
    const file = shell(`"$NODE" ${castellan} check --json > out.json; cat out.json`).stdout;
    const pipe = shell(`"$NODE" ${castellan} check --json | cat`).stdout;
    const child = spawn(process.execPath, [castellan, 'check', '--json'], {
      cwd: folder,
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    let socket = '';
    for await (const chunk of child.stdout.setEncoding('utf8')) socket += String(chunk);
    const findings = (text: string): unknown =>
      (JSON.parse(text) as { findings: unknown }).findings;
    expect(findings(file)).toHaveLength(1000);
    expect(findings(pipe)).toEqual(findings(file));
    expect(findings(socket)).toEqual(findings(file));
  });

  it('arrives complete in a pipe that is full and does not block', () => {
    const slowReader = `
import os, subprocess, sys, time
read, write = os.pipe()
os.set_blocking(write, False)
child = subprocess.Popen(sys.argv[1:], stdout=write)
os.close(write)
time.sleep(2)
data = b''
while chunk := os.read(read, 65536): data += chunk
print(len(data), child.wait())`;
    const direct = shell(`"$NODE" ${castellan} check --json | wc -c`).stdout.trim();
    const { stdout } = spawnSync(
      'python3',
      ['-c', slowReader, process.execPath, castellan, 'check', '--json'],
      {
        cwd: folder,
        encoding: 'utf8',
      },
    );
    const [length = '', exitCode] = stdout.trim().split(' ');
    // the output contains how long the check took, whose digits may differ
    expect(Math.abs(Number(length) - Number(direct))).toBeLessThan(10);
    expect(exitCode).toBe('1');
  });

  it('ends quietly if the reader has closed the pipe', () => {
    const { stdout, stderr } = shell(`"$NODE" ${castellan} check --json | head -c 20`);
    expect([stdout.length, stderr]).toEqual([20, '']);
  });

  describe.runIf(process.platform === 'linux')('on a full disk', () => {
    it('is a failure with one message', () => {
      const { status, stderr } = shell(`"$NODE" ${castellan} check --json > /dev/full`);
      expect([status, stderr]).toEqual([
        2,
        expect.stringMatching(/^castellan: CAS8203 .*: the disk is full: .*\n.*\n$/),
      ]);
    });

    it("is complete if only the messages for people can't be written", () => {
      const { status, stdout } = shell(`"$NODE" ${castellan} explain no-rule --json 2> /dev/full`);
      expect([status, JSON.parse(stdout)]).toEqual([2, expect.objectContaining({ version: 1 })]);
    });
  });
});
