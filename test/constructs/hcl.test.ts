import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { App, CastellanStack, ContainerApp, Secret } from '../../constructs/index.js';
import { fullDeclarations } from './support/full-declarations.js';
import { westEurope } from './support/synthesized.js';

/** A stack as `cdktf synth --hcl` writes it. */
function synthesizedHcl(declare: (stack: CastellanStack) => void): string {
  vi.stubEnv('SYNTH_HCL_OUTPUT', 'true');
  try {
    const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-hcl-')) });
    const stack = new CastellanStack(app, 'shop', { ...westEurope, skipValidation: true });
    declare(stack);
    app.synth();
    return readFileSync(join(app.outdir, 'stacks/shop/cdk.tf'), 'utf8');
  } finally {
    vi.unstubAllEnvs();
  }
}

describe('HCL', () => {
  it.each(Object.entries(fullDeclarations))(
    'is written of %s without what only cdktf reads',
    (_name, [Construct, props]) => {
      const hcl = synthesizedHcl((stack) => new Construct(stack, 'x', props(stack) as never));
      expect(hcl).toContain('resource "');
      expect(hcl).not.toMatch(/isBlock|storageClassType|undefined|\[object/);
    },
  );

  it('has the secrets of an app, also those that are added later, and none without any', () => {
    const hclOf = (declare: (app: ContainerApp) => unknown): string =>
      synthesizedHcl((stack) => declare(new ContainerApp(stack, 'web', { image: 'nginx:1.2' })));
    const added = hclOf((app) => {
      app.addSecret('one', Secret.fromEnvironment('ONE'));
      app.addSecret('two', Secret.fromEnvironment('TWO'));
    });
    expect(added.match(/^secret \{/gm)).toHaveLength(2);
    expect(hclOf(() => undefined)).not.toContain('secret');
  });

  it('removes a setting of the sign-in layer by null', () => {
    const hcl = synthesizedHcl((stack) => {
      const search = { clientId: 'a', clientSecret: Secret.fromEnvironment('A') };
      const auth = { providers: { search } };
      new ContainerApp(stack, 'web', { image: 'nginx:1.2', targetPort: 80, auth });
    });
    expect(hcl).toContain('gitHub = "${null}"');
  });
});
