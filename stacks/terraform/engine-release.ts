/** The engines that can apply a stack, by the names of their programs. */
export const engineNames = ['terraform', 'tofu'] as const;

/** Terraform or OpenTofu. */
export type EngineName = (typeof engineNames)[number];

/** A release that is fetched where its engine is not installed. */
export interface PinnedRelease {
  /** The name in messages. */
  readonly title: 'Terraform' | 'OpenTofu';
  readonly version: string;
  /** The address below which the publisher has the folders of releases. */
  readonly publisher: string;
  /** The environment variable with the address of a mirror, in place of the publisher's. */
  readonly mirrorVariable: string;
  /** The folder of this release below the publisher's address. */
  readonly folder: string;
  /**
   * The SHA-256 digests of its archives by platform, as the publisher's signed
   * `terraform_1.11.4_SHA256SUMS` and `tofu_1.12.6_SHA256SUMS` have them. A new release brings new
   * digests.
   */
  readonly digests: Readonly<Record<string, string>>;
}

/** The release of each engine that is fetched. */
export const pinnedReleases: Readonly<Record<EngineName, PinnedRelease>> = {
  terraform: {
    title: 'Terraform',
    version: '1.11.4',
    publisher: 'https://releases.hashicorp.com',
    mirrorVariable: 'CASTELLAN_TERRAFORM_MIRROR',
    folder: 'terraform/1.11.4',
    digests: {
      darwin_amd64: 'a56d5002b9f7647291faccc3dd1a70350e60fb61e4c45037629508b8fdc2575b',
      darwin_arm64: '867e0808fa971217043e25b7a792b10720c79b1546f8a68479b74f138be73e18',
      linux_386: '8e4bd232ce8b0cde2a90132a9c4d25665791c7a48bbb159f5cd4988265d10372',
      linux_amd64: '1ce994251c00281d6845f0f268637ba50c0005657eb3cf096b92f753b42ef4dc',
      linux_arm: '3cf072a049ab0178e9cbec47a14712ba7f38cc8ef061f3a7c0ff57b83d320edd',
      linux_arm64: 'a43d1d0da9b9bab214a8305a39db0e40869572594ccf50c416a7756499143633',
      windows_386: '61da1ff3dc081fbaa9a032327dafebc311df55f04ad5f8749d92a9b6c1790f40',
      windows_amd64: '4e1dc85419dda723f2bb3afdf63a0d282a2de858588d56dd57d2e4e4c4c83f2b',
    },
  },
  tofu: {
    title: 'OpenTofu',
    version: '1.12.6',
    publisher: 'https://github.com/opentofu/opentofu/releases/download',
    mirrorVariable: 'CASTELLAN_TOFU_MIRROR',
    folder: 'v1.12.6',
    digests: {
      darwin_amd64: '166388e5feed47e107e11721b6366bf91d21e47eccbced75f3cbe0c7184ffd9b',
      darwin_arm64: 'e083ee43790ab9e19ad66d9933e24a7244a1412e1d5728f37999ae2163fdac95',
      linux_amd64: '5dc43da4f750f33873dc25e94587128709e819e544b7be9016b255316153c3a8',
      linux_arm64: 'e573979ba68a17fe7b881752051a694a7efcd970e39521f6a25775197861ed4d',
      windows_amd64: '0d1421721cf9ec24b41b698a9620dda218d47fa7e76ac3dc15cdbc13bd79b0bb',
    },
  },
};

/** The archive of a pinned release for one platform. */
export interface ReleaseArchive {
  /** The file name: `tofu_1.12.6_linux_amd64.zip`. */
  readonly name: string;
  /** The address on the publisher's host or a mirror. */
  readonly url: string;
  /** SHA-256, hexadecimal. */
  readonly digest: string;
  /** The program's file name in the archive. */
  readonly program: string;
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
};

/**
 * The archive of an engine for a platform.
 *
 * @param env may name a mirror by `CASTELLAN_TERRAFORM_MIRROR` or `CASTELLAN_TOFU_MIRROR`.
 * @param platform `process.platform`
 * @param architecture `process.arch`
 * @returns undefined where none is published.
 */
export function releaseArchive(
  engine: EngineName,
  env: Readonly<Record<string, string | undefined>>,
  platform: string,
  architecture: string,
): ReleaseArchive | undefined {
  const { version, publisher, mirrorVariable, folder, digests } = pinnedReleases[engine];
  const system = `${String(platforms[platform])}_${String(architectures[architecture])}`;
  const digest = digests[system];
  if (digest === undefined) return undefined;
  const name = `${engine}_${version}_${system}.zip`;
  const baseUrl = (env[mirrorVariable] || publisher).replace(/\/+$/, '');
  return {
    name,
    url: `${baseUrl}/${folder}/${name}`,
    digest,
    program: platform === 'win32' ? `${engine}.exe` : engine,
  };
}
