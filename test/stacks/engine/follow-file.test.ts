import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { followFile } from '../../../stacks/engine/follow-file.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-follow-'));
const file = join(folder, 'events.jsonl');
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const line = fc.string({ unit: 'grapheme', maxLength: 80 }).map((text) => text.replace(/\n/g, ' '));

describe('a file that is followed', () => {
  it('returns every line once, whatever chunks it was written in', () => {
    fc.assert(
      fc.property(fc.array(line, { minLength: 1 }), fc.array(fc.nat(200)), (lines, cuts) => {
        writeFileSync(file, 'written before\n');
        const seen: string[] = [];
        const end = followFile(file, Buffer.byteLength('written before\n'), (each) =>
          seen.push(each),
        );
        const bytes = Buffer.from(`${lines.join('\n')}\n`);
        const ends = [...new Set([...cuts, bytes.length])]
          .filter((cut) => cut <= bytes.length)
          .sort((one, other) => one - other);
        ends.reduce((start, stop) => (appendFileSync(file, bytes.subarray(start, stop)), stop), 0);
        end();
        expect(seen).toEqual(lines);
      }),
    );
  });

  it('returns lines while the file grows, and an incomplete last line at the end', async () => {
    writeFileSync(file, '');
    const seen: string[] = [];
    const end = followFile(file, 0, (each) => seen.push(each));
    appendFileSync(file, 'one\ntw');
    await vi.waitFor(() => expect(seen).toEqual(['one']));
    appendFileSync(file, 'o');
    end();
    expect(seen).toEqual(['one', 'two']);
  });
});
