import { X509Certificate } from 'node:crypto';
import { TestDirectory } from '../support/directory.js';

describe('certificates', () => {
  let directory: TestDirectory;
  let principal: string;
  beforeAll(async () => {
    directory = await TestDirectory.start({ dialect: 'azure' });
    const application = await directory.post('/applications', { displayName: 'Signed' });
    principal = (await directory.post('/servicePrincipals', { appId: application.body.appId })).body
      .id;
  });
  afterAll(() => directory.stop());

  it('for token signing are listed twice and once as a password, and returned by $select', async () => {
    const { status, body } = await directory.post(
      `/servicePrincipals/${principal}/addTokenSigningCertificate`,
      {
        displayName: 'CN=Castellan',
      },
    );
    expect(status).toBe(200);
    const certificate = new X509Certificate(Buffer.from(body.key, 'base64'));
    expect(certificate.subject).toBe('CN=Castellan');
    expect(certificate.fingerprint.replaceAll(':', '')).toBe(body.thumbprint);
    const withDefaults = (await directory.get(`/servicePrincipals/${principal}`)).body;
    const uses = withDefaults.keyCredentials.map(
      (key: { usage: string; customKeyIdentifier: string; key: unknown }) => [
        key.usage,
        key.customKeyIdentifier,
        key.key,
      ],
    );
    expect(uses).toEqual([
      ['Sign', body.customKeyIdentifier, null],
      ['Verify', body.customKeyIdentifier, null],
    ]);
    expect(withDefaults.keyCredentials[0].keyId).toBe(body.keyId);
    expect(withDefaults.passwordCredentials).toHaveLength(1);
    const selected = (await directory.get(`/servicePrincipals/${principal}?$select=keyCredentials`))
      .body;
    expect(selected.keyCredentials[1].key).toBe(body.key);
  });

  it.each(['cn=lower case', 'CN=a, O=b', 'CN=two=signs + "quotes" #1', 'CN=Grüße'])(
    'for token signing take the name %s',
    async (displayName) => {
      const { status, body } = await directory.post(
        `/servicePrincipals/${principal}/addTokenSigningCertificate`,
        { displayName },
      );
      expect([status, body.displayName]).toEqual([200, displayName]);
      const { subject } = new X509Certificate(Buffer.from(body.key, 'base64'));
      expect(subject.replaceAll('\\', '').slice('CN='.length)).toBe(
        displayName.slice('CN='.length),
      );
    },
  );

  /**
   * @claim application-certificates: Certificates are taken as PEM or DER and return thumbprint
   *   and dates.
   * @source https://learn.microsoft.com/graph/api/resources/keycredential
   * @seen azuread
   */
  it('are accepted as PEM or DER, get dates, thumbprint and subject, and keep their key when the list is sent back', async () => {
    const created = (
      await directory.post(`/servicePrincipals/${principal}/addTokenSigningCertificate`, {
        displayName: 'CN=Uploaded',
      })
    ).body;
    const pem = new X509Certificate(Buffer.from(created.key, 'base64')).toString();
    const { id } = (await directory.post('/applications', { displayName: 'Holder' })).body;
    const keyId = '11111111-2222-4333-8444-555555555555';
    const entry = {
      '@odata.type': '#microsoft.graph.keyCredential',
      keyId,
      type: 'AsymmetricX509Cert',
      usage: 'Verify',
      key: Buffer.from(pem).toString('base64'),
    };
    expect(
      (await directory.patch(`/applications/${id}`, { id, keyCredentials: [entry] })).status,
    ).toBe(204);
    const [listedKey] = (await directory.get(`/applications/${id}`)).body.keyCredentials;
    expect(listedKey).toMatchObject({
      keyId,
      key: null,
      displayName: 'CN=Uploaded',
      customKeyIdentifier: created.customKeyIdentifier,
    });
    expect(listedKey.endDateTime).toMatch(/Z$/);
    expect(
      (await directory.patch(`/applications/${id}`, { keyCredentials: [listedKey] })).status,
    ).toBe(204);
    const [keptKey] = (await directory.get(`/applications/${id}?$select=keyCredentials`)).body
      .keyCredentials;
    expect(keptKey.key).toBe(created.key);
    expect(
      (
        await directory.patch(`/applications/${id}`, {
          keyCredentials: [{ ...entry, key: 'bm9uc2Vuc2U=' }],
        })
      ).status,
    ).toBe(400);
    expect(
      (
        await directory.patch(`/applications/${id}`, {
          keyCredentials: [{ keyId: '99999999-2222-4333-8444-555555555555', key: null }],
        })
      ).status,
    ).toBe(400);
  });

  it.each([
    ['type', { type: 'Secret' }],
    ['usage', { usage: 'Read' }],
    ['keyId', { keyId: 'first' }],
    ['startDateTime', { startDateTime: 'tomorrow' }],
    ['endDateTime', { endDateTime: '2020-01-01T00:00:00Z' }],
    ['endDateTime', { type: 'Symmetric', endDateTime: 2027 }],
  ])('are refused with the wrong %s: %j', async (property, values) => {
    const { key } = (
      await directory.post(`/servicePrincipals/${principal}/addTokenSigningCertificate`)
    ).body;
    const { id } = (await directory.post('/applications', { displayName: 'Holder' })).body;
    const { status, body } = await directory.patch(`/applications/${id}`, {
      keyCredentials: [{ type: 'AsymmetricX509Cert', usage: 'Verify', key, ...values }],
    });
    expect([status, body.error?.details[0].target]).toEqual([400, property]);
  });

  it('are refused when two have the same keyId, in any letter case', async () => {
    const { id } = (await directory.post('/applications', { displayName: 'Holder' })).body;
    const keyId = 'aaaaaaaa-2222-4333-8444-555555555555';
    const { status, body } = await directory.patch(`/applications/${id}`, {
      keyCredentials: [keyId, keyId.toUpperCase()].map((each) => ({
        keyId: each,
        type: 'Symmetric',
        usage: 'Verify',
        key: 'AAAA',
      })),
    });
    expect([status, body.error?.details[0].target]).toEqual([400, 'keyCredentials']);
  });

  it('for token signing are refused when they end before they begin', async () => {
    const { status } = await directory.post(
      `/servicePrincipals/${principal}/addTokenSigningCertificate`,
      { endDateTime: '2020-01-01T00:00:00Z' },
    );
    expect(status).toBe(400);
  });
});
