import { mkdirSync, symlinkSync } from 'node:fs';
import { useProject } from './support/project.js';

const { path, run, write } = useProject();

/** The results of `castellan doctor`, by name. */
async function diagnose(): Promise<Record<string, { state: string; found: string }>> {
  const { stdout } = await run('doctor', '--format', 'json');
  const { checks } = JSON.parse(stdout) as {
    checks: { name: string; state: string; found: string }[];
  };
  return Object.fromEntries(checks.map(({ name, ...rest }) => [name, rest]));
}

describe('castellan doctor', () => {
  it('says that a folder can be written, before and after the first sandbox', async () => {
    expect((await diagnose())['folder']).toEqual({
      state: 'ok',
      found: `${path()} can be written`,
    });
    mkdirSync(path('.castellan'));
    expect((await diagnose())['folder']).toMatchObject({ state: 'ok' });
  });

  it('finds a file in the place of the sandbox', async () => {
    write('.castellan', '');
    expect((await diagnose())['folder']).toMatchObject({ state: 'problem' });
  });

  it('finds nothing wrong with a file that is just being replaced', async () => {
    mkdirSync(path('.castellan'));
    symlinkSync('gone', path('.castellan/state.json.1.part'));
    expect(await diagnose()).toMatchObject({ folder: { state: 'ok' }, clock: { state: 'ok' } });
  });
});
