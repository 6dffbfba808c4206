import 'cdktf/lib/testing/adapters/jest';
import { StorageAccount } from '@cdktf/provider-azurerm/lib/storage-account';
import { Testing } from 'cdktf';
import { PlatformStack } from '../platform';

test('the platform has its storage', () => {
  const stack = new PlatformStack(Testing.app(), 'platform');
  expect(Testing.synth(stack)).toHaveResourceWithProperties(StorageAccount, {
    name: 'shopplatform',
  });
});
