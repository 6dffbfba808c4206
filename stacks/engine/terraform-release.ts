/** The Terraform release that is fetched where none is installed. */
export const pinnedRelease = '1.11.4';

/**
 * The SHA-256 digests of the archives of {@link pinnedRelease}, as the publisher's signed
 * `terraform_1.11.4_SHA256SUMS` has them. A new release brings new digests.
 */
const pinnedDigests: Readonly<Record<string, string>> = {
  darwin_amd64: 'a56d5002b9f7647291faccc3dd1a70350e60fb61e4c45037629508b8fdc2575b',
  darwin_arm64: '867e0808fa971217043e25b7a792b10720c79b1546f8a68479b74f138be73e18',
  linux_386: '8e4bd232ce8b0cde2a90132a9c4d25665791c7a48bbb159f5cd4988265d10372',
  linux_amd64: '1ce994251c00281d6845f0f268637ba50c0005657eb3cf096b92f753b42ef4dc',
  linux_arm: '3cf072a049ab0178e9cbec47a14712ba7f38cc8ef061f3a7c0ff57b83d320edd',
  linux_arm64: 'a43d1d0da9b9bab214a8305a39db0e40869572594ccf50c416a7756499143633',
  windows_386: '61da1ff3dc081fbaa9a032327dafebc311df55f04ad5f8749d92a9b6c1790f40',
  windows_amd64: '4e1dc85419dda723f2bb3afdf63a0d282a2de858588d56dd57d2e4e4c4c83f2b',
};

/** The archive of the pinned release for one platform. */
export interface ReleaseArchive {
  readonly name: string;
  /** The address on the publisher's host or a mirror. */
  readonly url: string;
  /** SHA-256, hexadecimal. */
  readonly digest: string;
  /** The program's file name in the archive. */
  readonly program: string;
}

/** The publisher's own release host; `CASTELLAN_TERRAFORM_MIRROR` replaces it. */
export const publisherUrl = 'https://releases.hashicorp.com';

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
};

/**
 * The archive for a platform, by the names of Node.
 *
 * @returns undefined where none is published.
 */
export function releaseArchive(
  baseUrl: string,
  platform: string,
  architecture: string,
): ReleaseArchive | undefined {
  const system = `${String(platforms[platform])}_${String(architectures[architecture])}`;
  const digest = pinnedDigests[system];
  if (digest === undefined) return undefined;
  const name = `terraform_${pinnedRelease}_${system}.zip`;
  return {
    name,
    url: `${baseUrl}/terraform/${pinnedRelease}/${name}`,
    digest,
    program: platform === 'win32' ? 'terraform.exe' : 'terraform',
  };
}
