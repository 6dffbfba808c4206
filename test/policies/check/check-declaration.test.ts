import { checkDeclaration } from '../../../policies/index.js';

const isUnknown = (value: unknown): boolean =>
  typeof value === 'string' && value.includes('${TfToken[');
const findingLines = (...args: Parameters<typeof checkDeclaration>) =>
  checkDeclaration(...args).map(
    ({ ruleId, verdict, path }) => `${verdict} ${ruleId} ${path?.join('.')}`,
  );

describe('checking one declaration', () => {
  it('finds the same as in a file, at the place of the construct', () => {
    const [finding] = checkDeclaration(
      'eventhouses',
      'clicks',
      { workspace: 'telemetry', displayName: 'clicks', minimumConsumptionUnits: 50.5 },
      { location: { file: 'main.ts', line: 12, column: 3 }, constructPath: 'shop/clicks' },
    );
    expect(finding).toMatchObject({
      ruleId: 'eventhouse-consumption-units',
      verdict: 'fail',
      location: { file: 'main.ts', line: 12, column: 3 },
      constructPath: 'shop/clicks',
      path: ['eventhouses', 'clicks', 'minimumConsumptionUnits'],
    });
  });

  it('leaves a value that is known only after apply unknown', () => {
    const value = {
      kind: 'security',
      displayName: 'Shoppers',
      mailNickname: '${TfToken[TOKEN.1]}',
      owners: ['ada', 'grace'],
    };
    expect(findingLines('groups', 'shoppers', value, { isUnknown })).toEqual([
      'unknown group-mail-nickname groups.shoppers.mailNickname',
    ]);
  });

  it('accepts a token of the synthesis as a secret', () => {
    const auth = {
      providers: { codehost: { clientId: 'x', clientSecret: '${TfToken[TOKEN.2]}' } },
    };
    const value = { image: 'shop:1', targetPort: 80, ingress: { external: true }, auth };
    expect(
      findingLines('containerApps', 'shop', value, { isUnknown }).filter((line) =>
        line.startsWith('fail'),
      ),
    ).toEqual(['fail auth-open-provider containerApps.shop.auth.providers.codehost']);
  });

  it('does not check rules about other declarations', () => {
    expect(
      findingLines('groups', 'shoppers', {
        kind: 'security',
        displayName: 'Shoppers',
        owners: ['nobody', 'noone'],
      }),
    ).toEqual([]);
  });

  it('runs no rules on a value of a wrong type', () => {
    expect(
      findingLines('groups', 'shoppers', {
        kind: 'security',
        displayName: 'Shoppers',
        owners: 'ada',
      }),
    ).toEqual(['fail property-type groups.shoppers.owners']);
  });
});
