import { mkdirSync, symlinkSync } from 'node:fs';
import { sandboxPaths } from '../../../sandbox/paths.js';
import { openCertificateAuthority } from '../../../sandbox/tls/certificate-authority.js';
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

  it('finds an authority that was made with a wrong clock', async () => {
    const paths = sandboxPaths(path());
    mkdirSync(paths.root);
    vi.useFakeTimers({ now: new Date('2040-01-01'), toFake: ['Date'] });
    await openCertificateAuthority(paths);
    vi.useRealTimers();
    expect((await diagnose())['certificate']).toMatchObject({
      state: 'problem',
      found: expect.stringContaining('is not valid before Dec 31') as string,
    });
  });

  it('finds nothing wrong with a file that is just being replaced', async () => {
    mkdirSync(path('.castellan'));
    symlinkSync('gone', path('.castellan/state.json.1.part'));
    expect(await diagnose()).toMatchObject({ folder: { state: 'ok' }, clock: { state: 'ok' } });
  });
});
