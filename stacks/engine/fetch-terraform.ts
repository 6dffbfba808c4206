import { createHash } from 'node:crypto';
import { rename, writeFile } from 'node:fs/promises';
import { dirname } from 'node:path';
import { CastellanError } from '../../core/errors/castellan-error.js';
import { makeFolder } from '../../core/source/replace-file.js';
import releaseKey from './release-key.json';

/** What to fetch and where to put it. */
interface FetchTerraformOptions {
  readonly version: string;
  readonly source: ReleaseSource;
  /** The file to write; it appears whole or not at all. */
  readonly target: string;
  readonly platform?: string;
  readonly architecture?: string;
  readonly signal?: AbortSignal;
}

/**
 * Fetches a Terraform release: the checksums' signature is verified against the publisher's key,
 * and the archive against its checksum, before anything is written.
 *
 * @throws CAS2101 when the platform has no release, a file can't be fetched, or a signature or
 *   checksum doesn't match.
 */
export async function fetchTerraform(options: FetchTerraformOptions): Promise<void> {
  const {
    version,
    source,
    target,
    platform = process.platform,
    architecture = process.arch,
  } = options;
  const files = releaseFiles(version, source.baseUrl, platform, architecture);
  if (files === undefined)
    throw refusal(`there is no Terraform release for ${platform} on ${architecture}`);
  const download = (file: string): Promise<Uint8Array> =>
    fetchFile(files.url(file), options.signal);
  const [checksums, signature] = await Promise.all([
    download(files.checksums),
    download(files.signature),
  ]);
  await verifySignature(checksums, signature, source.armoredKey, files);
  const archive = await download(files.archive);
  verifyChecksum(archive, checksums, files);
  await install(await extract(archive, platform), target);
}

async function fetchFile(url: string, signal?: AbortSignal): Promise<Uint8Array> {
  const limit = AbortSignal.timeout(300_000);
  const response = await fetch(url, {
    signal: signal ? AbortSignal.any([signal, limit]) : limit,
  }).catch((cause: unknown) => {
    throw refusal(`${url} can't be reached: ${String((cause as Error).message)}`, cause);
  });
  if (!response.ok) throw refusal(`${url} answered ${String(response.status)}`);
  return new Uint8Array(await response.arrayBuffer());
}

async function verifySignature(
  checksums: Uint8Array,
  signature: Uint8Array,
  armoredKey: string,
  files: ReleaseFiles,
): Promise<void> {
  const { createMessage, readKey, readSignature, verify } = await import('openpgp');
  const result = await verify({
    message: await createMessage({ binary: checksums }),
    signature: await readSignature({ binarySignature: signature }).catch((cause: unknown) => {
      throw refusal(`${files.signature} is not a signature`, cause);
    }),
    verificationKeys: await readKey({ armoredKey }),
  });
  await Promise.any(result.signatures.map(({ verified }) => verified)).catch((cause: unknown) => {
    throw refusal(`${files.checksums} is not signed by the publisher's key`, cause);
  });
}

function verifyChecksum(archive: Uint8Array, checksums: Uint8Array, files: ReleaseFiles): void {
  const line = new TextDecoder()
    .decode(checksums)
    .split('\n')
    .map((each) => each.trim().split(/\s+/))
    .find(([, name]) => name === files.archive);
  if (line === undefined) throw refusal(`${files.checksums} doesn't list ${files.archive}`);
  const actual = createHash('sha256').update(archive).digest('hex');
  if (actual !== line[0])
    throw refusal(`${files.archive} has the checksum ${actual}, published is ${String(line[0])}`);
}

async function extract(archive: Uint8Array, platform: string): Promise<Uint8Array> {
  const { unzipSync } = await import('fflate');
  const name = platform === 'win32' ? 'terraform.exe' : 'terraform';
  const program = unzipSync(archive, { filter: (file) => file.name === name })[name];
  if (program === undefined) throw refusal(`the archive holds no ${name}`);
  return program;
}

async function install(program: Uint8Array, target: string): Promise<void> {
  makeFolder(dirname(target));
  const unfinished = `${target}.${String(process.pid)}.part`;
  await writeFile(unfinished, program, { mode: 0o755 });
  await rename(unfinished, target);
}

function refusal(reason: string, cause?: unknown): CastellanError {
  return new CastellanError(
    'CAS2101',
    `Terraform was not fetched: ${reason}`,
    cause === undefined ? {} : { cause },
  );
}

/** The Terraform release that is fetched where none is installed. */
export const pinnedRelease = '1.11.4';

/** Where releases are published, and who signs them. */
export interface ReleaseSource {
  /** The base address, without a trailing slash; `CASTELLAN_TERRAFORM_MIRROR` replaces it. */
  readonly baseUrl: string;
  /**
   * The armored OpenPGP key that signs the checksums; `CASTELLAN_TERRAFORM_KEY` names a file of
   * another.
   */
  readonly armoredKey: string;
}

/** The publisher's own release host. */
export const publishedReleases: ReleaseSource = {
  baseUrl: 'https://releases.hashicorp.com',
  armoredKey: releaseKey.armored,
};

/** The file names and addresses of one release on one platform. */
interface ReleaseFiles {
  readonly archive: string;
  readonly checksums: string;
  readonly signature: string;
  /** The address of one of them. */
  url(file: string): string;
}

const architectures: Readonly<Record<string, string>> = {
  x64: 'amd64',
  arm64: 'arm64',
  ia32: '386',
  arm: 'arm',
};
const platforms: Readonly<Record<string, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
  freebsd: 'freebsd',
  openbsd: 'openbsd',
  sunos: 'solaris',
};

/** The files of a release, or undefined where none is published for the platform. */
export function releaseFiles(
  version: string,
  baseUrl: string,
  platform: string,
  architecture: string,
): ReleaseFiles | undefined {
  const [os, cpu] = [platforms[platform], architectures[architecture]];
  if (os === undefined || cpu === undefined) return undefined;
  return {
    archive: `terraform_${version}_${os}_${cpu}.zip`,
    checksums: `terraform_${version}_SHA256SUMS`,
    signature: `terraform_${version}_SHA256SUMS.sig`,
    url: (file) => `${baseUrl}/terraform/${version}/${file}`,
  };
}
