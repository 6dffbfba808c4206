import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { requireEmptyState } from '../../../../cli/commands/adopt/adopt-into-state.js';

describe('a stack whose state is to be filled by adoption', () => {
  const cwd = mkdtempSync(join(tmpdir(), 'castellan-adopt-state-'));
  const io = { cwd, env: {}, stdout: process.stdout, stderr: process.stderr };
  const resources = [{ mode: 'managed', type: 'azuread_group', name: 'sales', instances: [] }];
  const writeState = (path: string, text: string): void => {
    mkdirSync(dirname(join(cwd, path)), { recursive: true });
    writeFileSync(join(cwd, path), text);
  };
  afterAll(() => {
    rmSync(cwd, { recursive: true });
  });

  it.each([
    ['sandbox', undefined, '.castellan/terraform.a.tfstate'],
    ['sandbox', 'trial', '.castellan/environments/trial/terraform.a.tfstate'],
    ['sandbox', 'prod', '.castellan/environments/prod/terraform.a.prod.tfstate'],
    ['azure', undefined, 'terraform.a.tfstate'],
  ] as const)(
    'is refused with resources in the %s, environment %s',
    (target, environment, path) => {
      const check = (): void => requireEmptyState('a', { target, environment }, io);
      expect(check).not.toThrow();
      writeState(path, JSON.stringify({ version: 4, serial: 1, lineage: 'l', resources }));
      expect(check).toThrow('the stack a has 1 resources in its state');
    },
  );

  it('is left to Terraform with a damaged state', () => {
    writeState('terraform.b.tfstate', '{"version": 4, "reso');
    expect(() =>
      requireEmptyState('b', { target: 'azure', environment: undefined }, io),
    ).not.toThrow();
  });
});
