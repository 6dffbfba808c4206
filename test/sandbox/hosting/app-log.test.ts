import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, unlinkSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AppLog, appLogFile } from '../../../sandbox/hosting/app-log.js';

let root: string;
beforeEach(() => (root = mkdtempSync(join(tmpdir(), 'castellan-app-log-'))));
afterEach(() => rmSync(root, { recursive: true }));

test('a log whose folder was deleted begins anew', () => {
  const log = new AppLog(root, 'web', () => new Date(0));
  log.writeLine(0, 'before');
  rmSync(join(root, 'logs'), { recursive: true });
  log.writeLine(0, 'after');
  expect(readFileSync(appLogFile(root, 'web'), 'utf8')).toBe('1970-01-01T00:00:00.000Z 0 after\n');
});

test('an app and its sandbox go on while a full disk takes no line of its log', () => {
  const log = new AppLog(root, 'web', () => new Date(0));
  const lines: string[] = [];
  log.subscribe((line) => lines.push(line));
  const file = appLogFile(root, 'web');
  symlinkSync('/dev/full', file);
  const write = log.writer(0);
  write('lost\nfirst ');
  unlinkSync(file);
  write('kept\n');
  const at = '1970-01-01T00:00:00.000Z 0';
  expect(lines).toEqual([`${at} lost`, `${at} first kept`]);
  expect(readFileSync(file, 'utf8')).toBe(`${at} first kept\n`);
});

test('an app and its sandbox go on where a folder is in the place of the log', () => {
  const log = new AppLog(root, 'web', () => new Date(0));
  const lines: string[] = [];
  log.subscribe((line) => lines.push(line));
  mkdirSync(appLogFile(root, 'web'));
  log.writeLine(0, 'lost');
  expect(lines).toEqual(['1970-01-01T00:00:00.000Z 0 lost']);
});

test('a note of the sandbox ends a line that the app has not ended', () => {
  const log = new AppLog(root, 'web', () => new Date(0));
  const write = log.writer(0);
  for (const text of ['fatal: no ', 'database', 'castellan: it ended\n']) write(text);
  const at = '1970-01-01T00:00:00.000Z 0';
  expect(readFileSync(appLogFile(root, 'web'), 'utf8')).toBe(
    `${at} fatal: no database\n${at} castellan: it ended\n`,
  );
});
