import { appendFileSync, mkdirSync, renameSync } from 'node:fs';
import { Writable } from 'node:stream';
import { showLogs } from '../../../cli/commands/logs.js';
import { waitUntil } from '../../support/wait-until.js';
import { useProject } from './support/project.js';

const { path, write, run } = useProject();

describe('castellan logs', () => {
  beforeEach(() => {
    mkdirSync(path('.castellan/logs'), { recursive: true });
    write('.castellan/logs/shop.log', '2026-11-22T12:00:00.000Z 0 first\n');
  });

  it('refuses a time that lies before all times', async () => {
    const { exitCode, stderr } = await run('logs', '--since', '200000000d');
    expect([exitCode, stderr]).toEqual([
      2,
      expect.stringContaining('CAS8001 Unknown command or option: --since 200000000d: allowed are'),
    ]);
  });

  it.each(['2026-02-30', '2026-11-22T25:00:00Z', '2026-11-22 noon'])(
    'refuses %s, which is no time',
    async (time) => {
      const { exitCode, stderr } = await run('logs', '--since', time);
      expect([exitCode, stderr]).toEqual([2, expect.stringContaining(`--since ${time}: allowed`)]);
    },
  );

  it('takes a time without an offset for UTC, as logs have it', async () => {
    const since = async (time: string) => (await run('logs', 'shop', '--since', time)).stdout;
    expect(await since('2026-11-22 12:00:00')).toContain('first');
    expect(await since('2026-11-22T12:00:01')).toBe('');
  });

  it('says of which sandbox there are none', async () => {
    const { exitCode, stdout, stderr } = await run('logs', '-e', 'prod');
    expect([exitCode, stdout]).toEqual([0, '']);
    expect(stderr).toMatch(/no process of an app ran in the sandbox of .* \(environment prod\)\n$/);
  });

  it('shows the lines since a day', async () => {
    write(
      '.castellan/logs/shop.log',
      '2026-11-22T12:00:00.000Z 0 first\n2026-11-23T12:00:00.000Z 0 second\n',
    );
    expect((await run('logs', 'shop', '--since', '2026-11-23')).stdout).toBe(
      '2026-11-23T12:00:00.000Z 0 second\n',
    );
  });

  it('shows the earlier file first, and no half of a line that is being written', async () => {
    write('.castellan/logs/shop.log.1', '2026-11-21T12:00:00.000Z 0 earlier\n');
    write('.castellan/logs/shop.log', '2026-11-22T12:00:00.000Z 0 first\n2026-11-22T12:00');
    expect((await run('logs', 'shop')).stdout).toBe(
      '2026-11-21T12:00:00.000Z 0 earlier\n2026-11-22T12:00:00.000Z 0 first\n',
    );
  });

  it('follows the apps that are deployed later, too', async () => {
    let output = '';
    const stdout = new Writable({
      write(chunk: Buffer, _encoding, done) {
        output += chunk.toString();
        done();
      },
    });
    const all = { app: undefined, since: undefined, follow: true, format: 'text' } as const;
    const following = showLogs(all, { stdout, stderr: stdout, env: {}, cwd: path() });
    await waitUntil('the first app', () => output === '2026-11-22T12:00:00.000Z 0 first\n');
    write('.castellan/logs/orders.log', '2026-11-23T12:00:00.000Z 0 second\n');
    try {
      await waitUntil('the second app', () =>
        output.endsWith('\norders 2026-11-23T12:00:00.000Z 0 second\n'),
      );
    } finally {
      process.emit('SIGINT');
    }
    await following;
  });

  it('follows into the new file when a log is renamed, without losing or repeating a line', async () => {
    let output = '';
    const stdout = new Writable({
      write(chunk: Buffer, _encoding, done) {
        output += chunk.toString();
        done();
      },
    });
    const shop = { app: 'shop', since: undefined, follow: true, format: 'text' } as const;
    const following = showLogs(shop, { stdout, stderr: stdout, env: {}, cwd: path() });
    const line = (text: string): string => `2026-11-22T12:00:00.000Z 0 ${text}\n`;
    await waitUntil('the first line', () => output === line('first'));
    // before the file is read again, it gets a last line, and the next file is longer than it
    appendFileSync(path('.castellan/logs/shop.log'), line('last'));
    renameSync(path('.castellan/logs/shop.log'), path('.castellan/logs/shop.log.1'));
    const more = ['one', 'two', 'three', 'four'].map(line).join('');
    write('.castellan/logs/shop.log', more);
    try {
      await waitUntil('the new file', () => output.endsWith(line('four')));
    } finally {
      process.emit('SIGINT');
    }
    await following;
    expect(output).toBe(line('first') + line('last') + more);
  });
});
