import { unrestrictedCaller } from '../../../services/common/caller.js';
import { Call } from '../../../services/common/call.js';

function callOf(target: string): Call {
  const url = `/v1.0${target}`;
  return new Call(undefined, unrestrictedCaller, {
    method: 'GET',
    origin: 'https://h',
    prefix: '/v1.0',
    url,
    headers: {},
    body: Buffer.alloc(0),
    requestId: '1',
    clientRequestId: '1',
  });
}

describe('the link to another page', () => {
  it.each([
    ['/groups?$top=5&$skiptoken=old&$select=id', '/groups?$top=5&$select=id&$skiptoken=new'],
    ['/groups', '/groups?$skiptoken=new'],
    [
      '/groups?$filter=a%20eq%20%27b+c%27&%24SkipToken=old&skiptoken=older',
      '/groups?$filter=a%20eq%20%27b+c%27&$skiptoken=new',
    ],
    ['/groups?a&&b=%E4#part', '/groups?a&b=%E4&$skiptoken=new'],
  ])('of %s keeps the other options as they were sent', (target, expected) => {
    expect(callOf(target).linkWith({ $skiptoken: 'new' })).toBe(`https://h/v1.0${expected}`);
  });

  it('omits undefined options, and escapes the others', () => {
    expect(callOf('/groups?skip=5&top=1').linkWith({ skip: undefined, top: 'a&b' })).toBe(
      'https://h/v1.0/groups?top=a%26b',
    );
  });
});
