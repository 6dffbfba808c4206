import { abbreviateList } from '../../../core/text/abbreviated-list.js';

describe('a list of names in a message', () => {
  it('is whole where it is short', () => expect(abbreviateList(['web', 'api'])).toBe('web, api'));
  it('names the first, and how many more there are', () =>
    expect(abbreviateList(['web', 'api', 'jobs'], 2)).toBe('web, api and 1 more'));
});
