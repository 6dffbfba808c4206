import { execFileSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { catalogue } from '../../../core/errors/catalogue.js';
import { CastellanError, isCastellanError } from '../../../core/errors/castellan-error.js';
import { errorReference } from '../../../scripts/error-reference.js';
import { root } from '../../support/cli.js';

const codes = Object.keys(catalogue);

describe('the error catalogue', () => {
  it('says for each error what went wrong and what to do', () => {
    for (const { title, help } of Object.values(catalogue)) {
      expect(title).toMatch(/^[A-Z`].{4,}[^.]$/);
      expect(help).toMatch(/^[A-Z`].{4,}\.$/);
    }
  });

  it('is what docs/reference/errors.md lists (UPDATE_DOCS=1 writes it)', () => {
    const page = join(root, 'docs/reference/errors.md');
    if (process.env['UPDATE_DOCS']) writeFileSync(page, errorReference());
    expect(readFileSync(page, 'utf8')).toBe(errorReference());
  });

  it('has no unused code', () => {
    const used = new Set(
      execFileSync(
        'git',
        ['grep', '-hoE', 'CAS[0-9]{4}', '--', '*.ts', ':!core/errors/catalogue', ':!test'],
        {
          cwd: root,
          encoding: 'utf8',
        },
      ).split('\n'),
    );
    expect(codes.filter((code) => !used.has(code))).toEqual([]);
  });
});

describe('a CastellanError', () => {
  it('carries code, title, help, details and cause', () => {
    const cause = new Error('inner');
    const error = new CastellanError('CAS1001', 'x.yaml can not be read', {
      details: { file: 'x.yaml' },
      cause,
    });
    expect(error).toMatchObject({
      code: 'CAS1001',
      title: catalogue.CAS1001.title,
      help: catalogue.CAS1001.help,
      details: { file: 'x.yaml' },
      cause,
    });
    expect(isCastellanError(error)).toBe(true);
    expect(isCastellanError(cause)).toBe(false);
  });
});
