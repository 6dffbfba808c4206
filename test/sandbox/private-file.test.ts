import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { readJson } from '../../sandbox/private-file.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-private-'));

describe('the JSON of a file', () => {
  it('is undefined for one that is missing, or was cut off', () => {
    writeFileSync(join(folder, 'cut.json'), '{"pid": 1');
    expect(readJson(join(folder, 'none.json'))).toBeUndefined();
    expect(readJson(join(folder, 'cut.json'))).toBeUndefined();
  });

  it('is an error for one that cannot be read, as where another user owns it', () => {
    mkdirSync(join(folder, 'sandbox.json'));
    const file = join(folder, 'sandbox.json');
    expect(() => readJson(file)).toThrow(
      expect.objectContaining({
        code: 'CAS4013',
        message: expect.stringContaining(`${file} can't be read: EISDIR`) as string,
      }),
    );
  });
});
