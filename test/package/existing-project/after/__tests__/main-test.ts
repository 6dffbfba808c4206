import 'castellan/testing/jest';
import 'cdktf/lib/testing/adapters/jest';
import { StorageAccount } from '@cdktf/provider-azurerm/lib/storage-account';
import { Testing } from 'cdktf';
import { PlatformStack } from '../platform';
import { ShopStack } from '../shop';

test('the platform has its storage', () => {
  const stack = new PlatformStack(Testing.app(), 'platform');
  expect(stack).toHaveNoFindings();
  expect(Testing.synth(stack)).toHaveResourceWithProperties(StorageAccount, {
    name: 'shopplatform',
  });
});

test('the shop has its administrators and its app', () => {
  const app = Testing.app();
  const shop = new ShopStack(app, 'shop', new PlatformStack(app, 'platform'));
  expect(shop).toHaveNoFindings();
  expect(shop).toHaveGroup({ displayName: 'Shop administrators' });
  expect(shop).toHaveContainerApp({ targetPort: 80 });
});
