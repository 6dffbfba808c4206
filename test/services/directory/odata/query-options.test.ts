import { writePageToken } from '../../../../services/common/page-token.js';
import {
  ODataError,
  decodeSkipToken,
  parseQueryOptions,
} from '../../../../services/directory/odata/index.js';

function optionsOf(
  query: string | Readonly<Record<string, string>>,
): ReturnType<typeof parseQueryOptions> {
  return parseQueryOptions(new URLSearchParams(query));
}

describe('query options', () => {
  it('are accepted with and without $, in any letter case', () => {
    expect(optionsOf({ $top: '5', select: 'id, displayName', $COUNT: 'true' })).toEqual({
      top: 5,
      select: ['id', 'displayName'],
      count: true,
    });
  });

  it('parse $orderby and $expand with nested $select', () => {
    expect(
      optionsOf({ $orderby: 'displayName desc', $expand: 'members($select=id,displayName)' }),
    ).toEqual({
      count: false,
      orderby: [{ property: 'displayName', descending: true }],
      expand: [{ relationship: 'members', select: ['id', 'displayName'] }],
    });
  });

  it.each([
    [{ $top: '0' }, 'Invalid page size'],
    [{ $top: '1000' }, 'Invalid page size'],
    [{ $top: '-1' }, 'Invalid page size'],
    [{ $top: 'ten' }, 'Invalid page size'],
    [{ $skip: '1' }, "'$skip' is not supported"],
    [{ $count: 'yes' }, "'$count'"],
    [{ $unknown: '1' }, "'$unknown' is not supported"],
    ['$top=1&$top=2', 'more than once'],
    [{ $top: '1', top: '1' }, 'more than once'],
    [{ $select: '' }, 'select'],
    [{ $select: 'a,,b' }, 'select'],
    [{ $select: 'a b' }, 'select'],
    [{ $orderby: 'displayName sideways' }, 'orderby'],
    [{ $expand: 'members($filter=x)' }, 'only $select is'],
    [{ $expand: 'members(' }, 'expand'],
    [{ $expand: '' }, 'expand'],
  ] as const)('%j is refused', (query, message) => {
    expect(() => optionsOf(query)).toThrow(ODataError);
    expect(() => optionsOf(query)).toThrow(message);
  });

  it('ignore custom parameters and $format', () => {
    expect(optionsOf({ $format: 'json', tracking: '7' })).toEqual({ count: false });
  });
});

describe('a $skiptoken', () => {
  it('decodes to the position that it encodes', () => {
    expect(decodeSkipToken(writePageToken(['ada', 7]), 2)).toEqual(['ada', 7]);
  });

  it.each([
    '',
    'x',
    '%%%',
    Buffer.from('{}').toString('base64url'),
    Buffer.from('[{}]').toString('base64url'),
    writePageToken([1, 2]),
  ])('refuses %j', (token) => {
    expect(() => decodeSkipToken(token, 1)).toThrow('Invalid $skiptoken');
  });
});
