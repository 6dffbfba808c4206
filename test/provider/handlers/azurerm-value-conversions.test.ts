import { conversionsOf } from '../../../provider/handlers/azurerm/mapped/value-conversions.js';

describe('a list that the body has as one text', () => {
  it('has no entry where the text is empty', () => {
    expect(conversionsOf('semicolons').toState?.('')).toEqual([]);
  });

  it('has its entries without the space after a separator', () => {
    expect(conversionsOf('commas').toState?.('Logging, Metrics')).toEqual(['Logging', 'Metrics']);
  });
});
