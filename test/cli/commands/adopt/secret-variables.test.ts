import { secretVariables } from '../../../../cli/commands/adopt/secret-variables.js';

const secret = (app: string, name: string, value?: string) => ({ app, name, value });

describe('variables of adopted secrets', () => {
  it('have the name of the secret', () => {
    expect(secretVariables([secret('shop', 'api-key', 'a'), secret('shop', '2nd')])).toEqual([
      'API_KEY',
      '_2ND',
    ]);
  });

  it('are shared by apps that have the same value', () => {
    expect(secretVariables([secret('one', 'api-key', 'a'), secret('two', 'api-key', 'a')])).toEqual(
      ['API_KEY', 'API_KEY'],
    );
  });

  it('begin with the app where values differ or are not known', () => {
    expect(secretVariables([secret('one', 'api-key', 'a'), secret('two', 'api-key', 'b')])).toEqual(
      ['ONE_API_KEY', 'TWO_API_KEY'],
    );
    expect(secretVariables([secret('one', 'api-key'), secret('two', 'api-key')])).toEqual([
      'ONE_API_KEY',
      'TWO_API_KEY',
    ]);
  });

  it('are never those of another secret', () => {
    expect(
      secretVariables([
        secret('shop', 'a-b', 'x'),
        secret('shop', 'a.b', 'y'),
        secret('web', 'shop-a-b', 'z'),
      ]),
    ).toEqual(['SHOP_A_B', 'SHOP_A_B_2', 'SHOP_A_B_3']);
  });
});
