import {
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import {
  installPlugin,
  pluginPath,
  pluginVersion,
  uninstallPlugin,
} from '../../provider/plugin-installation.js';

const folder = mkdtempSync(join(tmpdir(), 'castellan-plugin-'));
const options = { pluginDir: join(folder, 'plugins'), program: join(folder, 'plugin.js') };
beforeAll(() => writeFileSync(options.program, ''));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('the plugin', () => {
  it('is a program in the folder where terraform looks for it', async () => {
    const path = await installPlugin(options);
    expect(path).toBe(pluginPath(options));
    expect(path).toContain(`plugins/registry.terraform.io/castellan/castellan/${pluginVersion}/`);
    expect(readFileSync(path, 'utf8')).toContain(options.program);
    expect(statSync(path).mode & 0o111).not.toBe(0);
  });

  it('is found by OpenTofu as well, which completes addresses with its own host', async () => {
    const path = await installPlugin(options);
    const forTofu = path.replace('registry.terraform.io', 'registry.opentofu.org');
    expect(forTofu).not.toBe(path);
    expect(readFileSync(forTofu, 'utf8')).toBe(readFileSync(path, 'utf8'));
    expect(statSync(forTofu).mode & 0o111).not.toBe(0);
  });

  it('is removed with folders that contain nothing else, and other files stay', async () => {
    const other = join(dirname(await installPlugin(options)), '../../0.0.1');
    mkdirSync(other);
    expect(await uninstallPlugin(options)).toBe(true);
    expect(readdirSync(join(other, '..'))).toEqual(['0.0.1']);
    rmSync(other, { recursive: true });
    await installPlugin(options);
    expect(await uninstallPlugin(options)).toBe(true);
    expect(readdirSync(options.pluginDir)).toEqual([]);
    expect(await uninstallPlugin(options)).toBe(false);
  });

  it('reports what is missing before castellan is built', async () => {
    await expect(
      installPlugin({ ...options, program: join(folder, 'nowhere.js') }),
    ).rejects.toMatchObject({ code: 'CAS3007' });
  });
});
