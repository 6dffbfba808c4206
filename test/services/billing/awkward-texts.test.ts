import fc from 'fast-check';
import { runs } from '../../support/property-tests.js';
import { account, invoice, startBilling } from './support/start-billing.js';

/** Texts that look like the separators in a JSON list of texts, or that JSON has to escape. */
const pieces = [
  '"',
  ',',
  '","',
  '\\',
  '\\"',
  '\\","',
  '\n',
  '\t',
  '\u0001',
  '\u001f',
  '\u2028',
  'ä',
  '😀',
  '=',
  "'",
  '',
  'a',
  '/',
  '<&>',
];
const awkwardText = fc
  .array(fc.constantFrom(...pieces), { maxLength: 6 })
  .map((texts) => texts.join(''));

test('texts of any kind are returned as they were stored', async () => {
  const stored: { name: string; properties: Record<string, unknown>; tags?: object }[] = [];
  fc.assert(
    fc.property(
      awkwardText,
      awkwardText,
      awkwardText,
      (productFamily, productDescription, unknown) => {
        stored.push({
          name: `t${stored.length}`,
          properties: { productFamily, productDescription, unknown, quantity: stored.length },
        });
      },
    ),
    { numRuns: runs(400) },
  );
  const service = await startBilling({
    billing: [{ billingAccount: account, invoice, transactions: stored }],
  });
  try {
    const all = await service.listAll({ orderBy: 'quantity' });
    expect(
      all.map(({ name, properties }) => ({
        name: name as string,
        properties: properties as object,
      })),
    ).toEqual(stored);
    for (const { name, properties } of stored.slice(0, 20)) {
      const filter = `productFamily eq '${String(properties['productFamily']).replaceAll("'", "''")}' and name eq '${name}'`;
      expect((await service.listAll({ filter })).map((each) => each.name as string)).toEqual([
        name,
      ]);
    }
  } finally {
    await service.stop();
  }
});
