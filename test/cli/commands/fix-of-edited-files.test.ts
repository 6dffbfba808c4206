import { PassThrough, Writable } from 'node:stream';
import { main } from '../../../cli/main.js';
import { shopConfig, useProject } from './support/project.js';

const { path, read, write } = useProject();

/** Runs `castellan fix` on a terminal; `answer` runs at its question and returns the answer. */
async function fixOnTerminal(answer: () => string): Promise<{ exitCode: number; stderr: string }> {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  let text = '';
  const stderr = new Writable({
    write(chunk: Buffer, _encoding, done) {
      text += chunk.toString();
      if (chunk.includes('Write these changes?')) stdin.write(`${answer()}\n`);
      done();
    },
  });
  const exitCode = await main(['fix'], {
    stdout: new PassThrough().resume(),
    stderr: Object.assign(stderr, { isTTY: true }),
    stdin: () => stdin,
    env: { NO_COLOR: '1' },
    cwd: path(),
  });
  return { exitCode, stderr: text };
}

describe('castellan fix, asking before it writes', () => {
  it('writes what it showed', async () => {
    write('castellan.yaml', shopConfig);
    expect(await fixOnTerminal(() => 'y')).toMatchObject({ exitCode: 0 });
    expect(read('castellan.yaml')).toContain('allowInsecure: false');
  });

  it('writes no file if one of them was edited during the question', async () => {
    const overlay = 'containerApps:\n  shop: { replicas: { minn: 2 } }\n';
    write('castellan.yaml', shopConfig);
    write('castellan.prod.yaml', overlay);
    const edited = `${overlay}# edited meanwhile\n`;
    const { exitCode, stderr } = await fixOnTerminal(() => {
      write('castellan.prod.yaml', edited);
      return 'y';
    });
    expect([read('castellan.yaml'), read('castellan.prod.yaml')]).toEqual([shopConfig, edited]);
    expect(exitCode).toBe(2);
    expect(stderr).toContain('castellan.prod.yaml changed since it was checked');
  });
});
