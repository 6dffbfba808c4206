import { routeOf } from '../../../../sandbox/console/page/route.js';

describe('the address of a page of the console', () => {
  it('has a section, a name and a query, in which question marks may follow', () => {
    expect(routeOf('#/simulator/store%20front?path=/a?b=1&person=ada')).toEqual({
      section: 'simulator',
      name: 'store front',
      query: { path: '/a?b=1', person: 'ada' },
    });
    expect(routeOf('')).toEqual({ section: '', name: undefined, query: {} });
  });
});
