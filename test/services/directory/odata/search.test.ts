import fc from 'fast-check';
import { groupQueryRules } from '../../../../services/directory/groups/group-queries.js';
import {
  ODataError,
  parseSearch,
  type SearchNode,
} from '../../../../services/directory/odata/index.js';
import { compileSearchInMemory, printSearch } from './query-printers.js';
import { tokenizeText, tokenizeSearch } from '../../../../services/directory/odata/search.js';

const group = {
  displayName: 'OneVideo Sales-Team 2024',
  description: 'All of EMEA',
  mail: 'sales@contoso.com',
  mailNickname: 'salesteam',
};

function finds(search: string): boolean {
  return compileSearchInMemory(parseSearch(search), groupQueryRules)(group);
}

describe('a $search', () => {
  it.each([
    ['"displayName:video"', true],
    ['"displayName:one vid"', true],
    ['"displayName:team sales"', true],
    ['"displayName:salesteam"', true],
    ['"displayName:deo"', false],
    ['"displayName:2024"', true],
    ['"description:emea"', true],
    ['"mail:sales@"', true],
    ['"mail:contoso"', false],
    ['"displayName:video" AND "description:asia"', false],
    ['"displayName:video" OR "description:asia"', true],
    ['("displayName:x" OR "displayName:one") AND "mail:SALES"', true],
    ['"displayName:nothing" OR "mailNickname:sales" AND "displayName:x"', false],
  ])('%s finds the group: %s', (search, expected) => {
    expect(finds(search)).toBe(expected);
  });

  it.each([
    'video',
    '"video"',
    'displayName:video',
    '"displayName:video',
    '"displayName:"',
    '"displayName:a" and "mail:b"',
    '("displayName:a"',
    '"displayName:a" AND',
    '',
  ])('refuses %j', (search) => {
    expect(() => parseSearch(search)).toThrow(ODataError);
  });

  it('refuses a property that cannot be searched', () => {
    expect(() => finds('"theme:blue"')).toThrow(
      "search clause specified for property 'theme' of resource 'Group'",
    );
  });

  it('splits words at spaces, capitals, digits and symbols, and keeps joined ones', () => {
    expect(tokenizeText('helloWorld hello-there abc123 HTTPServer')).toEqual([
      'hello',
      'world',
      'there',
      'hellothere',
      'abc',
      '123',
      'http',
      'server',
    ]);
    expect(tokenizeSearch('OneVid')).toEqual(['one', 'vid']);
    expect(tokenizeSearch('*')).toEqual([]);
  });

  it('is parsed to the same tree after it is printed', () => {
    const clause = fc.record({
      kind: fc.constant('clause' as const),
      property: fc.constantFrom('displayName', 'mail'),
      text: fc
        .string({ minLength: 1 })
        .map((text) => text.trim())
        .filter((text) => text !== ''),
    });
    const joinedClauses = (inner: fc.Arbitrary<SearchNode>): fc.Arbitrary<SearchNode> =>
      fc
        .tuple(
          fc.constantFrom('and' as const, 'or' as const),
          fc.array(inner, { minLength: 2, maxLength: 3 }),
        )
        .map(([kind, operands]) => ({
          kind,
          operands: operands.flatMap((operand) =>
            operand.kind === kind ? operand.operands : [operand],
          ),
        }));
    const tree = fc.oneof(
      clause,
      joinedClauses(clause),
      joinedClauses(fc.oneof(clause, joinedClauses(clause))),
    );
    fc.assert(
      fc.property(tree, (search) => {
        expect(parseSearch(printSearch(search))).toEqual(search);
      }),
    );
  });

  it('is parsed or refused with an ODataError, whatever the text', () => {
    const pieces = fc.constantFrom('"', 'displayName:', 'a', ' AND ', ' OR ', '(', ')', '\\', ' ');
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 30 }), (parts) => {
        try {
          parseSearch(parts.join(''));
        } catch (error) {
          expect(error).toBeInstanceOf(ODataError);
        }
      }),
    );
  });
});
