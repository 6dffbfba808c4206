import { describe, expect, it } from 'vitest';
import {
  callKind,
  describeCall,
  abbreviatePath,
} from '../../../sandbox/console/call-description.js';

const resourceGroupPath = '/subscriptions/fbb024a9-9cab-4c28-b34f-177d48248cb8/resourceGroups/rg';
const group = 'b52b5c3c-bcae-4c61-a15f-57b06acc601e';

describe('the meaning of a call', () => {
  it.each([
    [
      'PUT',
      `${resourceGroupPath}/providers/Microsoft.App/containerApps/storefront?api-version=1`,
      'change',
      'write container app storefront',
    ],
    [
      'POST',
      `${resourceGroupPath}/providers/Microsoft.App/containerApps/storefront/listSecrets`,
      'read',
      'list secrets of storefront',
    ],
    [
      'PUT',
      `${resourceGroupPath}/providers/Microsoft.App/containerApps/storefront/authConfigs/current`,
      'change',
      'write auth config of storefront',
    ],
    ['POST', '/v1.0/groups', 'change', 'create group Shoppers'],
    ['GET', `/v1.0/groups/${group}/members`, 'read', 'list members of Shoppers'],
    ['POST', `/v1.0/groups/${group}/members/$ref`, 'change', 'add member to Shoppers'],
    [
      'DELETE',
      `/v1.0/groups/${group}/owners/1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071/$ref`,
      'change',
      'remove owner from Shoppers',
    ],
    ['POST', `/v1.0/applications/${group}/addPassword`, 'change', 'add password of Shoppers'],
    ['PATCH', `/v1.0/groups/${group}`, 'change', 'change group Shoppers'],
    [
      'DELETE',
      '/v1.0/users/1b3c2f7d-6e4d-4c8b-8f22-2e3d4c5b6071',
      'change',
      'delete user 1b3c2f7d…',
    ],
    ['POST', '/fd0c884d-0c3e-4d70-8b67-09de94c853e8/oauth2/v2.0/token', 'sign-in', 'get a token'],
  ])('of %s %s is a %s: %s', (method, path, kind, meaning) => {
    expect(callKind(method, path)).toBe(kind);
    const request = method === 'POST' ? '{\n  "displayName": "Shoppers"\n}' : undefined;
    expect(
      describeCall({ method, path, request }, (id) => (id === group ? 'Shoppers' : undefined)),
    ).toBe(meaning);
  });

  it('has an abbreviated path without subscription, provider and api-version', () => {
    expect(
      abbreviatePath(
        `${resourceGroupPath}/providers/Microsoft.App/containerApps/web?api-version=1`,
      ),
    ).toBe('…/resourceGroups/rg/containerApps/web');
    expect(abbreviatePath('/v1.0/users?$top=5')).toBe('/v1.0/users?$top=5');
  });
});
