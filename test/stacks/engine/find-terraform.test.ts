import { createHash } from 'node:crypto';
import { chmodSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { zipSync } from 'fflate';
import { createMessage, generateKey, readPrivateKey, sign } from 'openpgp';
import { engineOf, findTerraform } from '../../../stacks/engine/find-terraform.js';
import { pinnedRelease, releaseFiles } from '../../../stacks/engine/fetch-terraform.js';

const files = releaseFiles(pinnedRelease, '', process.platform, process.arch);
if (files === undefined) throw new Error('no release for this platform');

/** A release host on loopback that publishes one release, signed with a key of its own. */
interface ReleaseHost {
  readonly baseUrl: string;
  readonly keyFile: string;
  readonly published: Map<string, Uint8Array>;
}

const folder = (): string => mkdtempSync(join(tmpdir(), 'castellan-terraform-'));
const server = createServer((request, response) => {
  const body = host.published.get(request.url ?? '');
  response.writeHead(body === undefined ? 404 : 200).end(body);
});
let host: ReleaseHost;

beforeAll(async () => {
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const { privateKey, publicKey } = await generateKey({
    userIDs: [{ name: 'test publisher' }],
    format: 'armored',
  });
  const keyFile = join(folder(), 'key.asc');
  writeFileSync(keyFile, publicKey);
  const archive = zipSync({
    terraform: new TextEncoder().encode('#!/bin/sh\necho fetched\n'),
    'LICENSE.txt': new Uint8Array([1]),
  });
  const checksums = `${createHash('sha256').update(archive).digest('hex')}  ${files.archive}\n`;
  const signature = await sign({
    message: await createMessage({ binary: new TextEncoder().encode(checksums) }),
    signingKeys: await readPrivateKey({ armoredKey: privateKey }),
    detached: true,
    format: 'binary',
  });
  host = {
    baseUrl: `http://127.0.0.1:${String((server.address() as AddressInfo).port)}`,
    keyFile,
    published: new Map([
      [files.url(files.archive), archive],
      [files.url(files.checksums), new TextEncoder().encode(checksums)],
      [files.url(files.signature), signature as Uint8Array],
    ]),
  };
});
afterAll(() => server.close());

const find = (
  projectDir: string,
  env: Record<string, string>,
  download: 'allowed' | 'refused' = 'allowed',
  lines: string[] = [],
): Promise<string> =>
  findTerraform({ projectDir, env, download, announce: (line) => lines.push(line) });
const mirror = (extra: Record<string, string> = {}): Record<string, string> => ({
  PATH: '',
  CASTELLAN_TERRAFORM_MIRROR: host.baseUrl,
  CASTELLAN_TERRAFORM_KEY: host.keyFile,
  ...extra,
});

/** Publishes another content for one file while a test runs. */
async function publishing(
  file: string,
  content: Uint8Array | undefined,
  test: () => Promise<void>,
): Promise<void> {
  const kept = host.published.get(files?.url(file) ?? '');
  const url = files?.url(file) ?? '';
  if (content === undefined) host.published.delete(url);
  else host.published.set(url, content);
  try {
    await test();
  } finally {
    host.published.set(url, kept ?? new Uint8Array());
  }
}

describe('finding Terraform', () => {
  it('prefers CASTELLAN_TERRAFORM over PATH', async () => {
    const program = join(folder(), 'my-terraform');
    writeFileSync(program, '');
    chmodSync(program, 0o755);
    expect(
      await find(folder(), { CASTELLAN_TERRAFORM: program, PATH: process.env['PATH'] ?? '' }),
    ).toBe(program);
  });

  it('reports when CASTELLAN_TERRAFORM is not executable', async () => {
    await expect(find(folder(), { CASTELLAN_TERRAFORM: '/no/such/file' })).rejects.toMatchObject({
      code: 'CAS2102',
      message: expect.stringContaining('/no/such/file'),
    });
  });

  it('takes tofu where there is no terraform', async () => {
    const bin = folder();
    writeFileSync(join(bin, 'tofu'), '');
    chmodSync(join(bin, 'tofu'), 0o755);
    expect(await find(folder(), { PATH: bin })).toBe(join(bin, 'tofu'));
  });

  describe('with OpenTofu beside it', () => {
    const bin = folder();
    const program = (path: string, answer: string): string => {
      writeFileSync(path, `#!/bin/sh\necho "${answer} v1.12.6"\n`);
      chmodSync(path, 0o755);
      return path;
    };
    beforeAll(() => {
      program(join(bin, 'terraform'), 'Terraform');
      program(join(bin, 'tofu'), 'OpenTofu');
    });

    it.each<[string, Record<string, string>, 'terraform' | 'tofu' | undefined, string]>([
      ['takes Terraform by default', {}, undefined, 'terraform'],
      ['takes the engine of CASTELLAN_ENGINE', { CASTELLAN_ENGINE: 'tofu' }, undefined, 'tofu'],
      ['takes the engine of the configuration', {}, 'tofu', 'tofu'],
      ['prefers CASTELLAN_ENGINE', { CASTELLAN_ENGINE: 'terraform' }, 'tofu', 'terraform'],
      ["takes cdktf's variable", { TERRAFORM_BINARY_NAME: 'tofu' }, undefined, 'tofu'],
    ])('%s', async (_title, env, configuredEngine, name) => {
      const found = await findTerraform({
        projectDir: folder(),
        env: { PATH: bin, ...env },
        configuredEngine,
        download: 'refused',
        announce: () => undefined,
      });
      expect(found).toBe(join(bin, name));
    });

    it('asks a program which engine it is, whatever its name', async () => {
      const disguised = program(join(folder(), 'terraform'), 'OpenTofu');
      expect(await engineOf(disguised)).toEqual({
        name: 'tofu',
        title: 'OpenTofu',
        version: '1.12.6',
      });
      await expect(
        find(folder(), { CASTELLAN_TERRAFORM: disguised, CASTELLAN_ENGINE: 'terraform' }),
      ).rejects.toMatchObject({
        code: 'CAS2102',
        message: expect.stringContaining(
          'which is OpenTofu, but CASTELLAN_ENGINE asks for terraform',
        ),
      });
    });

    it('refuses an unknown engine, and one that is not installed', async () => {
      await expect(find(folder(), { PATH: bin, CASTELLAN_ENGINE: 'tufo' })).rejects.toMatchObject({
        code: 'CAS2102',
        message: 'CASTELLAN_ENGINE is "tufo": allowed are terraform and tofu',
      });
      await expect(find(folder(), { PATH: '', CASTELLAN_ENGINE: 'tofu' })).rejects.toMatchObject({
        code: 'CAS2102',
        message: 'CASTELLAN_ENGINE asks for tofu, which is not on PATH',
      });
    });
  });

  it('is refused by --no-download where none is installed', async () => {
    await expect(find(folder(), { PATH: '' }, 'refused')).rejects.toMatchObject({
      code: 'CAS2102',
      message: expect.stringContaining('--no-download'),
    });
  });
});

describe('fetching Terraform', () => {
  it('fetches the pinned release once, announced in one line, and uses it afterwards', async () => {
    const [project, lines] = [folder(), [] as string[]];
    const program = await find(project, mirror(), 'allowed', lines);
    expect(program).toBe(join(project, '.castellan/bin', `terraform-${pinnedRelease}`));
    expect(readFileSync(program, 'utf8')).toContain('echo fetched');
    expect(lines).toEqual([expect.stringContaining(pinnedRelease)]);
    expect(await find(project, mirror(), 'refused', lines)).toBe(program);
    expect(lines).toHaveLength(1);
  });

  it('refuses an archive whose checksum is another', async () => {
    await publishing(files.archive, new Uint8Array([1, 2, 3]), async () => {
      await expect(find(folder(), mirror())).rejects.toMatchObject({
        code: 'CAS2101',
        message: expect.stringContaining('checksum'),
      });
    });
  });

  it('refuses checksums that the publisher did not sign', async () => {
    await publishing(
      files.checksums,
      new TextEncoder().encode(`${'0'.repeat(64)}  ${files.archive}\n`),
      async () => {
        await expect(find(folder(), mirror())).rejects.toMatchObject({
          code: 'CAS2101',
          message: expect.stringContaining('signed'),
        });
      },
    );
  });

  it('refuses a release of another publisher: the key is pinned', async () => {
    const env = mirror();
    delete env['CASTELLAN_TERRAFORM_KEY'];
    await expect(find(folder(), env)).rejects.toMatchObject({
      code: 'CAS2101',
      message: expect.stringContaining('signed'),
    });
  });

  it('names the address that does not answer', async () => {
    await publishing(files.archive, undefined, async () => {
      await expect(find(folder(), mirror())).rejects.toMatchObject({
        code: 'CAS2101',
        message: expect.stringContaining(`${files.archive} answered 404`),
      });
    });
  });

  it('leaves nothing behind when it fails', async () => {
    const project = folder();
    mkdirSync(join(project, '.castellan'));
    await publishing(files.archive, new Uint8Array([1]), async () => {
      await expect(find(project, mirror())).rejects.toThrow();
    });
    await expect(find(project, { PATH: '' }, 'refused')).rejects.toMatchObject({ code: 'CAS2102' });
  });
});
