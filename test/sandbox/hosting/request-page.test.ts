import { groupIdsOf, requestPage } from '../../../sandbox/hosting/request-page.js';

const claims = [
  { typ: 'exp', val: '1795351366' },
  { typ: 'groups', val: 'f66d5b8f-65b5-47b4-a9e8-a54a95961419' },
  { typ: 'groups', val: 'unknown-id' },
];
const principal = Buffer.from(JSON.stringify({ claims })).toString('base64');
const request = {
  method: 'GET',
  path: '/',
  headers: [['X-SVC-CLIENT-PRINCIPAL', principal] as const],
};

describe('the page in place of an app', () => {
  it('shows times readably and groups with their names', () => {
    expect(groupIdsOf(request, 'neutral')).toEqual([
      'f66d5b8f-65b5-47b4-a9e8-a54a95961419',
      'unknown-id',
    ]);
    const groupNames = new Map([['f66d5b8f-65b5-47b4-a9e8-a54a95961419', 'Shoppers <all>']]);
    const page = requestPage({
      app: 'shop',
      reason: '',
      dialect: 'neutral',
      hasAuth: true,
      request,
      groupNames,
    });
    expect(page).toContain('22 Nov 2026, 12:42:46 UTC<span class="gloss">1795351366</span>');
    expect(page).toContain(
      'Shoppers &#60;all&#62;<span class="gloss">f66d5b8f-65b5-47b4-a9e8-a54a95961419</span>',
    );
    expect(page).toContain('<td>unknown-id</td>');
  });
});
