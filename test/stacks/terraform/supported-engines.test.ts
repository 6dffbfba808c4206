import type { Engine } from '../../../stacks/terraform/find-terraform.js';
import { requireSupportedEngine } from '../../../stacks/terraform/supported-engines.js';

const terraform = (version: string): Engine => ({ name: 'terraform', title: 'Terraform', version });
const tofu = (version: string): Engine => ({ name: 'tofu', title: 'OpenTofu', version });

test.each([terraform('1.5.7'), tofu('1.10.9'), terraform('0.15.0')])(
  'refuses $title $version',
  async (engine) => {
    await expect(
      requireSupportedEngine('/bin/engine', () => Promise.resolve(engine)),
    ).rejects.toMatchObject({
      code: 'CAS2102',
      message: `/bin/engine is ${engine.title} ${engine.version}, and stacks need ${engine.title} 1.11 or later`,
    });
  },
);

test.each([terraform('1.11.0'), tofu('1.11.4'), terraform('2.0.0'), terraform('1.12.0-beta1')])(
  'accepts $title $version',
  async (engine) => {
    await expect(
      requireSupportedEngine('/bin/engine', () => Promise.resolve(engine)),
    ).resolves.toBe(engine);
  },
);
