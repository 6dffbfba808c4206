import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readSourceFile } from '../../../provider/handlers/fabric/source-file.js';

test.each([
  ['is missing', join(tmpdir(), 'castellan-missing.json'), 'no such file'],
  ['is a folder', tmpdir(), 'EISDIR'],
])('a source that %s is refused with the reason', async (_what, path, reason) => {
  await expect(readSourceFile(path)).rejects.toMatchObject({
    summary: 'Invalid file path',
    detail: expect.stringContaining(reason),
  });
});
