import { mkdirSync } from 'node:fs';
import { Writable } from 'node:stream';
import { withApplyLock } from '../../../cli/apply/apply-lock.js';
import { readApplyOptions } from '../../../cli/apply/options.js';
import type { CliIo } from '../../../cli/command.js';
import { takeLock } from '../../../sandbox/background/lock.js';
import { useProject } from '../commands/support/project.js';

const { path } = useProject();

describe.each([
  { environment: 'default', folder: '.castellan/azure', name: '' },
  {
    environment: 'prod',
    folder: '.castellan/environments/prod/azure',
    name: ' (environment prod)',
  },
])('a command for the cloud in the environment $environment', ({ environment, folder, name }) => {
  it('waits for another one in this folder: the approval of a plan applies no other', async () => {
    let printed = '';
    const stderr = new Writable({
      write(chunk: Buffer, _encoding, done) {
        printed += chunk.toString();
        done();
      },
    });
    const io = { stderr, env: {}, cwd: path() } as unknown as CliIo;
    const options = readApplyOptions(['.'], { target: 'azure', environment, download: false });
    mkdirSync(path(folder), { recursive: true });
    const lock = takeLock(path(`${folder}/apply.lock`));
    let hasWorked = false;
    const working = withApplyLock(options, io, () => Promise.resolve((hasWorked = true)));
    expect([hasWorked, printed]).toEqual([
      false,
      `another castellan works on ${path()}${name} with --target azure: waiting for it\n`,
    ]);
    lock?.release();
    expect(await working).toBe(true);
  });
});
