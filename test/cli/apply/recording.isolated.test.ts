import { PassThrough } from 'node:stream';
import { withRecording } from '../../../cli/apply/recording.js';

const recordSandbox = vi.hoisted(() => vi.fn());
vi.mock('../../../sandbox/index.js', () => ({ recordSandbox }));

describe('work that is recorded', () => {
  const sandbox = { projectDir: '/project', environmentName: undefined } as never;
  const stderr = new PassThrough();
  const io = { cwd: '/project', env: {}, stdout: new PassThrough(), stderr };

  it('fails by its own failure where the sandbox has ended meanwhile', async () => {
    recordSandbox.mockResolvedValueOnce({}).mockRejectedValueOnce(new Error('no sandbox runs'));
    await expect(
      withRecording({ sandbox }, { record: 'calls.har' }, io, () =>
        Promise.reject(new Error('terraform failed')),
      ),
    ).rejects.toThrow('terraform failed');
  });

  it('says how many calls were recorded', async () => {
    recordSandbox.mockResolvedValueOnce({}).mockResolvedValueOnce({ calls: 3 });
    expect(
      await withRecording({ sandbox }, { record: 'calls.har' }, io, () => Promise.resolve('done')),
    ).toBe('done');
    expect(String(stderr.read())).toBe('calls.har: 3 calls recorded\n');
  });
});
