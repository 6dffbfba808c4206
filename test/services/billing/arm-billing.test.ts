import { BillingManagementClient } from '@azure/arm-billing';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { execFileSync } from 'node:child_process';
import { createBillingClient } from '../../../clients/billing/index.js';
import { account, invoice, startBilling, type StartedBilling } from './support/start-billing.js';

/** A certificate for localhost that signs itself. */
function createSelfSignedCertificate(): { cert: string; key: string } {
  const folder = mkdtempSync(join(tmpdir(), 'billing-tls-'));
  const [cert, key] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const subject = ['-subj', '/CN=localhost', '-addext', 'subjectAltName=DNS:localhost'];
  execFileSync(
    'openssl',
    [
      'req',
      '-x509',
      '-newkey',
      'ec',
      '-pkeyopt',
      'ec_paramgen_curve:P-256',
      '-nodes',
      '-days',
      '1',
      '-keyout',
      key,
      '-out',
      cert,
      ...subject,
    ],
    { stdio: 'pipe' },
  );
  return { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') };
}

describe("the cloud's own client", () => {
  let service: StartedBilling;
  const tls = createSelfSignedCertificate();
  beforeAll(async () => {
    service = await startBilling({
      dialect: 'azure',
      tls,
      billing: [{ billingAccount: account, invoice, generate: { count: 130, seed: 'arm' } }],
    });
  });
  afterAll(() => service.stop());

  /**
   * @claim client-billing: The SDK lists every transaction over all pages.
   * @source https://learn.microsoft.com/rest/api/billing/transactions/list-by-invoice
   * @seen arm-billing
   */
  it('lists every transaction over all pages', async () => {
    const credential = {
      getToken: () =>
        Promise.resolve({ token: 'a.b.c', expiresOnTimestamp: Date.now() + 3_600_000 }),
    };
    const client = new BillingManagementClient(credential, '00000000-0000-0000-0000-000000000000', {
      endpoint: service.origin,
      tlsOptions: { ca: tls.cert },
    });
    // The SDK knows an older version only.
    client.pipeline.addPolicy({
      name: 'api-version',
      sendRequest: (request, next) => {
        const url = new URL(request.url);
        url.searchParams.set('api-version', '2024-04-01');
        // the same object, since the SDK remembers for it how to read the answer
        request.url = url.href;
        return next(request);
      },
    });
    const names: string[] = [];
    const amounts: (number | undefined)[] = [];
    for await (const transaction of client.transactions.listByInvoice(account, invoice)) {
      names.push(transaction.name ?? '');
      amounts.push(transaction.transactionAmount?.value);
    }
    expect(new Set(names).size).toBe(130);
    expect(amounts.every((value) => typeof value === 'number')).toBe(true);
  });

  it("and Castellan's, which trusts the private authority, list the same transactions", async () => {
    const client = createBillingClient({ baseUrl: service.origin, dialect: 'azure', ca: tls.cert });
    const dates: string[] = [];
    for await (const { properties } of client.transactions({
      billingAccount: account,
      invoice,
      orderBy: 'date',
      top: 20,
    }))
      dates.push(properties.date ?? '');
    expect(dates).toHaveLength(130);
    expect([...dates].sort()).toEqual(dates);
    const clientWithoutAuthority = createBillingClient({
      baseUrl: service.origin,
      dialect: 'azure',
      retries: 0,
    });
    await expect(
      clientWithoutAuthority.pages({ billingAccount: account, invoice }).next(),
    ).rejects.toMatchObject({ code: 'CAS5002' });
  });
});
