import { existsSync, mkdtempSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { makeFolder } from '../../../core/source/make-folder.js';

const root = mkdtempSync(join(tmpdir(), 'castellan-folder-'));
afterAll(() => rmSync(root, { recursive: true, force: true }));

test('a folder is made with those above it, and the topmost new one is reported', () => {
  expect(makeFolder(join(root, 'a/b/c/'), 0o700)).toBe(join(root, 'a'));
  expect(['a', 'a/b', 'a/b/c'].map((each) => statSync(join(root, each)).mode & 0o777)).toEqual([
    0o700, 0o700, 0o700,
  ]);
  expect(makeFolder(join(root, 'a/b/c'))).toBeUndefined();
  expect(makeFolder(join(root, 'a/b/d'))).toBe(join(root, 'a/b/d'));
});

test('a link to a folder is a folder', () => {
  makeFolder(join(root, 'real'));
  symlinkSync(join(root, 'real'), join(root, 'link'));
  expect(makeFolder(join(root, 'link/inner'))).toBe(join(root, 'link/inner'));
  expect(existsSync(join(root, 'real/inner'))).toBe(true);
});

test.each([
  ['a file', 'EEXIST', ''],
  ['a folder below a file', 'E(NOTDIR|EXIST)', '/below'],
])('%s in its place is an error', (_, code, below) => {
  writeFileSync(join(root, 'file'), '');
  expect(() => makeFolder(join(root, `file${below}`))).toThrow(new RegExp(code));
});

test('where nothing can be made it ends at once', () => {
  expect(() => makeFolder('/proc/none/deeper')).toThrow(/ENOENT|EACCES|EPERM/);
});
