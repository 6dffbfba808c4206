import fs, {
  chmodSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { replaceFile, replaceText } from '../../../core/source/replace-file.js';

let folder: string;
let file: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'castellan-replace-'));
  file = join(folder, 'castellan.yaml');
});
afterEach(() => rmSync(folder, { recursive: true }));

describe('replacing a file', () => {
  it('leaves the old one, and no draft, when the new one can only be written by half', () => {
    writeFileSync(file, 'old');
    const breakOff = (draft: string): void => {
      writeFileSync(draft, 'ne');
      throw new Error('no space left on device');
    };
    expect(() => replaceFile(file, breakOff)).toThrow('no space left');
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual(['old', ['castellan.yaml']]);
  });

  /** Calls back before each call of a function of the file system, until the test ends. */
  const watch = (name: 'fsyncSync' | 'chmodSync', onCall: () => void): void => {
    const original = fs[name] as (...given: unknown[]) => void;
    vi.spyOn(fs, name).mockImplementation((...given: unknown[]) => {
      onCall();
      original(...given);
    });
    syncBuiltinESMExports();
  };
  afterEach(() => {
    vi.restoreAllMocks();
    syncBuiltinESMExports();
  });

  it('has the new one on the disk before it takes the name: a power failure leaves one of both', () => {
    const seen: string[] = [];
    writeFileSync(file, 'old');
    watch('fsyncSync', () => seen.push(readFileSync(file, 'utf8')));
    replaceText(file, 'new');
    expect([seen, readFileSync(file, 'utf8')]).toEqual([['old'], 'new']);
  });

  it('lets nobody read the draft of a secret, before it has the permissions of the old one', () => {
    const seen: number[] = [];
    writeFileSync(file, 'old', { mode: 0o640 });
    watch('chmodSync', () => {
      const draft = readdirSync(folder).find((name) => name.endsWith('.part')) ?? '';
      seen.push(statSync(join(folder, draft)).mode & 0o777);
    });
    replaceText(file, 'new');
    expect([seen, statSync(file).mode & 0o777]).toEqual([[0o600], 0o640]);
  });

  it('writes to a device, which stays where it is', () => {
    const device = join(folder, 'null');
    symlinkSync('/dev/null', device);
    replaceFile(device, (draft) => writeFileSync(draft, 'new'));
    replaceText(device, 'new');
    expect(statSync(device).isCharacterDevice()).toBe(true);
    expect(readdirSync(folder)).toEqual(['null']);
  });

  it('makes a file that is not there yet', () => {
    replaceText(file, 'new');
    expect(readFileSync(file, 'utf8')).toBe('new');
  });

  it('keeps permissions, and the byte order mark that readers leave out', () => {
    writeFileSync(file, '\ufeffold');
    chmodSync(file, 0o664);
    replaceText(file, 'new');
    replaceText(file, '\ufeffnewer');
    expect([readFileSync(file, 'utf8'), statSync(file).mode & 0o777]).toEqual([
      '\ufeffnewer',
      0o664,
    ]);
    replaceText(file, 'newest');
    expect(readFileSync(file, 'utf8')).toBe('\ufeffnewest');
  });

  it('writes through a link to the file that it names', () => {
    const link = join(folder, 'link.yaml');
    writeFileSync(file, 'old');
    symlinkSync(file, link);
    replaceText(link, 'new');
    expect([readFileSync(file, 'utf8'), readdirSync(folder)]).toEqual([
      'new',
      ['castellan.yaml', 'link.yaml'],
    ]);
    expect(readFileSync(link, 'utf8')).toBe('new');
  });

  it('puts nothing in the place of a device', () => {
    replaceText('/dev/null', 'text');
    expect(statSync('/dev/null').isCharacterDevice()).toBe(true);
  });
});
