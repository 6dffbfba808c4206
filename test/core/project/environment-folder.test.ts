import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  copiedFrom,
  copyMark,
  environmentFolder,
} from '../../../core/project/environment-folder.js';

describe('the environment of which another one is a copy', () => {
  const project = mkdtempSync(join(tmpdir(), 'castellan-copies-'));
  const mark = (environment: string, text: string): string => {
    const folder = join(project, environmentFolder(environment));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, copyMark), text);
    return join(folder, copyMark);
  };

  it('is named by a file in the folder of the copy', () => {
    mark('review', '{"of": "prod"}\n');
    expect(copiedFrom(project, 'review')).toBe('prod');
    expect(copiedFrom(project, 'staging')).toBeUndefined();
  });

  it.each(['', '{"of": "pr', '[]', '{"of": 1}'])('is not guessed from %j', (text) => {
    const file = mark('damaged', text);
    expect(() => copiedFrom(project, 'damaged')).toThrow(
      expect.objectContaining({
        code: 'CAS4013',
        message: expect.stringContaining(`${file} does not say of which environment`) as string,
      }),
    );
  });
});
