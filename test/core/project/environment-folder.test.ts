import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import {
  forkedFrom,
  forkFile,
  environmentFolder,
} from '../../../core/project/environment-folder.js';

describe('the folder of an environment', () => {
  it.each(['', '..', '../../prod', 'a/b', 'a b', 'über'])('is none for %j', (name) => {
    expect(() => environmentFolder(name)).toThrow(
      expect.objectContaining({
        code: 'CAS8001',
        message: expect.stringContaining(`there is no environment "${name}"`) as string,
      }),
    );
  });
});

describe('the environment of which another one is a copy', () => {
  const project = mkdtempSync(join(tmpdir(), 'castellan-copies-'));
  const writeForkFile = (environment: string, text: string): string => {
    const folder = join(project, environmentFolder(environment));
    mkdirSync(folder, { recursive: true });
    writeFileSync(join(folder, forkFile), text);
    return join(folder, forkFile);
  };

  it('is named by a file in the folder of the copy', () => {
    writeForkFile('review', '{"of": "prod"}\n');
    expect(forkedFrom(project, 'review')).toBe('prod');
    expect(forkedFrom(project, 'staging')).toBeUndefined();
  });

  it.each(['', '{"of": "pr', '[]', '{"of": 1}'])('is an error if that file contains %j', (text) => {
    const file = writeForkFile('damaged', text);
    expect(() => forkedFrom(project, 'damaged')).toThrow(
      expect.objectContaining({
        code: 'CAS4013',
        message: expect.stringContaining(`${file} does not say of which environment`) as string,
      }),
    );
  });
});
