import fc from 'fast-check';
import { hiddenBodyText, maskedBodyText, maskPath } from '../../../sandbox/console/mask-secrets.js';

describe('the activity log of a call', () => {
  it.each([
    [
      'a secret of an application',
      { displayName: 'x', passwordCredentials: [{ secretText: 'S3CRET', displayName: 'd' }] },
    ],
    [
      'a password',
      { passwordProfile: { password: 'S3CRET', forceChangePasswordNextSignIn: true } },
    ],
    [
      'the secrets of an app',
      { properties: { configuration: { secrets: [{ name: 'db', value: 'S3CRET' }] } } },
    ],
    ['a key', { primarySharedKey: 'S3CRET', sharedKey: 'S3CRET' }],
    ['a client assertion', { client_assertion: 'S3CRET' }],
  ])('masks %s', (_what, body) => {
    expect(maskedBodyText(JSON.stringify(body))).not.toContain('S3CRET');
    expect(maskedBodyText(body)).not.toContain('S3CRET');
  });

  it('keeps values that are not secret', () => {
    const body = {
      displayName: 'Shoppers',
      configuration: { secrets: [{ name: 'db', value: 'S3CRET' }] },
    };
    expect(JSON.parse(maskedBodyText(body) ?? '')).toEqual({
      displayName: 'Shoppers',
      configuration: { secrets: [{ name: 'db', value: '•••' }] },
    });
  });

  it('keeps no answers that consist of secrets, nor bodies that it cannot mask', () => {
    expect(hiddenBodyText({ value: [{ name: 'db', value: 'S3CRET' }] })).toBe(
      '(holds secrets, not recorded)',
    );
    expect(maskedBodyText('client_secret=S3CRET&grant_type=x')).toBe('(no JSON, not recorded)');
  });

  it('does not parse bodies that nest deeper than services accept, or are too long', () => {
    const deep = '['.repeat(100_000) + ']'.repeat(100_000);
    for (const body of [
      deep,
      Buffer.from(deep),
      Buffer.from(`{"a":${'[{"b":'.repeat(60)}1${'}]'.repeat(60)}}`),
    ])
      expect(maskedBodyText(body)).toBe('(no JSON, not recorded)');
    expect(maskedBodyText(Buffer.from(JSON.stringify('x'.repeat(1_000_000))))).toBe(
      '(too long, not recorded)',
    );
  });

  it('cuts long bodies', () => {
    expect(maskedBodyText({ text: 'x'.repeat(10_000) })?.length).toBeLessThan(4_100);
  });

  it('masks secrets in queries and leaves the rest of the address as it was', () => {
    expect(maskPath('/oauth2/token?code=S3CRET&state=1&client_secret=a=b')).toBe(
      '/oauth2/token?code=•••&state=1&client_secret=•••',
    );
    fc.assert(
      fc.property(
        fc.stringMatching(/^\/[a-z/]{0,20}$/),
        fc.array(fc.stringMatching(/^[a-z]{1,5}=[a-z0-9]{0,5}$/)),
        (path, query) => {
          const harmless = query.filter((each) => !/^(code|token|.*keys?)=/.test(each));
          const url = harmless.length === 0 ? path : `${path}?${harmless.join('&')}`;
          expect(maskPath(url)).toBe(url);
        },
      ),
    );
  });

  it('masks secrets in fragments, where the implicit flow puts tokens', () => {
    expect(maskPath('https://app/cb#id_token=S3CRET&state=1')).toBe(
      'https://app/cb#id_token=•••&state=1',
    );
    expect(maskPath('/cb?a=1#x#access_token=S3CRET')).toBe('/cb?a=1#x#access_token=•••');
    expect(maskPath('/_castellan/console/#/groups/a?b=1')).toBe(
      '/_castellan/console/#/groups/a?b=1',
    );
  });

  it('keeps what follows a second question mark, and masks secrets there', () => {
    expect(maskPath('/x?a=1?b&c=?')).toBe('/x?a=1?b&c=?');
    expect(maskPath('/x?back=/callback?code=S3CRET&state=1?&client_secret=a?b=c')).toBe(
      '/x?back=/callback?code=•••&state=1?&client_secret=•••',
    );
  });
});
