import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { secretGenerator } from '../../../cli/apply/generated-secrets.js';

describe('the generated value of an unset secret', () => {
  const project = mkdtempSync(join(tmpdir(), 'castellan-secrets-'));

  it('is always the same, so that a second up changes nothing', () => {
    const first = secretGenerator(project).valueOf('CODEHOST_SECRET');
    expect(secretGenerator(project).valueOf('CODEHOST_SECRET')).toBe(first);
    expect(first).toMatch(/^stand-in-.{20,}$/);
  });

  it('differs between secrets and projects', () => {
    const secrets = secretGenerator(project);
    expect(secrets.valueOf('OTHER')).not.toBe(secrets.valueOf('CODEHOST_SECRET'));
    expect(
      secretGenerator(mkdtempSync(join(tmpdir(), 'castellan-secrets-'))).valueOf('OTHER'),
    ).not.toBe(secrets.valueOf('OTHER'));
  });

  it('is a text for a name that every object has, too', () => {
    expect(secretGenerator(project).valueOf('constructor')).toMatch(/^stand-in-/);
  });

  it('is listed by the name of its secret', () => {
    const secrets = secretGenerator(project);
    secrets.valueOf('B');
    secrets.valueOf('A');
    secrets.valueOf('B');
    expect(secrets.requested).toEqual(['B', 'A']);
  });

  it('is stored in a file that only its owner can read', () => {
    expect(statSync(join(project, '.castellan/stand-in-secrets.json')).mode & 0o777).toBe(0o600);
  });

  it.each(['{"CODEHOST_SECRET": "stand', '[]', '{"CODEHOST_SECRET": 1}'])(
    'is not generated again where the file is damaged: %s',
    (text) => {
      const damaged = mkdtempSync(join(tmpdir(), 'castellan-secrets-'));
      const file = join(damaged, '.castellan/stand-in-secrets.json');
      mkdirSync(join(damaged, '.castellan'));
      writeFileSync(file, text);
      expect(() => secretGenerator(damaged).valueOf('CODEHOST_SECRET')).toThrow(
        `${file} is not a JSON object of secrets: correct it, or delete it for new values`,
      );
      expect(readFileSync(file, 'utf8')).toBe(text);
    },
  );
});
