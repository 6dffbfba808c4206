import releaseKey from './release-key.json';

/** The Terraform release that is fetched where none is installed. */
export const pinnedRelease = '1.11.4';

/** Where releases are published, and who signs them. */
export interface ReleaseSource {
  /** The base address, without a trailing slash; `CASTELLAN_TERRAFORM_MIRROR` replaces it. */
  readonly baseUrl: string;
  /** The armored OpenPGP key that signs the checksums; `CASTELLAN_TERRAFORM_KEY` names a file of another. */
  readonly armoredKey: string;
}

/** The publisher's own release host. */
export const publishedReleases: ReleaseSource = { baseUrl: 'https://releases.hashicorp.com', armoredKey: releaseKey.armored };

/** The file names and addresses of one release on one platform. */
export interface ReleaseFiles {
  readonly archive: string;
  readonly checksums: string;
  readonly signature: string;
  /** The address of one of them. */
  url(file: string): string;
}

const architectures: Readonly<Record<string, string>> = { x64: 'amd64', arm64: 'arm64', ia32: '386', arm: 'arm' };
const platforms: Readonly<Record<string, string>> = {
  linux: 'linux',
  darwin: 'darwin',
  win32: 'windows',
  freebsd: 'freebsd',
  openbsd: 'openbsd',
  sunos: 'solaris',
};

/** The files of a release, or undefined where none is published for the platform. */
export function releaseFiles(version: string, baseUrl: string, platform: string, architecture: string): ReleaseFiles | undefined {
  const [os, cpu] = [platforms[platform], architectures[architecture]];
  if (os === undefined || cpu === undefined) return undefined;
  return {
    archive: `terraform_${version}_${os}_${cpu}.zip`,
    checksums: `terraform_${version}_SHA256SUMS`,
    signature: `terraform_${version}_SHA256SUMS.sig`,
    url: (file) => `${baseUrl}/terraform/${version}/${file}`,
  };
}
