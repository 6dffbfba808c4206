import { mkdirSync, mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  App,
  CastellanStack,
  PolicyChecks,
  SecurityGroup,
  Workspace,
} from '../../../constructs/index.js';
import {
  AzurermBackend,
  LocalBackend,
  TerraformStack,
} from '../../../constructs/internal/cdktf.js';

const storage = { storageAccountName: 'shopstate', containerName: 'state', key: 'shop.tfstate' };
const azure = { location: 'westeurope' };
const owners = ['11111111-1111-4222-8333-444455556666', '21111111-1111-4222-8333-444455556666'];

/** The backend that a stack is written with. */
function backendOf(create: (app: App) => TerraformStack): unknown {
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-state-')) });
  const stack = create(app);
  new SecurityGroup(stack, 'g', { displayName: 'G', owners });
  app.synth();
  const file = join(app.outdir, 'stacks', stack.node.id, 'cdk.tf.json');
  const { terraform } = JSON.parse(readFileSync(file, 'utf8')) as {
    terraform: { backend: unknown };
  };
  return terraform.backend;
}

const kinds: [string, (app: App) => TerraformStack][] = [
  ['without a backend', (app) => new CastellanStack(app, 'shop', { azure })],
  [
    'with a backend of castellan',
    (app) => new CastellanStack(app, 'shop', { azure, backend: { azurerm: storage } }),
  ],
  [
    'with a backend of cdktf',
    (app) => {
      const stack = new CastellanStack(app, 'shop', { azure });
      new AzurermBackend(stack, { ...storage, resourceGroupName: 'rg' });
      return stack;
    },
  ],
  ['of bare cdktf', (app) => new TerraformStack(app, 'shop')],
  [
    'of bare cdktf with a backend',
    (app) => {
      const stack = new TerraformStack(app, 'shop');
      new AzurermBackend(stack, { ...storage, resourceGroupName: 'rg' });
      return stack;
    },
  ],
];

describe('the file of a local backend', () => {
  it('is relative to the current folder', () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-state-'));
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder);
    const app = new App({ outdir: join(folder, 'cdktf.out') });
    const backend = { local: { path: 'states/shop.tfstate' } };
    const stack = new CastellanStack(app, 'shop', { backend });
    expect(stack.ensureBackendExists().toTerraform()).toEqual({
      terraform: { backend: { local: { path: '../../../states/shop.tfstate' } } },
    });
    cwd.mockRestore();
  });
});

describe.each(kinds)('a stack %s', (_kind, create) => {
  afterEach(() => {
    vi.unstubAllEnvs();
    vi.restoreAllMocks();
  });

  it('keeps its state in the sandbox apart', () => {
    // a folder without the data of a sandbox
    vi.spyOn(process, 'cwd').mockReturnValue(mkdtempSync(join(tmpdir(), 'castellan-state-')));
    const inCloud = backendOf(create);
    vi.stubEnv('CASTELLAN_TARGET', 'sandbox');
    const inSandbox = backendOf(create);
    expect(inSandbox).toEqual({ local: { path: '../../../terraform.shop.sandbox.tfstate' } });
    expect(inCloud).not.toEqual(inSandbox);
  });
});

describe('a stack in the sandbox', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('of plain resources keeps its state there, too, once its app has checks', () => {
    vi.stubEnv('CASTELLAN_TARGET', 'sandbox');
    vi.spyOn(process, 'cwd').mockReturnValue(mkdtempSync(join(tmpdir(), 'castellan-state-')));
    const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-state-')) });
    PolicyChecks.of(app);
    const stack = new TerraformStack(app, 'plain');
    new AzurermBackend(stack, { ...storage, resourceGroupName: 'rg' });
    app.synth();
    const text = readFileSync(join(app.outdir, 'stacks/plain/cdk.tf.json'), 'utf8');
    const { terraform } = JSON.parse(text) as { terraform: { backend: unknown } };
    expect(terraform.backend).toEqual({
      local: { path: '../../../terraform.plain.sandbox.tfstate' },
    });
    vi.restoreAllMocks();
  });

  it('has the state of the environment whose sandbox the shell uses', () => {
    const folder = mkdtempSync(join(tmpdir(), 'castellan-state-'));
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder);
    vi.stubEnv('CASTELLAN_TARGET', 'sandbox');
    const stateIn = (environment: string): unknown => {
      vi.stubEnv('CASTELLAN_ENVIRONMENT', environment);
      const stack = new CastellanStack(new App({ outdir: join(folder, 'cdktf.out') }), 'shop');
      return stack.ensureBackendExists().toTerraform()['terraform'];
    };
    const backend = (path: string) => ({ backend: { local: { path: `../../../${path}` } } });
    expect(stateIn('prod')).toEqual(backend('terraform.shop.prod.sandbox.tfstate'));
    mkdirSync(join(folder, '.castellan/environments/prod'), { recursive: true });
    expect(stateIn('prod')).toEqual(
      backend('.castellan/environments/prod/terraform.shop.prod.tfstate'),
    );
    expect(stateIn('default')).toEqual(backend('.castellan/terraform.shop.tfstate'));
    expect(() => stateIn('../prod')).toThrow(/CAS8001|there is no environment/);
    cwd.mockRestore();
  });

  it('has its state in the folder of the sandbox, where there is one', () => {
    vi.stubEnv('CASTELLAN_TARGET', 'sandbox');
    const folder = mkdtempSync(join(tmpdir(), 'castellan-state-'));
    mkdirSync(join(folder, '.castellan'));
    const cwd = vi.spyOn(process, 'cwd').mockReturnValue(folder);
    const app = new App({ outdir: join(folder, 'cdktf.out') });
    const stack = new CastellanStack(app, 'shop', { azure });
    expect(stack.ensureBackendExists().toTerraform()).toEqual({
      terraform: { backend: { local: { path: '../../../.castellan/terraform.shop.tfstate' } } },
    });
    cwd.mockRestore();
  });

  it('has a capacity for its workspaces, and a note about its backend', () => {
    vi.stubEnv('CASTELLAN_TARGET', 'sandbox');
    const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-state-')) });
    const stack = new TerraformStack(app, 'shop');
    new LocalBackend(stack, { path: 'own.tfstate' });
    new Workspace(stack, 'w', { displayName: 'W' });
    app.synth();
    const manifest = readFileSync(join(app.outdir, 'manifest.json'), 'utf8');
    expect(manifest).toContain('in the sandbox the state is a file beside the sandbox');
    expect(readFileSync(join(app.outdir, 'stacks/shop/cdk.tf.json'), 'utf8')).toContain(
      'capacity_id',
    );
  });
});

test('checks of the app leave a CastellanStack the backend of its own', () => {
  const create = (app: App, isChecked: boolean): TerraformStack => {
    if (isChecked) PolicyChecks.of(app);
    return new CastellanStack(app, 'shop', { azure, backend: { azurerm: storage } });
  };
  const [backendWithChecks, backendWithoutChecks] = [true, false].map((each) =>
    backendOf((app) => create(app, each)),
  );
  expect(backendWithChecks).toMatchObject({ azurerm: { storage_account_name: 'shopstate' } });
  expect(backendWithChecks).toEqual(backendWithoutChecks);
});
