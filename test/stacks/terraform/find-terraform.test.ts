import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { freePort } from '../../support/ports.js';
import { detectEngine, findTerraform } from '../../../stacks/terraform/find-terraform.js';
import {
  pinnedReleases,
  releaseArchive,
  type ReleaseArchive,
} from '../../../stacks/terraform/engine-release.js';

const newFolder = (): string => mkdtempSync(join(tmpdir(), 'castellan-terraform-'));

/** An archive that holds a program, as the publisher's do. */
const terraformZip = zipSync({
  terraform: new TextEncoder().encode('#!/bin/sh\necho fetched\n'),
  'LICENSE.txt': new Uint8Array([1]),
});
let servedArchive: Uint8Array | undefined;
const server = createServer((request, response) => {
  if (request.url === '/broken.zip') {
    response.writeHead(200, { 'content-length': 1000 }).write('PK', () => response.destroy());
    return;
  }
  response.writeHead(servedArchive === undefined ? 404 : 200).end(servedArchive);
});
let baseUrl: string;
let archive: ReleaseArchive;

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  baseUrl = `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`;
  archive = {
    name: 'terraform.zip',
    url: `${baseUrl}/terraform.zip`,
    digest: createHash('sha256').update(terraformZip).digest('hex'),
    program: 'terraform',
  };
});
beforeEach(() => void (servedArchive = terraformZip));
afterAll(() => server.close());

const find = (
  projectDir: string,
  env: Record<string, string>,
  download: 'allowed' | 'refused' = 'allowed',
): Promise<string> => findTerraform({ projectDir, env, download, announce: () => undefined });
/** Fetches the archive of this test in place of the publisher's. */
const fetchInto = (projectDir: string, announce: (line: string) => void = () => undefined) =>
  findTerraform({ projectDir, env: { PATH: '' }, download: 'allowed', announce, archive });

describe('finding Terraform', () => {
  it('prefers CASTELLAN_TERRAFORM over PATH', async () => {
    const program = join(newFolder(), 'my-terraform');
    writeFileSync(program, '');
    chmodSync(program, 0o755);
    expect(
      await find(newFolder(), { CASTELLAN_TERRAFORM: program, PATH: process.env['PATH'] ?? '' }),
    ).toBe(program);
  });

  it('reports when CASTELLAN_TERRAFORM is not executable', async () => {
    await expect(find(newFolder(), { CASTELLAN_TERRAFORM: '/no/such/file' })).rejects.toMatchObject(
      {
        code: 'CAS2102',
        message: expect.stringContaining('/no/such/file'),
      },
    );
  });

  it('passes over a folder with the name of a program', async () => {
    const bin = newFolder();
    mkdirSync(join(bin, 'terraform'));
    writeFileSync(join(bin, 'tofu'), '');
    chmodSync(join(bin, 'tofu'), 0o755);
    expect(await find(newFolder(), { PATH: bin })).toBe(join(bin, 'tofu'));
    await expect(find(newFolder(), { CASTELLAN_TERRAFORM: bin })).rejects.toMatchObject({
      message: expect.stringContaining('which is not an executable file'),
    });
  });

  it('reports an archive whose transfer breaks off', async () => {
    const broken = { ...archive, url: `${baseUrl}/broken.zip` };
    const found = findTerraform({
      projectDir: newFolder(),
      env: { PATH: '' },
      download: 'allowed',
      announce: () => undefined,
      archive: broken,
    });
    await expect(found).rejects.toMatchObject({
      code: 'CAS2101',
      message: expect.stringContaining('broken.zip was not read to its end'),
    });
  });

  it('takes tofu where there is no terraform', async () => {
    const bin = newFolder();
    writeFileSync(join(bin, 'tofu'), '');
    chmodSync(join(bin, 'tofu'), 0o755);
    expect(await find(newFolder(), { PATH: bin })).toBe(join(bin, 'tofu'));
  });

  describe('with OpenTofu beside it', () => {
    const bin = newFolder();
    const writeProgram = (path: string, answer: string): string => {
      writeFileSync(path, `#!/bin/sh\necho "${answer} v1.12.6"\n`);
      chmodSync(path, 0o755);
      return path;
    };
    beforeAll(() => {
      writeProgram(join(bin, 'terraform'), 'Terraform');
      writeProgram(join(bin, 'tofu'), 'OpenTofu');
    });

    it.each<[string, Record<string, string>, 'terraform' | 'tofu' | undefined, string]>([
      ['takes Terraform by default', {}, undefined, 'terraform'],
      ['takes the engine of CASTELLAN_ENGINE', { CASTELLAN_ENGINE: 'tofu' }, undefined, 'tofu'],
      ['takes the engine of the configuration', {}, 'tofu', 'tofu'],
      ['prefers CASTELLAN_ENGINE', { CASTELLAN_ENGINE: 'terraform' }, 'tofu', 'terraform'],
      ["takes cdktf's variable", { TERRAFORM_BINARY_NAME: 'tofu' }, undefined, 'tofu'],
    ])('%s', async (_title, env, configuredEngine, name) => {
      const result = await findTerraform({
        projectDir: newFolder(),
        env: { PATH: bin, ...env },
        configuredEngine,
        download: 'refused',
        announce: () => undefined,
      });
      expect(result).toBe(join(bin, name));
    });

    it('asks a program which engine it is, whatever its name', async () => {
      const disguised = writeProgram(join(newFolder(), 'terraform'), 'OpenTofu');
      expect(await detectEngine(disguised)).toEqual({
        name: 'tofu',
        title: 'OpenTofu',
        version: '1.12.6',
      });
      await expect(
        find(newFolder(), { CASTELLAN_TERRAFORM: disguised, CASTELLAN_ENGINE: 'terraform' }),
      ).rejects.toMatchObject({
        code: 'CAS2102',
        message: expect.stringContaining(
          'which is OpenTofu, but CASTELLAN_ENGINE asks for terraform',
        ),
      });
    });

    it('refuses an unknown engine, and one that is not installed', async () => {
      await expect(
        find(newFolder(), { PATH: bin, CASTELLAN_ENGINE: 'tufo' }),
      ).rejects.toMatchObject({
        code: 'CAS2102',
        message: 'CASTELLAN_ENGINE is "tufo": allowed are terraform and tofu',
      });
      await expect(
        find(newFolder(), { PATH: '', TERRAFORM_BINARY_NAME: 'terragrunt' }),
      ).rejects.toMatchObject({
        code: 'CAS2102',
        message: 'TERRAFORM_BINARY_NAME asks for terragrunt, which is not on PATH',
      });
    });
  });

  it('is refused by --no-download where none is installed', async () => {
    await expect(find(newFolder(), { PATH: '' }, 'refused')).rejects.toMatchObject({
      code: 'CAS2102',
      message: expect.stringContaining('--no-download'),
    });
  });
});

describe('fetching Terraform', () => {
  it('fetches the pinned release once, announced in one line, and uses it afterwards', async () => {
    const [project, lines] = [newFolder(), [] as string[]];
    const program = await fetchInto(project, (line) => lines.push(line));
    expect(program).toBe(
      join(project, '.castellan/bin', `terraform-${pinnedReleases.terraform.version}`),
    );
    expect(readFileSync(program, 'utf8')).toContain('echo fetched');
    expect(lines).toEqual([expect.stringContaining(pinnedReleases.terraform.version)]);
    expect(await find(project, { PATH: '' }, 'refused')).toBe(program);
  });

  it('refuses an archive of another digest, and leaves nothing behind', async () => {
    const project = newFolder();
    servedArchive = new Uint8Array([1, 2, 3]);
    await expect(fetchInto(project)).rejects.toMatchObject({
      code: 'CAS2101',
      message: expect.stringContaining(`has the SHA-256`),
    });
    await expect(find(project, { PATH: '' }, 'refused')).rejects.toMatchObject({ code: 'CAS2102' });
  });

  it('refuses what a mirror offers in place of the pinned release', async () => {
    const env = { PATH: '', CASTELLAN_TERRAFORM_MIRROR: baseUrl };
    await expect(find(newFolder(), env)).rejects.toMatchObject({
      code: 'CAS2101',
      message: expect.stringContaining(
        `expected is ${String(releaseArchive('terraform', {}, process.platform, process.arch)?.digest)}`,
      ),
    });
  });

  it('asks the publisher where the variable of the mirror is empty', () => {
    const platform = ['linux', 'x64'] as const;
    expect(releaseArchive('terraform', { CASTELLAN_TERRAFORM_MIRROR: '' }, ...platform)).toEqual(
      releaseArchive('terraform', {}, ...platform),
    );
  });

  it('says why an address cannot be reached', async () => {
    const port = await freePort();
    const env = { PATH: '', CASTELLAN_TERRAFORM_MIRROR: `http://127.0.0.1:${String(port)}` };
    await expect(find(newFolder(), env)).rejects.toMatchObject({
      code: 'CAS2101',
      message: expect.stringContaining(`can't be reached: connect ECONNREFUSED 127.0.0.1:${port}`),
    });
  });

  it('names the address that does not answer', async () => {
    servedArchive = undefined;
    await expect(fetchInto(newFolder())).rejects.toMatchObject({
      code: 'CAS2101',
      message: expect.stringContaining('terraform.zip answered 404'),
    });
  });
});

describe('fetching OpenTofu', () => {
  it('fetches its release where it is asked for and not installed', async () => {
    const [project, lines] = [newFolder(), [] as string[]];
    servedArchive = zipSync({ tofu: new TextEncoder().encode('#!/bin/sh\necho fetched\n') });
    const program = await findTerraform({
      projectDir: project,
      env: { PATH: '', CASTELLAN_ENGINE: 'tofu' },
      download: 'allowed',
      announce: (line) => lines.push(line),
      archive: {
        name: 'tofu.zip',
        url: `${baseUrl}/tofu.zip`,
        digest: createHash('sha256').update(servedArchive).digest('hex'),
        program: 'tofu',
      },
    });
    expect(program).toBe(join(project, '.castellan/bin', `tofu-${pinnedReleases.tofu.version}`));
    expect(lines).toEqual([expect.stringMatching(/^OpenTofu is not installed: fetching 1\.12/)]);
  });

  it('compares what a mirror of its own offers with the digest', async () => {
    const env = { PATH: '', CASTELLAN_ENGINE: 'tofu', CASTELLAN_TOFU_MIRROR: `${baseUrl}/` };
    await expect(find(newFolder(), env)).rejects.toMatchObject({
      code: 'CAS2101',
      message: expect.stringContaining(
        `expected is ${String(releaseArchive('tofu', {}, process.platform, process.arch)?.digest)}`,
      ),
    });
  });

  it('is refused by --no-download', async () => {
    const env = { PATH: '', CASTELLAN_ENGINE: 'tofu' };
    await expect(find(newFolder(), env, 'refused')).rejects.toMatchObject({
      code: 'CAS2102',
      message: expect.stringContaining('tofu is not on PATH'),
    });
  });
});

describe('the pinned releases', () => {
  it.each([
    ['terraform', 'linux', 'x64', 'linux_amd64'],
    ['terraform', 'linux', 'arm64', 'linux_arm64'],
    ['terraform', 'darwin', 'arm64', 'darwin_arm64'],
    ['terraform', 'win32', 'x64', 'windows_amd64'],
    ['tofu', 'linux', 'x64', 'linux_amd64'],
    ['tofu', 'linux', 'arm64', 'linux_arm64'],
    ['tofu', 'darwin', 'x64', 'darwin_amd64'],
    ['tofu', 'darwin', 'arm64', 'darwin_arm64'],
    ['tofu', 'win32', 'x64', 'windows_amd64'],
  ] as const)('%s has an archive for %s on %s', (engine, platform, architecture, system) => {
    const { version, publisher, folder } = pinnedReleases[engine];
    const result = releaseArchive(engine, {}, platform, architecture);
    const name = `${engine}_${version}_${system}.zip`;
    expect(result).toMatchObject({ name, url: `${publisher}/${folder}/${name}` });
    expect(result?.digest).toMatch(/^[0-9a-f]{64}$/);
  });

  it('have no archive for other platforms', () => {
    expect(releaseArchive('terraform', {}, 'aix', 'ppc64')).toBeUndefined();
    expect(releaseArchive('tofu', {}, 'linux', 'arm')).toBeUndefined();
  });
});
