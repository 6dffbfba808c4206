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
      signInPrefix: '/.auth',
      request,
      groupNames,
    });
    expect(page).toContain('22 Nov 2026, 12:42:46 UTC<span class="gloss">1795351366</span>');
    expect(page).toContain(
      'Shoppers &#60;all&#62;<span class="gloss">f66d5b8f-65b5-47b4-a9e8-a54a95961419</span>',
    );
    expect(page).toContain('<td>unknown-id</td>');
  });

  it.each([
    ['claims that are no list', { 'X-SVC-CLIENT-PRINCIPAL': { claims: 5 } }],
    ['claims without type and value', { 'X-SVC-CLIENT-PRINCIPAL': { claims: [null, { typ: 1 }] } }],
    ['a date that no calendar has', { 'X-When': '2026-99-99T00:00:00Z' }],
  ])('shows a header of anybody with %s as it is', (_what, sent) => {
    const headers = Object.entries(sent).map(
      ([name, value]) =>
        [
          name,
          typeof value === 'string' ? value : Buffer.from(JSON.stringify(value)).toString('base64'),
        ] as const,
    );
    const anybody = { method: 'GET', path: '/', headers };
    expect(groupIdsOf(anybody, 'neutral')).toEqual([]);
    const page = requestPage({
      app: 'shop',
      reason: '',
      dialect: 'neutral',
      signInPrefix: undefined,
      request: anybody,
    });
    expect(page).toContain(`<td>${headers[0]?.[1]}</td>`);
  });

  it.each([
    ['nobody', [], ['/signin/login?post_login_redirect_uri=%2F']],
    ['Ada', [['X-SVC-CLIENT-PRINCIPAL-NAME', 'Ada'] as const], ['/signin/logout', '/signin/me']],
  ])('links to the paths of the sign-in layer: %s is signed in', (_, headers, links) => {
    const page = requestPage({
      app: 'shop',
      reason: '',
      dialect: 'neutral',
      signInPrefix: '/signin',
      request: { ...request, headers },
    });
    expect(
      [...page.matchAll(/class="button[^"]*" href="([^"]+)"/g)].map(([, link]) => link),
    ).toEqual(links);
  });
});
