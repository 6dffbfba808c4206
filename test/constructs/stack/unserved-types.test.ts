import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { AzurermProvider } from '@cdktf/provider-azurerm/lib/provider';
import { DataAzurermRedisCache } from '@cdktf/provider-azurerm/lib/data-azurerm-redis-cache';
import { RedisCache } from '@cdktf/provider-azurerm/lib/redis-cache';
import { ResourceGroup } from '@cdktf/provider-azurerm/lib/resource-group';
import { App, PolicyChecks } from '../../../constructs/index.js';
import { TerraformStack } from '../../../constructs/internal/cdktf.js';

/** The warnings of a stack with a type that the sandbox serves, and two that it does not. */
function warnings(): readonly string[] {
  const app = new App({ outdir: mkdtempSync(join(tmpdir(), 'castellan-unserved-')) });
  PolicyChecks.of(app);
  const stack = new TerraformStack(app, 'shop');
  new AzurermProvider(stack, 'azurerm', { features: [{}] });
  new ResourceGroup(stack, 'group', { name: 'rg-shop', location: 'westeurope' });
  const nameProps = { name: 'shop', resourceGroupName: 'rg-shop' };
  const size = { capacity: 1, family: 'C', skuName: 'Basic', location: 'westeurope' };
  new RedisCache(stack, 'cache', { ...nameProps, ...size });
  new DataAzurermRedisCache(stack, 'other', nameProps);
  app.synth();
  const manifest = JSON.parse(readFileSync(join(app.outdir, 'manifest.json'), 'utf8')) as {
    stacks: { shop: { annotations: readonly { constructPath: string; message: string }[] } };
  };
  return manifest.stacks.shop.annotations.map((each) => `${each.constructPath}: ${each.message}`);
}

describe('a type that the sandbox does not serve', () => {
  afterEach(() => vi.unstubAllEnvs());

  it('is a warning at synth that says what to do', () => {
    vi.stubEnv('TF_REATTACH_PROVIDERS', '{"registry.terraform.io/castellan/castellan":{}}');
    const advice =
      "The sandbox's own provider does not serve azurerm_redis_cache (`castellan provider types` lists what it serves): declare it as an azapi_resource, which takes any type, or use those of `castellan sandbox env --providers official`.";
    expect(warnings()).toEqual([`shop/cache: ${advice}`, `shop/other: ${advice}`]);
  });

  it('is no warning in the cloud', () => expect(warnings()).toEqual([]));
});
