import { silentProgress } from '../../../cli/apply/progress.js';
import { CastellanError } from '../../../core/errors/castellan-error.js';
import type { ErrorCode } from '../../../core/errors/catalogue.js';

const failing = (code: ErrorCode, message: string) => ({
  title: message,
  work: () => Promise.reject(new CastellanError(code, message, { details: { message } })),
});

describe('tasks that run in parallel', () => {
  it('all say why they failed', async () => {
    const tasks = [
      failing('CAS2103', 'a failed'),
      failing('CAS2107', 'b failed'),
      failing('CAS2103', 'c failed'),
      { title: 'd', work: () => Promise.reject(new Error('d failed')) },
    ];
    await expect(silentProgress.run(tasks)).rejects.toMatchObject({
      code: 'CAS2103',
      message: expect.stringMatching(
        /^a failed\nCAS2107 [^\n]+: b failed\nc failed\nd failed$/,
      ) as string,
      details: { message: 'a failed' },
    });
  });

  it('fail as the only one that fails', async () => {
    const failure = new CastellanError('CAS2105', 'interrupted');
    const tasks = [
      { title: 'a', work: () => Promise.resolve(1) },
      { title: 'b', work: () => Promise.reject(failure) },
    ];
    await expect(silentProgress.run(tasks)).rejects.toBe(failure);
  });
});
