import { group } from '../group/group.js';
import { isGuid } from '../../core/values/guid.js';
import type { RuleSubject } from './ast.js';
import type { TokenReader } from './token-reader.js';
import { readList } from './value-parser.js';

/**
 * Parses `user.memberof -any (group.objectId -in [...])`, which must be the whole rule, apart from
 * parentheses around it; undefined for a rule that starts differently.
 */
export function parseMemberOf(
  reader: TokenReader,
): { readonly subject: RuleSubject; readonly groupIds: readonly string[] } | undefined {
  let parentheses = 0;
  while (reader.peek(parentheses).kind === '(') parentheses++;
  const { kind, text } = reader.peek(parentheses);
  const subject = /^(user|device)\.memberof$/i
    .exec(kind === 'word' ? text : '')?.[1]
    ?.toLowerCase();
  if (subject !== 'user' && subject !== 'device') return undefined;
  for (let count = 0; count <= parentheses; count++) reader.take();
  if (!reader.acceptOperator('any'))
    reader.fail(`memberOf needs -any (group.objectId -in [...]), found ${reader.describeNext()}`);
  reader.expect('(', "'('");
  const property = reader.expect('word', 'group.objectId');
  if (property.text.toLowerCase() !== 'group.objectid')
    reader.fail(`expected group.objectId, found '${property.text}'`, property.start);
  if (!reader.acceptOperator('in'))
    reader.fail(`memberOf takes -in only, found ${reader.describeNext()}`);
  const { start } = reader.expect('[', "a list such as ['<group id>']");
  const values = readList(reader, ']');
  for (let count = 0; count <= parentheses; count++) reader.expect(')', "')'");
  if (reader.next.kind !== 'end')
    reader.fail('memberOf must be the whole rule: nothing may follow it');
  const maxGroups = group.limits.membershipRuleSources;
  if (values.length > maxGroups)
    reader.fail(`memberOf names ${values.length} groups; at most ${maxGroups} are allowed`, start);
  const groupIds = values.map((value) =>
    value.type === 'string' && isGuid(value.value) ? value.value.toLowerCase() : undefined,
  );
  if (!groupIds.every((id) => id !== undefined))
    reader.fail('memberOf takes the object ids of groups, GUIDs in quotes', start);
  return { subject, groupIds };
}
