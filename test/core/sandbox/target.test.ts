import { targetOf } from '../../../core/sandbox/target.js';

describe('targetOf', () => {
  it.each([
    [{}, 'azure'],
    [{ CASTELLAN_TARGET: 'sandbox' }, 'sandbox'],
    [{ CASTELLAN_TARGET: 'azure', ARM_METADATA_HOSTNAME: 'localhost:1' }, 'azure'],
    [{ CASTELLAN_TARGET: '' }, 'azure'],
    [{ TF_REATTACH_PROVIDERS: '{"registry.terraform.io/castellan/castellan":{}}' }, 'sandbox'],
    [{ TF_REATTACH_PROVIDERS: '{"registry.terraform.io/hashicorp/random":{}}' }, 'azure'],
    [{ ARM_METADATA_HOSTNAME: 'localhost:8443' }, 'sandbox'],
    [{ ARM_METADATA_HOSTNAME: '127.0.0.1:8443' }, 'sandbox'],
    [{ ARM_METADATA_HOSTNAME: 'management.stack.example' }, 'azure'],
  ] as const)('of %j is %s', (env, target) => {
    expect(targetOf(env)).toBe(target);
  });

  it.each(['Sandbox', 'sandbox ', 'cloud'])('of CASTELLAN_TARGET=%s is refused', (value) => {
    expect(() => targetOf({ CASTELLAN_TARGET: value })).toThrow(
      `CASTELLAN_TARGET is "${value}": allowed are azure and sandbox`,
    );
  });
});
