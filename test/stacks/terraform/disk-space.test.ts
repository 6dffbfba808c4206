import { tmpdir } from 'node:os';
import { requireDiskSpace } from '../../../stacks/terraform/disk-space.js';

describe('free space for an apply', () => {
  it('exists in the temporary folder', async () => {
    await expect(requireDiskSpace(tmpdir())).resolves.toBeUndefined();
  });

  it('is checked before anything changes', async () => {
    await expect(requireDiskSpace('/small', 2 * 1024 * 1024)).rejects.toMatchObject({
      code: 'CAS2106',
      message: expect.stringContaining(
        '/small has 2.0 MB free, and an apply needs 16.0: nothing was changed',
      ) as string,
    });
  });
});
