import {
  accountSasToken,
  serviceSasToken,
} from '../../../services/resource-manager/generic/shared-access-signature.js';
import { group, startManager, withEnvironment } from './support.js';

const key = Buffer.from('0123456789abcdef'.repeat(4)).toString('base64');
const keys = ['', key] as const;
const times = { signedStart: '2026-01-01T00:00:00Z', signedExpiry: '2026-02-01T00:00:00Z' };
const sortedParameters = (token: string): string[] => token.split('&').sort();

/**
 * The expected tokens are what version 12 of the storage SDK for JavaScript makes of the same
 * values.
 */
test('a token of an account is signed with its key', () => {
  const body = {
    ...times,
    signedServices: 'bq',
    signedResourceTypes: 'sco',
    signedPermission: 'rl',
    signedProtocol: 'https',
    keyToSign: 'key2',
    signedIp: '10.0.0.1-10.0.0.9',
  };
  const expected =
    'sv=2015-04-05&ss=bq&srt=sco&spr=https&st=2026-01-01T00%3A00%3A00Z&se=2026-02-01T00%3A00%3A00Z&sip=10.0.0.1-10.0.0.9&sp=rl&sig=a9xXaUoGVO5u5jS1CVitujUHFh%2BR%2F%2BhVqOMqv%2FZxC%2Bk%3D';
  expect(sortedParameters(accountSasToken('account1', body, keys))).toEqual(
    sortedParameters(expected),
  );
});

test.each([
  [
    'a container',
    {
      ...times,
      canonicalizedResource: '/blob/account1/box',
      signedResource: 'c',
      signedPermission: 'rl',
      signedProtocol: 'https',
      rsct: 'text/plain',
    },
    'sv=2015-04-05&spr=https&st=2026-01-01T00%3A00%3A00Z&se=2026-02-01T00%3A00%3A00Z&sr=c&sp=rl&rsct=text%2Fplain&sig=7gdI4gJcNaXaaSebitIlvxPjc%2B46q5BxrZFs4xEuKXY%3D',
  ],
  [
    'a queue',
    {
      canonicalizedResource: '/queue/account1/line',
      signedPermission: 'rp',
      signedExpiry: times.signedExpiry,
    },
    'sv=2015-04-05&se=2026-02-01T00%3A00%3A00Z&sp=rp&sig=hIuQGKMIo2S9CRXX%2FE%2B4A6iEx%2BiaDezOxcEQ8U4hQL4%3D',
  ],
])('a token of %s is signed with the key of the account', (_what, body, expected) => {
  expect(sortedParameters(serviceSasToken({ ...body, keyToSign: 'key2' }, keys))).toEqual(
    sortedParameters(expected),
  );
});

/**
 * @claim sas-version: listAccountSas and listServiceSas sign with version 2015-04-05 of the
 *   storage service.
 * @source https://learn.microsoft.com/rest/api/storagerp/storage-accounts/list-account-sas
 */
test('an account issues tokens of itself and of its services, and refuses an incomplete request', async () => {
  const manager = await startManager();
  await withEnvironment(manager);
  const account = `${group}/providers/Microsoft.Storage/storageAccounts/account1`;
  await manager.send('PUT', account, {
    location: 'westeurope',
    sku: { name: 'Standard_LRS' },
    kind: 'StorageV2',
    properties: {},
  });
  const body = { ...times, signedServices: 'b', signedResourceTypes: 's', signedPermission: 'r' };
  const { value } = (await manager.send('POST', `${account}/listKeys`)).body.keys[0];
  expect((await manager.send('POST', `${account}/ListAccountSas`, body)).body).toEqual({
    accountSasToken: accountSasToken('account1', body, [value, '']),
  });
  const service = {
    ...times,
    canonicalizedResource: '/table/account1/t',
    signedPermission: 'r',
    startPk: 'a',
  };
  expect(
    (await manager.send('POST', `${account}/ListServiceSas`, service)).body.serviceSasToken,
  ).toMatch(/^sv=.*&spk=a&sig=/);
  for (const [action, wrong] of [
    ['ListAccountSas', { ...body, signedExpiry: null }],
    ['ListAccountSas', { ...body, keyToSign: 'key3' }],
    ['ListServiceSas', { ...service, canonicalizedResource: 'account1/t' }],
  ] as const)
    expect((await manager.send('POST', `${account}/${action}`, wrong)).status).toBe(400);
  await manager.close();
});
